package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/clock"
	"thhotel/internal/config"
	"thhotel/internal/database"
	"thhotel/internal/platform"
	"thhotel/migrations"
)

type serveCmd struct{}

// Run serves until it is interrupted, then lets calls under way finish.
func (serveCmd) Run(e *env) error {
	s, err := e.settings()
	if err != nil {
		return err
	}
	return serve(e, s, func(net.Listener) {})
}

// serve runs the server until e.ctx ends; ready hears where it listens.
func serve(e *env, s config.Settings, ready func(net.Listener)) error {
	app.TuneRuntime(s.Runtime)
	a, err := open(e, s, e.err)
	if err != nil {
		return err
	}
	defer a.Close()
	var lc net.ListenConfig
	listener, err := lc.Listen(e.ctx, "tcp", s.Server.Listen)
	if err != nil {
		return err
	}
	ready(listener)
	return a.Serve(e.ctx, listener)
}

// open makes the app for settings; its log goes to w.
func open(e *env, s config.Settings, w io.Writer) (*app.App, error) {
	return app.New(e.ctx, s, app.Options{Version: version, Clock: clock.Real(), Log: newLog(s, w)})
}

// newLog writes what settings ask for. Nothing that logs may log a body or a token.
func newLog(s config.Settings, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: s.Log.SlogLevel()}
	if s.Log.Format == "text" {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}

type migrateCmd struct {
	Data   string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	Status bool   `help:"Only say which version the database has and which this program knows."`
}

// Run migrates, or tells the versions.
func (c migrateCmd) Run(e *env) error {
	s, err := settingsFor(e, c.Data)
	if err != nil {
		return err
	}
	db, err := database.Open(e.ctx, app.DatabaseOptions(s), clock.Real())
	if err != nil {
		return err
	}
	defer db.Close()
	if !c.Status {
		if err := db.Migrate(e.ctx, migrations.Files); err != nil {
			return err
		}
	}
	have, want, err := db.SchemaVersion(e.ctx, migrations.Files)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "schema version %d, this program knows %d\n", have, want)
	return nil
}

type setupCmd struct {
	Hotel    string `required:"" help:"The hotel's name."`
	TimeZone string `help:"IANA time zone." default:"Asia/Bangkok"`
	Currency string `help:"ISO 4217 currency." default:"THB"`
	Admin    string `help:"User name of the first administrator." default:"admin"`
}

// Run makes an empty database usable. The password is made here and printed once.
func (c setupCmd) Run(e *env) error {
	s, err := e.settings()
	if err != nil {
		return err
	}
	a, err := open(e, s, e.err)
	if err != nil {
		return err
	}
	defer a.Close()
	h, err := a.Platform.CreateHotel(e.ctx, access.AsSystem("", "setup"), platform.HotelParams{Name: c.Hotel, TimeZone: c.TimeZone, Currency: c.Currency})
	if err != nil {
		return err
	}
	password := a.Clock.Secret(12)
	_, err = a.Platform.CreateStaff(e.ctx, access.AsSystem(h.ID, "setup"), platform.StaffParams{Username: c.Admin, Password: password, Role: access.RoleAdmin})
	if err != nil {
		return errors.Join(errors.New("the hotel is there, its administrator is not"), err)
	}
	fmt.Fprintf(e.out, "hotel %s\nadministrator %s\npassword %s\n", h.ID, c.Admin, password)
	return settle(e, a)
}
