package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/order"
)

type projectionsCmd struct {
	Import projectionsImportCmd `cmd:"" help:"Take in an OPERA report of reservations or blocks (CSV or XLSX)."`
}

type projectionsImportCmd struct {
	Data   string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	DryRun bool   `help:"Check every row and say what would happen; keep nothing."`
	AsOf   string `help:"When rows without a time of their own were true (RFC 3339); now, unless given."`
	File   string `arg:"" help:"The report; - reads it from standard input."`
}

// maxReport bounds what is read into memory; the reader has bounds of its own.
const maxReport = 16<<20 + 1

// Run imports and prints the report as JSON. A second import changes nothing.
func (c projectionsImportCmd) Run(e *env) error {
	o := order.ImportOptions{DryRun: c.DryRun}
	if c.AsOf != "" {
		at, err := time.Parse(time.RFC3339, c.AsOf)
		if err != nil {
			return fmt.Errorf("--as-of: %w", err)
		}
		o.AsOf = at
	}
	file, err := c.read(e)
	if err != nil {
		return err
	}
	return asSystem(e, c.Data, "projections-import", func(a *app.App, by access.Caller) error {
		report, err := a.Order.ImportProjections(e.ctx, by, file, o)
		if err != nil {
			return err
		}
		enc := json.NewEncoder(e.out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(report); err != nil {
			return err
		}
		switch n := len(report.Failed); {
		case n > 0:
			return fmt.Errorf("%d of %d rows could not be taken, see failed above; the others were", n, report.Rows)
		case !report.Complete:
			return fmt.Errorf("the file is longer than is read; send it in parts")
		}
		return nil
	})
}

func (c projectionsImportCmd) read(e *env) ([]byte, error) {
	in := e.in
	if c.File != "-" {
		f, err := os.Open(c.File)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	return io.ReadAll(io.LimitReader(in, maxReport))
}
