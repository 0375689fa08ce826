package audit

import (
	"context"

	"thhotel/internal/database"
)

// Append writes one event and returns an error when it could not: the caller
// must then not do, or not show, what the event tells of. Inside a transaction
// the row commits with it; otherwise it is durable on return.
func (l *Log) Append(ctx context.Context, e Event) error {
	r := newRow(l.clock.NewID(), e, l.clock.Now())
	if database.InTransaction(ctx) {
		return l.insert(ctx, &r)
	}
	return l.writer.write(ctx, r.args())
}
