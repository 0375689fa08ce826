package inbox

import (
	"context"
	"fmt"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
)

// SweepGrace is the youngest age at which stored bytes that no message names
// are taken for those of a delivery that never came to its end.
const SweepGrace = 24 * time.Hour

// Sweep removes originals and attachments that no message names: what a delivery
// leaves that was refused or killed after its bytes were stored. It may run
// beside deliveries; see blob.Sweep.
func (s *Service) Sweep(ctx context.Context, by access.Caller) (blob.Swept, error) {
	if err := by.Require(access.HotelAdmin); err != nil {
		return blob.Swept{}, err
	}
	out, err := s.blobs.Sweep(ctx, s.clock.Now().Add(-SweepGrace), s.store.used)
	if err != nil {
		return out, fmt.Errorf("sweep blobs: %w", err)
	}
	if out.Removed == 0 {
		return out, nil
	}
	e := audit.FromCaller(by)
	e.Tool, e.Owner, e.Risk, e.Status, e.ResourceType = "mail.sweep", "inbox", "write", audit.Succeeded, "blob"
	return out, s.log.Append(ctx, e)
}
