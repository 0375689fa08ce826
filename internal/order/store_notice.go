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
