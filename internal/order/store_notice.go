package order

import (
	"context"

	"thhotel/internal/database"
)

func (s store) notices(ctx context.Context, hotelID string, p NoticeListParams, c cursor, more bool, limit int) ([]noticeRow, error) {
	q := s.conn(ctx).Where("hotel_id = ?", hotelID)
	if p.Status != "ALL" {
		q = q.Where("status = ?", orElse(p.Status, NoticeOpen))
	}
	if p.RouteCode != "" {
		q = q.Where("route_code = ?", p.RouteCode)
	}
	if more {
		q = q.Where("created_at <= ? AND (created_at < ? OR id < ?)", c.Num, c.Num, c.ID)
	}
	var rows []noticeRow
	err := q.Order("created_at DESC, id DESC").Limit(limit).Find(&rows).Error
	return rows, wrap("read notices", err)
}

func (s store) notice(ctx context.Context, hotelID, id string) (noticeRow, error) {
	var row noticeRow
	err := s.conn(ctx).Where("hotel_id = ? AND id = ?", hotelID, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, errNoNotice()
	}
	return row, wrap("read notice", err)
}

func (s store) updateNotice(ctx context.Context, row *noticeRow) error {
	res := s.conn(ctx).Model(&noticeRow{}).Where("id = ? AND version = ?", row.ID, row.Version).Updates(map[string]any{
		"status": row.Status, "handled_by": row.HandledBy, "handled_text": row.HandledText, "card_id": row.CardID, "handled_at": row.HandledAt,
		"updated_at": row.UpdatedAt, "version": row.Version + 1})
	if res.Error != nil {
		return wrap("update notice", res.Error)
	}
	if res.RowsAffected != 1 {
		return errCardStale(row.Version + 1)
	}
	row.Version++
	return nil
}

// projectionKey is what one projection is known by: a block's code, a
// reservation's own number, else the confirmation number.
func projectionKey(p Projection) string {
	if p.Kind == "BLOCK" {
		return key(p.GroupCode)
	}
	return orElse(key(p.ReservationNo), key(p.ConfirmationNumber))
}

// putProjection inserts or replaces; what is older than the stored word is dropped.
func (s store) putProjection(ctx context.Context, row projectionRow) (bool, error) {
	var old projectionRow
	err := s.conn(ctx).Where("hotel_id = ? AND kind = ? AND object_key = ?", row.HotelID, row.Kind, row.ObjectKey).Take(&old).Error
	if database.IsNotFound(err) {
		err = s.insert(ctx, &row)
		if !database.IsDuplicate(err) {
			return err == nil, err
		}
		err = s.conn(ctx).Where("hotel_id = ? AND kind = ? AND object_key = ?", row.HotelID, row.Kind, row.ObjectKey).Take(&old).Error
	}
	if err != nil {
		return false, wrap("read projection", err)
	}
	res := s.conn(ctx).Model(&projectionRow{}).Where("id = ? AND as_of < ?", old.ID, row.AsOf).Select("*").Omit("id", "hotel_id", "kind", "object_key").Updates(&row)
	return res.RowsAffected == 1, wrap("update projection", res.Error)
}

// projectionOf finds OPERA's word on an order by any of its keys.
func (s store) projectionOf(ctx context.Context, r Record) (*Projection, error) {
	found, err := s.projections(ctx, r.HotelID, []Record{r})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	for i := range found {
		if found[i].means(r) {
			return &found[i], nil
		}
	}
	return nil, nil
}

func (s store) projections(ctx context.Context, hotelID string, orders []Record) ([]Projection, error) {
	var out []Projection
	for column, values := range keysOfOrders(orders) {
		if len(values) == 0 {
			continue
		}
		var rows []projectionRow
		err := s.conn(ctx).Where("hotel_id = ? AND "+column+" IN ?", hotelID, values).Order("as_of DESC").Limit(1000).Find(&rows).Error
		if err != nil {
			return nil, wrap("read projections", err)
		}
		for _, p := range rows {
			out = append(out, Projection{Kind: p.Kind, GroupCode: p.GroupCode, ConfirmationNumber: p.ConfirmationNumber, ReservationNo: p.ReservationNo,
				Status: p.Status, ArrivalDate: p.ArrivalDate, DepartureDate: p.DepartureDate, AsOf: p.AsOf.Time, Raw: []byte(p.Raw)})
		}
	}
	return out, nil
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

// means reports whether the projection speaks of the order: its own number where
// both have one, since legs of a trip share the confirmation number.
func (p Projection) means(r Record) bool {
	switch {
	case p.Kind == "BLOCK":
		return r.GroupCode != "" && r.GroupCode == p.GroupCode
	case p.ReservationNo != "" && r.ReservationNo != "":
		return p.ReservationNo == r.ReservationNo
	}
	return p.ConfirmationNumber != "" && p.ConfirmationNumber == r.ConfirmationNumber
}
