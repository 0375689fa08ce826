package hotel_test

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/fault"
	"thhotel/internal/intake"
	"thhotel/internal/testkit"
)

const packageDoc = "m002-v4-contract.md"

// asPackage puts an event of the document into a package.
func asPackage(body string) string {
	if strings.Contains(body, `"route_code"`) {
		return body
	}
	return `{"route_code":null,"source_message":{"source_message_id":"agentbus-ext-0001","subject":null,"sender":null,"sent_at":null,"body":null,"body_content_type":"text/plain","attachments":[]},
		"order_contexts":[{"order_ref":"ORD-1","basic_information":{"account_code":null,"manual_review":null}}],"message_events":[` + body + `]}`
}

// TestPackageExamples: the packages and events of docs/m002-v4-contract.md fit
// the published schema and are accepted without a contract error; the wrong ones
// are accepted with exactly the errors that stand there.
func TestPackageExamples(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	schema := tools()[4].InputSchema
	answers, codes := map[string]string{}, map[string]bool{}
	list := examples(t, packageDoc)
	for i, e := range list {
		if strings.HasSuffix(e.name, ".errors") {
			continue
		}
		pkg := asPackage(e.body)
		got, err := w.Intake.Submit(context.Background(), w.Agent, json.RawMessage(pkg))
		if err != nil {
			t.Errorf("%s: %v", e.name, err)
			continue
		}
		found := []fault.Violation{}
		for _, item := range got.Items {
			found = append(found, item.AdapterContractError...)
		}
		if !strings.HasPrefix(e.name, "wrong-") {
			fits(t, e.name, schema, []byte(pkg))
			if len(found) > 0 {
				t.Errorf("%s: %v", e.name, found)
			}
			continue
		}
		for _, v := range found {
			codes[v.Code] = true
		}
		answers[list[i+1].name] = asText(t, found)
		if diff := cmp.Diff(withoutMessages(t, list[i+1].body), withoutMessages(t, answers[list[i+1].name])); diff != "" && !*update {
			t.Errorf("%s: -document +recorded (-update rewrites)\n%s", e.name, diff)
		}
	}
	if *update {
		rewrite(t, packageDoc, answers)
	}
	everyEventCode(t, codes)
}

func asText(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", "  ")
	must(t, err)
	return string(b) + "\n"
}

var codeRow = regexp.MustCompile("(?m)^\\| (`[A-Z_`, ]+`) \\|.*\\| yes \\|$")

// everyEventCode: each code that the document says may stand on an event has an
// example, but for the one that takes thousands of mistakes.
func everyEventCode(t *testing.T, shown map[string]bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", packageDoc))
	must(t, err)
	documented := map[string]bool{}
	for _, m := range codeRow.FindAllStringSubmatch(string(text), -1) {
		for _, code := range strings.Split(strings.ReplaceAll(m[1], "`", ""), ",") {
			documented[strings.TrimSpace(code)] = true
		}
	}
	delete(documented, intake.CodeMoreErrors)
	if len(documented) < 18 {
		t.Errorf("only %d codes found in the table: %v", len(documented), slices.Sorted(maps.Keys(documented)))
	}
	if diff := cmp.Diff(documented, shown); diff != "" {
		t.Errorf("codes of events: -documented +shown in examples\n%s", diff)
	}
}
