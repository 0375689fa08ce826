package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/audit"
)

type auditCmd struct {
	List   auditListCmd   `cmd:"" help:"Print rows, newest first, one JSON object a line."`
	Verify auditVerifyCmd `cmd:"" help:"Check the hash chain, or a file of it; names the first broken row."`
	Export auditExportCmd `cmd:"" help:"Print the sealed rows, one JSON object a line."`
	Prune  auditPruneCmd  `cmd:"" help:"Move old rows to a file, without breaking the chain."`
}

type auditVerifyCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	File string `help:"A file that prune wrote, or export without dates, instead of a database." type:"existingfile"`

	Within time.Duration `help:"Warn when rows have waited longer than this for their place in the chain. Default: the setting audit.seal_within."`
}

// Run prints the report as JSON, and what a person should know of it to stderr; a
// broken chain is exit code 1.
func (c auditVerifyCmd) Run(e *env) error {
	if c.File != "" {
		f, err := os.Open(c.File)
		if err != nil {
			return err
		}
		defer f.Close()
		report, err := audit.VerifyFile(f)
		if err != nil {
			return err
		}
		return printReport(e, report, "the file is not as it was written; compare it with a backup")
	}
	return looking(e, c.Data, "audit-verify", func(a *app.App, _ access.Caller) error {
		report, err := a.Audit.Verify(e.ctx)
		if err != nil {
			return err
		}
		if c.Within > 0 {
			_, report.Late = report.LateBy(a.Clock.Now(), c.Within)
		}
		tellOfChain(e, report, a.Clock.Now())
		return printReport(e, report, "the audit chain is broken; keep the database as it is and compare it with a backup")
	})
}

// tellOfChain says where the chain begins when rows were moved to files, and warns
// of rows that wait too long.
func tellOfChain(e *env, report audit.Report, now time.Time) {
	if report.FromSeq > 0 {
		fmt.Fprintf(e.err, "rows 1 to %d are in files that `thhotel audit prune` wrote; the last file ends with the hash %s: check them with `thhotel audit verify --file`\n",
			report.FromSeq, report.FromHash)
	}
	if report.Late {
		fmt.Fprintln(e.err, "warning:", lateText(report, now))
	}
}

// lateText says what unsealed rows mean and what to do.
func lateText(report audit.Report, now time.Time) string {
	waited, _ := report.LateBy(now, 0)
	return fmt.Sprintf("%d rows are not sealed yet, the oldest for %s; until they are, nobody could see that they were changed. "+
		"A running server seals every second: start one (`thhotel serve`), or run `thhotel doctor`, which seals too; if a server runs, its log says what is in the way",
		report.Unsealed, waited.Round(time.Second))
}

func printReport(e *env, report audit.Report, broken string) error {
	if err := json.NewEncoder(e.out).Encode(report); err != nil {
		return err
	}
	if report.Broken != nil {
		return errors.New(broken)
	}
	return nil
}

type auditExportCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	From string `help:"Only rows from this moment on: 2026-11-30 (UTC) or 2026-11-30T08:00:00+07:00."`
	To   string `help:"Only rows before this moment."`
}

// Run prints to stdout, and how many rows there were to stderr.
func (c auditExportCmd) Run(e *env) error {
	from, err := moment("--from", c.From)
	if err != nil {
		return err
	}
	to, err := moment("--to", c.To)
	if err != nil {
		return err
	}
	return looking(e, c.Data, "audit-export", func(a *app.App, _ access.Caller) error {
		out := bufio.NewWriter(e.out)
		n, err := a.Audit.Export(e.ctx, out, from, to)
		if err := errors.Join(err, out.Flush()); err != nil {
			return err
		}
		fmt.Fprintln(e.err, n, "rows")
		return nil
	})
}

type auditPruneCmd struct {
	Data   string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`
	Before string `help:"Move rows older than this moment: 2026-11-30 (UTC) or 2026-11-30T08:00:00+07:00." required:""`
	To     string `help:"The file to write; it must not exist." required:"" type:"path"`
}

// Run prints what was moved as JSON. The file stays also when something fails
// after it was written: only a row that is in it is ever deleted.
func (c auditPruneCmd) Run(e *env) error {
	before, err := moment("--before", c.Before)
	if err != nil {
		return err
	}
	return asSystem(e, c.Data, "audit-prune", func(a *app.App, by access.Caller) error {
		f, err := os.OpenFile(c.To, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		pruned, err := a.Audit.Prune(e.ctx, by, before, durable{f})
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
		if pruned.Rows == 0 {
			fmt.Fprintln(e.err, "nothing is older; no file was written")
			return os.Remove(c.To)
		}
		return json.NewEncoder(e.out).Encode(pruned)
	})
}

// durable is a file whose name survives a crash too.
type durable struct{ *os.File }

// Sync makes contents and name durable.
func (d durable) Sync() error {
	dir, err := os.Open(filepath.Dir(d.Name()))
	if err != nil {
		return err
	}
	defer dir.Close()
	return errors.Join(d.File.Sync(), dir.Sync())
}

// moment reads a date or a time; "" is no bound.
func moment(option, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s: %q is neither a date (2026-11-30) nor a time (2026-11-30T08:00:00+07:00)", option, text)
}
