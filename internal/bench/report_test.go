package bench_test

import (
	"strings"
	"testing"
	"time"

	"thhotel/internal/bench"
)

// TestReport: medians and ratios are taken as the report says, round by round.
func TestReport(t *testing.T) {
	sample := func(name string, round int, cpu time.Duration, took time.Duration) bench.Sample {
		return bench.Sample{Operation: name, Round: round, Concurrency: 16, Calls: 100, CPU: cpu, Took: took, P50: cpu, P99: 2 * cpu, Allocs: 10, Peak: 1 << 20, AnswerBytes: 7}
	}
	q := bench.Ratio{Of: "ours", To: "theirs"}
	r := bench.Report{Samples: []bench.Sample{
		sample("ours", 1, 10*time.Microsecond, time.Second), sample("theirs", 1, 20*time.Microsecond, time.Second),
		sample("ours", 2, 90*time.Microsecond, 9*time.Second), sample("theirs", 2, 100*time.Microsecond, 3*time.Second),
		sample("ours", 3, 12*time.Microsecond, 2*time.Second), sample("theirs", 3, 20*time.Microsecond, 4*time.Second),
	}}
	if got := r.Ratio(q, 16); len(got) != 3 || got[0] != 0.5 || got[1] != 0.6 || got[2] != 0.9 {
		t.Errorf("ratios of processor time %v", got)
	}
	q.Speed = true
	if got := r.Ratio(q, 16); len(got) != 3 || got[0] != 1.0/3 || got[1] != 1 || got[2] != 2 {
		t.Errorf("ratios of speed %v", got)
	}
	if got := r.Ratio(q, 1); len(got) != 0 {
		t.Errorf("a ratio of nothing: %v", got)
	}
	if m := r.Median("ours", 16); m.CPU != 12*time.Microsecond || m.PerSecond() != 50 {
		t.Errorf("median %+v", m)
	}
	r.Samples[0].Errors, r.Samples[0].FirstError = 3, "the tool refused"
	var out strings.Builder
	if err := r.Write(&out); err != nil || !strings.Contains(out.String(), "3 calls FAILED; the first: the tool refused") {
		t.Errorf("failures are not told: %v\n%s", err, out.String())
	}
}

// TestOptions: what cannot be measured is refused before anything is loaded.
func TestOptions(t *testing.T) {
	good := bench.Options{Program: []string{"/no/such"}, Orders: 10, Cards: 10, Calls: 1, Rounds: 1, Concurrency: []int{1}}
	for name, spoil := range map[string]func(*bench.Options){
		"program": func(o *bench.Options) { o.Program = nil }, "orders": func(o *bench.Options) { o.Orders = 1 },
		"too many": func(o *bench.Options) { o.Orders = 10_000_000 }, "calls": func(o *bench.Options) { o.Calls = 0 },
		"rounds": func(o *bench.Options) { o.Rounds = 0 }, "nobody": func(o *bench.Options) { o.Concurrency = nil },
		"zero": func(o *bench.Options) { o.Concurrency = []int{0} },
	} {
		o := good
		spoil(&o)
		if _, err := bench.Run(t.Context(), o); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
