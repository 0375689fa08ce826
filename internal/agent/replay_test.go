package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/testkit"
)

// TestReplayOfOneWhoLeft: a caller who hangs up while the stored answer is fetched
// has left; nothing is broken, and nothing is logged as if it were.
func TestReplayOfOneWhoLeft(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	defer leave()
	w := newWorld(t, testkit.DB(t), func(tool *agent.Tool) {
		tool.ReplayWarnings = func(ctx context.Context, _ access.Caller, _ json.RawMessage) ([]agent.Warning, error) {
			leave()
			return nil, fmt.Errorf("look up: %w", ctx.Err())
		}
	})
	w.effective()
	args := `{"text":"a",` + key + `}`
	if out := w.call("desk.save", "agent", args); out.Fault != nil {
		t.Fatal(out.Fault)
	}
	if out := w.callOn(ctx, w.Executor, "desk.save", "agent", args); code(out) != "T_CANCELED" {
		t.Errorf("got %s", code(out))
	}
}
