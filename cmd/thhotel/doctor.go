package main

import (
	"errors"
	"fmt"

	"thhotel/internal/app"
	"thhotel/internal/clock"
)

type doctorCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
}

// Run checks settings, database, schema, hotel, mail store and audit, and says
// of each what is wrong and what to do.
func (c doctorCmd) Run(e *env) error {
	s, err := e.settings()
	if err != nil {
		return fmt.Errorf("settings:\n%w", err)
	}
	if c.Data != "" {
		s = app.Embedded(s, c.Data)
	}
	fmt.Fprintln(e.out, "ok    settings")
	a, err := app.New(e.ctx, s, app.Options{Version: version, Clock: clock.Real(), Log: newLog(s, e.err), KeepSchema: true})
	if err != nil {
		return fmt.Errorf("FAIL  database: %w", err)
	}
	defer a.Close()
	bad := 0
	for _, check := range a.Checks() {
		if err := check.Run(e.ctx); err != nil {
			bad++
			fmt.Fprintf(e.out, "FAIL  %s: %s\n", check.Name, explain(err))
			continue
		}
		fmt.Fprintf(e.out, "ok    %s\n", check.Name)
	}
	if bad > 0 {
		return errors.New("not healthy; what to do stands behind each FAIL")
	}
	return nil
}
