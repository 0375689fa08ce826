package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
)

// Stmt is a read that nearly every request does, kept prepared on the raw handle:
// GORM would double its cost. Safe for concurrent use.
type Stmt struct {
	db    *DB
	query string
	stmt  atomic.Pointer[sql.Stmt]
}

// Stmt returns a read. It is prepared at its first use, not here: tables may come
// later, and it is kept as long as the database is open.
func (d *DB) Stmt(query string) *Stmt { return &Stmt{db: d, query: query} }

// Each runs the read and hands every row to scan, inside the transaction in ctx
// when there is one: it must see its own writes.
func (s *Stmt) Each(ctx context.Context, scan func(*sql.Rows) error, args ...any) (err error) {
	var rows *sql.Rows
	err = s.db.Patiently(ctx, func() (err error) {
		rows, err = s.rows(ctx, args) //nolint:rowserrcheck,sqlclosecheck // below
		return err
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return errors.Join(ctx.Err(), err) // the driver says "interrupted", not why
	}
	return nil
}

func (s *Stmt) rows(ctx context.Context, args []any) (*sql.Rows, error) {
	if InTransaction(ctx) {
		return s.db.Rows(ctx, s.query, args...)
	}
	s.db.trace.tell(s.query, args)
	stmt := s.stmt.Load()
	if stmt == nil {
		var err error
		if stmt, err = s.prepare(ctx); err != nil {
			return nil, err
		}
	}
	return query(ctx, s.db.Driver, stmt, args)
}

func (s *Stmt) prepare(ctx context.Context) (*sql.Stmt, error) {
	// The statement outlives the call that happens to be first.
	stmt, err := s.db.Reader().PrepareContext(context.WithoutCancel(ctx), s.query)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	if !s.stmt.CompareAndSwap(nil, stmt) { // another call was faster
		_ = stmt.Close() //nolint:sqlclosecheck // only this one of the two is not kept
		stmt = s.stmt.Load()
	}
	return stmt, nil
}

// query runs a prepared read. On SQLite it keeps database/sql from starting a
// goroutine that watches the context of each query, which costs as much as a small
// query does.
func query(ctx context.Context, d Driver, s *sql.Stmt, args []any) (*sql.Rows, error) {
	if d != SQLite {
		return s.QueryContext(ctx, args...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return s.QueryContext(&unwatched{ctx}, args...)
}

// unwatched is a context that nobody can wait for. SQLite's driver needs not wait:
// it asks Err every thousand steps of a running statement, which so ends with its call.
type unwatched struct{ context.Context }

// Done returns nil: never.
func (*unwatched) Done() <-chan struct{} { return nil }
