package agent_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// TestSameKeyWaitsForTheWinner: callers who send the same at the same time all
// get the answer, one as its writer and the others as replays.
func TestSameKeyWaitsForTheWinner(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.effective()
		w.slotWait = 30 * time.Second
		patient := w.executor(audit.New(db, w.clock))
		var ran, replayed atomic.Int32
		var all sync.WaitGroup
		for range 24 {
			all.Go(func() {
				switch out := w.callOn(context.Background(), patient, "desk.save", "agent", `{"text":"a",`+key+`}`); {
				case out.Fault != nil:
					t.Error(out.Fault)
				case out.Replayed:
					replayed.Add(1)
				default:
					ran.Add(1)
				}
			})
		}
		all.Wait()
		if ran.Load() != 1 || replayed.Load() != 23 || w.effects() != 1 {
			t.Errorf("%d ran, %d replayed, %d effects; want 1, 23, 1", ran.Load(), replayed.Load(), w.effects())
		}
	})
}

// TestSpellingOfNumbers: 1.0, 1e0 and 1 are the same argument (RFC 8785).
func TestSpellingOfNumbers(t *testing.T) {
	w := newWorld(t, testkit.DB(t), func(x *agent.Tool) { x.CheckInput = func(json.RawMessage) error { return nil } })
	w.effective()
	if out := w.call("desk.save", "agent", `{"text":"a","n":12,`+key+`}`); out.Fault != nil {
		t.Fatal(out.Fault)
	}
	for _, n := range []string{"12.0", "1.2e1", "120e-1"} {
		if out := w.call("desk.save", "agent", `{"text":"a","n":`+n+`,`+key+`}`); out.Fault != nil || !out.Replayed {
			t.Errorf("%s: %v, replayed %v; want a replay", n, out.Fault, out.Replayed)
		}
	}
	if out := w.call("desk.save", "agent", `{"text":"a","n":13,`+key+`}`); code(out) != "T_CONFLICT" {
		t.Errorf("another number: %v, want a conflict", out.Fault)
	}
}

// TestReleaseAbandoned: a start frees what a dead process was running, and
// nothing that is done.
func TestReleaseAbandoned(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.effective()
	args := `{"text":"a",` + key + `}`
	if out := w.call("desk.save", "agent", args); out.Fault != nil {
		t.Fatal(out.Fault)
	}
	release := func() {
		if err := w.ReleaseAbandoned(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	release()
	if out := w.call("desk.save", "agent", args); !out.Replayed {
		t.Errorf("a done key was released: %v", out.Fault)
	}
	exec(t, w.db, "UPDATE agent_idempotency SET state = 'RUNNING', result = NULL, claim_id = 'dead'")
	release()
	if out := w.call("desk.save", "agent", args); out.Fault != nil || out.Replayed {
		t.Errorf("after the release: %v, replayed %v; want it to run", out.Fault, out.Replayed)
	}
}
