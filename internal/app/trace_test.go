package app_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"thhotel/internal/config"
	"thhotel/internal/hotel"
)

// collector is a fake one: it keeps the spans it is sent, and the bytes.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
	raw   []byte
	keys  []string // what came as the header x-key
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var m collect.ExportTraceServiceRequest
		if err != nil || r.URL.Path != "/v1/traces" || proto.Unmarshal(body, &m) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.raw, c.keys = append(c.raw, body...), append(c.keys, r.Header.Get("X-Key"))
		for _, rs := range m.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// in returns the names of a trace's spans, each with its parent's: "child < parent".
func (c *collector) in(trace string) []string {
	var out []string
	for _, s := range c.spans {
		if hex.EncodeToString(s.TraceId) != trace {
			continue
		}
		parent := hex.EncodeToString(s.ParentSpanId)
		for _, p := range c.spans {
			if len(s.ParentSpanId) > 0 && bytes.Equal(p.SpanId, s.ParentSpanId) {
				parent = p.Name
			}
		}
		if line := s.Name + " < " + parent; !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// send is one request with headers, and the trace id that its answer names.
func (w *world) send(t *testing.T, path, token, body string, headers ...string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.access.BaseURL+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	must(t, err)
	return res.Header.Get("X-Trace-Id")
}

func callBody(tool, args, meta string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + args + meta + `}}`
}

// TestTraces: the spans that the collector gets have the trace id that the caller
// sent, the answer names and the audit rows keep.
func TestTraces(t *testing.T) {
	c := newCollector(t)
	w := newWorld(t, func(s *config.Settings) { s.Telemetry.Endpoint, s.Telemetry.Headers = c.URL, "x-key=open sesame" })
	const inHeader, inMeta, unsampled = "4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c", "11111111111111111111111111111111"
	const span, metaSpan = "00f067aa0ba902b7", "b7ad6b7169203331"
	args, token := `{"confirmation_number":"SECRET-77123"}`, w.access.SuperAgentToken
	read := callBody(hotel.ToolCaseContext, args, "")

	for range 2 {
		w.send(t, hotel.Path, token, read, "traceparent", "00-"+inHeader+"-"+span+"-01")
	}
	if status, _ := scrape(t, w.access.BaseURL+"/readyz", "traceparent", "00-"+inHeader+"-"+span+"-01"); status != http.StatusOK {
		t.Errorf("readyz: %d", status) // and no span
	}
	w.send(t, hotel.Path, token, callBody(hotel.ToolCaseContext, args, `,"_meta":{"traceparent":"00-`+inMeta+`-`+metaSpan+`-01"}`))
	w.send(t, hotel.Path, token, read, "traceparent", "00-"+unsampled+"-"+span+"-00")
	own := w.send(t, hotel.Path, "tht_nobody_knows_this_one", callBody("no.such.tool", args, ""))
	submitted := w.send(t, hotel.Path, token, callBody(hotel.ToolSubmit, pkg(t, 1, "another text"), ""))
	var rows int
	must(t, w.DB.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM audit_event WHERE trace_id IN (?, ?, ?)", inHeader, inMeta, own).Scan(&rows))
	if rows != 7 { // two reads, one by meta: started and succeeded each; one denied
		t.Errorf("%d audit rows have the callers' trace ids", rows)
	}
	w.stop() // flushes

	c.mu.Lock()
	defer c.mu.Unlock()
	tool, door := "tool "+hotel.ToolCaseContext, "POST "+hotel.Path
	for trace, want := range map[string][]string{
		inHeader:  {door + " < " + span, tool + " < " + door},
		inMeta:    {tool + " < " + metaSpan},
		own:       {door + " < ", "tool other < " + door},
		unsampled: nil,
		submitted: {door + " < ", "tool " + hotel.ToolSubmit + " < " + door, "transaction < tool " + hotel.ToolSubmit},
	} {
		got := c.in(trace)
		got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "transaction < tool "+hotel.ToolCaseContext) })
		if !slices.Equal(got, want) {
			t.Errorf("trace %s: %q, want %q", trace, got, want)
		}
	}
	for _, secret := range []string{"SECRET-77123", "another text", token} {
		if bytes.Contains(c.raw, []byte(secret)) {
			t.Errorf("the spans carry %q", secret)
		}
	}
	if len(c.keys) == 0 || slices.ContainsFunc(c.keys, func(k string) bool { return k != "open sesame" }) {
		t.Errorf("the collector's key came as %q", c.keys)
	}
}

// TestCollectorAway: calls are served and the stop is not held up.
func TestCollectorAway(t *testing.T) {
	c := newCollector(t)
	c.Close()
	w := newWorld(t, func(s *config.Settings) { s.Telemetry.Endpoint = c.URL })
	if status, body := w.post(t, hotel.Path, w.access.SuperAgentToken, "en", callBody(hotel.ToolCaseContext, `{"confirmation_number":"1"}`, "")); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
}
