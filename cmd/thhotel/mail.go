package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/inbox"
)

type mailCmd struct {
	Inspect mailInspectCmd `cmd:"" help:"Print what the inbox would store of a mail file."`
	Import  mailImportCmd  `cmd:"" help:"Import .eml and .mbox files and folders of them."`
	Sweep   mailSweepCmd   `cmd:"" help:"Delete stored bytes that no message names."`
}

type mailInspectCmd struct {
	File string `arg:"" help:"A mail as it came (.eml)."`
}

// Run prints one JSON object.
func (c mailInspectCmd) Run(e *env) error {
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(inbox.Inspect(raw))
}

type mailImportCmd struct {
	Data  string   `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	Paths []string `arg:"" help:"Files and folders."`
}

// Run imports and prints the counts as JSON. A second import changes nothing.
func (c mailImportCmd) Run(e *env) error {
	return asSystem(e, c.Data, "mail-import", func(a *app.App, by access.Caller) error {
		counts := inbox.ImportCounts{Failed: []inbox.ImportFailure{}}
		var stopped error
		for _, path := range c.Paths {
			got, err := a.Inbox.ImportPath(e.ctx, by, path)
			counts = sum(counts, got)
			stopped = errors.Join(stopped, err)
		}
		enc := json.NewEncoder(e.out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(counts); err != nil {
			return err
		}
		if n := len(counts.Failed); n > 0 {
			stopped = errors.Join(stopped, fmt.Errorf("%d could not be imported, see failed above; the others are in", n))
		}
		return stopped
	})
}

type mailSweepCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
}

// Run sweeps and prints the counts as JSON. A server may run meanwhile.
func (c mailSweepCmd) Run(e *env) error {
	return asSystem(e, c.Data, "mail-sweep", func(a *app.App, by access.Caller) error {
		swept, err := a.Inbox.Sweep(e.ctx, by)
		if err != nil {
			return err
		}
		return json.NewEncoder(e.out).Encode(swept)
	})
}

func sum(a, b inbox.ImportCounts) inbox.ImportCounts {
	return inbox.ImportCounts{Found: a.Found + b.Found, Imported: a.Imported + b.Imported, Duplicates: a.Duplicates + b.Duplicates,
		Unparseable: a.Unparseable + b.Unparseable, Elsewhere: a.Elsewhere + b.Elsewhere, Failed: append(a.Failed, b.Failed...)}
}
