package main

import (
	"encoding/json"
	"errors"

	"thhotel/internal/access"
	"thhotel/internal/app"
)

type auditCmd struct {
	Verify auditVerifyCmd `cmd:"" help:"Check the hash chain; names the first broken row."`
}

type auditVerifyCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
}

// Run prints the report as JSON; a broken chain is exit code 1.
func (c auditVerifyCmd) Run(e *env) error {
	return asSystem(e, c.Data, "audit-verify", func(a *app.App, _ access.Caller) error {
		report, err := a.Audit.Verify(e.ctx)
		if err != nil {
			return err
		}
		if err := json.NewEncoder(e.out).Encode(report); err != nil {
			return err
		}
		if report.Broken != nil {
			return errors.New("the audit chain is broken; keep the database as it is and compare it with a backup")
		}
		return nil
	})
}
