package app_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/hotel"
)

// Limits that hosts set, not we: they cut texts at 2,048 characters and drop or
// truncate servers that cost a model too much.
const (
	maxText   = 2000     // characters, exclusive
	maxSchema = 64 << 10 // bytes, exclusive
	maxTools  = 10       // on one address
	maxTokens = 2500     // of what a model sees of one address, exclusive
)

// listedName is what hosts take; dots, which the protocol allows, they do not.
var listedName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// combinators make some hosts drop a tool, or all of a server's.
var combinators = []string{"anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "$defs", "definitions", "$dynamicRef", "dependentSchemas"}

// TestCatalogue holds every registered tool to what hosts and reviewers need.
func TestCatalogue(t *testing.T) {
	w := newWorld(t)
	tools := w.Registry.Snapshot().Tools
	if len(tools) == 0 {
		t.Fatal("no tools")
	}
	for _, tool := range tools {
		t.Run(tool.Name, func(t *testing.T) {
			if !listedName.MatchString(tool.Name) {
				t.Errorf("hosts refuse the name; want %s", listedName)
			}
			checkText(t, "title", tool.Title)
			checkText(t, "description", tool.Description)
			checkEffects(t, tool)
			checkPermission(t, tool)
			checkSchema(t, "input", tool.InputSchema, true)
			checkSchema(t, "output", tool.OutputSchema, false)
		})
	}
	checkGoldens(t, tools)
	service, ok := w.Executor.Service(hotel.Name)
	if !ok {
		t.Fatal("no hotel service")
	}
	checkText(t, "instructions", service.Instructions)
	checkBudget(t, service, tools)
}

func checkText(t *testing.T, what, text string) {
	t.Helper()
	if n := utf8.RuneCountInString(text); n == 0 || n >= maxText || strings.TrimSpace(text) != text {
		t.Errorf("the %s has %d characters; want 1 to %d and no space around it", what, n, maxText-1)
	}
}

// checkEffects: the registry refuses contradictions; here nothing may be unsaid.
func checkEffects(t *testing.T, tool agent.ToolInfo) {
	t.Helper()
	if !tool.Idempotent {
		t.Error("a repeat must be safe: reads are, and writes have keys")
	}
	if (tool.Mutability == agent.Read) != (tool.Risk == agent.RiskRead) {
		t.Errorf("%s with the risk %s", tool.Mutability, tool.Risk)
	}
	if (tool.Risk == agent.RiskDestructive || tool.Risk == agent.RiskCritical) && !tool.RequiresConfirmation {
		t.Errorf("a %s tool asks for no confirmation", tool.Risk)
	}
	if tool.Timeout <= 0 || tool.MaxArguments <= 0 || tool.MaxConcurrency <= 0 {
		t.Errorf("limits %v, %d bytes, %d at once: want all stated", tool.Timeout, tool.MaxArguments, tool.MaxConcurrency)
	}
}

// checkPermission: tokens can be limited to the scope, and some role but the
// ones that may do everything can use the tool.
func checkPermission(t *testing.T, tool agent.ToolInfo) {
	t.Helper()
	service, _, _ := strings.Cut(tool.Permission.Scope, ":")
	if !slices.Contains(access.Scopes(service), tool.Permission.Scope) {
		t.Errorf("no token can carry the scope %q", tool.Permission.Scope)
	}
	if service != tool.Owner {
		t.Errorf("owner %q asks for a scope of %q", tool.Owner, service)
	}
	some := slices.ContainsFunc(access.Roles(), func(r access.Role) bool { return !r.Grants("no.such") && r.Grants(tool.Permission.Action) })
	if !some {
		t.Errorf("no role is granted %q", tool.Permission.Action)
	}
}

// checkSchema: an input takes nothing it does not name; an output may grow.
func checkSchema(t *testing.T, what string, doc json.RawMessage, closed bool) {
	t.Helper()
	if len(doc) == 0 || len(doc) >= maxSchema {
		t.Errorf("the %s schema has %d bytes; want 1 to %d", what, len(doc), maxSchema-1)
	}
	root, ok := decoded(t, doc).(map[string]any)
	if !ok || root["type"] != "object" || root["additionalProperties"] != !closed {
		t.Errorf("the %s schema's root has type %v and additionalProperties %v; want object and %v", what, root["type"], root["additionalProperties"], !closed)
	}
	walkSchema(t, what, root)
}

// walkSchema visits every schema inside one: each says its type, objects say
// whether they take more, and none combines others.
func walkSchema(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	for _, word := range combinators {
		if _, used := schema[word]; used {
			t.Errorf("%s uses %s", at, word)
		}
	}
	kinds, _ := schema["type"].([]any)
	if kinds = append(kinds, schema["type"]); schema["type"] == nil {
		t.Errorf("%s has no type", at)
	}
	if _, said := schema["additionalProperties"].(bool); !said && slices.Contains(kinds, any("object")) {
		t.Errorf("%s does not state additionalProperties", at)
	}
	inner := map[string]any{}
	if p, ok := schema["properties"].(map[string]any); ok {
		inner = p
	}
	if items, has := schema["items"]; has {
		inner["[]"] = items
	}
	for name, v := range inner {
		s, ok := v.(map[string]any)
		if !ok { // true and false are schemas too, and some hosts choke on them
			t.Errorf("%s/%s is no object: %v", at, name, v)
			continue
		}
		walkSchema(t, at+"/"+name, s)
	}
}

// checkBudget estimates what one address costs a model: names, texts and input
// schemas of the whole list, as every host puts them into the prompt.
func checkBudget(t *testing.T, service agent.Service, tools []agent.ToolInfo) {
	t.Helper()
	if n := len(service.Tools); n > maxTools {
		t.Errorf("%d tools on %s, more than %d", n, service.Path, maxTools)
	}
	total := 0
	for _, tool := range tools {
		if !slices.Contains(service.Tools, tool.Name) {
			continue
		}
		var schema bytes.Buffer
		must(t, json.Compact(&schema, tool.InputSchema))
		n := tokens(tool.Name + tool.Title + tool.Description + schema.String())
		total += n
		t.Logf("%-45s about %4d tokens", tool.Name, n)
	}
	t.Logf("%-45s about %4d tokens, and %d of instructions", service.Path, total, tokens(service.Instructions))
	if total >= maxTokens {
		t.Errorf("a model sees about %d tokens of %s, want fewer than %d", total, service.Path, maxTokens)
	}
}

// tokens estimates: three quarters of one for a Chinese character, a quarter
// for any other. It is coarse, and the same for every change.
func tokens(text string) int {
	chinese, other := 0, 0
	for _, r := range text {
		if r > 0x2e80 {
			chinese++
		} else {
			other++
		}
	}
	return (chinese*3 + other) / 4
}

// checkGoldens: what is published changes only together with a file that a
// reviewer sees, one per tool. A file without a tool is a tool that was lost.
func checkGoldens(t *testing.T, tools []agent.ToolInfo) {
	t.Helper()
	dir := filepath.Join("testdata", "catalogue")
	must(t, os.MkdirAll(dir, 0o750))
	want := map[string]bool{}
	for _, tool := range tools {
		want[tool.Name+".json"] = true
		checkGolden(t, filepath.Join(dir, tool.Name+".json"), tool)
	}
	files, err := os.ReadDir(dir)
	must(t, err)
	for _, f := range files {
		switch {
		case want[f.Name()]:
		case *update:
			must(t, os.Remove(filepath.Join(dir, f.Name())))
		default:
			t.Errorf("%s belongs to no tool; if the tool is meant to be gone, run with -update", f.Name())
		}
	}
}

func checkGolden(t *testing.T, file string, tool agent.ToolInfo) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	must(t, enc.Encode(tool))
	if *update {
		must(t, os.WriteFile(file, b.Bytes(), 0o600))
		return
	}
	golden, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%s: %v; a new tool gets its file with -update", tool.Name, err)
		return
	}
	if diff := cmp.Diff(string(golden), b.String()); diff != "" {
		t.Errorf("%s is published otherwise than reviewed; if that is meant, run with -update. -golden +now\n%s", tool.Name, diff)
	}
}
