package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

type txKey struct{}

// tx is the transaction that a context carries.
type tx struct {
	db    *gorm.DB
	owner *DB
	after []func()
}

// ErrOutcomeUnknown marks a transaction whose COMMIT was sent and never
// answered. Only a unique key tells whether it happened; never run it again blindly.
var ErrOutcomeUnknown = errors.New("the connection broke during COMMIT; whether it happened is unknown")

// attempts bounds how often a transaction is run when the engine asks for a retry.
const attempts = 8

// Conn is the handle for a store's next statement: the transaction in ctx, else
// the reading handle. Writing needs InTx.
func (d *DB) Conn(ctx context.Context) *gorm.DB {
	if t, ok := ctx.Value(txKey{}).(*tx); ok && t.owner == d {
		return t.db.WithContext(ctx)
	}
	return d.read.WithContext(ctx)
}

// InTx runs fn in one transaction, which the context given to fn carries. Inside
// another InTx of the same database it joins that one. When the engine reports a
// deadlock or a busy database the whole of fn runs again, so fn must have no
// effect but on the database.
func (d *DB) InTx(ctx context.Context, fn func(context.Context) error) error {
	if InTransaction(ctx) {
		return fn(ctx)
	}
	for attempt := 1; ; attempt++ {
		err := d.once(ctx, fn)
		if err == nil || attempt == attempts || !Retryable(err) || ctx.Err() != nil || !d.pause(ctx, attempt) {
			return refusal(err)
		}
	}
}

// pause waits a little longer each time, with jitter so that two who collided part ways.
func (d *DB) pause(ctx context.Context, attempt int) bool {
	limit := time.Duration(1<<attempt) * time.Millisecond
	select {
	case <-d.clock.After(limit/2 + d.clock.Jitter(limit)):
		return true
	case <-ctx.Done():
		return false
	}
}

func (d *DB) once(ctx context.Context, fn func(context.Context) error) (err error) {
	if d.begin != nil {
		var end func(error)
		ctx, end = d.begin(ctx)
		defer func() { end(err) }()
	}
	var opts sql.TxOptions
	if d.Driver == MySQL {
		opts.Isolation = sql.LevelReadCommitted
	}
	g := d.write.WithContext(ctx).Begin(&opts)
	if g.Error != nil {
		return fmt.Errorf("begin: %w", g.Error)
	}
	done := false
	defer func() {
		if !done { // fn failed or panicked
			g.Rollback()
		}
	}()
	t := &tx{db: g, owner: d}
	if err := fn(context.WithValue(ctx, txKey{}, t)); err != nil {
		return err
	}
	done = true
	if err := g.Commit().Error; err != nil {
		if Away(err) {
			return errors.Join(ErrOutcomeUnknown, err)
		}
		return fmt.Errorf("commit: %w", err)
	}
	for _, f := range t.after {
		f()
	}
	return nil
}

// InTransaction reports whether ctx carries a transaction.
func InTransaction(ctx context.Context) bool { return ctx.Value(txKey{}) != nil }

// AfterCommit runs f once the transaction in ctx has committed, at once when
// there is none, never when it rolls back. For nudging readers, not for work
// that must not be lost: that belongs in an outbox.
func AfterCommit(ctx context.Context, f func()) {
	if t, ok := ctx.Value(txKey{}).(*tx); ok {
		t.after = append(t.after, f)
		return
	}
	f()
}
