package order

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"gorm.io/gorm"

	"thhotel/internal/database"
)

func (s store) card(ctx context.Context, hotelID, id string) (cardRow, error) {
	var row cardRow
	err := s.conn(ctx).Where("hotel_id = ? AND id = ?", hotelID, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, errNoCard()
	}
	return row, wrap("read card", err)
}

func (s store) cards(ctx context.Context, q func(*gorm.DB) *gorm.DB) ([]cardRow, error) {
	var rows []cardRow
	err := q(s.conn(ctx).Model(&cardRow{})).Find(&rows).Error
	return rows, wrap("read cards", err)
}

func (s store) openCardsOf(ctx context.Context, hotelID string, orderIDs []string) ([]cardRow, error) {
	if len(orderIDs) == 0 {
		return nil, nil
	}
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("order_id IN ? AND is_open = ? AND +hotel_id = ?", orderIDs, true, hotelID).Order("created_at, id").Limit(500)
	})
}

// waitingFor finds open cards that mean the order, or that name a key it has and
// know no order yet.
func (s store) waitingFor(ctx context.Context, r Record) ([]cardRow, error) {
	rows, err := s.openCardsOf(ctx, r.HotelID, []string{r.ID})
	if err != nil {
		return nil, err
	}
	more, err := s.openCardsByKeys(ctx, r.HotelID, Keys{GroupCode: r.GroupCode, ConfirmationNumber: r.ConfirmationNumber, ReservationNo: r.ReservationNo})
	return append(rows, more...), err
}

// openCardsByKeys finds open cards without an order, by the key they name.
func (s store) openCardsByKeys(ctx context.Context, hotelID string, k Keys) ([]cardRow, error) {
	var rows []cardRow
	for _, by := range []struct{ locator, value string }{{ByGroupCode, k.GroupCode}, {ByConfirmation, k.ConfirmationNumber}, {ByReservationNo, k.ReservationNo}} {
		value := cut(key(by.value), 80)
		if value == "" {
			continue
		}
		more, err := s.cards(ctx, func(q *gorm.DB) *gorm.DB {
			return q.Where("hotel_id = ? AND is_open = ? AND locator_type = ? AND locator_value = ? AND order_id = ?", hotelID, true, by.locator, value, "").
				Order("created_at, id").Limit(200)
		})
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	slices.SortStableFunc(rows, func(a, b cardRow) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt.Time), strings.Compare(a.ID, b.ID))
	})
	return rows, nil
}

// changeCard writes columns if the card is still at the version, and moves it on.
func (s store) changeCard(ctx context.Context, row *cardRow, columns map[string]any) error {
	done, err := s.changeIfSame(ctx, row, columns)
	if err == nil && !done {
		return errCardStale(row.Version + 1)
	}
	return err
}

// changeIfSame is changeCard where a lost race is no error.
func (s store) changeIfSame(ctx context.Context, row *cardRow, columns map[string]any) (bool, error) {
	now := database.At(s.clock.Now())
	columns["version"], columns["updated_at"] = row.Version+1, now
	res := s.conn(ctx).Model(&cardRow{}).Where("id = ? AND version = ?", row.ID, row.Version).Updates(columns)
	if res.Error != nil || res.RowsAffected != 1 {
		return false, wrap("update card", res.Error)
	}
	row.Version, row.UpdatedAt = row.Version+1, now
	return true, nil
}

// waitingCards are those of a conversation whose sender was asked, but for one mail's own.
func (s store) waitingCards(ctx context.Context, hotelID, conversationID, exceptMessage string) ([]cardRow, error) {
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("+hotel_id = ? AND is_open = ? AND status = ? AND external_conversation_id = ? AND message_id <> ?",
			hotelID, true, CardWaiting, conversationID, exceptMessage).Order("due_at, id").Limit(100)
	})
}

