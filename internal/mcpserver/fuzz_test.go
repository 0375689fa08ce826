package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// FuzzDoor throws bytes at the whole door: nothing a client sends may end in a
// 500, a panic, a hang or an answer that is not JSON, nor be answered otherwise
// than by the SDK alone.
func FuzzDoor(f *testing.F) {
	k := newKit(f)
	for _, version := range []string{v2026, v2025} {
		for _, method := range []string{"initialize", "ping", "tools/list", "tools/call", "server/discover", "notifications/initialized"} {
			body, _ := message(version, method, `"name":"kit_echo","arguments":{"text":"x"},"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"f","version":"1"}`)
			f.Add(body, version, method, "kit_echo")
		}
	}
	f.Add(`[{"jsonrpc":"2.0","id":1.5,"method":"ping"}]`, "", "", "")
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`, v2026, "subscriptions/listen", "")
	f.Fuzz(func(t *testing.T, body, version, method, name string) {
		if strings.Contains(body, "kit_wait") || strings.Contains(body, "kit_s") {
			t.Skip("it waits for its caller to hang up, or it takes its time")
		}
		w := k.bothWays(t, letter{body: body, header: http.Header{"Authorization": {"Bearer " + k.token}, "Content-Type": {"application/json"},
			"Mcp-Protocol-Version": {version}, "Mcp-Method": {method}, "Mcp-Name": {name}}})
		if w.Code >= 500 || w.Code < 200 {
			t.Fatalf("status %d for %q: %s", w.Code, body, w.Body)
		}
		if w.Code != http.StatusAccepted && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("not JSON for %q: %s", body, w.Body)
		}
	})
}
