package mcpserver_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTypeScriptClients: the SDKs that most hosts are built on.
func TestTypeScriptClients(t *testing.T) {
	dir, node := nodeTools(t)
	k := newKit(t)
	out := runNode(t, node, filepath.Join("testdata", "clients.mjs"), dir, k.url, k.token)
	want := map[string]string{"v1": v2025, `v2 "legacy"`: v2025, `v2 "auto"`: v2026, `v2 {"pin":"2026-07-28"}`: v2026}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var got struct {
			Name, Protocol, Args string
			Tools                []string
			Refused              any
			Unknown              int
		}
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got.Protocol != want[got.Name] || !slices.Equal(got.Tools, names[:len(names)-1]) || got.Args != `{"text":"中文"}` ||
			got.Refused != "KIT_REFUSED" || got.Unknown != -32602 {
			t.Errorf("%s: %s", got.Name, line)
		}
		delete(want, got.Name)
	}
	if len(want) > 0 {
		t.Errorf("not driven: %v", want)
	}
}

// TestInspector: the command line people debug with, in each era.
func TestInspector(t *testing.T) {
	dir, node := nodeTools(t)
	k := newKit(t)
	inspect := func(era string, args ...string) string {
		base := []string{filepath.Join(dir, "node_modules", ".bin", "mcp-inspector"), "--cli", k.url, "--transport", "http",
			"--header", "Authorization: Bearer " + k.token, "--protocol-era", era, "--format", "json"}
		return string(runNode(t, node, append(base, args...)...))
	}
	for _, era := range []string{"legacy", "auto", "modern"} {
		if got := inspect(era, "--method", "tools/list"); !strings.Contains(got, `"kit_write"`) || strings.Contains(got, `"kit_hidden"`) {
			t.Errorf("%s list: %s", era, got)
		}
		got := inspect(era, "--method", "tools/call", "--tool-name", "kit_echo", "--tool-args-json", `{"text":"x"}`)
		if !strings.Contains(got, `"success": true`) && !strings.Contains(got, `"success":true`) {
			t.Errorf("%s call: %s", era, got)
		}
	}
}
