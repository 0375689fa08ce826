package hotel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/casequery"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

var update = flag.Bool("update", false, "rewrite the answers in docs/superagent-api-contract.md")

// example is a fenced block of a contract document.
type example struct{ name, sameAs, as, body string }

var exampleBlock = regexp.MustCompile("<!-- example: (\\S+?)(?: = (\\S+))?(?: @(\\S+))? -->\n(?:```json\n((?s:.*?))```)?")

func examples(t *testing.T, doc string) []example {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testkit.Root(t), "docs", doc))
	must(t, err)
	var out []example
	bodies := map[string]string{}
	for _, m := range exampleBlock.FindAllStringSubmatch(string(text), -1) {
		e := example{name: m[1], sameAs: m[2], as: m[3], body: m[4]}
		if e.sameAs != "" {
			e.body = bodies[e.sameAs]
		}
		if !json.Valid([]byte(e.body)) {
			t.Fatalf("%s: example %s is no JSON", doc, e.name)
		}
		bodies[e.name] = e.body
		out = append(out, e)
	}
	return out
}

// toolOf finds the tool by how an example's name begins.
func toolOf(t *testing.T, name string) agent.Tool {
	t.Helper()
	prefixes := []string{"case-", "object-detail", "conversation-tasks", "conversation-messages", "submit"}
	for i, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return tools()[i]
		}
	}
	t.Fatalf("example %s belongs to no tool", name)
	return agent.Tool{}
}

// door is the executor over the demo hotel, with a real token.
type door struct {
	*world
	executor *agent.Executor
	registry *agent.Registry
	token    string
	fakes    map[string]string // real id to the document's
	reals    map[string]string // and back
}

func newDoor(t *testing.T, db *database.DB) *door {
	t.Helper()
	w := newWorld(t, db)
	registry := agent.NewRegistry()
	for _, tool := range append(casequery.Tools(w.Cases), intake.Tools(w.Intake)...) {
		_, err := registry.Register(tool)
		must(t, err)
	}
	executor, err := agent.NewExecutor(agent.Options{DB: db, Clock: w.Clock, Registry: registry, Services: []agent.Service{hotel.Service("test")}, Auth: w.Platform, Audit: w.Audit})
	must(t, err)
	account, err := w.Platform.CreateServiceAccount(context.Background(), w.System, platform.AccountParams{Name: "superagent", Role: access.RoleSuperAgent})
	must(t, err)
	issued, err := w.Platform.IssueToken(context.Background(), w.System, platform.IssueParams{SubjectID: account.ID, Name: "test", Scopes: access.SuperAgentScopes(), Audience: hotel.Path})
	must(t, err)
	return &door{world: w, executor: executor, registry: registry, token: issued.Token, fakes: map[string]string{}, reals: map[string]string{}}
}

func (d *door) call(tool string, args []byte) agent.Outcome {
	return d.executor.Do(context.Background(), agent.Call{Tool: tool, Service: hotel.Name, Arguments: args, Lang: "zh",
		Credential: agent.Credential{Token: d.token, Audience: hotel.Path},
		Trace:      access.Trace{RequestID: "req-001", TraceID: "trace-001", Adapter: "mcp"}})
}

