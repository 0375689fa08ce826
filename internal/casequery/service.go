package casequery

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// maxOrders bounds the orders of one answer; a group code is not unique.
const maxOrders = 50

// Service answers from other packages' services.
type Service struct {
	platform *platform.Service
	inbox    *inbox.Service
	orders   *order.Service
}

// New returns the service.
func New(p *platform.Service, i *inbox.Service, o *order.Service) *Service {
	return &Service{platform: p, inbox: i, orders: o}
}

// CaseContext looks the given keys up, exactly, and says what a package may
// propose on the strength of them.
func (s *Service) CaseContext(ctx context.Context, by access.Caller, p CaseContextParams) (CaseContext, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return CaseContext{}, err
	}
	keys := p.keys()
	if keys == (order.Keys{}) {
		return CaseContext{}, ErrCaseKeyRequired
	}
	found, err := s.orders.Case(ctx, by, p.HotelID, keys, maxOrders)
	if err != nil {
		return CaseContext{}, fmt.Errorf("find orders: %w", err)
	}
	today := found.Hotel.BusinessDate
	out := CaseContext{Orders: []MatchedOrder{}, Validation: validate(p, found.Found, today, by.Lang), Tasks: tasks(found.Cards)}
	for _, r := range found.Records {
		out.Orders = append(out.Orders, matched(r, today))
	}
	out.Warnings = append(keyWarnings(found.Found, by.Lang), hintWarning(p.ObjectTypeHint, found.Records, by.Lang)...)
	out.Warnings = append(out.Warnings, projectionWarnings(by.Lang, found.Records, found.Words)...)
	return out, nil
}

func (p CaseContextParams) keys() order.Keys {
	return order.Keys{GroupCode: clean(p.GroupCode), ConfirmationNumber: clean(p.ConfirmationNumber), ReservationNo: clean(p.ReservationNo)}
}

// clean brings a business key into the form it is stored in.
func clean(s string) string { return order.Key(s) }

func matched(r order.Record, businessDate string) MatchedOrder {
	a := order.Allowed(r, businessDate)
	return MatchedOrder{ObjectID: objectID(r.ID), OrderID: r.ID, BookingType: r.BookingType, GroupCode: present(r.GroupCode),
		ConfirmationNumber: present(r.ConfirmationNumber), ReservationNo: present(r.ReservationNo), AccountCode: present(r.AccountCode),
		GuestName: present(r.Name()), ArrivalDate: present(r.ArrivalDate), DepartureDate: present(r.DepartureDate),
		Status: r.Status, Version: r.Version, CanUpdate: a.CanUpdate, CanCancel: a.CanCancel}
}

// tasks are what waits for people, as the agent sees it.
func tasks(cards []order.CardBrief) []Task {
	out := make([]Task, len(cards))
	for i, c := range cards {
		out[i] = Task{TaskID: c.ID, OrderID: present(c.OrderID), SystemTaskType: string(c.EventType), TaskStatus: c.Status,
			TaskCreatedAt: stamp(c.CreatedAt), ExternalSourceMessageID: present(c.ExternalMessageID)}
	}
	return out
}

// projectionWarnings tells which orders OPERA has said nothing about yet, and on
// which it says something else.
func projectionWarnings(lang string, records []order.Record, words map[string]order.OperaWord) []agent.Warning {
	var missing []string
	var out []agent.Warning
	for _, r := range records {
		switch w := words[r.ID]; {
		case w.Projection == nil:
			missing = append(missing, objectID(r.ID))
		case len(w.Differences) > 0:
			out = append(out, disagreement(lang, r, w))
		}
	}
	if len(missing) > 0 {
		list := strings.Join(missing, ", ")
		out = append(out, warning(lang, WarnProjectionMissing,
			"以下订单没有 OPERA 投影，状态以本系统记录为准，可能落后于 OPERA："+list,
			"OPERA has not reported these orders; what stands here may be behind OPERA: "+list))
	}
	return out
}

// disagreement says field by field what OPERA last said otherwise. It refuses
// nothing: staff decide which of the two is right.
func disagreement(lang string, r order.Record, w order.OperaWord) agent.Warning {
	said := func(empty string) string {
		var parts []string
		for _, d := range w.Differences {
			parts = append(parts, d.Field+" "+cmp.Or(d.Ours, empty)+" / "+cmp.Or(d.Opera, empty))
		}
		return strings.Join(parts, "; ")
	}
	at := stamp(w.Projection.AsOf)
	return warning(lang, WarnProjectionDisagrees,
		"订单 "+objectID(r.ID)+" 与 OPERA（"+at+"）不一致（本系统 / OPERA）："+said("无")+"。请在提议修改前由人工核对。",
		"Order "+objectID(r.ID)+" and OPERA ("+at+") disagree (here / OPERA): "+said("none")+". A person should check before anything is changed.")
}

// AnswerWarnings puts the warnings of the data into the envelope too.
func (c CaseContext) AnswerWarnings() []agent.Warning { return c.Warnings }

// AnswerSummary is the short text for people.
func (c CaseContext) AnswerSummary() agent.Summary {
	v := c.Validation
	zh, en := []string{}, []string{}
	for _, a := range []struct {
		ok     bool
		zh, en string
	}{{v.CanCreate, "新建", "create"}, {v.CanUpdate, "更新", "update"}, {v.CanCancel, "取消", "cancel"}, {v.CanAttachVoucher, "附加凭证", "attach a voucher"}} {
		if a.ok {
			zh, en = append(zh, a.zh), append(en, a.en)
		}
	}
	allowedZH, allowedEN := "无", "nothing"
	if len(zh) > 0 {
		allowedZH, allowedEN = strings.Join(zh, "、"), strings.Join(en, ", ")
	}
	return agent.Summary{
		ZH: fmt.Sprintf("匹配订单 %d 个，未完成任务 %d 个；可提议的操作：%s。", len(c.Orders), len(c.Tasks), allowedZH),
		EN: fmt.Sprintf("%d order(s) matched, %d open task(s); may be proposed: %s.", len(c.Orders), len(c.Tasks), allowedEN)}
}
