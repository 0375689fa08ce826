package mcpserver_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/clock"
)

// stepping reports like a handler that works through a list: a pause after the
// second step, then values that must not be passed on.
func stepping(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
	agent.Progress(ctx, 0, 4, "begun")
	agent.Progress(ctx, 2, 4, "half")
	select {
	case <-clock.Real().After(220 * time.Millisecond): // several times ProgressEvery
	case <-ctx.Done():
	}
	for _, done := range []float64{1, 2, math.NaN(), math.Inf(1), -1} {
		agent.Progress(ctx, done, 4, "wrong")
	}
	agent.Progress(ctx, 3, 4, "nearly")
	agent.Progress(ctx, 4, 4, "all")
	return agent.Result{Value: map[string]any{}}, nil
}

type progressed struct {
	Method string
	Params struct {
		ProgressToken   any
		Progress, Total float64
		Message         string
	}
}

// events splits a stream into its messages.
func events(t *testing.T, a answer) (told []progressed, last string) {
	t.Helper()
	for line := range strings.Lines(a.body) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		last = data
		var p progressed
		if err := json.Unmarshal([]byte(data), &p); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if p.Method == "notifications/progress" {
			told = append(told, p)
		}
	}
	return told, last
}

// TestHandlersProgress: what a handler reports reaches a caller who asked, each
// value greater than the one before, the last one before the result.
func TestHandlersProgress(t *testing.T) {
	k := newKit(t)
	for _, version := range []string{v2025, v2026} {
		a := k.call(t, version, "tools/call", `"name":"kit_steps","_meta":{"progressToken":7}`)
		if version == v2026 { // one _meta object
			body, headers := message(version, "tools/call", `"name":"kit_steps"`)
			a = k.post(t, version, strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":7,`, 1), headers...)
		}
		told, last := events(t, a)
		if len(told) < 3 || !strings.Contains(last, `"result":`) {
			t.Fatalf("%s: %d notifications, then %s", version, len(told), last)
		}
		before, nudged := -1.0, false
		for _, p := range told {
			if p.Params.ProgressToken != 7.0 || p.Params.Total != 4 || p.Params.Progress <= before || p.Params.Message == "wrong" {
				t.Errorf("%s: after %v came %+v", version, before, p)
			}
			nudged = nudged || p.Params.Progress > 2 && p.Params.Progress < 3 && p.Params.Message == "half"
			before = p.Params.Progress
		}
		if end := told[len(told)-1].Params; end.Progress != 4 || end.Message != "all" {
			t.Errorf("%s: the last step told is %+v", version, end)
		}
		if !nudged {
			t.Errorf("%s: no sign of life while the handler paused: %+v", version, told)
		}
	}
	if a := k.call(t, v2025, "tools/call", `"name":"kit_steps"`); a.result(t).IsError || strings.Contains(a.body, "progress") {
		t.Errorf("without a token: %s", a.body)
	}
}
