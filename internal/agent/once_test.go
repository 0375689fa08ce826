package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// effective makes the handler leave one row and answer with its text.
func (w *world) effective() {
	w.do = func(ctx context.Context, _ access.Caller, args json.RawMessage) (agent.Result, error) {
		var p struct{ Text string }
		if err := json.Unmarshal(args, &p); err != nil {
			return agent.Result{}, err
		}
		return agent.Result{Value: map[string]any{"text": p.Text}, Summary: agent.Summary{ZH: "已保存", EN: "saved"},
			Resource: agent.Resource{Type: "note", ID: "n1"}}, w.effect(ctx, p.Text)
	}
}

func TestSameKeyOnce(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.effective()
		replicas := []*agent.Executor{w.Executor, w.executor(audit.New(db, w.clock))}
		args := `{"text":"a",` + key + `}`
		var mu sync.Mutex
		got := map[string]int{}
		var wg sync.WaitGroup
		for i := range 32 {
			wg.Go(func() {
				out := w.callOn(context.Background(), replicas[i%2], "desk.save", "agent", args)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case out.Fault == nil && out.Replayed:
					got["replayed"]++
				case out.Fault == nil:
					got["ran"]++
				default:
					got[out.Fault.Code]++
				}
			})
		}
		wg.Wait()
		if got["ran"] != 1 || got["ran"]+got["replayed"]+got["T_IDEMPOTENCY_PENDING"] != 32 || w.effects() != 1 {
			t.Errorf("%v, %d effects", got, w.effects())
		}
		t.Log(got)
		out := w.call("desk.save", "agent", ` {`+key+`, "text": "a"}`) // same arguments, otherwise written
		if out.Fault != nil || !out.Replayed || out.Summary != "已保存" || !strings.Contains(string(out.Body), `"text":"a"`) {
			t.Errorf("repeat: %v %s", out.Fault, out.Body)
		}
		succeeded := 0
		for _, r := range w.rows() {
			if r == "succeeded" {
				succeeded++
			}
		}
		if succeeded != 1 {
			t.Errorf("%d succeeded rows", succeeded)
		}
	})
}

func TestOtherKeysRunSideBySide(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.effective()
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				args := fmt.Sprintf(`{"text":"t%d","idempotency_key":"key-%08d"}`, i, i)
				if out := w.call("desk.save", "agent", args); out.Fault != nil || out.Replayed {
					t.Errorf("%d: %v", i, out.Fault)
				}
			})
		}
		wg.Wait()
		if w.effects() != 40 || w.count("SELECT COUNT(*) FROM agent_idempotency WHERE state = 'DONE' AND resource_id = 'n1'") != 40 {
			t.Errorf("%d effects", w.effects())
		}
		if _, err := w.log.Seal(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rep, err := w.log.Verify(context.Background()); err != nil || rep.Broken != nil || rep.Sealed != 80 {
			t.Errorf("audit %+v, %v", rep, err)
		}
	})
}

func TestWhoseKeyItIs(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.effective()
	w.people.set("second", access.RoleSuperAgent, "hotel:task_result.submit")
	for _, c := range []struct {
		token, args, code string
		replayed          bool
	}{
		{"agent", `{"text":"a",` + key + `}`, "", false},
		{"agent", `{"text":"b",` + key + `}`, "T_CONFLICT", false},
		{"second", `{"text":"b",` + key + `}`, "", false}, // a key of its own
		{"second", `{"text":"b",` + key + `}`, "", true},
	} {
		if out := w.call("desk.save", c.token, c.args); code(out) != c.code || out.Replayed != c.replayed {
			t.Errorf("%s %s: %q replayed %v", c.token, c.args, code(out), out.Replayed)
		}
	}
	want := []string{"started", "succeeded", "started", "denied conflict", "started", "succeeded", "started", "replayed"}
	if diff := cmp.Diff(want, w.rows()); diff != "" {
		t.Error(diff)
	}
}

