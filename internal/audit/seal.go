package audit

import (
	"context"
	"errors"
	"time"
)

const (
	// leaseFor is how long a sealer may be silent before another takes over.
	leaseFor = 30 * time.Second
	// sealBatch is how many rows one transaction seals.
	sealBatch = 200
	// sealEvery is the pause between rounds: about the length of the unsealed tail.
	sealEvery = time.Second
)

// errLostLease says that another sealer took over; it will seal the rows.
var errLostLease = errors.New("audit: another sealer took over")

// Seal chains the rows that are not yet sealed and says how many it sealed. It
// does nothing while another process seals. Rows are chained in the order of
// their ids; one that committed late comes later in the chain, but it comes.
func (l *Log) Seal(ctx context.Context) (sealed int, err error) {
	for {
		taken, err := l.takeLease(ctx, l.clock.Now())
		if err != nil || !taken {
			return sealed, err
		}
		n, err := l.sealSome(ctx)
		if errors.Is(err, errLostLease) {
			return sealed, nil
		}
		sealed += n
		if err != nil || n < sealBatch {
			return sealed, err
		}
	}
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

// Run seals until ctx ends, and once more then. A round that fails is tried
// again at the next; what stays unsealed shows in Verify.
func (l *Log) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
			defer cancel()
			_, _ = l.Seal(last)
			return
		case <-l.clock.After(sealEvery):
			_, _ = l.Seal(ctx)
		}
	}
}
