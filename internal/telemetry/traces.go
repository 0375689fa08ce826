package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"thhotel/internal/clock"
)

// sendTime bounds one send to the collector.
const sendTime = 10 * time.Second

// TraceOptions say where spans go. Endpoint and Clock are required.
type TraceOptions struct {
	Endpoint string  // OTLP over HTTP; without a path, /v1/traces is meant
	Headers  string  // "name=value,name=value"
	Ratio    float64 // share of the traces begun here that are kept; callers decide about theirs
	Version  string
	Clock    clock.Clock
	Log      *slog.Logger
	Metrics  *Metrics // counts what could not be sent; may be nil
}

// Traces makes spans and sends them in the background.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
}

// NewTraces returns the maker of spans. It connects when it first sends.
func NewTraces(ctx context.Context, o TraceOptions) (*Traces, error) {
	headers, err := parseHeaders(o.Headers)
	if err != nil {
		return nil, err
	}
	out, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(tracesURL(o.Endpoint)), otlptracehttp.WithHeaders(headers), otlptracehttp.WithTimeout(sendTime))
	if err != nil {
		return nil, fmt.Errorf("trace exporter: %w", err)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(&exporter{SpanExporter: out, log: o.Log, metrics: o.Metrics}),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(o.Ratio))),
		sdktrace.WithIDGenerator(ids{o.Clock}),
		sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "thhotel"), attribute.String("service.version", o.Version))),
	)
	return &Traces{provider: provider, tracer: provider.Tracer("thhotel")}, nil
}

// Close sends what is left.
func (t *Traces) Close(ctx context.Context) error {
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last spans: %w", err)
	}
	return nil
}

// tracesURL adds OTLP's path to a collector's plain address.
func tracesURL(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err == nil && strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/traces"
		return u.String()
	}
	return endpoint
}

func parseHeaders(text string) (map[string]string, error) {
	out := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		if !ok { // the pair may be a secret: do not repeat it
			return nil, errors.New(`telemetry.headers: write name=value, separated by commas`)
		}
		out[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	return out, nil
}

// exporter keeps the SDK's complaints out of its global error handler: the log
// hears when sending begins to fail and when it works again.
type exporter struct {
	sdktrace.SpanExporter
	log     *slog.Logger
	metrics *Metrics
	failing atomic.Bool
}

// ExportSpans sends a batch. What the collector does not take is lost, and counted.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	if err != nil && e.metrics != nil {
		e.metrics.failed.Inc()
	}
	switch was := e.failing.Swap(err != nil); {
	case err != nil && !was:
		e.log.WarnContext(ctx, "traces are lost: the collector does not take them", "error", err)
	case err == nil && was:
		e.log.InfoContext(ctx, "the collector takes traces again")
	}
	return nil
}

// Reach sends the collector an empty batch: whether it is there and lets us in.
func Reach(ctx context.Context, o TraceOptions) error {
	headers, err := parseHeaders(o.Headers)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, tracesURL(o.Endpoint), http.NoBody)
	if err != nil {
		return fmt.Errorf("telemetry.endpoint: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-protobuf") // no bytes are an empty message
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	client := http.Client{Timeout: sendTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return fmt.Errorf("reach the collector: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("the collector at %s answers %s", tracesURL(o.Endpoint), res.Status)
	}
	return nil
}
