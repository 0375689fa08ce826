package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// Check is one thing that must hold before this process takes traffic.
type Check struct {
	Name string // "database", "migrations", "hotel", "audit"
	Run  func(context.Context) error
}

// checkTime bounds each check: a probe that hangs is an answer too.
const checkTime = 2 * time.Second

// healthz says that the process lives. It asks nothing of anybody else.
func (d *door) healthz(c *gin.Context) {
	httpd.WriteJSON(c.Writer, http.StatusOK, map[string]string{"status": "ok", "version": d.o.Version})
}

// readyz says whether calls can be served, and which part is in the way.
func (d *door) readyz(c *gin.Context) {
	status, word, checks := http.StatusOK, "ready", map[string]string{}
	for _, check := range d.o.Ready {
		checks[check.Name] = "ok"
		if err := runCheck(c.Request.Context(), check); err != nil {
			status, word = http.StatusServiceUnavailable, "not_ready"
			checks[check.Name] = reason(err)
			d.o.Log.WarnContext(c.Request.Context(), "not ready", "check", check.Name, "error", err)
		}
	}
	httpd.WriteJSON(c.Writer, status, map[string]any{"status": word, "checks": checks})
}

func runCheck(ctx context.Context, check Check) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	return check.Run(ctx)
}

// reason tells a refusal's code; anything else stays in the log, for probes are public.
func reason(err error) string {
	if f := fault.As(err); f.Kind != fault.Internal {
		return f.Code
	}
	return "failed"
}
