package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thhotel/internal/order"
)

func TestProjectionsImport(t *testing.T) {
	dir := t.TempDir()
	startDemo(t, dir)
	file := filepath.Join(t.TempDir(), "report.csv")
	must := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	take := func(want int, args ...string) order.ProjectionReport {
		t.Helper()
		out, code := run(t, append([]string{"projections", "import", "--data", dir, "--as-of", "2026-11-30T08:00:00+07:00", file}, args...)...)
		var r order.ProjectionReport
		// What follows the report is the sentence of the exit.
		if err := json.NewDecoder(strings.NewReader(out)).Decode(&r); err != nil || code != want {
			t.Fatalf("exit %d, want %d; %v: %s", code, want, err, out)
		}
		return r
	}
	must("Confirmation No;Reservation No;Status;Arrival\n4032077;720871;RESERVED;2026-12-02\n4032150;720933;RESERVED;2026-12-05\n")
	if r := take(0, "--dry-run"); r.Stored != 2 || !r.DryRun {
		t.Errorf("dry run: %+v", r)
	}
	if r := take(0); r.Stored != 2 {
		t.Errorf("import: %+v", r)
	}
	if r := take(0); r.Stored != 0 || r.Older != 2 {
		t.Errorf("again: %+v", r)
	}
	must("Confirmation No;Status;Arrival\n;RESERVED;2026-12-02\n4032001;RESERVED;2026-11-28\n")
	if r := take(1); r.Stored != 1 || len(r.Failed) != 1 || r.Failed[0].Line != 2 {
		t.Errorf("with a fault: %+v", r)
	}
	if _, code := run(t, "projections", "import", "--data", dir, "--as-of", "yesterday", file); code != 1 {
		t.Errorf("a bad --as-of: exit %d", code)
	}
}
