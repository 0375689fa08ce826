package database

import (
	"context"
	"database/sql"
	"sync"

	"gorm.io/gorm"
)

// Parsing was a fifth of what a write costs, since each of its twenty statements
// was parsed at every execution. A transaction therefore uses the statements its
// pool keeps. It cannot prepare one itself, because the pool may have only the
// connection that the transaction holds: what is missing is noted and prepared
// before a later one begins.

// Bounds of what is noted: statements of many rows come in many lengths.
const (
	longestKept = 4 << 10
	mostNoted   = 512
)

// preparedTx is a transaction on a pool that keeps statements. Like on MySQL's
// connections, no query may run while another one's rows are being read.
type preparedTx struct {
	*sql.Tx
	pool *prepared
}

var _ gorm.ConnPool = (*preparedTx)(nil)

// ExecContext runs a statement.
func (t *preparedTx) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if s := t.kept(ctx, text); s != nil { //nolint:sqlclosecheck // closed with the transaction
		return s.ExecContext(ctx, args...)
	}
	return t.Tx.ExecContext(ctx, text, args...)
}

// QueryContext runs a query.
func (t *preparedTx) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	t.pool.trace.tell(text, args)
	if s := t.kept(ctx, text); s != nil {
		return query(ctx, t.pool.driver, s, args)
	}
	return t.Tx.QueryContext(ctx, text, args...)
}

// QueryRowContext runs a query for one row.
func (t *preparedTx) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	t.pool.trace.tell(text, args)
	if s := t.kept(ctx, text); s != nil { //nolint:sqlclosecheck // closed with the transaction
		return s.QueryRowContext(ctx, args...)
	}
	return t.Tx.QueryRowContext(ctx, text, args...)
}

// kept is the pool's statement in this transaction, nil when there is none yet.
func (t *preparedTx) kept(ctx context.Context, text string) *sql.Stmt {
	if s, ok := t.pool.stmts.Load(text); ok {
		return t.StmtContext(ctx, s.(*sql.Stmt)) //nolint:forcetypeassert // only statements go in
	}
	if len(text) <= longestKept {
		t.pool.wanted.note(text)
	}
	return nil
}

// wanted are the statements that transactions ran, by how often: what comes twice
// comes again.
type wanted struct {
	mu    sync.Mutex
	seen  map[string]int
	ready []string // to be prepared
}

func (w *wanted) note(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen == nil {
		w.seen = map[string]int{}
	}
	if n, known := w.seen[text]; known || len(w.seen) < mostNoted {
		w.seen[text] = n + 1
		if n == 1 {
			w.ready = append(w.ready, text)
		}
	}
}

// take hands out what waits to be prepared.
func (w *wanted) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.ready
	w.ready = nil
	return out
}

func (w *wanted) forget(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.seen, text)
}
