package order

import (
	"context"

	"thhotel/internal/database"
)

func (s store) setOrder(ctx context.Context, cardID, orderID string) error {
	return wrap("link card", s.conn(ctx).Model(&cardRow{}).Where("id = ?", cardID).Update("order_id", orderID).Error)
}

// removeGuests takes names off a rooming list; the rows stay as history.
func (s store) removeGuests(ctx context.Context, orderID string, names []string) error {
	list, err := s.rooming(ctx, orderID, "LISTED")
	if err != nil {
		return err
	}
	var gone []string
	for _, e := range list {
		for _, n := range names {
			if samePerson(e.GuestName, n) {
				gone = append(gone, e.ID)
			}
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return wrap("remove guests", s.conn(ctx).Model(&entryRow{}).Where("id IN ?", gone).Update("status", "REMOVED").Error)
}

func (s store) clearRooming(ctx context.Context, orderID string) error {
	return wrap("replace rooming list", s.conn(ctx).Model(&entryRow{}).Where("order_id = ? AND status = ?", orderID, "LISTED").
		Update("status", "REMOVED").Error)
}

func (s store) supersedeNotices(ctx context.Context, hotelID, messageID string) error {
	return wrap("supersede notices", s.conn(ctx).Model(&noticeRow{}).Where("message_id = ? AND hotel_id = ? AND status = ?", messageID, hotelID, NoticeOpen).
		Updates(map[string]any{"status": NoticeSuperseded, "updated_at": database.At(s.clock.Now())}).Error)
}
