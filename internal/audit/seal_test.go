package audit_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// killed leaves the lease of a sealer that is gone, and rows behind its last seal.
func killed(t *testing.T, db *database.DB, c clock.Clock) {
	t.Helper()
	dead := audit.New(db, c)
	appendAll(t, dead, 3)
	sealAndVerify(t, dead, 3)
	appendAll(t, dead, 2)
}

// TestFinishAfterAKill: the sealer was killed, its lease is not over, and this
// process stops in good order: nothing stays unsealed, and nobody waits afterwards.
func TestFinishAfterAKill(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		killed(t, db, testkit.Clock())
		next := audit.New(db, testkit.Clock())
		if n, err := next.Seal(context.Background()); n != 0 || err != nil {
			t.Fatalf("sealed %d, %v: this test needs a lease that holds", n, err)
		}
		if err := next.Finish(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rep := verify(t, next); rep.Broken != nil || rep.Sealed != 5 || rep.Unsealed != 0 {
			t.Fatalf("report %+v, want 5 sealed rows", rep)
		}
		third := audit.New(db, testkit.Clock())
		appendAll(t, third, 1)
		sealAndVerify(t, third, 6) // the lease was given back
	})
}

// TestReleaseAbandoned: where only one server can live, a start does not wait.
func TestReleaseAbandoned(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		killed(t, db, testkit.Clock())
		next := audit.New(db, testkit.Clock())
		if err := next.ReleaseAbandoned(context.Background()); err != nil {
			t.Fatal(err)
		}
		sealAndVerify(t, next, 5)
		if err := next.ReleaseAbandoned(context.Background()); err != nil { // never one's own
			t.Fatal(err)
		}
		appendAll(t, next, 1)
		if n, err := audit.New(db, testkit.Clock()).Seal(context.Background()); n != 0 || err != nil {
			t.Errorf("sealed %d, %v: the living one's lease was freed", n, err)
		}
	})
}

// TestSettleLeavesTheWorkToAServer: a command seals where nobody does.
func TestSettleLeavesTheWorkToAServer(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		killed(t, db, testkit.Clock())
		command := audit.New(db, testkit.Clock())
		if err := command.Settle(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rep := verify(t, command); rep.Unsealed != 2 {
			t.Errorf("report %+v, want the two rows left to the holder of the lease", rep)
		}
		if err := command.Finish(context.Background()); err != nil { // as if the server had stopped
			t.Fatal(err)
		}
		appendAll(t, command, 1)
		if err := command.Settle(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rep := verify(t, command); rep.Sealed != 6 || rep.Unsealed != 0 {
			t.Errorf("report %+v, want 6 sealed rows", rep)
		}
	})
}

// TestEverybodyStopsAtOnce: replicas take the lease from each other and from one
// that seals; the chain holds and no row is left.
func TestEverybodyStopsAtOnce(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		var wg sync.WaitGroup
		for range 5 {
			l := audit.New(db, clock.Real())
			wg.Go(func() {
				for i := range 120 {
					if err := l.Append(context.Background(), event(i)); err != nil {
						t.Error(err)
					}
					if i%20 == 0 {
						if _, err := l.Seal(context.Background()); err != nil {
							t.Error(err)
						}
					}
				}
				if err := l.Finish(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		sealAndVerify(t, audit.New(db, clock.Real()), 600)
	})
}

func TestVerifyCallsRowsLate(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		now := testkit.Now
		c := clock.Moving(func() time.Time { return now })
		l := audit.NewWithOptions(db, c, audit.Options{SealWithin: time.Minute})
		if rep := verify(t, l); rep.OldestUnsealed != nil || rep.Late {
			t.Errorf("an empty log: %+v", rep)
		}
		appendAll(t, l, 2) // they happened at testkit.Now
		now = now.Add(time.Minute)
		if rep := verify(t, l); rep.Unsealed != 2 || rep.OldestUnsealed == nil || !rep.OldestUnsealed.Equal(testkit.Now) || rep.Late {
			t.Errorf("after a minute: %+v, want 2 rows, not late", rep)
		}
		now = now.Add(time.Second)
		rep := verify(t, l)
		if !rep.Late {
			t.Errorf("after more than a minute: %+v, want late", rep)
		}
		if waited, late := rep.LateBy(now, time.Hour); late || waited != 61*time.Second {
			t.Errorf("by an hour: %v late %v", waited, late)
		}
		sealAndVerify(t, l, 2)
		if rep := verify(t, l); rep.OldestUnsealed != nil || rep.Late {
			t.Errorf("sealed: %+v", rep)
		}
	})
}

// TestRunLogsEachChangeOnce: an operator hears that sealing stopped and that it
// goes on again, not at every round.
func TestRunLogsEachChangeOnce(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		said := make(words, 1000)
		l := audit.NewWithOptions(db, clock.Real(), audit.Options{Log: slog.New(said), SealEvery: time.Millisecond})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() { l.Run(ctx); close(done) }()
		exec(t, db, "ALTER TABLE audit_chain RENAME TO audit_chain_away")
		if r := <-said; r.Level != slog.LevelError {
			t.Errorf("first: %v %s", r.Level, r.Message)
		}
		appendAll(t, l, 30) // many rounds
		exec(t, db, "ALTER TABLE audit_chain_away RENAME TO audit_chain")
		if r := <-said; r.Level != slog.LevelInfo {
			t.Errorf("then: %v %s", r.Level, r.Message)
		}
		appendAll(t, l, 30)
		cancel()
		<-done
		close(said)
		for r := range said {
			t.Errorf("also: %v %s", r.Level, r.Message)
		}
		if rep := verify(t, l); rep.Sealed != 60 || rep.Unsealed != 0 {
			t.Errorf("report %+v", rep)
		}
	})
}

// words is a log handler that hands on what it is told.
type words chan slog.Record

func (words) Enabled(context.Context, slog.Level) bool        { return true }
func (w words) Handle(_ context.Context, r slog.Record) error { w <- r; return nil }
func (w words) WithAttrs([]slog.Attr) slog.Handler            { return w }
func (w words) WithGroup(string) slog.Handler                 { return w }
