package platform

import (
	"context"
	"net/http"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// Recorded is the answer that a signed delivery got.
type Recorded struct {
	Status int
	Body   []byte
	// Digest, of path and body, tells a repeat from another request under a
	// used id. The door makes it and compares it.
	Digest string
}

// How long rows are kept that only matter for a while.
const (
	keepReplays  = 24 * time.Hour // the window is minutes; the rest is for people who look
	keepAttempts = 24 * time.Hour
	keepSessions = time.Hour
)

// Recorded returns the answer that a partner's message id already got. by is
// the verified partner's account.
func (s *Service) Recorded(ctx context.Context, by access.Caller, partnerID, messageID string) (Recorded, bool, error) {
	if err := known(by); err != nil {
		return Recorded{}, false, err
	}
	return s.store.recorded(ctx, by.HotelID, partnerID, messageID)
}

// Record keeps an answer for repeats of its delivery. The first answer stays.
// Outages and limits are not kept: the partner's retry must run.
func (s *Service) Record(ctx context.Context, by access.Caller, partnerID, messageID string, r Recorded) error {
	if err := known(by); err != nil {
		return err
	}
	if r.Status >= http.StatusInternalServerError || r.Status == http.StatusTooManyRequests {
		return nil
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		err := s.store.record(ctx, by.HotelID, partnerID, messageID, r, s.clock.Now())
		if database.IsDuplicate(err) {
			return nil
		}
		return err
	})
}

// Pruned counts what Prune removed.
type Pruned struct{ Sessions, Attempts, Replays int64 }

// Prune removes ended sessions, old attempt counters and old recorded answers.
// Any replica may call it at any time.
func (s *Service) Prune(ctx context.Context, by access.Caller) (n Pruned, err error) {
	if err := by.Require(access.HotelAdmin); err != nil {
		return n, err
	}
	now := s.clock.Now()
	err = s.db.InTx(ctx, func(ctx context.Context) (err error) {
		if n.Sessions, err = s.store.prune(ctx, "platform_session", "expires_at", now.Add(-keepSessions)); err != nil {
			return err
		}
		if n.Attempts, err = s.store.prune(ctx, "platform_sign_in_attempt", "updated_at", now.Add(-keepAttempts)); err != nil {
			return err
		}
		n.Replays, err = s.store.prune(ctx, "platform_partner_replay", "created_at", now.Add(-keepReplays))
		return err
	})
	return n, err
}
