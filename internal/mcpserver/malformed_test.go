package mcpserver_test

import (
	"strings"
	"testing"
)

// malformed is a message that must be refused, and how.
type malformed struct {
	name, body         string
	code               int
	data               string
	status, status2025 int // 0: as status
	headers            []string
}

// malformations are what the SDK alone answers with text, with another id, with a
// panic or not at all.
func malformations() []malformed {
	const okCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","arguments":{}}}`
	const invalid, notFound, tooLarge = "MCP_REQUEST_INVALID", "MCP_METHOD_NOT_FOUND", "MCP_REQUEST_BODY_TOO_LARGE"
	nested := strings.Repeat(`[`, 2000) + strings.Repeat(`]`, 2000)
	return []malformed{
		{"not JSON", `hello`, -32700, invalid, 400, 0, nil},
		{"truncated", `{"jsonrpc":"2.0"`, -32700, invalid, 400, 0, nil},
		{"BOM", "\xef\xbb\xbf" + okCall, -32700, invalid, 400, 0, nil},
		{"a JSON string", `"tools/call"`, -32600, invalid, 400, 0, nil},
		{"empty body", ``, -32700, invalid, 400, 0, nil},
		{"only blanks", "  \n ", -32700, invalid, 400, 0, nil},
		{"jsonrpc missing", `{"id":1,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":1,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"trailing garbage", okCall + `x`, -32700, invalid, 400, 0, nil},
		{"two messages", okCall + okCall, -32700, invalid, 400, 0, nil},
		{"batch", `[` + okCall + `]`, -32600, invalid, 400, 0, nil},
		{"empty batch", `[]`, -32600, invalid, 400, 0, nil},
		{"body too large", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`, -32600, tooLarge, 413, 0, nil},
		{"content type missing", okCall, -32600, invalid, 415, 0, []string{"Content-Type", ""}},
		{"content type other", okCall, -32600, invalid, 415, 0, []string{"Content-Type", "text/plain"}},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"tools/destroy","params":{}}`, -32601, notFound, 404, 200, nil},
		{"method in another case", `{"jsonrpc":"2.0","id":1,"METHOD":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"undeclared prompts", `{"jsonrpc":"2.0","id":1,"method":"prompts/list","params":{}}`, -32601, notFound, 404, 200, nil},
		{"undeclared resources", `{"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{}}`, -32601, notFound, 404, 200, nil},
		{"undeclared completion", `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`, -32601, notFound, 404, 200, nil},
		{"undeclared logging", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, -32601, notFound, 404, 200, nil},
		{"params absent", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602, invalid, 400, 200, nil},
		{"params array", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`, -32602, invalid, 400, 200, nil},
		{"params string", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"x"}`, -32602, invalid, 400, 200, nil},
		{"params null", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, -32602, invalid, 400, 200, nil},
		{"name wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["` + strings.Repeat("y", 9000) + `"]}}`, -32602, invalid, 400, 200, nil},
		{"name missing", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, -32602, invalid, 400, 200, nil},
		{"inputResponses wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","inputResponses":[1]}}`, -32602, invalid, 400, 200, nil},
		{"requestState wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","requestState":1}}`, -32602, invalid, 400, 200, nil},
		{"_meta wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":[]}}`, -32602, invalid, 400, 200, nil},
		{"progress token wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","_meta":{"progressToken":{}}}}`, -32602, invalid, 400, 200, nil},
		{"cursor wrong type", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":{}}}`, -32602, invalid, 400, 200, nil},
		{"duplicate keys", `{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"duplicate keys inside arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","arguments":{"text":"a","text":"b"}}}`, -32600, invalid, 400, 0, nil},
		{"nested too deep", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","arguments":{"text":` + nested + `}}}`, -32600, invalid, 400, 0, nil},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"kit_echo\",\"arguments\":{\"text\":\"\xff\xfe\"}}}", -32700, invalid, 400, 0, nil},
		{"lone surrogate", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","arguments":{"text":"\ud800"}}}`, -32700, invalid, 400, 0, nil},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"id absent on a call", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"kit_echo"}}`, -32600, invalid, 400, 0, nil},
		{"id on a notification", `{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}`, -32600, invalid, 400, 0, nil},
		{"id true", `{"jsonrpc":"2.0","id":true,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"id object", `{"jsonrpc":"2.0","id":{},"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"id beyond 2^53", `{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"id beyond 64 bits", `{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/list"}`, -32600, invalid, 400, 0, nil},
		{"version unknown", okCall, -32022, invalid, 400, 0, []string{"Mcp-Protocol-Version", "abc"}},
		{"version of the past", okCall, -32022, invalid, 400, 0, []string{"Mcp-Protocol-Version", "2020-01-01"}},
	}
}

func TestMalformedInput(t *testing.T) {
	k := newKit(t)
	for _, version := range []string{v2026, v2025} {
		for _, c := range malformations() {
			t.Run(version+"/"+c.name, func(t *testing.T) {
				a := k.post(t, version, c.body, c.headers...)
				want := c.status
				if version == v2025 && c.status2025 != 0 {
					want = c.status2025
				}
				check(t, a, want, c.code, c.data)
				if len(a.body) > 1500 {
					t.Errorf("the answer has %d bytes: it echoes the input", len(a.body))
				}
			})
		}
	}
	if got := k.logged.String(); strings.Contains(got, "panic") {
		t.Errorf("a panic was logged: %s", got)
	}
}

func check(t *testing.T, a answer, status, code int, data string) {
	t.Helper()
	if a.status != status || a.Error == nil || a.Error.Code != code || a.Error.Data["code"] != data {
		t.Fatalf("got %d %s\nwant %d %d %s", a.status, a.body, status, code, data)
	}
	if a.Error.Message == "" || a.Error.Data["request_id"] == "" || a.Error.Data["trace_id"] == "" {
		t.Errorf("an incomplete error: %s", a.body)
	}
}

// TestHeadersOf2026 are judged by the SDK; its sentences are replaced.
func TestHeadersOf2026(t *testing.T) {
	k := newKit(t)
	body, headers := message(v2026, "tools/call", `"name":"kit_echo"`)
	cases := []struct {
		name    string
		body    string
		headers []string
		code    int
	}{
		{"method header missing", body, []string{"Mcp-Name", "kit_echo"}, -32020},
		{"method header wrong", body, []string{"Mcp-Method", "tools/list", "Mcp-Name", "kit_echo"}, -32020},
		{"name header missing", body, []string{"Mcp-Method", "tools/call"}, -32020},
		{"name header wrong", body, []string{"Mcp-Method", "tools/call", "Mcp-Name", "kit_write"}, -32020},
		{"no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo"}}`, headers, -32602},
		{"no capabilities", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kit_echo","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, headers, -32602},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			check(t, k.post(t, v2026, c.body, c.headers...), 400, c.code, "MCP_REQUEST_INVALID")
		})
	}
	for _, method := range []string{"initialize", "ping"} {
		params := ""
		if method == "initialize" {
			params = `"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"x","version":"1"}`
		}
		check(t, k.call(t, v2026, method, params), 404, -32601, "MCP_METHOD_NOT_FOUND")
	}
}

