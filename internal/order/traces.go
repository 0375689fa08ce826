package order

import (
	"context"

	"thhotel/internal/access"
)

// TraceParams selects traces: what a department has to see to. Without From it
// begins today (the business date), without To it is one day.
type TraceParams struct {
	Department string // "" means every one
	From, To   string // trace dates, both included; From == "*" lists traces without a date
	Flag       string // ALLERGY, ACCESSIBILITY, or "" for any
	Type       string // TRACE, NOTE, or "" for both
	// Closed adds traces of orders that are cancelled, rejected or no-shows.
	Closed bool
	Cursor string
	Limit  int // default 50, most 200
}

// Undated is TraceParams.From for traces that have no date.
const Undated = "*"

// TraceOfOrder is a trace with the order it stands on.
type TraceOfOrder struct {
	TraceLine
	OrderID       string `json:"order_id"`
	OrderKey      string `json:"order_key"`
	OrderName     string `json:"order_name"`
	OrderStatus   string `json:"order_status"`
	BookingType   string `json:"booking_type"`
	ArrivalDate   string `json:"arrival_date"`
	DepartureDate string `json:"departure_date"`
	OutsideStay   bool   `json:"outside_stay"` // before arrival or after departure
}

// TracePage is a page of traces by date, time and id.
type TracePage struct {
	Traces     []TraceOfOrder
	From, To   string // the days it covers
	NextCursor string
}

// Traces lists traces by department and day.
func (s *Service) Traces(ctx context.Context, by access.Caller, p TraceParams) (TracePage, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return TracePage{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return TracePage{}, err
	}
	if err := p.settle(in.hotel.BusinessDate); err != nil {
		return TracePage{}, err
	}
	c, more, err := readCursor(p.Cursor, "traces")
	if err != nil {
		return TracePage{}, err
	}
	limit := pageSize(p.Limit)
	rows, err := s.store.tracesOf(ctx, in.hotel.ID, p, c, more, limit+1)
	if err != nil {
		return TracePage{}, err
	}
	page := TracePage{From: p.From, To: p.To}
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.NextCursor = cursor{Sort: "traces", Text: last.Trace.TraceDate, Text2: last.Trace.TraceTime, ID: last.Trace.ID}.String()
	}
	for _, r := range rows {
		page.Traces = append(page.Traces, r.trace())
	}
	return page, nil
}

// settle fills in the days and refuses those that are none.
func (p *TraceParams) settle(today string) error {
	p.Department, p.Flag, p.Type = Key(p.Department), Key(p.Flag), Key(p.Type)
	if p.From == Undated {
		p.From, p.To = "", ""
		return nil
	}
	p.From = orElse(p.From, today)
	p.To = orElse(p.To, p.From)
	switch {
	case !realDate(p.From):
		return invalid("/from", "起始日期不存在。", "a real date, YYYY-MM-DD")
	case !realDate(p.To) || p.To < p.From:
		return invalid("/to", "结束日期不存在，或早于起始日期。", "a real date, YYYY-MM-DD, not before from")
	}
	return nil
}

func (r traceOrderRow) trace() TraceOfOrder {
	t := TraceOfOrder{TraceLine: r.Trace.line(), OrderID: r.Trace.OrderID, OrderStatus: r.Status, BookingType: r.BookingType,
		ArrivalDate: r.ArrivalDate, DepartureDate: r.DepartureDate}
	o := Record{GroupCode: r.GroupCode, ConfirmationNumber: r.ConfirmationNumber, ReservationNo: r.ReservationNo, GuestName: r.GuestName, GroupName: r.GroupName}
	t.OrderKey, t.OrderName = o.Key(), o.Name()
	t.OutsideStay = outsideStay(r.Trace.TraceDate, r.ArrivalDate, r.DepartureDate)
	return t
}

// outsideStay: the departure day still belongs to the stay.
func outsideStay(day, in, out string) bool {
	return day != "" && (in != "" && day < in || out != "" && day > out)
}
