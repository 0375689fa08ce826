package casequery

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	hotel, err := s.platform.ResolveHotel(ctx, by, p.HotelID)
	if err != nil {
		return CaseContext{}, err
	}
	found, err := s.orders.FindByKeys(ctx, by, keys, maxOrders)
	if err != nil {
		return CaseContext{}, fmt.Errorf("find orders: %w", err)
	}
	out := CaseContext{Orders: []MatchedOrder{}, Validation: validate(p, found.Records, hotel.BusinessDate, by.Lang)}
	for _, r := range found.Records {
		out.Orders = append(out.Orders, matched(r, hotel.BusinessDate))
	}
	if out.Tasks, err = s.openTasks(ctx, by, found.Records, keys); err != nil {
		return CaseContext{}, err
	}
	out.Warnings = append(keyWarnings(found, by.Lang), hintWarning(p.ObjectTypeHint, found.Records, by.Lang)...)
	missing, err := s.projectionWarnings(ctx, by, found.Records)
	out.Warnings = append(out.Warnings, missing...)
	return out, err
}

func (p CaseContextParams) keys() order.Keys {
	return order.Keys{GroupCode: clean(p.GroupCode), ConfirmationNumber: clean(p.ConfirmationNumber), ReservationNo: clean(p.ReservationNo)}
}

// clean brings a business key into the form it is stored in.
func clean(s string) string { return strings.ToUpper(strings.TrimSpace(s)) }

func matched(r order.Record, businessDate string) MatchedOrder {
	a := order.Allowed(r, businessDate)
	return MatchedOrder{ObjectID: objectID(r.ID), OrderID: r.ID, BookingType: r.BookingType, GroupCode: present(r.GroupCode),
		ConfirmationNumber: present(r.ConfirmationNumber), ReservationNo: present(r.ReservationNo), AccountCode: present(r.AccountCode),
		GuestName: present(r.Name()), ArrivalDate: present(r.ArrivalDate), DepartureDate: present(r.DepartureDate),
		Status: r.Status, Version: r.Version, CanUpdate: a.CanUpdate, CanCancel: a.CanCancel}
}

// openTasks lists what waits for people on the orders, and what names one of the
// keys while no order is known for it: a mail may speak of a group whose own
// booking nobody has confirmed yet.
func (s *Service) openTasks(ctx context.Context, by access.Caller, records []order.Record, keys order.Keys) ([]Task, error) {
	cards, err := s.orders.OpenCards(ctx, by, ids(records))
	if err != nil {
		return nil, fmt.Errorf("open tasks: %w", err)
	}
	early, err := s.orders.OpenCardsByKeys(ctx, by, keys)
	if err != nil {
		return nil, fmt.Errorf("open tasks by key: %w", err)
	}
	cards = append(cards, early...)
	slices.SortStableFunc(cards, func(a, b order.CardBrief) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	// A card may get its order between the two reads; it then stands in both.
	cards = slices.CompactFunc(cards, func(a, b order.CardBrief) bool { return a.ID == b.ID })
	tasks := make([]Task, len(cards))
	for i, c := range cards {
		tasks[i] = Task{TaskID: c.ID, OrderID: present(c.OrderID), SystemTaskType: string(c.EventType), TaskStatus: c.Status,
			TaskCreatedAt: stamp(c.CreatedAt), ExternalSourceMessageID: present(c.ExternalMessageID)}
	}
	return tasks, nil
}

func ids(records []order.Record) []string {
	out := make([]string, 0, len(records))
	for _, r := range records {
		out = append(out, r.ID)
	}
	return out
}

// projectionWarnings tells which orders OPERA has said nothing about yet.
func (s *Service) projectionWarnings(ctx context.Context, by access.Caller, records []order.Record) ([]agent.Warning, error) {
	if len(records) == 0 {
		return nil, nil
	}
	have, err := s.orders.HasProjection(ctx, by, ids(records))
	if err != nil {
		return nil, fmt.Errorf("projections: %w", err)
	}
	var missing []string
	for _, r := range records {
		if !have[r.ID] {
			missing = append(missing, objectID(r.ID))
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	list := strings.Join(missing, ", ")
	return []agent.Warning{warning(by.Lang, WarnProjectionMissing,
		"以下订单没有 OPERA 投影，状态以本系统记录为准，可能落后于 OPERA："+list,
		"OPERA has not reported these orders; what stands here may be behind OPERA: "+list)}, nil
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