// TestLenient: what clients in the wild send and what does no harm.
func TestLenient(t *testing.T) {
	k := newKit(t)
	for _, version := range []string{v2026, v2025, ""} {
		for name, set := range map[string][]string{
			"no Accept": {"Accept", ""}, "only JSON": {"Accept", "application/json"}, "only a stream": {"Accept", "text/event-stream"},
			"charset": {"Content-Type", "application/json; charset=utf-8"}, "old session id": {"Mcp-Session-Id", "gone"}, "last event": {"Last-Event-Id", "1"},
		} {
			t.Run(version+"/"+name, func(t *testing.T) {
				a := k.call(t, version, "tools/call", `"name":"kit_echo","arguments":{"text":"x"}`, set...)
				if a.status != 200 || a.Result == nil {
					t.Fatalf("got %d %s", a.status, a.body)
				}
			})
		}
		for name, args := range map[string]string{"null": `,"arguments":null`, "absent": ``} {
			if a := k.call(t, version, "tools/call", `"name":"kit_echo"`+args); a.status != 200 || !strings.Contains(a.body, `"isError":false`) && strings.Contains(a.body, `"isError":true`) {
				t.Errorf("%s arguments %s: %d %s", version, name, a.status, a.body)
			}
		}
		for name, args := range map[string]string{"array": `[]`, "string": `"x"`, "number": `1`} {
			a := k.call(t, version, "tools/call", `"name":"kit_echo","arguments":`+args)
			if a.status != 200 || !strings.Contains(a.body, `"isError":true`) || !strings.Contains(a.body, "MCP_REQUEST_INVALID") {
				t.Errorf("%s arguments %s: %d %s", version, name, a.status, a.body)
			}
		}
	}
	for _, body := range []string{`{"jsonrpc":"2.0","method":"notifications/whatever"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, `{"jsonrpc":"2.0","id":4,"result":{}}`} {
		if a := k.post(t, v2025, body); a.status != 202 || a.body != "" {
			t.Errorf("%s: got %d %s, want 202", body, a.status, a.body)
		}
	}
}
