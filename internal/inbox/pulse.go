package inbox

import (
	"context"
	"time"

	"thhotel/internal/access"
)

// Pulse tells operators whether mail comes in.
type Pulse struct {
	LastReceived time.Time // by the source's own word; zero while there is none
	Day          int       // received within the last 24 hours, at most PulseCap
}

// PulseCap is where counting stops.
const PulseCap = 10_000

// Pulse reads two numbers off an index.
func (s *Service) Pulse(ctx context.Context, by access.Caller) (Pulse, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return Pulse{}, err
	}
	return s.store.pulse(ctx, by.HotelID, s.clock.Now().Add(-24*time.Hour))
}
