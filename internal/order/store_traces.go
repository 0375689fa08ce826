package order

import "context"

// traceOrderRow is a trace joined with as much of its order as lists show.
type traceOrderRow struct {
	Trace                                        traceRow `gorm:"embedded"`
	GroupCode, ConfirmationNumber, ReservationNo string
	GuestName, GroupName, BookingType, Status    string
	ArrivalDate, DepartureDate                   string
}

func (s store) tracesOf(ctx context.Context, hotelID string, p TraceParams, c cursor, more bool, limit int) ([]traceOrderRow, error) {
	q := s.conn(ctx).Table("order_trace AS t").Joins("JOIN order_record AS o ON o.id = t.order_id").
		Select("t.id, t.order_id, t.card_id, t.trace_type, t.department_code, t.trace_date, t.trace_time, t.trace_text, t.flag, t.created_at, "+
			"o.group_code, o.confirmation_number, o.reservation_no, o.guest_name, o.group_name, o.booking_type, o.status, o.arrival_date, o.departure_date").
		Where("t.hotel_id = ? AND t.trace_date >= ? AND t.trace_date <= ?", hotelID, p.From, p.To)
	for column, v := range map[string]string{"t.department_code": p.Department, "t.flag": p.Flag, "t.trace_type": p.Type} {
		if v != "" {
			q = q.Where(column+" = ?", v)
		}
	}
	if !p.Closed {
		q = q.Where("o.status NOT IN ?", []string{StatusCancelled, StatusRejected, StatusNoShow})
	}
	if more {
		q = q.Where("t.trace_date >= ? AND (t.trace_date > ? OR t.trace_time > ? OR (t.trace_time = ? AND t.id > ?))", c.Text, c.Text, c.Text2, c.Text2, c.ID)
	}
	var rows []traceOrderRow
	err := q.Order("t.trace_date, t.trace_time, t.id").Limit(limit).Scan(&rows).Error
	return rows, wrap("read traces", err)
}

func (r traceRow) line() TraceLine {
	return TraceLine{ID: r.ID, Type: r.TraceType, DepartmentCode: r.DepartmentCode, Date: r.TraceDate, Time: r.TraceTime,
		Text: r.TraceText, Flag: r.Flag, CardID: r.CardID, CreatedAt: r.CreatedAt.Time}
}
