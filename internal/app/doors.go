package app

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/mcpserver"
	"thhotel/internal/pages"
	"thhotel/internal/rest"
)

// doors mounts /mcp, the REST routes and the workbench on one engine, over the
// same services.
func (a *App) doors() (http.Handler, error) {
	s := a.settings.Server
	mcp, err := mcpserver.New(mcpserver.Options{
		Executor: a.Executor, Registry: a.Registry, Service: hotel.Name, Clock: a.Clock, Log: a.Log, BaseURL: s.BaseURL, MaxBody: int64(s.MaxBody),
	})
	if err != nil {
		return nil, err
	}
	o := httpOptions(a.settings)
	o.Log, o.Clock = a.Log, a.Clock
	o.Encoders = map[string]httpd.Encoder{hotel.Path: mcpserver.EncodeFault}
	a.observeRequests(&o)
	engine := httpd.New(o)
	engine.Any(hotel.Path, gin.WrapH(mcp))
	engine.Any(mcpserver.MetadataPath(hotel.Path), gin.WrapH(mcp.Metadata()))
	if err := rest.Mount(engine, rest.Options{
		Executor: a.Executor, Registry: a.Registry, Services: []string{hotel.Name}, Platform: a.Platform, Inbox: a.Inbox, Order: a.Order,
		Clock: a.Clock, Log: a.Log, Version: a.version, BaseURL: s.BaseURL, Ready: a.Checks(),
	}); err != nil {
		return nil, err
	}
	a.mountMetrics(engine)
	err = pages.Mount(engine, pages.Options{
		Platform: a.Platform, Inbox: a.Inbox, Order: a.Order, Intake: a.Intake, Executor: a.Executor, Registry: a.Registry, Audit: a.Audit,
		Clock: a.Clock, Log: a.Log, SecureCookies: s.SecureCookies, TrustedOrigins: s.TrustedOrigins, ServicePath: hotel.Path,
		Closing: a.closing,
	})
	return engine, err
}

// system is the program acting for the hotel, or for none while there is none.
func (a *App) system(ctx context.Context) access.Caller {
	h, err := a.Platform.Hotel(ctx, access.AsSystem("", "app"))
	if err != nil {
		return access.AsSystem("", "app")
	}
	return access.AsSystem(h.ID, "app")
}
