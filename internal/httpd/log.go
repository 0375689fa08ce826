package httpd

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"strings"

	"github.com/gin-gonic/gin"
)

// accessLog writes one line per request: no body, no header, no query value.
func (o Options) accessLog(c *gin.Context) {
	start := o.Clock.Now()
	c.Next()
	took := o.Clock.Since(start)
	route := c.FullPath()
	if route == "" {
		route = "unmatched"
	}
	if o.Observe != nil {
		o.Observe(route, c.Request.Method, c.Writer.Status(), took)
	}
	t := TraceOf(c.Request.Context())
	o.Log.LogAttrs(c.Request.Context(), levelOf(c), "request",
		slog.String("method", c.Request.Method), slog.String("route", route), slog.String("path", Printable(c.Request.URL.Path, 200)),
		slog.Int("status", c.Writer.Status()), slog.Int("bytes", max(0, c.Writer.Size())), slog.Duration("took", took),
		slog.String("remote", c.ClientIP()), slog.String("request_id", t.RequestID), slog.String("trace_id", t.TraceID))
}

// levelOf keeps probes out of the ordinary log.
func levelOf(c *gin.Context) slog.Level {
	switch {
	case c.Writer.Status() >= http.StatusInternalServerError:
		return slog.LevelError
	case strings.HasSuffix(c.FullPath(), "z") || c.FullPath() == "/metrics":
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// recover turns a panic into the ordinary internal refusal; the stack is logged.
func (o Options) recover(c *gin.Context) {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
			panic(p)
		}
		t := TraceOf(c.Request.Context())
		o.Log.ErrorContext(c.Request.Context(), "panic", "panic", p, "request_id", t.RequestID, "stack", string(debug.Stack()))
		if !c.Writer.Written() {
			Refuse(c.Writer, c.Request, errPanic())
		}
		c.Abort()
	}()
	c.Next()
}
