// Package pages is the staff workbench: server-rendered HTML over the feature
// services. It decides nothing about orders and refuses to know a table, a tool
// protocol or a rule: what may be done, and why not, comes from the services;
// pages only show it, in Chinese and English, and carry forms back.
package pages

import (
	"errors"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/web"
)

// Options is what the workbench is made of. All but Log are required.
type Options struct {
	Platform *platform.Service
	Inbox    *inbox.Service
	Order    *order.Service
	Intake   *intake.Service
	Executor *agent.Executor
	Registry *agent.Registry
	Audit    *audit.Log
	Clock    clock.Clock
	Log      *slog.Logger

	// SecureCookies is for deployments behind TLS.
	SecureCookies bool
	// TrustedOrigins are origins beside the server's own whose forms count.
	TrustedOrigins []string
	// ServicePath is the audience offered when a credential is issued; default "/mcp".
	ServicePath string
	// Live bounds the event streams.
	Live Live
	// Closing is closed when the server begins to close: open streams end then,
	// which lets it drain. nil is never.
	Closing <-chan struct{}
}

// site is the mounted workbench.
type site struct {
	o         Options
	texts     map[string]catalogue
	templates map[string]map[string]*template.Template // language, page
	assets    assets
	origin    *http.CrossOriginProtection
	streams   streams
}

// Mount adds the workbench's routes to the engine.
func Mount(engine *gin.Engine, o Options) error {
	s, err := newSite(o)
	if err != nil {
		return fmt.Errorf("mount pages: %w", err)
	}
	engine.GET("/static/:name", s.assets.serve)
	engine.HEAD("/static/:name", s.assets.serve)
	s.routes(engine.Group("/", s.guard))
	return nil
}

func newSite(o Options) (*site, error) {
	if o.Platform == nil || o.Inbox == nil || o.Order == nil || o.Intake == nil || o.Executor == nil || o.Registry == nil || o.Audit == nil {
		return nil, errors.New("a service is missing")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.ServicePath == "" {
		o.ServicePath = "/mcp"
	}
	o.Live = o.Live.withDefaults()
	s := &site{o: o, origin: http.NewCrossOriginProtection()}
	for _, origin := range o.TrustedOrigins {
		if err := s.origin.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("trusted origin %q: %w", origin, err)
		}
	}
	var err error
	if s.texts, err = loadCatalogues(web.Locale()); err != nil {
		return nil, err
	}
	if s.assets, err = loadAssets(web.Static()); err != nil {
		return nil, err
	}
	s.templates, err = s.parse(web.Templates())
	return s, err
}

func (s *site) routes(r gin.IRouter) {
	r.GET("/", func(c *gin.Context) { c.Redirect(http.StatusSeeOther, "/tasks") })
	r.GET("/signin", s.signInForm)
	r.POST("/signin", s.signIn)
	r.POST("/signout", s.signOut)
	r.POST("/preferences", s.preferences)
	r.GET("/events", s.events)
	s.taskRoutes(r)
	s.orderRoutes(r)
	s.inboxRoutes(r)
	s.noticeRoutes(r)
	s.agentRoutes(r)
	s.adminRoutes(r)
	s.exportRoutes(r)
}
