package httpd

import (
	"context"
	"encoding/hex"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/clock"
)

type traceKey struct{}

// maxID bounds the ids callers choose; they end up in rows and logs.
const maxID = 64

// WithTrace puts a trace into a context.
func WithTrace(ctx context.Context, t access.Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceOf returns the request's trace, the zero value outside a request.
func TraceOf(ctx context.Context) access.Trace {
	t, _ := ctx.Value(traceKey{}).(access.Trace)
	return t
}

// Traced returns the request with a trace in its context: the one that is
// already there, or one read from its headers. Response headers name the request.
func Traced(w http.ResponseWriter, r *http.Request, c clock.Clock) *http.Request {
	t := TraceOf(r.Context())
	if t.RequestID == "" {
		t = newTrace(r, c)
		r = r.WithContext(WithTrace(r.Context(), t))
	}
	w.Header().Set("X-Request-Id", t.RequestID)
	w.Header().Set("X-Trace-Id", t.TraceID)
	return r
}

func newTrace(r *http.Request, c clock.Clock) access.Trace {
	t := access.Trace{
		RequestID: sane(r.Header.Get("X-Request-Id")),
		TraceID:   TraceParent(r.Header.Get("traceparent")),
		Client:    Printable(r.UserAgent(), 120),
	}
	if t.TraceID != "" {
		t.Parent = r.Header.Get("traceparent")
	}
	if t.RequestID == "" {
		t.RequestID = "req-" + c.NewID()
	}
	if t.TraceID == "" {
		t.TraceID = sane(r.Header.Get("X-Trace-Id"))
	}
	if t.TraceID == "" {
		t.TraceID = hex.EncodeToString(c.Bytes(16))
	}
	return t
}

// TraceParent returns the trace id inside a W3C traceparent, "" when malformed.
func TraceParent(v string) string {
	parts := strings.Split(v, "-")
	if len(parts) < 4 || len(parts[0]) != 2 || len(parts[1]) != 32 || len(parts[2]) != 16 || len(parts[3]) != 2 {
		return ""
	}
	if parts[0] == "ff" || parts[0] == "00" && len(parts) != 4 {
		return ""
	}
	for _, p := range parts[:4] {
		if strings.Trim(p, "0123456789abcdef") != "" {
			return ""
		}
	}
	if strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return ""
	}
	return parts[1]
}

// sane returns v when it is a short id of harmless characters, else "".
func sane(v string) string {
	if v == "" || len(v) > maxID {
		return ""
	}
	for _, r := range v {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-", r) {
			return ""
		}
	}
	return v
}

// Printable cuts foreign text to limit bytes of printable ASCII, for names that are logged.
func Printable(v string, limit int) string {
	v = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return -1
		}
		return r
	}, v)
	return v[:min(len(v), limit)]
}

func (o Options) trace(c *gin.Context) {
	c.Request = Traced(c.Writer, c.Request, o.Clock)
	if o.Begin == nil {
		c.Next()
		return
	}
	ctx, end := o.Begin(c.Request.Context(), TraceOf(c.Request.Context()), c.FullPath(), c.Request.Method)
	c.Request = c.Request.WithContext(ctx)
	c.Next()
	end(c.Writer.Status())
}
