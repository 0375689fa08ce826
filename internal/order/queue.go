package order

import (
	"context"
	"strconv"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// Queue returns a page of cards by keyset: the hundred-thousandth card costs as
// much as the first.
func (s *Service) Queue(ctx context.Context, by access.Caller, p QueueParams) (QueuePage, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return QueuePage{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return QueuePage{}, err
	}
	order := sortOf(p)
	c, more, err := readCursor(p.Cursor, order.name)
	if err != nil {
		return QueuePage{}, err
	}
	limit := pageSize(p.Limit)
	rows, err := s.store.queue(ctx, s.lens(in, by), p, order, c, more, limit+1)
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

// lens is what a view depends on: who looks, and on which business date.
type lens struct {
	hotelID, subject        string
	today, arriving, cutoff string
	now                     database.Time
	known                   bool // a search has found the ids already
}

func (s *Service) lens(in setting, by access.Caller) lens {
	today := in.hotel.BusinessDate
	return lens{hotelID: in.hotel.ID, subject: cut(by.SubjectID, 64), today: today, arriving: addDays(today, s.set.ArrivingDays),
		cutoff: addDays(today, s.set.CutoffDays), now: database.At(s.clock.Now())}
}

// Counts are the numbers beside the views and on the notices link.
func (s *Service) Counts(ctx context.Context, by access.Caller) (Counts, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Counts{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return Counts{}, err
	}
	c := Counts{Views: map[string]int{}}
	for _, view := range Views() {
		if view == ViewClosed {
			continue
		}
		n, err := s.store.countView(ctx, s.lens(in, by), view)
		if err != nil {
			return c, err
		}
		c.Views[view] = n
	}
	c.Notices, err = s.store.countNotices(ctx, in.hotel.ID)
	return c, err
}

// LatestChange is a stamp that moves whenever a card or notice changes; pages
// poll it instead of reading the queue again.
func (s *Service) LatestChange(ctx context.Context, by access.Caller) (string, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return "", err
	}
	in, err := s.home(ctx, by)
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
	in, err := s.home(ctx, by)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.openCardsOf(ctx, in.hotel.ID, orderIDs)
	return briefs(rows), err
}

// OpenCardsByKeys returns the open cards that name one of the exact keys and
// know no order yet, oldest first: the order may still be to come, or the key
// leads to several.
func (s *Service) OpenCardsByKeys(ctx context.Context, by access.Caller, k Keys) ([]CardBrief, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return nil, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return nil, err
	}
	rows, err := s.store.openCardsByKeys(ctx, in.hotel.ID, k)
	return briefs(rows), err
}

// CardsOfMessages returns every card that mails became, open or not, by receipt
// of the mail, then by creation, then by id.
func (s *Service) CardsOfMessages(ctx context.Context, by access.Caller, messageIDs []string, from string, limit int) (CardPage, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return CardPage{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil || len(messageIDs) == 0 {
		return CardPage{}, err
	}
	c, more, err := readCursor(from, "messages")
	if err != nil {
		return CardPage{}, err
	}
	limit = pageSize(limit)
	rows, err := s.store.cardsOfMessages(ctx, in.hotel.ID, messageIDs, c, more, limit+1)
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
	page.Total, err = s.store.countOfMessages(ctx, in.hotel.ID, messageIDs)
	return page, err
}
