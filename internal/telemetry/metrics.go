// Package telemetry is how operators see the program: metrics for Prometheus,
// traces over OTLP. It holds no global state and refuses to know what is measured:
// names and readings come from app, and no label ever carries an id, a person's
// name or anything else a caller can choose freely.
package telemetry

import (
	"database/sql"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"thhotel/internal/clock"
)

// maxCodes bounds the refusal codes that get a series of their own.
const maxCodes = 200

// unknown stands for what a caller could have made up.
const unknown = "other"

// buckets, in seconds, suit calls of a millisecond and uploads of a minute.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// Metrics is a registry of its own with what every program of ours counts.
type Metrics struct {
	reg      *prometheus.Registry
	clock    clock.Clock
	calls    *prometheus.CounterVec
	callTime *prometheus.HistogramVec
	requests *prometheus.CounterVec
	reqTime  *prometheus.HistogramVec
	failed   prometheus.Counter // batches of spans

	mu    sync.Mutex
	codes map[string]bool

	callSeries kept[callKind]
	reqSeries  kept[requestKind]
}

type callKind struct{ tool, door, status, code string }

type requestKind struct {
	route, method string
	status        int
}

// series is where one kind of event is counted.
type series struct {
	count prometheus.Counter
	time  prometheus.Observer
}

func (s series) add(took time.Duration) {
	s.count.Inc()
	s.time.Observe(took.Seconds())
}

// kept finds series again without hashing their labels anew, which costs five
// times as much as counting.
type kept[K comparable] struct {
	mu sync.RWMutex
	m  map[K]series
}

func (k *kept[K]) find(kind K) (series, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	s, ok := k.m[kind]
	return s, ok
}

func (k *kept[K]) keep(kind K, s series) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil {
		k.m = map[K]series{}
	}
	k.m[kind] = s
}

// NewMetrics returns the registry with build, Go and process metrics in it.
func NewMetrics(c clock.Clock, version string) *Metrics {
	m := &Metrics{reg: prometheus.NewRegistry(), clock: c, codes: map[string]bool{"": true}}
	m.calls = counter("thhotel_tool_calls_total", "Tool calls that ended.", "tool", "door", "status", "code")
	m.callTime = histogram("thhotel_tool_call_duration_seconds", "How long tool calls took.", "tool", "door")
	m.requests = counter("thhotel_http_requests_total", "HTTP requests that ended.", "route", "method", "status")
	m.reqTime = histogram("thhotel_http_request_duration_seconds", "How long HTTP requests took.", "route", "method")
	m.failed = prometheus.NewCounter(prometheus.CounterOpts{Name: "thhotel_trace_export_failures_total", Help: "Batches of spans that the collector did not take."})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "thhotel_build_info", Help: "Always 1; the labels tell the build."}, []string{"version", "go"})
	build.WithLabelValues(version, runtime.Version()).Set(1)
	m.reg.MustRegister(m.calls, m.callTime, m.requests, m.reqTime, m.failed, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// Call counts a tool call. The tool is "" when nobody registered its name.
func (m *Metrics) Call(tool, door, status, code string, took time.Duration) {
	if tool == "" {
		tool = unknown
	}
	kind := callKind{tool, door, status, code}
	s, ok := m.callSeries.find(kind)
	if !ok {
		kind.code = m.bounded(code)
		s = series{m.calls.WithLabelValues(tool, door, status, kind.code), m.callTime.WithLabelValues(tool, door)}
		m.callSeries.keep(kind, s)
	}
	s.add(took)
}

// bounded returns a code, or "other" once there are too many of them.
func (m *Metrics) bounded(code string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.codes[code] && len(m.codes) >= maxCodes {
		return unknown
	}
	m.codes[code] = true
	return code
}

// Request counts an HTTP request by its route's pattern, never its path.
func (m *Metrics) Request(route, method string, status int, took time.Duration) {
	method = knownMethod(method)
	kind := requestKind{route, method, status}
	s, ok := m.reqSeries.find(kind)
	if !ok {
		s = series{m.requests.WithLabelValues(route, method, strconv.Itoa(status)), m.reqTime.WithLabelValues(route, method)}
		m.reqSeries.keep(kind, s)
	}
	s.add(took)
}

func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return unknown
}

// Pool shows a database handle's connections as go_sql_*{db_name="name"}.
func (m *Metrics) Pool(name string, db *sql.DB) {
	m.reg.MustRegister(collectors.NewDBStatsCollector(db, name))
}

// Handler answers a scrape.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.reg, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 15 * time.Second, ErrorHandling: promhttp.ContinueOnError})
}
