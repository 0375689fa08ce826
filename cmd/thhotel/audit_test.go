package main_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"thhotel/internal/audit"
)

// TestAuditRetention: what an operator does once a year, beside a running server.
func TestAuditRetention(t *testing.T) {
	dir := t.TempDir()
	startDemo(t, dir)
	eventually(t, 30*time.Second, "the demo's rows to be sealed", func() bool {
		rep := auditReport(t, "--data", dir)
		return rep.Unsealed == 0 && rep.Sealed > 20
	}, func() string { return "" })
	export, code := run(t, "audit", "export", "--data", dir)
	lines := strings.Count(export, "\n")
	if code != 0 || lines < 20 || !json.Valid([]byte(export[:strings.Index(export, "\n")])) {
		t.Fatalf("export: code %d, %d lines", code, lines)
	}
	if out, code := run(t, "audit", "export", "--data", dir, "--to", "2020-01-01"); code != 0 || out != "" {
		t.Errorf("export of nothing: code %d, %q", code, out)
	}
	cut := timeOf(t, export, lines/2)
	file := filepath.Join(t.TempDir(), "audit.ndjson")
	out, code := run(t, "audit", "prune", "--data", dir, "--before", cut, "--to", file)
	var pruned audit.Pruned
	if err := json.Unmarshal([]byte(out), &pruned); code != 0 || err != nil || pruned.Rows == 0 || pruned.Rows > int64(lines/2) {
		t.Fatalf("prune before %s: code %d, %s", cut, code, out)
	}
	written, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(export, string(written)) {
		t.Errorf("the file is not the beginning of the export: %v", err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("file mode: %v, %v", info.Mode(), err)
	}
	if rep := auditReport(t, "--file", file); rep.Sealed != pruned.Rows || rep.HeadHash != pruned.UpToHash {
		t.Errorf("the file: %+v, want %+v", rep, pruned)
	}
	if rep := auditReport(t, "--data", dir); rep.FromSeq != pruned.UpToSeq || rep.FromHash != pruned.UpToHash {
		t.Errorf("the database: %+v, want %+v", rep, pruned)
	}
	refuses(t, dir, file, cut)
}

// refuses: an existing file, a date that is none, the future, and an edited file.
func refuses(t *testing.T, dir, file, cut string) {
	t.Helper()
	next := filepath.Join(filepath.Dir(file), "next.ndjson")
	if _, code := run(t, "audit", "prune", "--data", dir, "--before", cut, "--to", next); code != 0 {
		t.Errorf("a second prune of the same: code %d", code)
	}
	if _, err := os.Stat(next); err == nil {
		t.Error("nothing was pruned, and there is a file")
	}
	for _, args := range [][]string{
		{"prune", "--data", dir, "--before", cut, "--to", file},
		{"prune", "--data", dir, "--before", "yesterday", "--to", next},
		{"prune", "--data", dir, "--before", "2999-01-01", "--to", next},
		{"export", "--data", dir, "--from", "x"},
	} {
		if out, code := run(t, append([]string{"audit"}, args...)...); code != 1 || out != "" {
			t.Errorf("%v: code %d, %s", args, code, out)
		}
	}
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := filepath.Join(filepath.Dir(file), "edited.ndjson")
	if err := os.WriteFile(edited, []byte(strings.Replace(string(doc), `"status":"succeeded"`, `"status":"denied"`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := run(t, "audit", "verify", "--file", edited); code != 1 || !strings.Contains(out, "edited") {
		t.Errorf("edited file: code %d, %s", code, out)
	}
}

func auditReport(t *testing.T, args ...string) (rep audit.Report) {
	t.Helper()
	out, code := run(t, append([]string{"audit", "verify"}, args...)...)
	if err := json.Unmarshal([]byte(out), &rep); code != 0 || err != nil || rep.Broken != nil {
		t.Fatalf("verify %v: code %d, %v, %s", args, code, err, out)
	}
	return rep
}

// timeOf is the time of one line of an export.
func timeOf(t *testing.T, export string, n int) string {
	t.Helper()
	lines := bufio.NewScanner(strings.NewReader(export))
	for range n {
		lines.Scan()
	}
	var line struct{ Time string }
	if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	return line.Time
}
