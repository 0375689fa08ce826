package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/bench"
	"thhotel/internal/testkit"
)

// TestBench runs the whole bench on a tiny hotel. It looks at counts, never at
// times: every operation was measured, nothing failed, and figures that must
// follow from others do.
func TestBench(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { benchRun(t) })
	t.Run("mariadb", func(t *testing.T) {
		benchRun(t, "--database", testkit.MariaDSN(t), "--only", "case_context,submit,durable,page queue")
	})
}

func benchRun(t *testing.T, more ...string) {
	t.Helper()
	dir := t.TempDir()
	report := filepath.Join(dir, "report.json")
	args := append([]string{"bench", "--orders", "40", "--cards", "24", "--calls", "6", "--rounds", "2", "--concurrency", "1,3", "--json", report,
		"--data", filepath.Join(dir, "data")}, more...)
	if len(more) == 0 {
		args = append(args, "--only", "mcp,rest,SDK,page,durable") // everything but the memory run, which is large at any size
	}
	cmd := exec.Command(binary, args...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(pair string) bool { return strings.HasPrefix(pair, "THHOTEL_") })
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	doc, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var r bench.Report
	if err := json.Unmarshal(doc, &r); err != nil {
		t.Fatal(err)
	}
	checkSamples(t, r, len(more) == 0)
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("the data was left behind")
	}
	for _, want := range []string{"## 1 at once", "## 3 at once", "## Ratios", "rate of submits"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
}

func checkSamples(t *testing.T, r bench.Report, whole bool) {
	t.Helper()
	seen := map[string]int{}
	for _, s := range r.Samples {
		seen[s.Operation]++
		if s.Errors > 0 {
			t.Errorf("%s: %s", s.Operation, s.FirstError)
		}
		if s.Calls < 1 || s.P50 <= 0 || s.P99 < s.P50 || s.Took < s.P50 {
			t.Errorf("%s: figures that cannot be: %+v", s.Operation, s)
		}
		if s.Operation != "durable transaction" && (s.Allocs <= 0 || s.Peak <= 0 || s.AnswerBytes <= 0) {
			t.Errorf("%s: nothing of the server: %+v", s.Operation, s)
		}
	}
	for name, n := range seen {
		if n != 4 { // two rounds at two concurrencies
			t.Errorf("%s was measured %d times, want 4", name, n)
		}
	}
	if whole && len(seen) < 30 {
		t.Errorf("only %d operations: %v", len(seen), seen)
	}
	for _, q := range bench.Ratios() {
		if n := len(r.Ratio(q, 1)); whole && n > 2 {
			t.Errorf("%s has %d values, want one a round at most", q.What, n)
		}
	}
}
