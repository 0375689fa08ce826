package order_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// docs/rules.md has one row per rule, in the order they are judged, with the
// table's level, events and blocked action, and a meaning.
func TestRulesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", "rules.md"))
	must(t, err)
	var got, want []string
	silent := map[string]bool{}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z_]+\\.[a-z_]+)` \\|(.*)\\|(.*)\\|(.*)\\|(.*)\\|$").FindAllStringSubmatch(string(doc), -1) {
		got = append(got, strings.Join([]string{m[1], strings.TrimSpace(m[2]), strings.TrimSpace(m[3]), strings.TrimSpace(m[4])}, " | "))
		if len(strings.TrimSpace(m[5])) < 10 {
			t.Errorf("%s has no meaning", m[1])
		}
		silent[m[1]] = !strings.Contains(m[5], "; not checked")
	}
	for _, r := range order.RuleTable() {
		if r.Data == silent[r.Name] {
			t.Errorf("%s: the document and the table disagree on whether it says \"not checked\"", r.Name)
		}
		want = append(want, strings.Join([]string{r.Name, string(r.Level), eventsInWords(r.Events), r.Blocks}, " | "))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/rules.md (-rules +document):\n%s", diff)
	}
}

func eventsInWords(events []order.EventType) string {
	if events == nil {
		return "every"
	}
	var out []string
	for _, e := range events {
		if e.Known() {
			out = append(out, fmt.Sprintf("`%s`", e))
		}
	}
	if out == nil {
		return "no card"
	}
	return strings.Join(out, ", ")
}
