package order

import (
	"context"
	"database/sql"
	"strings"

	"thhotel/internal/database"
)

// The queries of the agent's questions are written out and scanned by hand: GORM's
// reflection would cost more than the engine, and "*" would drag along the
// largest columns, which nobody looks at here.

const orderColumns = "id, hotel_id, booking_type, group_code, confirmation_number, reservation_no, account_code, external_reference, guest_name, " +
	"group_name, alternate_name, arrival_date, departure_date, status, block_order_id, version"

// plainByKey is byKey without rooms and without what only pages show.
func (s store) plainByKey(ctx context.Context, hotelID, locator, value string, limit int) ([]Record, error) {
	return s.plain(ctx, locator, " ORDER BY arrival_date DESC, id DESC LIMIT ?", hotelID, key(value), limit)
}

// plainLiveByKey is liveByKey likewise.
func (s store) plainLiveByKey(ctx context.Context, hotelID, locator, value string, limit int) ([]Record, error) {
	return s.plain(ctx, locator, " AND status NOT IN ? ORDER BY arrival_date DESC, id DESC LIMIT ?", hotelID, key(value), closedStates, limit)
}

func (s store) plain(ctx context.Context, locator, rest string, args ...any) (out []Record, err error) {
	column := keyColumn(locator)
	if column == "" {
		return nil, nil
	}
	err = s.each(ctx, "read orders", "SELECT "+orderColumns+" FROM order_record WHERE hotel_id = ? AND "+column+" = ?"+rest, args, func(rows *sql.Rows) error {
		var r Record
		err := rows.Scan(&r.ID, &r.HotelID, &r.BookingType, &r.GroupCode, &r.ConfirmationNumber, &r.ReservationNo, &r.AccountCode, &r.ExternalReference,
			&r.GuestName, &r.GroupName, &r.AlternateName, &r.ArrivalDate, &r.DepartureDate, &r.Status, &r.BlockOrderID, &r.Version)
		out = append(out, r)
		return err
	})
	return out, err
}

// taskColumns are what the agent is told of a card.
const taskColumns = "id, order_id, event_type, status, external_message_id, created_at"

// openBriefs are the open cards of orders, then those that name a key and know no
// order. They hold no more than taskColumns.
func (s store) openBriefs(ctx context.Context, hotelID string, orders []Record, k Keys) (out []CardBrief, err error) {
	var parts []string
	var args []any
	if len(orders) > 0 {
		ids := make([]string, len(orders))
		for i, r := range orders {
			ids[i] = r.ID
		}
		parts = append(parts, "order_id IN ? AND is_open = ? AND +hotel_id = ? ORDER BY created_at, id LIMIT 500")
		args = append(args, ids, true, hotelID)
	}
	for _, given := range k.given() {
		parts = append(parts, "hotel_id = ? AND is_open = ? AND locator_type = ? AND locator_value = ? AND order_id = ? ORDER BY created_at, id LIMIT 200")
		args = append(args, hotelID, true, given.locator, cut(given.value, 80), "")
	}
	err = s.each(ctx, "read open cards", union(taskColumns, "order_card", parts), args, func(rows *sql.Rows) error {
		var c CardBrief
		var created database.Time
		err := rows.Scan(&c.ID, &c.OrderID, &c.EventType, &c.Status, &c.ExternalMessageID, &created)
		c.CreatedAt = created.Time
		out = append(out, c)
		return err
	})
	return out, err
}

// union makes one query of several that each walk an index of their own; OR would
// leave that to the planner.
func union(columns, table string, parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	if len(parts) == 1 {
		return "SELECT " + columns + " FROM " + table + " WHERE " + parts[0]
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(" UNION ALL ")
		}
		b.WriteString("SELECT * FROM (SELECT " + columns + " FROM " + table + " WHERE " + p + ") AS part" + itoa(i))
	}
	return b.String()
}

// each runs a written-out query in the transaction of ctx, if any; "" is none.
func (s store) each(ctx context.Context, doing, query string, args []any, row func(*sql.Rows) error) error {
	if query == "" {
		return nil
	}
	rows, err := s.db.Rows(ctx, query, args...)
	if err != nil {
		return wrap(doing, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return wrap(doing, err)
		}
	}
	return wrap(doing, rows.Err())
}