// refreshCard rewrites what a card shows of its order; no decision, so no new version.
func (s store) refreshCard(ctx context.Context, row cardRow) error {
	err := s.conn(ctx).Model(&cardRow{}).Where("id = ?", row.ID).Updates(map[string]any{
		"order_id": row.OrderID, "review": row.Review, "flags": row.Flags, "base_json": row.BaseJSON, "base_version": row.BaseVersion,
		"order_key": row.OrderKey, "guest_name": row.GuestName, "arrival_date": row.ArrivalDate, "departure_date": row.DepartureDate,
		"cutoff_date": row.CutoffDate, "account_code": row.AccountCode, "search_text": row.SearchText, "updated_at": database.At(s.clock.Now()),
	}).Error
	if err != nil {
		return wrap("refresh card", err)
	}
	// The status follows the review flag only while nobody holds the card.
	return wrap("refresh card", s.conn(ctx).Model(&cardRow{}).Where("id = ? AND status IN ?", row.ID, []string{CardPending, CardNeedsReview}).
		Update("status", idleStatus(row.Review)).Error)
}

func idleStatus(review bool) string {
	if review {
		return CardNeedsReview
	}
	return CardPending
}

func (r *cardRow) brief() CardBrief {
	c := CardBrief{
		ID: r.ID, TaskID: r.TaskID, BatchID: r.BatchID, TransitionID: r.TransitionID, OrderID: r.OrderID, EventType: EventType(r.EventType),
		Status: r.Status, Mark: r.Mark, RepeatOf: r.RepeatOf, Review: r.Review, MessageID: r.MessageID, ExternalMessageID: r.ExternalMessageID,
		ExternalConversationID: r.ExternalConversationID, Subject: r.Subject, SenderName: r.SenderName, SenderEmail: r.SenderEmail,
		BookingType: r.BookingType, AccountCode: r.AccountCode, Key: r.OrderKey, GuestName: r.GuestName, ArrivalDate: r.ArrivalDate,
		DepartureDate: r.DepartureDate, CutoffDate: r.CutoffDate, OwnerID: r.OwnerID, OwnerName: r.OwnerName, LeaseUntil: r.LeaseUntil.Time,
		DueAt: r.DueAt.Time, WaitingUntil: r.WaitingUntil.Time, ReceivedAt: r.ReceivedAt.Time, CreatedAt: r.CreatedAt.Time,
		UpdatedAt: r.UpdatedAt.Time, Version: r.Version,
	}
	if !r.IsOpen { // what asked for a look has had it
		c.Review = false
		return c
	}
	_ = json.Unmarshal([]byte(r.Flags), &c.Flags) // our own JSON
	return c
}

func briefs(rows []cardRow) []CardBrief {
	out := make([]CardBrief, len(rows))
	for i := range rows {
		out[i] = rows[i].brief()
	}
	return out
}

func (r *cardRow) origin() (o Origin) {
	_ = json.Unmarshal([]byte(r.Origin), &o) // our own JSON
	return o
}

func (r *cardRow) base() *Record {
	if r.BaseVersion == 0 {
		return nil
	}
	var b Record
	if json.Unmarshal([]byte(r.BaseJSON), &b) != nil {
		return nil
	}
	return &b
}

func (r *cardRow) corrections() Corrections {
	var c Corrections
	_ = json.Unmarshal([]byte(r.Corrections), &c)
	return c
}

// renew moves the lease on without a new version: nothing a page shows changed.
func (s store) renew(ctx context.Context, row cardRow) error {
	res := s.conn(ctx).Model(&cardRow{}).Where("id = ? AND version = ?", row.ID, row.Version).Update("lease_until", row.LeaseUntil)
	if res.Error == nil && res.RowsAffected != 1 {
		return errCardStale(row.Version + 1)
	}
	return wrap("renew", res.Error)
}

func (s store) count(ctx context.Context, q func(*gorm.DB) *gorm.DB) (int, error) {
	var n int64
	err := q(s.conn(ctx)).Count(&n).Error
	return int(n), wrap("count", err)
}

func (s store) latest(ctx context.Context, table, hotelID string) (int64, error) {
	var at database.Time
	err := database.ScanRow(s.conn(ctx).Table(table).Select("MAX(updated_at)").Where("hotel_id = ?", hotelID), &at)
	if err != nil || at.IsZero() {
		return 0, wrap("read latest change", err)
	}
	return at.UnixMicro(), nil
}
