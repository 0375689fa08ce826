package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/config"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

// asSystem opens the settings' database, or the embedded one in dir, and runs f
// as the program itself for the one hotel. The audit rows of what it did are
// sealed before it ends, unless a server does that.
func asSystem(e *env, dir, name string, f func(*app.App, access.Caller) error) error {
	return looking(e, dir, name, func(a *app.App, by access.Caller) error {
		return errors.Join(f(a, by), settle(e, a))
	})
}

// settle seals the audit rows of a command, also of one that was interrupted.
func settle(e *env, a *app.App) error {
	return a.Audit.Settle(context.WithoutCancel(e.ctx))
}

// looking is asSystem for commands that change nothing.
func looking(e *env, dir, name string, f func(*app.App, access.Caller) error) error {
	s, err := settingsFor(e, dir)
	if err != nil {
		return err
	}
	a, err := open(e, s, e.err)
	if err != nil {
		return err
	}
	defer a.Close()
	h, err := a.Platform.Hotel(e.ctx, access.AsSystem("", name))
	if err != nil {
		if fault.Code(err) == platform.CodeHotelNotConfigured {
			return fmt.Errorf("%w\nRun `thhotel setup --hotel NAME`, or `thhotel demo` for a demo hotel", err)
		}
		return err
	}
	return f(a, access.AsSystem(h.ID, name))
}

// settingsFor are the settings, for the embedded database in dir when there is one.
func settingsFor(e *env, dir string) (config.Settings, error) {
	s, err := e.settings()
	if err != nil || dir == "" {
		return s, err
	}
	return existing(s, dir)
}

// existing are the settings for the embedded database in dir, which must be
// there: a mistyped folder is an error, not a new empty database.
func existing(s config.Settings, dir string) (config.Settings, error) {
	s = app.Embedded(s, dir)
	if _, err := os.Stat(string(s.Database.DSN)); err != nil {
		return s, fmt.Errorf("no database in %s (%w); `thhotel demo --data %s` makes one", dir, err, dir)
	}
	return s, nil
}
