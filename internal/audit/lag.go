package audit

import (
	"context"
	"time"
)

// Lag says how many rows wait for their seal, and for how long the oldest has.
func (l *Log) Lag(ctx context.Context) (rows int64, oldest time.Duration, err error) {
	n, at, err := l.unsealed(ctx)
	if err != nil || n == 0 {
		return 0, 0, err
	}
	return n, max(0, l.clock.Now().Sub(at)), nil
}
