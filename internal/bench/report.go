package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// Report is everything that was measured.
type Report struct {
	Machine  Machine  `json:"machine"`
	Engine   string   `json:"engine"`
	Orders   int      `json:"orders"`
	Cards    int      `json:"cards"`
	Messages int      `json:"messages"`
	Samples  []Sample `json:"samples"`
	Memory   *Memory  `json:"memory,omitempty"`
}

// Errors are the calls that failed, of all.
func (r Report) Errors() (failed int, first string) {
	for _, s := range r.Samples {
		if failed += s.Errors; first == "" {
			first = s.FirstError
		}
	}
	return failed, first
}

// Write prints the tables as Markdown.
func (r Report) Write(w io.Writer) error {
	p := printer{w: w}
	p.line("%s, %d cores, %.1f GiB, %s, %s; %s; %d orders, %d cards, %d mails.", r.Machine.CPU, r.Machine.Cores,
		float64(r.Machine.Memory)/(1<<30), r.Machine.System, r.Machine.Go, r.Engine, r.Orders, r.Cards, r.Messages)
	for _, c := range r.concurrencies() {
		p.line("\n## %d at once (medians of rounds)\n", c)
		p.line("| call | calls/s | p50 ms | p99 ms | server CPU µs/call | allocations/call | KiB/call | peak MiB | answer bytes |")
		p.line("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
		for _, name := range r.names(c) {
			m := r.Median(name, c)
			p.line("| %s | %.0f | %.2f | %.2f | %s | %s | %s | %s | %d |", name, m.PerSecond(), ms(m.P50), ms(m.P99),
				orDash(float64(m.CPU.Microseconds())), orDash(m.Allocs), orDash(m.AllocBytes/1024), orDash(float64(m.Peak)/(1<<20)), m.AnswerBytes)
		}
	}
	r.ratios(&p)
	if m := r.Memory; m != nil {
		p.line("\n## Memory\n\nThe server's resident set: %.0f MiB after the rounds, %.0f with %d open connections, %.0f at most while %d bodies of %.1f MiB came at once\n(%d accepted, after %d answers that asked to come again).",
			mib(m.Before), mib(m.Idle), m.Connections, mib(m.Peak), m.Bodies, float64(m.BodyBytes)/(1<<20), m.Accepted, m.ComeAgain)
	}
	if failed, first := r.Errors(); failed > 0 {
		p.line("\n%d calls FAILED; the first: %s", failed, first)
	}
	return p.err
}

// Ratio compares one operation with another, round by round.
type Ratio struct {
	What, Of, To string
	Speed        bool // of throughput; else of processor time
	Note         string
}

// Ratios are what the issue asks for.
func Ratios() []Ratio {
	var out []Ratio
	for _, v := range []string{newest, older} {
		out = append(out, Ratio{What: "processor time of a case-context call over the bare SDK's, " + v, Of: "case_context mcp " + v, To: "case_context " + bare + " " + v},
			Ratio{What: "processor time of tools/list over the bare SDK's, " + v, Of: "tools/list mcp " + v, To: "tools/list " + bare + " " + v})
	}
	return append(out, Ratio{What: "rate of submits over that of bare durable transactions", Of: "submit mcp " + older, To: durableName, Speed: true})
}

func (r Report) ratios(p *printer) {
	p.line("\n## Ratios (each round on its own: median, least to most)\n")
	p.line("| what | at once | ratio | rounds |")
	p.line("|---|---:|---:|---|")
	for _, q := range Ratios() {
		for _, c := range r.concurrencies() {
			if v := r.Ratio(q, c); len(v) > 0 {
				p.line("| %s | %d | %.2f | %.2f to %.2f |", q.What, c, middle(v), v[0], v[len(v)-1])
			}
		}
	}
}

// Ratio is sorted, one value a round.
func (r Report) Ratio(q Ratio, c int) []float64 {
	var out []float64
	for _, s := range r.of(q.Of, c) {
		for _, t := range r.of(q.To, c) {
			if s.Round != t.Round {
				continue
			}
			a, b := float64(s.CPU), float64(t.CPU)
			if q.Speed {
				a, b = s.PerSecond(), t.PerSecond()
			}
			if b > 0 {
				out = append(out, a/b)
			}
		}
	}
	slices.Sort(out)
	return out
}

func (r Report) of(name string, c int) []Sample {
	return slices.DeleteFunc(slices.Clone(r.Samples), func(s Sample) bool { return s.Operation != name || s.Concurrency != c })
}

func (r Report) concurrencies() []int {
	var out []int
	for _, s := range r.Samples {
		if !slices.Contains(out, s.Concurrency) {
			out = append(out, s.Concurrency)
		}
	}
	return out
}

func (r Report) names(c int) []string {
	var out []string
	for _, s := range r.Samples {
		if s.Concurrency == c && !slices.Contains(out, s.Operation) {
			out = append(out, s.Operation)
		}
	}
	return out
}

// Median is each figure's median over the rounds.
func (r Report) Median(name string, c int) Sample {
	all := r.of(name, c)
	if len(all) == 0 {
		return Sample{}
	}
	take := func(f func(Sample) float64) float64 {
		v := make([]float64, len(all))
		for i, s := range all {
			v[i] = f(s)
		}
		slices.Sort(v)
		return middle(v)
	}
	m := all[0]
	m.P50, m.P99 = time.Duration(take(func(s Sample) float64 { return float64(s.P50) })), time.Duration(take(func(s Sample) float64 { return float64(s.P99) }))
	m.CPU = time.Duration(take(func(s Sample) float64 { return float64(s.CPU) }))
	m.Took = time.Duration(float64(m.Calls) / take(Sample.PerSecond) * float64(time.Second))
	m.Allocs, m.AllocBytes = take(func(s Sample) float64 { return s.Allocs }), take(func(s Sample) float64 { return s.AllocBytes })
	m.Peak = int64(take(func(s Sample) float64 { return float64(s.Peak) }))
	return m
}

func middle(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func orDash(f float64) string {
	if f == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", f)
}

// printer writes lines until the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// Save writes every measurement as JSON.
func (r Report) Save(path string) error {
	doc, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("save report: %w", err)
	}
	return os.WriteFile(path, doc, 0o600)
}
