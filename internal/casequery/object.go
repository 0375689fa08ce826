package casequery

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/order"
)

// typeOrder is the one object type of this stage.
const typeOrder = "ORDER"

func objectID(orderID string) string { return typeOrder + ":" + orderID }

// ObjectDetail returns one order in full.
func (s *Service) ObjectDetail(ctx context.Context, by access.Caller, p ObjectDetailParams) (ObjectDetail, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return ObjectDetail{}, err
	}
	id, err := parseObjectID(p.ObjectID)
	if err != nil {
		return ObjectDetail{}, err
	}
	r, found, err := s.orders.OnOrder(ctx, by, p.HotelID, id)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == order.CodeOrderNotFound {
		return ObjectDetail{}, ErrObjectNotFound
	}
	if err != nil {
		return ObjectDetail{}, fmt.Errorf("read order: %w", err)
	}
	out := detail(r, order.Allowed(r, found.Hotel.BusinessDate), by.Lang)
	out.Tasks = tasks(found.Cards)
	out.Warnings = append(out.Warnings, hintWarning(p.ObjectType, []order.Record{r}, by.Lang)...)
	out.Warnings = append(out.Warnings, projectionWarnings(by.Lang, []order.Record{r}, found.Words)...)
	return out, nil
}

var objectIDs = regexp.MustCompile(`^([A-Z][A-Z_]*):([0-9A-Za-z-]{1,64})$`)

// parseObjectID takes the order's id out of ORDER:<id>.
func parseObjectID(s string) (string, error) {
	m := objectIDs.FindStringSubmatch(strings.TrimSpace(s))
	switch {
	case m == nil:
		return "", ErrObjectIDInvalid
	case m[1] != typeOrder:
		return "", ErrObjectTypeUnsupported
	}
	return strings.ToLower(m[2]), nil
}

// hintWarning answers a hint that fits none of the orders. It is only a hint, so
// it refuses nothing.
func hintWarning(hint string, records []order.Record, lang string) []agent.Warning {
	h := clean(hint)
	fits := func(r order.Record) bool { return h == r.BookingType }
	if h == "" || h == typeOrder || len(records) == 0 || slices.ContainsFunc(records, fits) {
		return nil
	}
	return []agent.Warning{warning(lang, WarnTypeHint, "对象类型提示与查到的订单不符，已忽略；请以 booking_type 为准。",
		"The object type hint fits no order found and was ignored; booking_type counts.")}
}

func detail(r order.Record, a order.Actions, lang string) ObjectDetail {
	out := ObjectDetail{ObjectID: objectID(r.ID), ObjectType: typeOrder, OrderID: r.ID, BookingType: r.BookingType,
		GroupCode: present(r.GroupCode), ConfirmationNumber: present(r.ConfirmationNumber), ReservationNo: present(r.ReservationNo),
		AccountCode: present(r.AccountCode), ExternalReference: present(r.ExternalReference), GuestName: present(r.GuestName),
		GroupName: present(r.GroupName), AlternateName: present(r.AlternateName), ArrivalDate: present(r.ArrivalDate),
		DepartureDate: present(r.DepartureDate), RateCode: present(r.RateCode), BookingScenario: present(r.BookingScenario),
		RoomItems: []RoomItem{}, Adults: r.Adults, Children: r.Children, CutoffDate: present(r.CutoffDate), ReleaseDays: r.ReleaseDays,
		CancellationPolicy: present(r.Policy.Text), CancellationNumber: present(r.CancellationNumber),
		Status: r.Status, Version: r.Version, CanUpdate: a.CanUpdate, CanCancel: a.CanCancel, CanAttachVoucher: a.CanAttachVoucher,
		HardWarnings: hardWarnings(a, lang), SourceMessageID: present(r.SourceMessageID), Warnings: []agent.Warning{}}
	if r.BlockOrderID != "" {
		out.BlockObjectID = present(objectID(r.BlockOrderID))
	}
	for _, l := range r.Rooms {
		out.RoomItems = append(out.RoomItems, RoomItem{RoomTypeCode: l.RoomTypeCode, RoomCount: l.RoomCount})
	}
	return out
}

// hardWarnings are the reasons of the cards' rules, each told once.
func hardWarnings(a order.Actions, lang string) []agent.Warning {
	out := []agent.Warning{}
	for _, r := range a.Reasons {
		w := warning(lang, r.Code, r.Message, r.MessageEN)
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// AnswerWarnings puts the warnings of the data into the envelope too.
func (d ObjectDetail) AnswerWarnings() []agent.Warning { return d.Warnings }

// AnswerSummary is the short text for people.
func (d ObjectDetail) AnswerSummary() agent.Summary {
	yes := func(ok bool, zh, en string) (string, string) {
		if ok {
			return "可" + zh, "can " + en
		}
		return "不可" + zh, "cannot " + en
	}
	uz, ue := yes(d.CanUpdate, "更新", "be updated")
	cz, ce := yes(d.CanCancel, "取消", "be cancelled")
	return agent.Summary{ZH: fmt.Sprintf("订单 %s 状态 %s，%s，%s；未完成任务 %d 个。", d.ObjectID, d.Status, uz, cz, len(d.Tasks)),
		EN: fmt.Sprintf("Order %s is %s; it %s and %s; %d open task(s).", d.ObjectID, d.Status, ue, ce, len(d.Tasks))}
}
