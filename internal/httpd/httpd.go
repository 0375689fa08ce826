// Package httpd is the shared HTTP ground under every door: one Gin engine with
// its middleware, the map from fault kinds to statuses, and the helpers that
// read bodies, credentials and languages. It knows no tool, no page and no
// protocol above HTTP.
package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/clock"
)

// Options set up the engine. Clock is required; other zero values are safe defaults.
type Options struct {
	Log   *slog.Logger
	Clock clock.Clock

	MaxBody    int64            // bytes of a request body; default 10 MiB
	BodyLimits map[string]int64 // exact paths with another limit
	BodyBudget int64            // bytes of large bodies in work at one time; default DefaultBodyBudget, at least the largest limit

	// TrustedHosts are the names this server answers to, without port. Loopback
	// names and IP literals always pass: neither can be rebound by DNS. "*" allows all.
	TrustedHosts []string
	// TrustedOrigins are origins ("https://desk.example") beside the server's own.
	TrustedOrigins []string
	TrustedProxies []string // CIDRs whose X-Forwarded-For is believed

	Rate Rate // per credential; see Rate

	// Encoders write refusals in a door's own shape, by exact path.
	Encoders map[string]Encoder
	// Observe, when set, hears of every finished request (metrics).
	Observe func(route, method string, status int, took time.Duration)
	// Begin, when set, gives the context that a request runs with, and what hears of
	// the status it ended with (traces).
	Begin func(ctx context.Context, t access.Trace, route, method string) (context.Context, func(status int))

	bodies *budget
}

// DefaultMaxBody is the contract's limit for one request.
const DefaultMaxBody = 10 << 20

// New returns an engine with the middleware installed and no routes.
func New(o Options) *gin.Engine {
	o = o.withDefaults()
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	e.HandleMethodNotAllowed = true
	e.RedirectTrailingSlash = false
	// A bad CIDR leaves no proxy trusted, which is the safe reading.
	if err := e.SetTrustedProxies(o.TrustedProxies); err != nil {
		o.Log.Error("trusted proxies ignored", "error", err)
		_ = e.SetTrustedProxies(nil)
	}
	e.Use(o.trace, o.accessLog, o.recover, headers, o.origin, newLimits(o.Rate, o.Clock).middleware, o.limitBody)
	e.NoRoute(func(c *gin.Context) { Refuse(c.Writer, c.Request, errNoRoute()) })
	e.NoMethod(func(c *gin.Context) { RefuseWith(c.Writer, c.Request, http.StatusMethodNotAllowed, errMethod()) })
	return e
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBody == 0 {
		o.MaxBody = DefaultMaxBody
	}
	if o.BodyBudget == 0 {
		o.BodyBudget = DefaultBodyBudget
	}
	most := o.MaxBody // one alone must always fit
	for _, limit := range o.BodyLimits {
		most = max(most, limit)
	}
	o.bodies = newBudget(max(o.BodyBudget, most))
	return o
}

// Server wraps a handler with timeouts that slow or silent clients cannot outlast.
// Streams lift the write deadline for themselves.
func Server(addr string, h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Addr: addr, Handler: h,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		WriteTimeout:      120 * time.Second,
		IdleTimeout:       120 * time.Second,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}

// Shutdown stops accepting and waits for calls under way, at most as long as ctx lives.
func Shutdown(ctx context.Context, s *http.Server) error {
	err := s.Shutdown(ctx)
	if err != nil { // the patient part is over: cut what is left
		_ = s.Close()
	}
	return err
}
