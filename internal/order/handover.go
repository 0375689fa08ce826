package order

import (
	"context"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

// HandOverParams gives a card to a colleague. Note is kept on the card, for them to read.
type HandOverParams struct {
	CardID   string
	Version  int64
	ToUserID string // one of platform.Colleagues
	Note     string
}

// HandOver gives the card's lock to a colleague. Whoever holds the card may; who
// may take cards over may hand over any open one. The colleague's lock runs from
// now: a card they do not look at becomes free again, and stays among theirs.
func (s *Service) HandOver(ctx context.Context, by access.Caller, p HandOverParams) (_ CardBrief, err error) {
	defer s.refusal(ctx, by, "card.hand_over", "card", p.CardID, &err)
	if err := by.Require(access.CardDecide); err != nil {
		return CardBrief{}, err
	}
	to, err := s.colleague(ctx, by, p.ToUserID)
	if err != nil {
		return CardBrief{}, err
	}
	return s.act(ctx, by, "card.hand_over", p.CardID, func(ctx context.Context, _ setting, row *cardRow) error {
		if row.IsOpen && row.Status == CardClaimed && row.OwnerID == to.ID && row.Version == p.Version+1 {
			return nil // the same click again
		}
		if err := s.mayHandOver(row, by); err != nil {
			return err
		}
		if p.Version != row.Version {
			return errCardStale(row.Version)
		}
		now := s.clock.Now()
		columns := s.leaseFor(to.ID, to.Name)
		s.resume(row, columns)
		columns["notes"] = row.withNote(by, strings.TrimSpace("→ "+to.Name+"  "+p.Note), now)
		return s.store.changeCard(ctx, row, columns)
	})
}

// mayHandOver: the card is the caller's own, or the caller may take it over.
func (s *Service) mayHandOver(row *cardRow, by access.Caller) error {
	err := s.mustHold(row, by)
	if err == nil || fault.Code(err) == CodeCardDecided {
		return err
	}
	if by.Can(access.CardTakeOver) {
		return nil
	}
	return err
}

// colleague finds an active person who may decide cards.
func (s *Service) colleague(ctx context.Context, by access.Caller, id string) (platform.Colleague, error) {
	all, err := s.platform.Colleagues(ctx, by)
	if err != nil {
		return platform.Colleague{}, wrap("colleagues", err)
	}
	i := slices.IndexFunc(all, func(c platform.Colleague) bool { return c.ID == id })
	switch {
	case i < 0:
		return platform.Colleague{}, invalid("/to_user_id", "请选择一位可以处理任务卡的同事。", "an active colleague who may decide cards")
	case id == by.SubjectID:
		return platform.Colleague{}, invalid("/to_user_id", "不能移交给自己。", "somebody other than yourself")
	}
	return all[i], nil
}

// leaseFor are the columns of a lock that a person holds from now on.
func (s *Service) leaseFor(id, name string) map[string]any {
	until := s.clock.Now().Add(time.Duration(s.set.LeaseMinutes) * time.Minute)
	return map[string]any{"status": CardClaimed, "touched": true, "owner_id": cut(id, 64), "owner_name": cut(name, 200), "lease_until": database.At(until)}
}
