package audit

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"thhotel/internal/database"
)

const (
	maxBatch = 64 // rows of one INSERT
	// patience bounds a commit, the wait for SQLite's only writing connection
	// included: a call must not hang where it can be refused.
	patience = 30 * time.Second
	tries    = 4 // of one batch, when the engine asks for a retry
)

// writer lets concurrent callers share commits. It has no goroutine of its own:
// the first caller who finds a lane free commits what is waiting, then hands the
// lane to the next who waits. Alone, a caller commits in its own goroutine.
type writer struct {
	db *database.DB

	mu    sync.Mutex
	queue []*waiting
	free  int // lanes

	stmts sync.Map // rows in the INSERT -> *sql.Stmt
}

// waiting is a row and the caller who waits for it.
type waiting struct {
	args []any
	err  error
	wake chan bool // true: lead; false: the row's fate is known
}

// newWriter gives SQLite one lane, as it has one writer; a server commits
// several at once.
func newWriter(db *database.DB) *writer {
	w := &writer{db: db, free: 1}
	if db.Driver == database.MySQL {
		w.free = 3
	}
	return w
}

// write returns once the row is durable or cannot be. It does not return early
// when ctx ends: from then on the caller must know whether the row is there.
func (w *writer) write(ctx context.Context, args []any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	row := &waiting{args: args}
	if w.enter(row) || <-row.wake {
		w.lead(row)
	}
	return row.err
}

// enter takes a free lane, or queues the row. While a lane is free, nobody is queued.
func (w *writer) enter(row *waiting) (lead bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.free > 0 {
		w.free--
		return true
	}
	row.wake = make(chan bool, 1)
	w.queue = append(w.queue, row)
	return false
}

// lead commits the leader's own row with all that wait by now, passes the lane on
// and wakes the others.
func (w *writer) lead(own *waiting) {
	if own.wake != nil { // there is a crowd: let those who are about to come, come
		runtime.Gosched()
	}
	batch := w.gather(own)
	w.commit(batch)
	w.passOn()
	for _, row := range batch[1:] {
		row.wake <- false
	}
}

func (w *writer) gather(own *waiting) []*waiting {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.queue), maxBatch-1)
	batch := append(make([]*waiting, 0, n+1), own)
	batch = append(batch, w.queue[:n]...)
	w.queue = w.queue[n:]
	return batch
}

// passOn gives the lane to the first who waits.
func (w *writer) passOn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		w.queue = nil // let the served rows go
		w.free++
		return
	}
	next := w.queue[0]
	w.queue = w.queue[1:]
	next.wake <- true
}

// commit writes a batch. One bad row must not fail its neighbours: when a batch
// fails, each of its rows is tried alone.
func (w *writer) commit(batch []*waiting) {
	err := w.insert(batch)
	if err == nil {
		return
	}
	for i, row := range batch {
		if row.err = err; len(batch) > 1 {
			row.err = w.insert(batch[i : i+1])
		}
	}
}

// insert runs one multi-row INSERT, which is a transaction by itself. After an
// error that leaves the outcome unknown, "duplicate" is good news: the ids are ours.
func (w *writer) insert(batch []*waiting) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	sent := 0
	for try := 1; ; try++ {
		err := w.db.Patiently(ctx, func() error { sent++; return w.exec(ctx, batch) })
		switch {
		case err == nil, sent > 1 && database.IsDuplicate(err):
			return nil
		case try == tries, !database.Retryable(err):
			return fmt.Errorf("write audit rows: %w", err)
		}
	}
}

func (w *writer) exec(ctx context.Context, batch []*waiting) error {
	stmt, err := w.statement(ctx, len(batch)) //nolint:sqlclosecheck // kept for the next batch
	if err != nil {
		return err
	}
	args := batch[0].args
	if len(batch) > 1 {
		args = make([]any, 0, len(batch)*len(args))
		for _, row := range batch {
			args = append(args, row.args...)
		}
	}
	_, err = stmt.ExecContext(ctx, args...)
	return err
}

// statement returns the prepared INSERT of n rows. It holds no connection:
// SQLite's only writer is taken per batch and given back.
func (w *writer) statement(ctx context.Context, n int) (*sql.Stmt, error) {
	if s, ok := w.stmts.Load(n); ok {
		return s.(*sql.Stmt), nil //nolint:forcetypeassert // only statements go in
	}
	s, err := w.db.Writer().PrepareContext(ctx, insertSQL(n))
	if err != nil {
		return nil, err
	}
	if other, lost := w.stmts.LoadOrStore(n, s); lost {
		_ = s.Close()                 //nolint:sqlclosecheck // the winner of the race is kept
		return other.(*sql.Stmt), nil //nolint:forcetypeassert // only statements go in
	}
	return s, nil
}

// insertSQL is the INSERT of n rows.
func insertSQL(n int) string {
	row := "(" + strings.TrimSuffix(strings.Repeat("?,", len(columns)), ",") + "),"
	return "INSERT INTO audit_event (" + columnList + ") VALUES " + strings.TrimSuffix(strings.Repeat(row, n), ",")
}
