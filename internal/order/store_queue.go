package order

import (
	"context"

	"gorm.io/gorm"
)

// queue reads one page of cards of a view.
func (s store) queue(ctx context.Context, l lens, p QueueParams, order ordering, c cursor, more bool, limit int) ([]cardRow, error) {
	var to narrowing
	if p.Search != "" {
		var err error
		if to, err = s.narrow(ctx, searchCards, l.hotelID, p.Search); err != nil {
			return nil, err
		}
		l.known = to.only
	}
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		if q = to.apply(l.narrow(q, p.View)); more {
			q = order.after(q, c)
		}
		return order.sort(filter(q, p)).Limit(limit)
	})
}

func (s store) countView(ctx context.Context, l lens, view string) (int, error) {
	return s.countSome(ctx, l.narrow(s.conn(ctx).Model(&cardRow{}), view))
}

func (s store) countNotices(ctx context.Context, hotelID string) (int, error) {
	return s.countSome(ctx, s.conn(ctx).Model(&noticeRow{}).Where("hotel_id = ? AND status = ?", hotelID, NoticeOpen))
}

// countSome counts up to CountCap: a number nobody reads to the last digit must
// not cost a walk through every row on every page.
func (s store) countSome(ctx context.Context, rows *gorm.DB) (int, error) {
	var n int64
	err := s.conn(ctx).Table("(?) AS some", rows.Select("id").Limit(CountCap)).Count(&n).Error
	return int(n), wrap("count", err)
}

func (s store) cardsOfMessage(ctx context.Context, hotelID, messageID string) ([]cardRow, error) {
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("message_id = ? AND +hotel_id = ? AND status <> ?", messageID, hotelID, CardSuperseded).Order("created_at, id")
	})
}

func (s store) cardsOfOrder(ctx context.Context, hotelID, orderID string) ([]cardRow, error) {
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("order_id = ? AND +hotel_id = ?", orderID, hotelID).Order("created_at DESC, id DESC").Limit(200)
	})
}

func (s store) cardsOfMessages(ctx context.Context, hotelID string, messageIDs []string, c cursor, more bool, limit int) ([]cardRow, error) {
	return s.cards(ctx, func(q *gorm.DB) *gorm.DB {
		if q = q.Where("message_id IN ? AND +hotel_id = ?", messageIDs, hotelID); more {
			q = q.Where("(received_at > ? OR (received_at = ? AND (created_at > ? OR (created_at = ? AND id > ?))))", c.Num, c.Num, c.Num2, c.Num2, c.ID)
		}
		return q.Order("received_at, created_at, id").Limit(limit)
	})
}

func (s store) countOfMessages(ctx context.Context, hotelID string, messageIDs []string) (int, error) {
	return s.count(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Model(&cardRow{}).Where("message_id IN ? AND +hotel_id = ?", messageIDs, hotelID)
	})
}

// narrow restricts to a view. Every one of them starts with hotel and is_open, as
// the indexes do.
func (l lens) narrow(q *gorm.DB, view string) *gorm.DB {
	home := "hotel_id = ?"
	if l.known {
		home = "+hotel_id = ?" // no index of the views
	}
	q = q.Where(home+" AND is_open = ?", l.hotelID, view != ViewClosed)
	switch view {
	case ViewMine:
		return q.Where("owner_id = ?", l.subject)
	case ViewUnclaimed:
		// Also those whose lock ran out, and those that have waited long enough.
		return q.Where("(status IN ? OR (status = ? AND lease_until <= ?) OR (status = ? AND waiting_until <= ?))",
			[]string{CardPending, CardNeedsReview}, CardClaimed, l.now, CardWaiting, l.now)
	case ViewReview:
		return q.Where("review = ?", true)
	case ViewArriving:
		return q.Where("arrival_date >= ? AND arrival_date <= ?", l.today, l.arriving)
	case ViewCutoff:
		return q.Where("cutoff_date >= ? AND cutoff_date <= ?", l.today, l.cutoff)
	case ViewWaiting:
		return q.Where("status = ?", CardWaiting)
	}
	return q
}

func filter(q *gorm.DB, p QueueParams) *gorm.DB {
	if p.EventType != "" {
		q = q.Where("event_type = ?", string(p.EventType))
	}
	if p.Status != "" {
		q = q.Where("status = ?", p.Status)
	}
	if p.Search != "" {
		q = q.Where("search_text LIKE ? ESCAPE '!'", like(p.Search))
	}
	return q
}

// Keysets are written "a >= x AND (a > x OR id > y)": both engines then start
// reading the index at x, wherever the page is.

// ordering is one way to sort the queue: how, from where, and what to remember.
type ordering struct {
	name   string
	sort   func(*gorm.DB) *gorm.DB
	after  func(*gorm.DB, cursor) *gorm.DB
	cursor func(cardRow) cursor
}

func sortOf(p QueueParams) ordering {
	switch p.Sort {
	case "arrival":
		return ordering{"arrival", func(q *gorm.DB) *gorm.DB { return q.Order("arrival_date, id") },
			func(q *gorm.DB, c cursor) *gorm.DB {
				return q.Where("arrival_date >= ? AND (arrival_date > ? OR id > ?)", c.Text, c.Text, c.ID)
			},
			func(r cardRow) cursor { return cursor{Sort: "arrival", Text: r.ArrivalDate, ID: r.ID} }}
	case "newest":
		return ordering{"newest", func(q *gorm.DB) *gorm.DB { return q.Order("created_at DESC, id DESC") },
			func(q *gorm.DB, c cursor) *gorm.DB {
				return q.Where("created_at <= ? AND (created_at < ? OR id < ?)", c.Num, c.Num, c.ID)
			},
			func(r cardRow) cursor { return cursor{Sort: "newest", Num: r.CreatedAt.UnixMicro(), ID: r.ID} }}
	}
	return ordering{"due", func(q *gorm.DB) *gorm.DB { return q.Order("due_at, id") },
		func(q *gorm.DB, c cursor) *gorm.DB {
			return q.Where("due_at >= ? AND (due_at > ? OR id > ?)", c.Num, c.Num, c.ID)
		},
		func(r cardRow) cursor { return cursor{Sort: "due", Num: r.DueAt.UnixMicro(), ID: r.ID} }}
}
