package telemetry

import (
	"context"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"thhotel/internal/access"
	"thhotel/internal/clock"
)

// Spans of a request have the trace id that its log lines and audit rows have,
// wherever that came from; see ids.

type (
	traceIDKey struct{} // the trace id a root span is to have
	callKey    struct{} // the span of the tool call
)

// ids makes ids through clock, and gives a root span the request's own trace id.
type ids struct{ clock clock.Clock }

// NewIDs is for a root span.
func (g ids) NewIDs(ctx context.Context) (trace.TraceID, trace.SpanID) {
	id, ok := ctx.Value(traceIDKey{}).(trace.TraceID)
	if !ok {
		copy(id[:], g.clock.Bytes(len(id)))
	}
	return id, g.NewSpanID(ctx, id)
}

// NewSpanID is for every other span.
func (g ids) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	copy(id[:], g.clock.Bytes(len(id)))
	return id
}

// join returns ctx so that the next span continues the request's trace: as a child
// of the span in ctx, else of the caller's, else as the trace's root.
func join(ctx context.Context, t access.Trace) (context.Context, []trace.SpanStartOption) {
	id, err := trace.TraceIDFromHex(t.TraceID)
	if err != nil { // an X-Trace-Id of another form
		return ctx, []trace.SpanStartOption{trace.WithAttributes(attribute.String("thhotel.trace_id", t.TraceID))}
	}
	here := trace.SpanContextFromContext(ctx)
	if here.TraceID() == id {
		return ctx, nil
	}
	var opts []trace.SpanStartOption
	if here.IsValid() { // a message that named another trace than its request
		opts = append(opts, trace.WithLinks(trace.Link{SpanContext: here}))
	}
	if parent, ok := remote(t.Parent, id); ok {
		return trace.ContextWithRemoteSpanContext(ctx, parent), opts
	}
	return context.WithValue(trace.ContextWithSpanContext(ctx, trace.SpanContext{}), traceIDKey{}, id), opts
}

// remote reads the caller's span out of a traceparent that httpd has checked.
func remote(parent string, id trace.TraceID) (trace.SpanContext, bool) {
	const spanAt, flagsAt, end = 36, 53, 55
	if len(parent) < end {
		return trace.SpanContext{}, false
	}
	span, err := trace.SpanIDFromHex(parent[spanAt : flagsAt-1])
	flags, bad := strconv.ParseUint(parent[flagsAt:end], 16, 8)
	if err != nil || bad != nil {
		return trace.SpanContext{}, false
	}
	return trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span, TraceFlags: trace.TraceFlags(flags) & trace.FlagsSampled, Remote: true}), true
}

// Request begins the span of an HTTP request. Probes and scrapes get none.
func (t *Traces) Request(ctx context.Context, tr access.Trace, route, method string) (context.Context, func(status int)) {
	switch route {
	case "/healthz", "/readyz", "/metrics":
		return ctx, func(int) {}
	case "":
		route = "unmatched"
	}
	method = knownMethod(method)
	ctx, opts := join(ctx, tr)
	ctx, span := t.tracer.Start(ctx, method+" "+route, append(opts, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", route), attribute.String("thhotel.request_id", tr.RequestID)))...)
	return ctx, func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status >= 500 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Call begins the span of a tool call; EndCall ends it.
func (t *Traces) Call(ctx context.Context, tr access.Trace) context.Context {
	ctx, opts := join(ctx, tr)
	ctx, span := t.tracer.Start(ctx, "tool call", append(opts, trace.WithAttributes(attribute.String("thhotel.door", tr.Adapter), attribute.String("thhotel.request_id", tr.RequestID)))...)
	return context.WithValue(ctx, callKey{}, span)
}

// EndCall ends the span that Call began in ctx, if one was.
func EndCall(ctx context.Context, tool, status, code string) {
	span, ok := ctx.Value(callKey{}).(trace.Span)
	if !ok {
		return
	}
	if tool == "" {
		tool = unknown
	}
	span.SetName("tool " + tool)
	span.SetAttributes(attribute.String("thhotel.tool", tool), attribute.String("thhotel.status", status))
	if code != "" {
		span.SetAttributes(attribute.String("thhotel.code", code))
	}
	if status == "failed" {
		span.SetStatus(codes.Error, code)
	}
	span.End()
}

// Transaction begins the span of a database transaction inside a traced call;
// what the program does by itself is not traced.
func (t *Traces) Transaction(ctx context.Context) (context.Context, func(error)) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, "transaction", trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "rolled back") // the error may quote a row
		}
		span.End()
	}
}
