package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"thhotel/internal/app"
	"thhotel/internal/clock"
	"thhotel/internal/rest"
)

type doctorCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
}

// chainCheck is the name of the check that may take as long as it needs.
const chainCheck = "audit chain"

// Run checks settings, database, schema, hotel, mail store and audit, and says
// of each what is wrong and what to do.
func (c doctorCmd) Run(e *env) error {
	s, err := settingsFor(e, c.Data)
	if err != nil {
		return fmt.Errorf("FAIL  settings: %w", err)
	}
	fmt.Fprintln(e.out, "ok    settings")
	a, err := app.New(e.ctx, s, app.Options{Version: version, Clock: clock.Real(), Log: newLog(s, e.err), KeepSchema: true})
	if err != nil {
		return fmt.Errorf("FAIL  database: %w; %s", err, app.Advice(s, err))
	}
	defer a.Close()
	defer func() { _ = settle(e, a) }() // the check of the audit log seals; give the lease back
	bad := 0
	chain := rest.Check{Name: chainCheck, Run: func(ctx context.Context) error { return checkChain(ctx, a) }}
	for _, check := range slices.Concat(a.Checks(), []rest.Check{chain}, a.Diagnosis()) {
		if err := bounded(e.ctx, check); err != nil {
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

// patience bounds one check, but for the walk along the audit chain.
const patience = 15 * time.Second

func bounded(ctx context.Context, check rest.Check) error {
	if check.Name != chainCheck {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	return check.Run(ctx)
}

// checkChain walks the whole audit chain, which a readiness probe has no time for.
func checkChain(ctx context.Context, a *app.App) error {
	report, err := a.Audit.Verify(ctx)
	switch {
	case err != nil:
		return err
	case report.Broken != nil:
		return fmt.Errorf("broken at row %d (%s); see `thhotel audit verify`, keep the database as it is and compare it with a backup", report.Broken.Seq, report.Broken.What)
	case report.Late:
		return errors.New(lateText(report, a.Clock.Now()))
	}
	return nil
}
