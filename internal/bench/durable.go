package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"thhotel/internal/database"
)

// durableName is the operation that submits are compared with.
const durableName = "durable transaction"

// durable commits n transactions of one row each from c callers at once, every
// one on disk before the next of its caller: the least that a submit could cost.
// It uses the product's own writer and its settings, in a table of its own.
func durable(ctx context.Context, db *database.DB, o Options, n, c int) (Sample, error) {
	const table = "bench_durable"
	// No index but the key, a row as long as one audit event.
	_, err := db.Writer().ExecContext(ctx, "CREATE TABLE IF NOT EXISTS "+table+" (id CHAR(36) NOT NULL PRIMARY KEY, note TEXT NOT NULL)")
	if err != nil {
		return Sample{}, fmt.Errorf("durable transactions: %w", err)
	}
	note := strings.Repeat("x", 500)
	var left atomic.Int64
	left.Store(int64(n))
	var mu sync.Mutex
	var took []time.Duration
	worker := func() error {
		var mine []time.Duration
		for left.Add(-1) >= 0 {
			began := o.Clock.Now()
			if err := insertOne(ctx, db.Writer(), "INSERT INTO "+table+" (id, note) VALUES (?, ?)", o.Clock.NewID(), note); err != nil {
				return err
			}
			mine = append(mine, o.Clock.Since(began))
		}
		mu.Lock()
		defer mu.Unlock()
		took = append(took, mine...)
		return nil
	}
	began := o.Clock.Now()
	errs := make(chan error, c)
	for range c {
		go func() { errs <- worker() }()
	}
	var failed error
	for range c {
		failed = errors.Join(failed, <-errs)
	}
	d := driver{op: operation{name: durableName}, took: took}
	s := d.sample()
	s.Took = o.Clock.Since(began)
	return s, failed
}

func insertOne(ctx context.Context, db *sql.DB, stmt string, args ...any) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("durable transactions: %w", err)
	}
	if _, err := tx.ExecContext(ctx, stmt, args...); err != nil {
		return errors.Join(fmt.Errorf("durable transactions: %w", err), tx.Rollback())
	}
	return tx.Commit()
}
