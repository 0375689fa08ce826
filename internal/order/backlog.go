package order

import (
	"context"
	"time"

	"thhotel/internal/access"
)

// Backlog is what waits, as numbers for operators. Zero times mean that nothing does.
type Backlog struct {
	OldestOpen time.Time // when the oldest open card was made
	NextDue    time.Time // when the open card that is due first is, or was
	Overdue    int       // open cards past their time, at most CountCap; not those whose clock stands still
}

// Backlog reads three numbers off the queue's indexes.
func (s *Service) Backlog(ctx context.Context, by access.Caller) (Backlog, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Backlog{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return Backlog{}, err
	}
	return s.store.backlog(ctx, s.lens(in, by))
}
