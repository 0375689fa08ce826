package audit

import (
	"context"
	"errors"
	"time"

	"thhotel/internal/database"
)

// The lease only keeps sealers from doing the same work twice. What keeps the
// chain right is storeSeals: whoever moves its end must own the lease and find the
// end where they read it, in the transaction that seals the rows. So a lease may be
// taken from anybody at any moment, dead or alive; the other loses a round.
const (
	// leaseFor is how long a sealer may be silent before another takes over.
	leaseFor = 10 * time.Second
	// sealBatch is how many rows one transaction seals.
	sealBatch = 200
	// finishFor bounds the last round of a process that stops.
	finishFor = 5 * time.Second
	// finishTries: two who stop at once may take the lease from each other.
	finishTries = 10
)

// errLostLease says that another sealer took over; it will seal the rows.
var errLostLease = errors.New("audit: another sealer took over")

// Seal chains the rows that are not yet sealed and says how many it sealed. It
// does nothing while another process seals. Rows are chained in the order of
// their ids; one that committed late comes later in the chain, but it comes.
func (l *Log) Seal(ctx context.Context) (sealed int, err error) {
	sealed, _, err = l.seal(ctx, false)
	return sealed, err
}

// seal also says whether the rounds came to their end: nobody else holds the
// lease, or took it meanwhile.
func (l *Log) seal(ctx context.Context, seize bool) (sealed int, ended bool, err error) {
	for {
		taken, err := l.takeLease(ctx, l.clock.Now(), seize)
		if err != nil || !taken {
			return sealed, false, err
		}
		n, err := l.sealSome(ctx)
		if errors.Is(err, errLostLease) || database.IsDuplicate(err) { // or has sealed these places just now
			return sealed, false, nil
		}
		sealed += n
		if err != nil || n < sealBatch {
			return sealed, err == nil, err
		}
	}
}

// Finish is for a process that stops in good order: it seals what is left and
// gives the lease back. It does not wait for a lease that another holds, since that
// one may have been killed, and nobody may be there to seal once it is over.
func (l *Log) Finish(ctx context.Context) error {
	for range finishTries {
		left, err := l.count(ctx, "SELECT COUNT(*) FROM audit_event WHERE seq IS NULL")
		if err != nil {
			return err
		}
		if left == 0 {
			break
		}
		if _, ended, err := l.seal(ctx, true); err != nil || ended {
			return errors.Join(err, l.release(ctx))
		}
	}
	return l.release(ctx)
}

// Settle is Finish for a command beside a server, perhaps: it leaves the work to
// a sealer who holds the lease.
func (l *Log) Settle(ctx context.Context) error {
	_, err := l.Seal(ctx)
	return errors.Join(err, l.release(ctx))
}

func (l *Log) sealSome(ctx context.Context) (n int, err error) {
	err = l.db.InTx(ctx, func(ctx context.Context) error {
		n = 0
		from, err := l.readHead(ctx)
		if err != nil {
			return err
		}
		rows, err := l.query(ctx, "WHERE seq IS NULL ORDER BY id LIMIT ?", sealBatch)
		if err != nil || len(rows) == 0 {
			return err
		}
		chain(from, rows)
		n = len(rows)
		return l.storeSeals(ctx, from, rows)
	})
	return n, err
}

// chain gives rows their places after from.
func chain(from head, rows []row) {
	seq, prev := from.Seq, from.Hash
	for i := range rows {
		seq++
		place := seq
		rows[i].seq, rows[i].prevHash = &place, prev
		rows[i].hash = rows[i].seal(seq, prev)
		prev = rows[i].hash
	}
}

// Run seals until ctx ends, and what is left then. A round that fails is tried
// again at the next; the log hears of the first and of the end of the trouble, and
// what stays unsealed shows in Verify.
func (l *Log) Run(ctx context.Context) {
	failing := false
	for {
		_, err := l.Seal(ctx)
		if ctx.Err() == nil {
			failing = l.tell(ctx, failing, err)
		}
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishFor)
			defer cancel()
			if err := l.Finish(last); err != nil {
				l.log.ErrorContext(last, "audit rows are left unsealed at the stop; the next start seals them", "error", err)
			}
			return
		case <-l.clock.After(l.every):
		}
	}
}

// tell logs a change for the worse or the better, not every round.
func (l *Log) tell(ctx context.Context, failing bool, err error) bool {
	switch {
	case err != nil && !failing:
		l.log.ErrorContext(ctx, "audit rows cannot be sealed; trying on", "error", err)
	case err == nil && failing:
		l.log.InfoContext(ctx, "audit rows are sealed again")
	}
	return err != nil
}
