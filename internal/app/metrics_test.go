package app_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"

	"thhotel/internal/app"
	"thhotel/internal/config"
	"thhotel/internal/hotel"
	"thhotel/internal/testkit"
)

// scrape reads an address as Prometheus does.
func scrape(t *testing.T, url string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil)
	must(t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, string(b)
}

var sample = regexp.MustCompile(`(?m)^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([^}]*)\})? `)

// exported lists the metric names of a scrape, and all label names.
func exported(text string) (names, labels map[string]bool) {
	names, labels = map[string]bool{}, map[string]bool{}
	for _, m := range sample.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
		for _, l := range regexp.MustCompile(`([a-z_]+)="`).FindAllStringSubmatch(m[2], -1) {
			labels[l[1]] = true
		}
	}
	return names, labels
}

// TestMetrics: a working hotel shows what operations.md lists, dashboard and alerts
// name nothing else, and no label has what callers wrote.
func TestMetrics(t *testing.T) {
	w := newWorld(t, func(s *config.Settings) { s.Server.TrustedHosts = []string{"hotel.example"} })
	token := w.access.SuperAgentToken
	w.send(t, hotel.Path, token, callBody(hotel.ToolCaseContext, `{"confirmation_number":"SECRET-77123"}`, ""))
	w.send(t, hotel.Path, token, callBody(hotel.ToolCaseContext, `{"nonsense":1}`, ""))
	w.send(t, hotel.Path, token, callBody("made_up_by_a_caller", `{}`, ""))
	w.send(t, hotel.Path, token, callBody(hotel.ToolSubmit, pkg(t, 1, "another text"), ""))
	w.send(t, "/no/such/path-77123", token, "")

	status, text := scrape(t, w.access.BaseURL+app.MetricsPath)
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	for _, want := range []string{
		`thhotel_tool_calls_total{code="",door="mcp",status="succeeded",tool="` + hotel.ToolSubmit + `"} 1`,
		`door="mcp",status="denied",tool="` + hotel.ToolCaseContext + `"} 1`,
		`tool="other"} 1`, `thhotel_http_requests_total{method="POST",route="unmatched",status="404"} 1`,
		`thhotel_ready{check="audit"} 1`, `thhotel_ready{check="hotel"} 1`, `thhotel_cards_open{view="open"} `, `thhotel_probe_up{probe="queue"} 1`,
		`thhotel_probe_up{probe="inbox"} 1`, `thhotel_probe_up{probe="audit"} 1`, `thhotel_idempotency_running 0`,
		`go_sql_max_open_connections{db_name="write"} 1`, `go_sql_max_open_connections{db_name="read"} 16`, `version="test"} 1`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the scrape has no %s; calls: %q", want, regexp.MustCompile(`(?m)^thhotel_tool_calls_total.*$`).FindAllString(text, -1))
		}
	}
	for _, never := range []string{"77123", "made_up", token, `view="mine"`} {
		if strings.Contains(text, never) {
			t.Errorf("the scrape has %q", never)
		}
	}
	if regexp.MustCompile(`(?m)^thhotel_cards_(open\{view="open"\}|oldest_age_seconds) 0$`).MatchString(text) {
		t.Error("a submitted package left no open card behind")
	}
	t.Run("documented", func(t *testing.T) { documented(t, text) })
	t.Run("access", func(t *testing.T) { onlyLocal(t, w) })
}

func documented(t *testing.T, text string) {
	names, labels := exported(text)
	for _, l := range []string{"job", "instance"} { // Prometheus adds these
		labels[l] = true
	}
	names["up"] = true
	for file, exprs := range expressions(t) {
		if len(exprs) < 8 {
			t.Errorf("%s has only %d expressions", file, len(exprs))
		}
		for _, e := range exprs {
			n, l := named(e)
			for _, name := range n {
				if !names[name] {
					t.Errorf("%s: %q names %s, which is not exported", file, e, name)
				}
			}
			for _, label := range l {
				if !labels[label] {
					t.Errorf("%s: %q names the label %s, which no metric has", file, e, label)
				}
			}
		}
	}
	doc, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "operations.md"))
	must(t, err)
	for name := range names {
		if base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, ""); strings.HasPrefix(name, "thhotel_") && !strings.Contains(string(doc), "`"+base) {
			t.Errorf("docs/operations.md does not list %s", base)
		}
	}
}

// expressions reads the PromQL out of dashboards and alert rules.
func expressions(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "configs", "[ag]*", "*"))
	must(t, err)
	for _, f := range files {
		doc, err := os.ReadFile(f)
		must(t, err)
		var v any
		if filepath.Ext(f) == ".json" {
			must(t, json.Unmarshal(doc, &v))
		} else {
			m, err := yaml.Parser().Unmarshal(doc)
			must(t, err)
			v = m
		}
		out[filepath.Base(f)] = collectExprs(v)
	}
	if len(out) < 2 {
		t.Fatalf("only %d files", len(out))
	}
	return out
}

func collectExprs(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if s, ok := inner.(string); ok && k == "expr" {
				out = append(out, s)
			}
			out = append(out, collectExprs(inner)...)
		}
	case []any:
		for _, inner := range v {
			out = append(out, collectExprs(inner)...)
		}
	}
	return out
}

var (
	grouping = regexp.MustCompile(`\b(?:by|without|on|ignoring)\s*\(([^)]*)\)`)
	matchers = regexp.MustCompile(`\{([^}]*)\}`)
	ranges   = regexp.MustCompile(`\[[^\]]*\]|"[^"]*"`)
	word     = regexp.MustCompile(`\b[a-zA-Z_:][a-zA-Z0-9_:]*\b\s*\(?`)
)

// named lists the metrics and labels that an expression names.
func named(expr string) (metrics, labels []string) {
	for _, m := range grouping.FindAllStringSubmatch(expr, -1) {
		labels = append(labels, strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	for _, m := range matchers.FindAllStringSubmatch(expr, -1) {
		labels = append(labels, regexp.MustCompile(`[a-z_]+`).FindAllString(ranges.ReplaceAllString(m[1], ""), -1)...)
	}
	for _, re := range []*regexp.Regexp{matchers, ranges, grouping} {
		expr = re.ReplaceAllString(expr, " ")
	}
	for _, w := range word.FindAllString(expr, -1) {
		if !strings.HasSuffix(w, "(") && !slices.Contains([]string{"and", "or", "unless", "sum", "min", "max", "count"}, strings.TrimSpace(w)) {
			metrics = append(metrics, strings.TrimSpace(w))
		}
	}
	return metrics, labels
}

func TestNamed(t *testing.T) {
	m, l := named(`histogram_quantile(0.99, sum by (le, tool) (rate(a_bucket{x="q",y=~"z.."}[5m]))) > 2 and b{job="k"} == 0`)
	if !slices.Equal(m, []string{"a_bucket", "b"}) || !slices.Equal(l, []string{"le", "tool", "x", "y", "job"}) {
		t.Errorf("%q %q", m, l)
	}
}

// onlyLocal: behind a proxy on this machine everybody seems to be local.
func onlyLocal(t *testing.T, w *world) {
	for _, headers := range [][]string{{"X-Forwarded-For", "203.0.113.9"}, {"Via", "1.1 proxy"}, {"Host", "hotel.example"}} {
		if status, _ := scrape(t, w.access.BaseURL+app.MetricsPath, headers...); status != http.StatusNotFound {
			t.Errorf("with %v: %d", headers, status)
		}
	}
}
