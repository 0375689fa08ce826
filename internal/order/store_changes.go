package order

import "context"

// changedCards reads along the index on updated_at. Its rows with one moment are few.
func (s store) changedCards(ctx context.Context, hotelID string, c cursor, limit int) ([]cardRow, error) {
	var rows []cardRow
	err := s.conn(ctx).Where("hotel_id = ? AND updated_at >= ? AND (updated_at > ? OR id > ?)", hotelID, c.Num, c.Num, c.ID).
		Order("updated_at, id").Limit(limit).Find(&rows).Error
	return rows, wrap("read changed cards", err)
}

// changedNotices are the newest changes, at most limit: a list of notices is
// drawn anew from its top.
func (s store) changedNotices(ctx context.Context, hotelID string, from int64, limit int) ([]noticeRow, error) {
	var rows []noticeRow
	err := s.conn(ctx).Where("hotel_id = ? AND updated_at >= ?", hotelID, from).Order("updated_at DESC, id").Limit(limit).Find(&rows).Error
	return rows, wrap("read changed notices", err)
}