// TestContractExamples runs docs/superagent-api-contract.md: every request as it
// stands, every answer against the schema and the document.
func TestContractExamples(t *testing.T) {
	list := examples(t, "superagent-api-contract.md")
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		d := newDoor(t, db)
		for _, name := range []string{"06-fit-cancel-4032077", "07-ambiguous-same-as-last-time"} {
			if out := d.call(hotel.ToolSubmit, file(t, name+".v4.json")); out.Fault != nil {
				t.Fatal(out.Fault)
			}
		}
		for _, channel := range []string{"OUTLOOK", "TEAMS"} {
			_, err := d.Inbox.Deliver(context.Background(), d.System, inbox.DeliverParams{Channel: channel, ExternalMessageID: "shared-ext-1", Raw: []byte("From: a@a.example\r\n\r\nhello")})
			must(t, err)
		}
		answers := map[string]string{}
		for i := 0; i+1 < len(list); i += 2 {
			request, response := list[i], list[i+1]
			name := strings.TrimSuffix(request.name, ".request")
			if response.name != name+".response" {
				t.Fatalf("after %s comes %s, want %s.response", request.name, response.name, name)
			}
			tool := toolOf(t, name)
			out := d.callAs(t, request.as, tool.Name, []byte(d.realIDs(request.body)))
			fits(t, response.name, tool.OutputSchema, out.Body)
			answers[response.name] = d.documented(t, out.Body)
			if *update {
				continue
			}
			if diff := cmp.Diff(withoutMessages(t, response.body), withoutMessages(t, answers[response.name])); diff != "" {
				t.Errorf("%s: -document +answer (-update rewrites)\n%s", response.name, diff)
			}
		}
		if *update {
			rewrite(t, "superagent-api-contract.md", answers)
		}
	})
}

// callAs makes the call of an example: with the agent's token, with none, with a
// narrow one, or while the tool is switched off.
func (d *door) callAs(t *testing.T, as, tool string, args []byte) agent.Outcome {
	t.Helper()
	token := d.token
	defer func() { d.token = token }()
	switch as {
	case "none":
		d.token = ""
	case "narrow":
		d.token = d.tokenWith(t, access.ConversationRead.Scope)
	case "disabled":
		must(t, d.executor.SetSwitch(context.Background(), d.System, tool, false))
		defer func() { must(t, d.executor.SetSwitch(context.Background(), d.System, tool, true)) }()
	}
	return d.call(tool, args)
}

// cursors are opaque: the document shows only that there is one.
var cursors = regexp.MustCompile(`"next_cursor":"[^"]+"`)

var uuids = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)

// documented replaces ids by those of the document, in order of appearance.
func (d *door) documented(t *testing.T, body []byte) string {
	t.Helper()
	text := uuids.ReplaceAllStringFunc(cursors.ReplaceAllString(string(body), `"next_cursor":"opaque"`), func(id string) string {
		if d.fakes[id] == "" {
			fake := fmt.Sprintf("019ad3f0-0000-7000-8000-%012d", len(d.fakes)+1)
			d.fakes[id], d.reals[fake] = fake, id
		}
		return d.fakes[id]
	})
	var b bytes.Buffer
	must(t, json.Indent(&b, []byte(text), "", "  "))
	return b.String() + "\n"
}

func (d *door) realIDs(request string) string {
	return uuids.ReplaceAllStringFunc(request, func(id string) string { return d.reals[id] })
}

// withoutMessages keeps of every message only that there is one.
func withoutMessages(t *testing.T, doc string) any {
	t.Helper()
	var v any
	decode(t, []byte(doc), &v)
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				if s, ok := inner.(string); ok && k == "message" {
					v[k] = s != ""
				}
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	walk(v)
	return v
}

func fits(t *testing.T, name string, schema, doc []byte) {
	t.Helper()
	s, err := agent.CompileSchema(schema)
	must(t, err)
	if v := s.Validate(doc); len(v) > 0 {
		t.Errorf("%s does not fit its schema: %v\n%s", name, v, doc)
	}
}

func rewrite(t *testing.T, doc string, answers map[string]string) {
	t.Helper()
	path := filepath.Join(testkit.Root(t), "docs", doc)
	text, err := os.ReadFile(path)
	must(t, err)
	for name, body := range answers {
		block := regexp.MustCompile("<!-- example: " + regexp.QuoteMeta(name) + " -->\n```json\n(?s:.*?)```")
		text = block.ReplaceAllLiteral(text, []byte("<!-- example: "+name+" -->\n```json\n"+body+"```"))
	}
	must(t, os.WriteFile(path, text, 0o600))
}
