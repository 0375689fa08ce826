package app

import (
	"context"
	"fmt"

	"thhotel/internal/access"
	"thhotel/internal/rest"
	"thhotel/migrations"
)

// Checks are what must hold before this process takes traffic; /readyz and
// `thhotel doctor` ask the same.
func (a *App) Checks() []rest.Check {
	return []rest.Check{
		{Name: "database", Run: a.DB.Ping},
		{Name: "migrations", Run: a.checkSchema},
		{Name: "hotel", Run: a.checkHotel},
		{Name: "audit", Run: a.checkAudit},
	}
}

// checkSchema lets a newer schema pass: while replicas are upgraded one by one,
// the old ones serve on beside the first new one. A start refuses it.
func (a *App) checkSchema(ctx context.Context) error {
	have, want, err := a.DB.SchemaVersion(ctx, migrations.Files)
	if err == nil && have < want {
		err = fmt.Errorf("schema version %d, this program needs %d; run `thhotel migrate`", have, want)
	}
	return err
}

func (a *App) checkHotel(ctx context.Context) error {
	_, err := a.Platform.Hotel(ctx, access.AsSystem("", "readiness"))
	return err
}

// checkAudit seals what waits: that reads the chain's head and writes to it.
func (a *App) checkAudit(ctx context.Context) error {
	_, err := a.Audit.Seal(ctx)
	return err
}
