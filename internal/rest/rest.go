// Package rest is the plain HTTP door: the POST twin of every tool that names
// one, the feeds of other systems, health probes and the API's own description.
// It turns bytes into calls and outcomes into bytes; it holds no rule, no table
// and no permission, and it knows the tools only through the registry.
package rest

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/gin-gonic/gin"

	"thhotel/internal/agent"
	"thhotel/internal/clock"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// Options is what the door is made of. All but Log, Version, BaseURL and Ready are required.
type Options struct {
	Executor *agent.Executor
	Registry *agent.Registry
	Services []string // names of the services whose tools get routes; the first answers for the feeds
	Platform *platform.Service
	Inbox    *inbox.Service
	Order    *order.Service
	Clock    clock.Clock

	Log     *slog.Logger
	Version string
	BaseURL string  // public address, for the 401 challenge and the description
	Ready   []Check // what /readyz asks, in order
}

// door is the mounted package.
type door struct {
	o        Options
	services []agent.Service
	main     agent.Service
	spec     specCache

	projections *agent.Schema
}

// Mount adds the routes. It fails when a service or one of its tools is missing,
// or when two tools claim one path.
func Mount(e *gin.Engine, o Options) error {
	if o.Executor == nil || o.Registry == nil || o.Platform == nil || o.Inbox == nil || o.Order == nil || len(o.Services) == 0 {
		return errors.New("mount rest: a service is missing")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	projections, err := compileFeeds()
	if err != nil {
		return err
	}
	d := &door{o: o, projections: projections}
	for _, name := range o.Services {
		s, ok := o.Executor.Service(name)
		if !ok {
			return fmt.Errorf("mount rest: no service %q", name)
		}
		d.services = append(d.services, s)
	}
	d.main = d.services[0]
	if err := d.tools(e); err != nil {
		return err
	}
	e.POST(DeliveryPath, d.feed(d.deliver))
	e.POST(projectionPath, d.feed(d.project))
	e.GET("/healthz", d.healthz)
	e.GET("/readyz", d.readyz)
	e.GET("/openapi.json", d.openAPI)
	e.GET("/docs", d.docs)
	e.GET("/docs/docs.css", d.docsCSS)
	return nil
}

// tools mounts each tool's twin. Routes are fixed at start; a tool revoked later
// is refused by the executor.
func (d *door) tools(e *gin.Engine) error {
	var paths []string
	for _, s := range d.services {
		for _, name := range s.Tools {
			info, ok := d.o.Registry.Lookup(name)
			if !ok {
				return fmt.Errorf("mount rest: no tool %q in the registry", name)
			}
			if info.REST == "" {
				continue
			}
			if slices.Contains(paths, info.REST) {
				return fmt.Errorf("mount rest: tool %q: the path %s is taken", name, info.REST)
			}
			paths = append(paths, info.REST)
			e.POST(info.REST, d.tool(s, info))
		}
	}
	return nil
}
