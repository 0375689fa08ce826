package database

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"sync/atomic"

	"gorm.io/gorm"
)

// ScanRow reads a query's first row, sql.ErrNoRows when there is none (see
// IsNotFound). GORM's own Row answers a statement that could not be prepared, for
// want of a connection or of time, with a row whose Scan panics.
func ScanRow(query *gorm.DB, dest ...any) error {
	rows, err := query.Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	return rows.Close() // what went wrong after the first row
}

// Rows runs a written-out query in the transaction of ctx, if any, without GORM,
// whose building and reflection cost more than a small query. A list of strings
// in args stands for as many values: "id IN ?".
func (d *DB) Rows(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	pool := d.read.Statement.ConnPool
	if t, ok := ctx.Value(txKey{}).(*tx); ok && t.owner == d {
		pool = t.db.Statement.ConnPool
	}
	text, args = spread(text, args)
	return pool.QueryContext(ctx, text, args...)
}

// spread writes out lists: the n-th question mark stands for the n-th argument.
func spread(text string, args []any) (string, []any) {
	if !slices.ContainsFunc(args, func(a any) bool { _, list := a.([]string); return list }) {
		return text, args
	}
	var b strings.Builder
	flat := make([]any, 0, len(args)+8)
	for _, a := range args {
		before, after, _ := strings.Cut(text, "?")
		b.WriteString(before)
		text = after
		list, ok := a.([]string)
		if !ok {
			b.WriteByte('?')
			flat = append(flat, a)
			continue
		}
		b.WriteString("(" + marks(len(list)) + ")")
		for _, v := range list {
			flat = append(flat, v)
		}
	}
	return b.String() + text, flat
}

func marks(n int) string {
	if n == 0 {
		return "NULL" // in which nothing is
	}
	return strings.Repeat("?,", n-1) + "?"
}

// tracing tells a listener of every query that stores make.
type tracing struct {
	listener atomic.Pointer[func(text string, args []any)]
}

func (t *tracing) tell(text string, args []any) {
	if f := t.listener.Load(); f != nil {
		(*f)(text, args)
	}
}

// Listen hands every query to f until stop: for tests that look at plans.
func (d *DB) Listen(f func(text string, args []any)) (stop func()) {
	d.trace.listener.Store(&f)
	return func() { d.trace.listener.Store(nil) }
}
