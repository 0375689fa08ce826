package order

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"

	"thhotel/internal/database"
)

// projectionKey is what one projection is known by: a reservation's own number,
// else the confirmation number; a block's code with the year it arrives in, since
// blocks of other years may have the same code.
func projectionKey(p Projection) string {
	if p.Kind != "BLOCK" {
		return orElse(key(p.ReservationNo), key(p.ConfirmationNumber))
	}
	code := key(p.GroupCode)
	if code == "" || len(p.ArrivalDate) < 4 {
		return code
	}
	return code + "@" + p.ArrivalDate[:4]
}

// putProjection inserts or replaces; what is no newer than the stored word is dropped.
func (s store) putProjection(ctx context.Context, row projectionRow) (bool, error) {
	old, err := s.projectionByKey(ctx, row)
	if database.IsNotFound(err) {
		err = s.insert(ctx, &row)
		if !database.IsDuplicate(err) {
			return err == nil, err
		}
		old, err = s.projectionByKey(ctx, row)
	}
	if err != nil {
		return false, wrap("read projection", err)
	}
	res := s.conn(ctx).Model(&projectionRow{}).Where("id = ? AND as_of < ?", old.ID, row.AsOf).Select("*").Omit("id", "hotel_id", "kind", "object_key").Updates(&row)
	return res.RowsAffected == 1, wrap("update projection", res.Error)
}

func (s store) projectionByKey(ctx context.Context, row projectionRow) (projectionRow, error) {
	var old projectionRow
	err := s.conn(ctx).Where("hotel_id = ? AND kind = ? AND object_key = ?", row.HotelID, row.Kind, row.ObjectKey).Take(&old).Error
	return old, err
}

// projectionOf finds OPERA's newest word on an order by any of its keys.
func (s store) projectionOf(ctx context.Context, r Record) (*Projection, error) {
	found, err := s.projections(ctx, r.HotelID, []Record{r})
	if err != nil {
		return nil, err
	}
	return newestWord(found, r), nil
}

// newestWord picks among projections, newest first.
func newestWord(found []Projection, r Record) *Projection {
	i := slices.IndexFunc(found, func(p Projection) bool { return p.means(r) })
	if i < 0 {
		return nil
	}
	return &found[i]
}

// projections returns what may speak of the orders, newest first.
func (s store) projections(ctx context.Context, hotelID string, orders []Record) (out []Projection, err error) {
	var parts []string
	var args []any
	keys := keysOfOrders(orders)
	for _, column := range sortedKeys(keys) {
		parts = append(parts, "hotel_id = ? AND "+column+" IN ? ORDER BY as_of DESC, id LIMIT 1000")
		args = append(args, hotelID, keys[column])
	}
	const columns = "kind, group_code, confirmation_number, reservation_no, status, arrival_date, departure_date, guest_name, as_of, raw, rooms"
	err = s.each(ctx, "read projections", union(columns, "order_opera_projection", parts), args, func(rows *sql.Rows) error {
		var r projectionRow
		err := rows.Scan(&r.Kind, &r.GroupCode, &r.ConfirmationNumber, &r.ReservationNo, &r.Status, &r.ArrivalDate, &r.DepartureDate, &r.GuestName, &r.AsOf,
			&r.Raw, &r.Rooms)
		out = append(out, r.projection())
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b Projection) int {
		if c := b.AsOf.Compare(a.AsOf); c != 0 {
			return c
		}
		return strings.Compare(a.ReservationNo+a.ConfirmationNumber+a.GroupCode, b.ReservationNo+b.ConfirmationNumber+b.GroupCode)
	})
	return out, nil
}

func (r projectionRow) projection() Projection {
	p := Projection{Kind: r.Kind, GroupCode: r.GroupCode, ConfirmationNumber: r.ConfirmationNumber, ReservationNo: r.ReservationNo, Status: r.Status,
		ArrivalDate: r.ArrivalDate, DepartureDate: r.DepartureDate, GuestName: r.GuestName, AsOf: r.AsOf.Time, Raw: []byte(r.Raw)}
	if r.Rooms != nil {
		_ = json.Unmarshal([]byte(*r.Rooms), &p.RoomItems) // our own JSON
	}
	return p
}

// keysOfOrders names the columns itself; nothing of a caller becomes SQL.
func keysOfOrders(orders []Record) map[string][]string {
	out := map[string][]string{}
	for _, r := range orders {
		for column, v := range map[string]string{"group_code": r.GroupCode, "confirmation_number": r.ConfirmationNumber, "reservation_no": r.ReservationNo} {
			if v != "" {
				out[column] = append(out[column], v)
			}
		}
	}
	return out
}

// means reports whether the projection speaks of the order: a block's code in the
// same year; of a reservation its own number where both have one, since legs of a
// trip share the confirmation number.
func (p Projection) means(r Record) bool {
	switch {
	case p.Kind == "BLOCK":
		return r.GroupCode != "" && r.GroupCode == p.GroupCode && sameYear(p.ArrivalDate, r.ArrivalDate)
	case p.ReservationNo != "" && r.ReservationNo != "":
		return p.ReservationNo == r.ReservationNo
	}
	return p.ConfirmationNumber != "" && p.ConfirmationNumber == r.ConfirmationNumber
}

func sameYear(a, b string) bool { return len(a) < 4 || len(b) < 4 || a[:4] == b[:4] }
