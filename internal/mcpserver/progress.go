package mcpserver

import (
	"context"
	"math"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/agent"
)

// nudge is how little "still working" adds to the last value told: the protocol
// wants each one greater, and the handler's own next step must not look smaller.
const nudge = 0.001

// teller passes on what a handler says about its progress, and "still working"
// while it says nothing. It tells the newest only: a handler never waits for a
// slow reader, and many small steps become few events.
type teller struct {
	h    *Handler
	x    *exchange
	req  *mcp.CallToolRequest
	news chan struct{} // capacity 1

	mu       sync.Mutex
	reported bool
	done     float64 // the newest report
	total    float64
	message  string
	told     float64 // the last value sent
}

// tellProgress starts a teller for a caller who gave a progress token. The
// returned context is the handler's; the function ends the telling.
func (h *Handler) tellProgress(ctx context.Context, x *exchange, req *mcp.CallToolRequest) (context.Context, func()) {
	if req.Params.GetProgressToken() == nil || !x.msg.progress {
		return ctx, func() {}
	}
	t := &teller{h: h, x: x, req: req, news: make(chan struct{}, 1), told: -1}
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		t.run(ctx, done)
	}()
	return agent.WithProgress(ctx, t.report), func() { close(done); <-ended }
}

// report is what agent.Progress calls. JSON has no infinity.
func (t *teller) report(done, total float64, message string) {
	if math.IsNaN(done+total) || math.IsInf(done+total, 0) || done < 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reported && done <= t.done {
		return
	}
	t.reported, t.done, t.total, t.message = true, done, total, message
	select {
	case t.news <- struct{}{}:
	default: // it will be told with what is waiting already
	}
}

func (t *teller) run(ctx context.Context, done <-chan struct{}) {
	for {
		select {
		case <-done:
			t.tell(ctx, false) // the last step, before the result
			return
		case <-ctx.Done():
			return
		case <-t.news:
			t.tell(ctx, false)
		case <-t.h.o.Clock.After(t.h.o.ProgressEvery):
			t.tell(ctx, true)
		}
	}
}

// tell sends what is new, or that work goes on. A caller that takes no stream
// loses it; the call goes on.
func (t *teller) tell(ctx context.Context, idle bool) {
	p, ok := t.next(idle)
	if !ok || ctx.Err() != nil {
		return
	}
	_ = t.req.Session.NotifyProgress(ctx, p)
}

func (t *teller) next(idle bool) (*mcp.ProgressNotificationParams, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.reported && t.done > t.told:
		t.told = t.done
	case idle:
		t.told = max(t.told, 0) + nudge
	default:
		return nil, false
	}
	p := &mcp.ProgressNotificationParams{ProgressToken: t.req.Params.GetProgressToken(), Progress: t.told, Total: t.total, Message: t.message}
	if p.Message == "" {
		p.Message = working(t.x.lang)
	}
	return p, true
}

func working(lang string) string {
	if lang == "en" {
		return "Still working."
	}
	return "仍在处理中。"
}