func TestSharedKeyAndRewrittenReplay(t *testing.T) {
	w := newWorld(t, testkit.DB(t), func(x *agent.Tool) {
		x.KeyShared = true
		x.Key = func(args json.RawMessage) (string, error) { return "derived from " + string(args), nil }
		x.Replayed = func(json.RawMessage) (json.RawMessage, error) { return json.RawMessage(`{"text":"again"}`), nil }
	})
	w.effective()
	w.people.set("second", access.RoleSuperAgent, "hotel:task_result.submit")
	first := w.call("desk.save", "agent", `{"text":"a"}`)
	again := w.call("desk.save", "second", `{"text":"a"}`)
	if first.Replayed || !again.Replayed || !strings.Contains(string(again.Body), `"text":"again"`) || w.effects() != 1 {
		t.Errorf("first %s, again %s, %d effects", first.Body, again.Body, w.effects())
	}
}

func TestPendingAndTakeover(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.effective()
		// What a process leaves that died between its claim and its commit.
		if out := w.call("desk.save", "agent", `{"text":"a",`+key+`}`); out.Fault != nil {
			t.Fatal(out.Fault)
		}
		exec(t, db, "UPDATE agent_idempotency SET state = 'RUNNING', result = NULL, claim_id = 'dead'")
		exec(t, db, "DELETE FROM test_effect")
		if out := w.call("desk.save", "agent", `{"text":"a",`+key+`}`); code(out) != "T_IDEMPOTENCY_PENDING" || out.Fault.RetryAfter == 0 {
			t.Errorf("while the lease holds: %v", out.Fault)
		}
		if out := w.call("desk.save", "agent", `{"text":"b",`+key+`}`); code(out) != "T_CONFLICT" {
			t.Errorf("other arguments while the lease holds: %v", out.Fault)
		}
		w.now(time.Hour)
		if out := w.call("desk.save", "agent", `{"text":"a",`+key+`}`); out.Fault != nil || out.Replayed {
			t.Errorf("after the lease: %v replayed %v", out.Fault, out.Replayed)
		}
		if out := w.call("desk.save", "agent", `{"text":"a",`+key+`}`); !out.Replayed || w.effects() != 1 {
			t.Errorf("after the takeover: %v, %d effects", out.Fault, w.effects())
		}
	})
}

// TestLostClaim: a slow call outlives its lease, another takes its key over and
// finishes first. The slow one must undo its work and answer with the other's.
func TestLostClaim(t *testing.T) {
	w := newWorld(t, testkit.MariaDB(t)) // on SQLite the second would wait for the first
	other := w.executor(audit.New(w.db, w.clock))
	args := `{"text":"a",` + key + `}`
	first := true
	w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
		if !first {
			return agent.Result{Value: map[string]any{"text": "second"}}, w.effect(ctx, "second")
		}
		first = false
		if err := w.effect(ctx, "first"); err != nil {
			return agent.Result{}, err
		}
		w.now(time.Hour)
		if out := w.callOn(context.Background(), other, "desk.save", "agent", args); out.Fault != nil || out.Replayed {
			t.Errorf("the takeover: %v", out.Fault)
		}
		return agent.Result{Value: map[string]any{"text": "first"}}, nil
	}
	out := w.call("desk.save", "agent", args)
	if !out.Replayed || !strings.Contains(string(out.Body), "second") || w.effects() != 1 {
		t.Errorf("the slow call: %v %s, %d effects", out.Fault, out.Body, w.effects())
	}
	want := []string{"started", "started", "succeeded", "replayed"}
	if diff := cmp.Diff(want, w.rows()); diff != "" {
		t.Error(diff)
	}
}

// TestRetriedTransaction: the engine asks for the whole transaction again; the
// handler runs twice and its work is there once.
func TestRetriedTransaction(t *testing.T) {
	w := newWorld(t, testkit.MariaDB(t))
	runs := 0
	w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
		if err := w.effect(ctx, "x"); err != nil {
			return agent.Result{}, err
		}
		if runs++; runs == 1 { // what a deadlock looks like
			return agent.Result{}, w.db.Conn(ctx).Exec("SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213").Error
		}
		return agent.Result{Value: map[string]any{"n": runs}}, nil
	}
	if out := w.call("desk.save", "agent", `{`+key+`}`); out.Fault != nil || runs != 2 || w.effects() != 1 {
		t.Errorf("%v, %d runs, %d effects", out.Fault, runs, w.effects())
	}
	if diff := cmp.Diff([]string{"started", "succeeded"}, w.rows()); diff != "" {
		t.Error(diff)
	}
}
