package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/testkit"
)

var (
	restRequest  = regexp.MustCompile("<!-- rest: (\\S+)\\.request(?: = (\\S+)\\.request)? (\\S+) (/\\S+) -->\n(?:```json\n((?s:.*?))```)?")
	restResponse = regexp.MustCompile("<!-- rest: (\\S+)\\.response (\\d+) -->\n```json\n((?s:.*?))```")
	problems     = regexp.MustCompile(`("problem": )"[^"]+"`) // for people: only that there is one
	uuids        = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
)

// TestFeedExamples runs section 10 of docs/superagent-api-contract.md: requests
// as they stand, answers field by field but for ids.
func TestFeedExamples(t *testing.T) {
	path := filepath.Join(testkit.Root(t), "docs", "superagent-api-contract.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	requests, responses := restRequest.FindAllSubmatch(text, -1), restResponse.FindAllSubmatch(text, -1)
	if len(requests) < 10 || len(requests) != len(responses) {
		t.Fatalf("%d requests and %d responses", len(requests), len(responses))
	}
	h, bodies, fakes := newHouse(t), map[string][]byte{}, map[string]string{}
	for i, m := range requests {
		name, body := string(m[1]), m[5]
		if same := string(m[2]); same != "" {
			body = bodies[same]
		}
		bodies[name] = body
		if string(responses[i][1]) != name {
			t.Fatalf("after %s comes the answer of %s", name, responses[i][1])
		}
		w := h.post(access.Role(m[3]), string(m[4]), body, "X-Request-Id", "req-001", "X-Trace-Id", "trace-001")
		got := steady(t, w.Body.Bytes(), fakes)
		if *update {
			block := regexp.MustCompile("<!-- rest: " + regexp.QuoteMeta(name) + `\.response \d+ -->` + "\n```json\n(?s:.*?)```")
			text = block.ReplaceAllLiteral(text, []byte("<!-- rest: "+name+".response "+strconv.Itoa(w.Code)+" -->\n```json\n"+got+"```"))
			continue
		}
		if diff := cmp.Diff(problems.ReplaceAllString(string(responses[i][3]), "$1"), problems.ReplaceAllString(got, "$1")); diff != "" || strconv.Itoa(w.Code) != string(responses[i][2]) {
			t.Errorf("%s: %d, document says %s: -document +answer (-update rewrites)\n%s", name, w.Code, responses[i][2], diff)
		}
	}
	if *update {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// steady replaces ids by those of the document, in order of appearance.
func steady(t *testing.T, body []byte, fakes map[string]string) string {
	t.Helper()
	text := uuids.ReplaceAllStringFunc(string(body), func(id string) string {
		if fakes[id] == "" {
			fakes[id] = fmt.Sprintf("019ad3f0-0000-7000-9000-%012d", len(fakes)+1)
		}
		return fakes[id]
	})
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}
