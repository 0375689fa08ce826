// Package app wires the product by hand, in one readable place: settings in, a
// server out. It holds no rule of its own.
package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/casequery"
	"thhotel/internal/clock"
	"thhotel/internal/config"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/telemetry"
	"thhotel/migrations"
)

// Options is what the outside world gives an app.
type Options struct {
	Version string
	Clock   clock.Clock
	Log     *slog.Logger
	// KeepSchema leaves the database's schema as it is: for `doctor`, which looks
	// and does not touch.
	KeepSchema bool
}

// App is the wired product. The services are open to the command line and the
// demo, which are callers like any other.
type App struct {
	DB       *database.DB
	Clock    clock.Clock
	Log      *slog.Logger
	Audit    *audit.Log
	Platform *platform.Service
	Inbox    *inbox.Service
	Order    *order.Service
	Intake   *intake.Service
	Cases    *casequery.Service
	Registry *agent.Registry
	Executor *agent.Executor

	settings  config.Settings
	version   string
	blobs     *blob.Store
	metrics   *telemetry.Metrics
	traces    *telemetry.Traces // nil when none are sent
	handler   http.Handler
	closeOnce sync.Once
	closing   chan struct{} // closed when Serve begins to close: streams end, so that it can drain
}

// New opens the database, brings its schema up to date and wires everything. It
// starts nothing: Serve does.
func New(ctx context.Context, s config.Settings, o Options) (*App, error) {
	if err := prepareFolders(s); err != nil {
		return nil, fmt.Errorf("data folder: %w", err)
	}
	a := &App{Clock: o.Clock, Log: o.Log, settings: s, version: o.Version, closing: make(chan struct{})}
	if err := a.eyes(ctx, o); err != nil {
		return nil, err
	}
	db, err := database.Open(ctx, a.databaseOptions(), o.Clock)
	if err != nil {
		a.flush() // ends the sender
		return nil, err
	}
	a.DB = db
	if !o.KeepSchema {
		if err := db.Migrate(ctx, migrations.Files); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	if err := a.wire(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return a, nil
}

func (a *App) wire() (err error) {
	if a.blobs, err = blob.Open(a.settings.BlobDir); err != nil {
		return fmt.Errorf("mail store: %w", err)
	}
	a.Audit = audit.NewWithOptions(a.DB, a.Clock, audit.Options{Log: a.Log, SealWithin: a.settings.Audit.SealWithin})
	a.Platform = platform.NewWithLimits(a.DB, a.Clock, a.Audit, sessionLimits(a.settings))
	a.Inbox = inbox.New(a.DB, a.Clock, a.blobs, a.Audit)
	a.Order = order.New(order.Options{DB: a.DB, Clock: a.Clock, Audit: a.Audit, Platform: a.Platform, Inbox: a.Inbox, Settings: orderSettings(a.settings)})
	a.Intake = intake.New(intake.Options{DB: a.DB, Clock: a.Clock, Platform: a.Platform, Inbox: a.Inbox, Order: a.Order})
	a.Cases = casequery.New(a.Platform, a.Inbox, a.Order)
	if err := a.tools(); err != nil {
		return err
	}
	a.handler, err = a.doors()
	return err
}

// tools registers every tool and builds the executor. A service that lists a
// tool nobody registered, or the reverse, stops the start.
func (a *App) tools() (err error) {
	a.Registry = agent.NewRegistry()
	for _, t := range append(casequery.Tools(a.Cases), intake.Tools(a.Intake)...) {
		if _, err := a.Registry.Register(t); err != nil {
			return fmt.Errorf("register tool: %w", err)
		}
	}
	o := agent.Options{
		DB: a.DB, Clock: a.Clock, Registry: a.Registry, Auth: a.Platform, Audit: a.Audit, Log: a.Log,
		Services: []agent.Service{hotel.Service(a.version)},
	}
	a.observeCalls(&o)
	a.Executor, err = agent.NewExecutor(o)
	return err
}

// Handler is the whole HTTP surface.
func (a *App) Handler() http.Handler { return a.handler }

// Close sends the last spans and releases the database and the mail store.
func (a *App) Close() error {
	a.flush()
	return errors.Join(a.blobs.Close(), a.DB.Close())
}

// Serve answers on the listener until ctx ends, then lets calls under way finish.
func (a *App) Serve(ctx context.Context, l net.Listener) error {
	if a.DB.Driver == database.SQLite { // one file, one server: what still runs died with the last
		if err := a.Executor.ReleaseAbandoned(ctx); err != nil {
			return fmt.Errorf("release abandoned calls: %w", err)
		}
		if err := a.Audit.ReleaseAbandoned(ctx); err != nil {
			return err
		}
	}
	stopMetrics, err := a.serveMetrics(ctx)
	if err != nil {
		return err
	}
	defer stopMetrics()
	sealing, stopSealing := context.WithCancel(context.WithoutCancel(ctx))
	var sealer sync.WaitGroup
	sealer.Go(func() { a.Audit.Run(sealing) })
	defer sealer.Wait()
	defer stopSealing() // after all who write rows: what they wrote last is sealed too
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	wg.Go(func() { a.keepHouse(background) })
	wg.Go(func() { a.keepSearch(background) })
	defer wg.Wait()
	defer stop()

	server := httpd.Server(l.Addr().String(), a.handler, a.Log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	a.Log.InfoContext(ctx, "serving", "address", l.Addr().String(), "version", a.version)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	a.closeOnce.Do(func() { close(a.closing) })
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.settings.Server.ShutdownTimeout)
	defer cancel()
	return httpd.Shutdown(drain, server)
}

// keepHouse moves the business date where the hotel asked for an hour, and
// drops what sessions, sign-in attempts and partner replays have outlived, and
// stored bytes that no message names.
func (a *App) keepHouse(ctx context.Context) {
	for round := 0; ; round++ {
		by := a.system(ctx)
		if _, _, err := a.Platform.RollDue(ctx, by); err != nil && by.HotelID != "" && ctx.Err() == nil {
			a.Log.WarnContext(ctx, "business date not rolled", "error", err)
		}
		if round%60 == 0 && by.HotelID != "" {
			if _, err := a.Platform.Prune(ctx, by); err != nil && ctx.Err() == nil {
				a.Log.WarnContext(ctx, "old sessions not pruned", "error", err)
			}
		}
		if round%(24*60) == 60 && by.HotelID != "" { // not while everybody starts
			if _, err := a.Inbox.Sweep(ctx, by); err != nil && ctx.Err() == nil {
				a.Log.WarnContext(ctx, "mail store not swept", "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-a.Clock.After(time.Minute):
		}
	}
}

// keepSearch lets the search index follow what changes. After an upgrade it has
// everything to catch up with, and does so batch by batch.
func (a *App) keepSearch(ctx context.Context) {
	for ctx.Err() == nil {
		n, err := 0, error(nil)
		if by := a.system(ctx); by.HotelID != "" {
			if n, err = a.Order.IndexSearch(ctx, by); err != nil && ctx.Err() == nil {
				a.Log.WarnContext(ctx, "search index not brought up to date", "error", err)
			}
		}
		pause := 20 * time.Second
		if n > 0 && err == nil {
			pause = 20 * time.Millisecond // others want to write too
		}
		select {
		case <-ctx.Done():
		case <-a.Clock.After(pause):
		}
	}
}
