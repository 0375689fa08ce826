package order

import (
	"context"

	"thhotel/internal/database"
	"thhotel/internal/fault"
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
	return wrap("supersede notices", s.conn(ctx).Model(&noticeRow{}).Where("message_id = ? AND +hotel_id = ? AND status = ?", messageID, hotelID, NoticeOpen).
		Updates(map[string]any{"status": NoticeSuperseded, "updated_at": database.At(s.clock.Now())}).Error)
}

func (s store) payment(ctx context.Context, hotelID, id string) (paymentRow, error) {
	var row paymentRow
	err := s.conn(ctx).Where("hotel_id = ? AND id = ?", hotelID, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, fault.New(fault.NotFound, CodePaymentNotFound, "没有这笔款项；请刷新订单页。", "There is no such payment. Reload the order.")
	}
	return row, wrap("read payment", err)
}

func (s store) confirmPayment(ctx context.Context, row *paymentRow) error {
	res := s.conn(ctx).Model(&paymentRow{}).Where("id = ? AND version = ? AND status = ?", row.ID, row.Version, PaymentAdvised).
		Updates(map[string]any{"status": row.Status, "confirmed_by": row.ConfirmedBy, "confirmed_at": row.ConfirmedAt, "version": row.Version + 1})
	if res.Error == nil && res.RowsAffected != 1 {
		return fault.New(fault.Conflict, CodePaymentDone, "该款项刚被他人确认；请刷新。", "Somebody else has just confirmed the payment. Reload.")
	}
	row.Version++
	return wrap("confirm payment", res.Error)
}

// showClosed keeps a decided card findable under what its order is called now.
func (s store) showClosed(ctx context.Context, cardID string, r Record) error {
	return wrap("refresh card", s.conn(ctx).Model(&cardRow{}).Where("id = ?", cardID).Updates(map[string]any{
		"order_key": cut(r.Key(), 80), "guest_name": cut(r.Name(), 200), "arrival_date": r.ArrivalDate, "departure_date": r.DepartureDate,
	}).Error)
}
