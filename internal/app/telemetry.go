package app

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/config"
	"thhotel/internal/database"
	"thhotel/internal/httpd"
	"thhotel/internal/order"
	"thhotel/internal/rest"
	"thhotel/internal/telemetry"
)

// MetricsPath is where Prometheus reads.
const MetricsPath = "/metrics"

// flushTime bounds the sending of the last spans at a stop.
const flushTime = 5 * time.Second

func traceOptions(s config.Settings, o Options, m *telemetry.Metrics) telemetry.TraceOptions {
	return telemetry.TraceOptions{Endpoint: s.Telemetry.Endpoint, Headers: string(s.Telemetry.Headers), Ratio: s.Telemetry.SampleRatio,
		Version: o.Version, Clock: o.Clock, Log: o.Log, Metrics: m}
}

// eyes makes what the rest of the wiring reports to. Without an endpoint there are
// no traces, and their hooks stay nil.
func (a *App) eyes(ctx context.Context, o Options) (err error) {
	a.metrics = telemetry.NewMetrics(o.Clock, o.Version)
	if a.settings.Telemetry.Endpoint != "" {
		a.traces, err = telemetry.NewTraces(ctx, traceOptions(a.settings, o, a.metrics))
	}
	return err
}

// databaseOptions adds the hooks to the settings' own.
func (a *App) databaseOptions() database.Options {
	o := DatabaseOptions(a.settings)
	if a.traces != nil {
		o.Begin = a.traces.Transaction
	}
	return o
}

// observeCalls hooks metrics and traces into the executor.
func (a *App) observeCalls(o *agent.Options) {
	if a.traces != nil {
		o.Begin = a.traces.Call
	}
	o.Observe = func(ctx context.Context, e agent.Ended) {
		a.metrics.Call(e.Tool, e.Trace.Adapter, string(e.Status), e.Code, e.Took)
		if a.traces != nil {
			telemetry.EndCall(ctx, e.Tool, string(e.Status), e.Code)
		}
	}
}

func (a *App) observeRequests(o *httpd.Options) {
	o.Observe = a.metrics.Request
	if a.traces != nil {
		o.Begin = a.traces.Request
	}
}

// mountMetrics adds /metrics, for this machine alone.
func (a *App) mountMetrics(e *gin.Engine) {
	a.metrics.Pool("write", a.DB.Writer())
	if a.DB.Reader() != a.DB.Writer() {
		a.metrics.Pool("read", a.DB.Reader())
	}
	for _, p := range []telemetry.Probe{a.readiness(), a.queueProbe(), a.inboxProbe(), a.auditProbe(), a.callsProbe()} {
		a.metrics.AddProbe(p)
	}
	e.GET(MetricsPath, gin.WrapH(telemetry.Local(a.metrics.Handler())))
}

// serveMetrics opens the address that the operator wants metrics on, if any.
func (a *App) serveMetrics(ctx context.Context) (stop func(), err error) {
	addr := a.settings.Telemetry.MetricsListen
	if addr == "" {
		return func() {}, nil
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("telemetry.metrics_listen: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET "+MetricsPath, a.metrics.Handler())
	server := httpd.Server(addr, mux, a.Log)
	go func() { _ = server.Serve(l) }()
	a.Log.InfoContext(ctx, "serving metrics", "address", l.Addr().String())
	return func() { _ = server.Close() }, nil
}

// flush sends the last spans. A collector that is away must not fail the stop.
func (a *App) flush() {
	if a.traces == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), flushTime)
	defer cancel()
	if err := a.traces.Close(ctx); err != nil {
		a.Log.WarnContext(ctx, "the last spans are lost", "error", err)
	}
}

func (a *App) readiness() telemetry.Probe {
	const gauge = "thhotel_ready"
	return telemetry.Probe{Name: "readiness",
		Gauges: []telemetry.Gauge{{Name: gauge, Help: "Whether a check of /readyz holds.", Label: "check"}},
		Read: func(ctx context.Context, set func(string, string, float64)) error {
			for _, c := range a.Checks() {
				set(gauge, c.Name, yes(c.Run(ctx) == nil))
			}
			return nil
		}}
}

func yes(ok bool) float64 {
	if ok {
		return 1
	}
	return 0
}

