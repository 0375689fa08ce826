package order

import (
	"context"

	"gorm.io/gorm"

	"thhotel/internal/database"
)

func (s store) backlog(ctx context.Context, l lens) (b Backlog, err error) {
	running := func() *gorm.DB {
		return s.conn(ctx).Model(&cardRow{}).Where("hotel_id = ? AND is_open = ? AND paused_at IS NULL", l.hotelID, true)
	}
	var opened, due database.Time
	err = database.ScanRow(s.conn(ctx).Model(&cardRow{}).Select("MIN(created_at)").Where("hotel_id = ? AND is_open = ?", l.hotelID, true), &opened)
	if err == nil {
		err = database.ScanRow(running().Select("due_at").Order("due_at").Limit(1), &due)
	}
	if database.IsNotFound(err) {
		err = nil
	}
	if err != nil {
		return b, wrap("read backlog", err)
	}
	b.OldestOpen, b.NextDue = opened.Time, due.Time
	b.Overdue, err = s.countSome(ctx, running().Where("due_at < ?", l.now))
	return b, err
}
