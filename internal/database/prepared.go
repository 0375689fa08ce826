package database

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"

	"gorm.io/gorm"
)

// maxPrepared bounds the statements kept; each may be open on every connection.
const maxPrepared = 256

// prepared is a pool that keeps the reads outside transactions prepared. GORM's
// own cache hands the error of one caller's preparation, such as its hanging up,
// to everybody who waits for the same statement, and panics in QueryRow; here a
// caller who cannot prepare runs the statement plainly and fails on its own.
type prepared struct {
	*sql.DB
	driver Driver
	trace  *tracing
	clock  waiter
	stmts  sync.Map // query -> *sql.Stmt
	size   atomic.Int64
	wanted wanted
}

// keep makes the handle that GORM uses of a pool.
func (d *DB) keep(pool *sql.DB) *prepared {
	return &prepared{DB: pool, driver: d.Driver, trace: &d.trace, clock: d.clock}
}

// GetDBConn is how GORM finds the pool itself.
func (p *prepared) GetDBConn() (*sql.DB, error) { return p.DB, nil }

// BeginTx begins a transaction, once the database is there, after preparing what
// earlier ones missed.
func (p *prepared) BeginTx(ctx context.Context, o *sql.TxOptions) (gorm.ConnPool, error) {
	for _, text := range p.wanted.take() {
		if p.statement(ctx, text) == nil {
			p.wanted.forget(text) // it runs plainly until it comes twice again
		}
	}
	var tx *sql.Tx
	err := patiently(ctx, p.clock, func() (err error) {
		tx, err = p.DB.BeginTx(ctx, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &preparedTx{tx, p}, nil
}

// QueryContext runs a query outside a transaction, again when the database was away.
func (p *prepared) QueryContext(ctx context.Context, text string, args ...any) (rows *sql.Rows, err error) {
	err = patiently(ctx, p.clock, func() error {
		rows, err = p.query(ctx, text, args) //nolint:rowserrcheck,sqlclosecheck // the caller's
		return err
	})
	return rows, err
}

func (p *prepared) query(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	p.trace.tell(text, args)
	if s := p.statement(ctx, text); s != nil {
		return query(ctx, p.driver, s, args)
	}
	return p.DB.QueryContext(ctx, text, args...)
}

// QueryRowContext runs a query for one row outside a transaction.
func (p *prepared) QueryRowContext(ctx context.Context, text string, args ...any) (row *sql.Row) {
	_ = patiently(ctx, p.clock, func() error { // the row carries its error
		row = p.queryRow(ctx, text, args)
		return row.Err()
	})
	return row
}

func (p *prepared) queryRow(ctx context.Context, text string, args []any) *sql.Row {
	p.trace.tell(text, args)
	if s := p.statement(ctx, text); s != nil { //nolint:sqlclosecheck // kept for the next call
		return s.QueryRowContext(ctx, args...)
	}
	return p.DB.QueryRowContext(ctx, text, args...)
}

// statement returns the kept statement, or nil when there is none and no room
// for one, or when it cannot be prepared: then running it says why.
func (p *prepared) statement(ctx context.Context, query string) *sql.Stmt {
	if s, ok := p.stmts.Load(query); ok {
		return s.(*sql.Stmt) //nolint:forcetypeassert // only statements go in
	}
	if p.size.Load() >= maxPrepared {
		return nil
	}
	s, err := p.PrepareContext(ctx, query)
	if err != nil {
		return nil
	}
	if other, lost := p.stmts.LoadOrStore(query, s); lost {
		_ = s.Close()            //nolint:sqlclosecheck // the winner of the race is kept
		return other.(*sql.Stmt) //nolint:forcetypeassert // only statements go in
	}
	p.size.Add(1)
	return s
}