// hotel is the caller for a reading, an error while there is no hotel to read of.
func (a *App) hotel(ctx context.Context) (access.Caller, error) {
	h, err := a.Platform.Hotel(ctx, access.AsSystem("", "metrics"))
	return access.AsSystem(h.ID, "metrics"), err
}

func (a *App) queueProbe() telemetry.Probe {
	const open, oldest, overdue, late, notices = "thhotel_cards_open", "thhotel_cards_oldest_age_seconds", "thhotel_cards_overdue", "thhotel_cards_overdue_seconds", "thhotel_notices_open"
	return telemetry.Probe{Name: "queue",
		Gauges: []telemetry.Gauge{
			{Name: open, Help: "Open cards in a view of the queue; counting stops at 1000.", Label: "view"},
			{Name: oldest, Help: "Age of the oldest open card, 0 without one."},
			{Name: overdue, Help: "Open cards past their time; counting stops at 1000."},
			{Name: late, Help: "How long the card that was due first has been overdue, 0 when none is."},
			{Name: notices, Help: "Open notices; counting stops at 1000."},
		},
		Read: func(ctx context.Context, set func(string, string, float64)) error {
			by, err := a.hotel(ctx)
			if err != nil {
				return err
			}
			counts, err := a.Order.Counts(ctx, by)
			if err != nil {
				return err
			}
			for view, n := range counts.Views {
				if view != order.ViewMine { // the program has no cards of its own
					set(open, view, float64(n))
				}
			}
			set(notices, "", float64(counts.Notices))
			b, err := a.Order.Backlog(ctx, by)
			set(oldest, "", a.age(b.OldestOpen))
			set(overdue, "", float64(b.Overdue))
			set(late, "", a.age(b.NextDue))
			return err
		}}
}

// age is how long ago a moment was, in seconds; 0 for none and for those to come.
func (a *App) age(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return max(0, a.Clock.Since(t).Seconds())
}

func (a *App) inboxProbe() telemetry.Probe {
	const day, last = "thhotel_inbox_messages_day", "thhotel_inbox_last_received_timestamp_seconds"
	return telemetry.Probe{Name: "inbox",
		Gauges: []telemetry.Gauge{
			{Name: day, Help: "Messages received within 24 hours; counting stops at 10000."},
			{Name: last, Help: "When the newest message was received, 0 without one."},
		},
		Read: func(ctx context.Context, set func(string, string, float64)) error {
			by, err := a.hotel(ctx)
			if err != nil {
				return err
			}
			p, err := a.Inbox.Pulse(ctx, by)
			set(day, "", float64(p.Day))
			set(last, "", float64(max(0, p.LastReceived.Unix())))
			return err
		}}
}

func (a *App) auditProbe() telemetry.Probe {
	const rows, age = "thhotel_audit_unsealed_rows", "thhotel_audit_unsealed_age_seconds"
	return telemetry.Probe{Name: "audit",
		Gauges: []telemetry.Gauge{
			{Name: rows, Help: "Audit rows that wait for their place in the hash chain."},
			{Name: age, Help: "How long the oldest of them has waited."},
		},
		Read: func(ctx context.Context, set func(string, string, float64)) error {
			n, oldest, err := a.Audit.Lag(ctx)
			set(rows, "", float64(n))
			set(age, "", oldest.Seconds())
			return err
		}}
}

func (a *App) callsProbe() telemetry.Probe {
	const running = "thhotel_idempotency_running"
	return telemetry.Probe{Name: "calls",
		Gauges: []telemetry.Gauge{{Name: running, Help: "Idempotency keys that calls of this process are running now."}},
		Read: func(_ context.Context, set func(string, string, float64)) error {
			set(running, "", float64(a.Executor.Running()))
			return nil
		}}
}

// collector checks that the collector of traces takes some; nil without one.
func (a *App) collector() *rest.Check {
	if a.settings.Telemetry.Endpoint == "" {
		return nil
	}
	return &rest.Check{Name: "telemetry", Run: func(ctx context.Context) error {
		err := telemetry.Reach(ctx, traceOptions(a.settings, Options{Version: a.version, Clock: a.Clock, Log: a.Log}, nil))
		if err != nil {
			err = fmt.Errorf("%w; see that the collector runs and that telemetry.endpoint and telemetry.headers are right, or empty the endpoint to send no traces; calls are served without it", err)
		}
		return err
	}}
}
