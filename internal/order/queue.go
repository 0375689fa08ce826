package order

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// Queue returns a page of cards by keyset: the hundred-thousandth card costs as
// much as the first.
func (s *Service) Queue(ctx context.Context, by access.Caller, p QueueParams) (QueuePage, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return QueuePage{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return QueuePage{}, err
	}
	order := sortOf(p)
	c, more, err := readCursor(p.Cursor, order.name)
	if err != nil {
		return QueuePage{}, err
	}
	limit := pageSize(p.Limit)
	rows, err := s.store.cards(ctx, func(q *gorm.DB) *gorm.DB {
		q = s.inView(q, in, by, p.View)
		if more {
			q = order.after(q, c)
		}
		return order.sort(filter(q, p)).Limit(limit + 1)
	})
	if err != nil {
		return QueuePage{}, err
	}
	page := QueuePage{}
	if len(rows) > limit {
		rows = rows[:limit]
		page.NextCursor = order.cursor(rows[limit-1]).String()
	}
	page.Cards = briefs(rows)
	return page, nil
}

// inView narrows to a view. Every one of them starts with hotel and is_open, as
// the indexes do.
func (s *Service) inView(q *gorm.DB, in setting, by access.Caller, view string) *gorm.DB {
	q = q.Where("hotel_id = ? AND is_open = ?", in.hotel.ID, view != ViewClosed)
	now := database.At(s.clock.Now())
	today := in.hotel.BusinessDate
	switch view {
	case ViewMine:
		return q.Where("owner_id = ?", cut(by.SubjectID, 64))
	case ViewUnclaimed:
		return q.Where("(status IN ? OR (status = ? AND lease_until <= ?))", []string{CardPending, CardNeedsReview}, CardClaimed, now)
	case ViewReview:
		return q.Where("review = ?", true)
	case ViewArriving:
		return q.Where("arrival_date >= ? AND arrival_date <= ?", today, addDays(today, s.set.ArrivingDays))
	case ViewCutoff:
		return q.Where("cutoff_date >= ? AND cutoff_date <= ?", today, addDays(today, s.set.CutoffDays))
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
				return q.Where("(arrival_date > ? OR (arrival_date = ? AND id > ?))", c.Text, c.Text, c.ID)
			},
			func(r cardRow) cursor { return cursor{Sort: "arrival", Text: r.ArrivalDate, ID: r.ID} }}
	case "newest":
		return ordering{"newest", func(q *gorm.DB) *gorm.DB { return q.Order("created_at DESC, id DESC") },
			func(q *gorm.DB, c cursor) *gorm.DB {
				return q.Where("(created_at < ? OR (created_at = ? AND id < ?))", c.Num, c.Num, c.ID)
			},
			func(r cardRow) cursor { return cursor{Sort: "newest", Num: r.CreatedAt.UnixMicro(), ID: r.ID} }}
	}
	return ordering{"due", func(q *gorm.DB) *gorm.DB { return q.Order("due_at, id") },
		func(q *gorm.DB, c cursor) *gorm.DB {
			return q.Where("(due_at > ? OR (due_at = ? AND id > ?))", c.Num, c.Num, c.ID)
		},
		func(r cardRow) cursor { return cursor{Sort: "due", Num: r.DueAt.UnixMicro(), ID: r.ID} }}
}

// Counts are the numbers beside the views and on the notices link.
func (s *Service) Counts(ctx context.Context, by access.Caller) (Counts, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Counts{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return Counts{}, err
	}
	c := Counts{Views: map[string]int{}}
	for _, view := range Views() {
		if view == ViewClosed {
			continue
		}
		n, err := s.store.count(ctx, func(q *gorm.DB) *gorm.DB { return s.inView(q.Model(&cardRow{}), in, by, view) })
		if err != nil {
			return c, err
		}
		c.Views[view] = n
	}
	c.Notices, err = s.store.count(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Model(&noticeRow{}).Where("hotel_id = ? AND status = ?", in.hotel.ID, NoticeOpen)
	})
	return c, err
}

// LatestChange is a stamp that moves whenever a card or notice changes; pages
// poll it instead of reading the queue again.
func (s *Service) LatestChange(ctx context.Context, by access.Caller) (string, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return "", err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return "", err
	}
	cards, err := s.store.latest(ctx, "order_card", in.hotel.ID)
	if err != nil {
		return "", err
	}
	notices, err := s.store.latest(ctx, "order_notice", in.hotel.ID)
	return strconv.FormatInt(max(cards, notices), 10), err
}

// OpenCards returns the open cards of orders, oldest first.
func (s *Service) OpenCards(ctx context.Context, by access.Caller, orderIDs []string) ([]CardBrief, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return nil, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.openCardsOf(ctx, in.hotel.ID, orderIDs)
	return briefs(rows), err
}

// CardsOfMessages returns every card that mails became, open or not, by receipt
// of the mail, then by creation, then by id.
func (s *Service) CardsOfMessages(ctx context.Context, by access.Caller, messageIDs []string, from string, limit int) (CardPage, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return CardPage{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil || len(messageIDs) == 0 {
		return CardPage{}, err
	}
	c, more, err := readCursor(from, "messages")
	if err != nil {
		return CardPage{}, err
	}
	of := func(q *gorm.DB) *gorm.DB {
		return q.Where("message_id IN ? AND hotel_id = ?", messageIDs, in.hotel.ID)
	}
	limit = pageSize(limit)
	rows, err := s.store.cards(ctx, func(q *gorm.DB) *gorm.DB {
		if q = of(q); more {
			q = q.Where("(received_at > ? OR (received_at = ? AND (created_at > ? OR (created_at = ? AND id > ?))))", c.Num, c.Num, c.Num2, c.Num2, c.ID)
		}
		return q.Order("received_at, created_at, id").Limit(limit + 1)
	})
	if err != nil {
		return CardPage{}, err
	}
	page := CardPage{}
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.NextCursor = cursor{Sort: "messages", Num: last.ReceivedAt.UnixMicro(), Num2: last.CreatedAt.UnixMicro(), ID: last.ID}.String()
	}
	page.Cards = briefs(rows)
	page.Total, err = s.store.count(ctx, func(q *gorm.DB) *gorm.DB { return of(q.Model(&cardRow{})) })
	return page, err
}

// Accuracy is how the agent's proposals fared, per event type, over cards opened
// since the moment given.
func (s *Service) Accuracy(ctx context.Context, by access.Caller, since time.Time) ([]Figures, error) {
	if err := by.Require(access.AgentReview); err != nil {
		return nil, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return nil, err
	}
	outcomes, err := s.store.outcomes(ctx, in.hotel.ID, since)
	if err != nil {
		return nil, err
	}
	return figures(outcomes), nil
}
