package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/testkit"
)

// TestProgress: reports of a handler reach the door through every step, a
// write's transaction included; without a door that listens they are nothing.
func TestProgress(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
		agent.Progress(ctx, 1, 2, "half")
		return agent.Result{Value: map[string]any{"n": 1}}, nil
	}
	for tool, args := range map[string]string{"desk.get": `{}`, "desk.save": `{"idempotency_key":"progress-1"}`} {
		if out := w.call(tool, "agent", args); out.Fault != nil {
			t.Fatalf("%s without a listener: %v", tool, out.Fault)
		}
	}
	var got []string
	ctx := agent.WithProgress(context.Background(), func(done, total float64, message string) {
		got = append(got, fmt.Sprintln(done, total, message))
	})
	for _, c := range [][2]string{{"desk.get", `{}`}, {"desk.save", `{"idempotency_key":"progress-2"}`}} {
		if out := w.callOn(ctx, w.Executor, c[0], "agent", c[1]); out.Fault != nil {
			t.Fatalf("%s: %v", c[0], out.Fault)
		}
	}
	if diff := cmp.Diff([]string{"1 2 half\n", "1 2 half\n"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
