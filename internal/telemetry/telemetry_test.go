package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"thhotel/internal/clock"
	"thhotel/internal/telemetry"
)

func scrape(m *telemetry.Metrics) string {
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func TestCardinality(t *testing.T) {
	m := telemetry.NewMetrics(clock.Real(), "test")
	for i := range 1000 {
		m.Call("t", "mcp", "failed", fmt.Sprintf("CODE_%d", i), time.Millisecond)
		m.Request("/x", fmt.Sprintf("VERB%d", i), 200, time.Millisecond)
	}
	text := scrape(m)
	if n := strings.Count(text, "thhotel_tool_calls_total{"); n > 201 {
		t.Errorf("%d series for codes", n)
	}
	if n := strings.Count(text, "thhotel_http_requests_total{"); n != 1 {
		t.Errorf("%d series for methods that nobody knows", n)
	}
	if !strings.Contains(text, `thhotel_tool_calls_total{code="other",door="mcp",status="failed",tool="t"} 801`) {
		t.Error("codes beyond the bound are not counted as other")
	}
}

// TestProbe: numbers are kept for a few seconds, and absent while they cannot be read.
func TestProbe(t *testing.T) {
	now := time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)
	m := telemetry.NewMetrics(clock.Moving(func() time.Time { return now }), "test")
	asked, fail := 0, error(nil)
	m.AddProbe(telemetry.Probe{Name: "p", Gauges: []telemetry.Gauge{{Name: "x_total_things", Help: "h", Label: "kind"}, {Name: "x_age", Help: "h"}},
		Read: func(ctx context.Context, set func(string, string, float64)) error {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("a reading without a deadline")
			}
			asked++
			set("x_total_things", "a", float64(asked))
			set("x_age", "", 7)
			return fail
		}})
	for _, c := range []struct {
		wait time.Duration
		fail error
		want string
		not  string
	}{
		{0, nil, `x_total_things{kind="a"} 1`, `probe_up{probe="p"} 0`},
		{4 * time.Second, nil, `x_total_things{kind="a"} 1`, `{kind="a"} 2`},
		{2 * time.Second, nil, `x_total_things{kind="a"} 2`, `probe_up{probe="p"} 0`},
		{6 * time.Second, errors.New("away"), `probe_up{probe="p"} 0`, `x_age 7`},
		{6 * time.Second, nil, `x_total_things{kind="a"} 4`, `probe_up{probe="p"} 0`},
	} {
		now, fail = now.Add(c.wait), c.fail
		if text := scrape(m); !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("after %s: no %s, or %s", c.wait, c.want, c.not)
		}
	}
}

func TestLocal(t *testing.T) {
	h := telemetry.Local(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	for _, c := range []struct {
		peer, host, header string
		want               int
	}{
		{"127.0.0.1:5", "127.0.0.1:8080", "", 418}, {"[::1]:5", "[::1]:8080", "", 418}, {"[::ffff:127.0.0.1]:5", "localhost", "", 418},
		{"10.0.0.7:5", "127.0.0.1", "", 404}, {"127.0.0.1:5", "hotel.example", "", 404}, {"127.0.0.1:5", "10.0.0.7:8080", "", 404},
		{"127.0.0.1:5", "localhost", "X-Forwarded-For", 404}, {"127.0.0.1:5", "localhost", "Forwarded", 404}, {"", "localhost", "", 404},
	} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.RemoteAddr, r.Host = c.peer, c.host
		if c.header != "" {
			r.Header.Set(c.header, "for=1.2.3.4")
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}

func TestReach(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/traces" || r.Header.Get("Key") != "right" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	defer s.Close()
	for headers, ok := range map[string]bool{"key=right": true, "key=wrong": false, "": false, "nonsense": false} {
		if err := telemetry.Reach(context.Background(), telemetry.TraceOptions{Endpoint: s.URL, Headers: headers}); (err == nil) != ok {
			t.Errorf("%q: %v", headers, err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	m := telemetry.NewMetrics(clock.Real(), "bench")
	b.ReportAllocs()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			m.Call("th_hotel_query_case_context", "mcp", "succeeded", "", time.Millisecond)
		}
	})
}
