package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/mcpserver"
)

// letter is a request that is sent twice.
type letter struct {
	ctx    context.Context
	body   string
	header http.Header
}

// deliver puts a letter through a door. The ids are fixed, so that nothing of the
// two answers may differ.
func (l letter) deliver(door http.Handler) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(l.body))
	r.Header = l.header.Clone()
	r.Header.Set("X-Request-Id", "req-twice")
	r.Header.Set("X-Trace-Id", "trace-twice")
	if l.ctx != nil {
		r = r.WithContext(l.ctx)
	}
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	return w
}

// bothWays sends a letter through the door and through its twin that leaves all to
// the SDK: status, headers and JSON must be the same.
func (k *kit) bothWays(t testing.TB, l letter) *httptest.ResponseRecorder {
	t.Helper()
	fast, slow := l.deliver(k.door), l.deliver(k.twin)
	for _, h := range []http.Header{fast.Header(), slow.Header()} {
		h.Del("Content-Length") // of the same JSON in another spelling
	}
	if fast.Code != slow.Code || !cmp.Equal(fast.Header(), slow.Header()) {
		t.Errorf("%s\nheaders %v: %d %v, the SDK %d %v", l.body, l.header, fast.Code, fast.Header(), slow.Code, slow.Header())
	}
	if diff := cmp.Diff(anyJSON(slow.Body.Bytes()), anyJSON(fast.Body.Bytes())); diff != "" {
		t.Errorf("%s\nheaders %v: the SDK -, the door +\n%s", l.body, l.header, diff)
	}
	return fast
}

// anyJSON is a body decoded, or as it is; of a stream each event.
func anyJSON(b []byte) any {
	if _, event, ok := bytes.Cut(b, []byte("data: ")); ok {
		return []any{string(b[:min(len(b), 20)]), anyJSON(event)}
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return string(b)
	}
	return v
}

func (k *kit) header(set ...string) http.Header {
	h := http.Header{"Authorization": {"Bearer " + k.token}, "Content-Type": {"application/json"}}
	for i := 0; i+1 < len(set); i += 2 {
		h.Set(set[i], set[i+1])
		if set[i+1] == "" {
			h.Del(set[i])
		}
	}
	return h
}

func versions() []string { return append(mcp.SupportedProtocolVersions(), "", "2099-01-01") }

// metas are what may stand in _meta, good and bad.
func metas() []string {
	const v, c, i = `"io.modelcontextprotocol/protocolVersion":`, `"io.modelcontextprotocol/clientCapabilities":`, `"io.modelcontextprotocol/clientInfo":`
	return []string{"", `"_meta":{}`, `"_meta":[]`, `"_meta":null`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{}}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{"roots":{"listChanged":true},"elicitation":{}},` + i + `{"name":"k","version":"1"}}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{"roots":7}}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `[]}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{},` + i + `{"name":7}}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{},` + i + `null}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{},"io.modelcontextprotocol/logLevel":9}`,
		`"_meta":{` + v + `"2026-07-28"}`, `"_meta":{` + v + `"2025-11-25",` + c + `{}}`, `"_meta":{` + v + `7,` + c + `{}}`, `"_meta":{` + v + `null}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","n":[1,{"x":null}]}`,
		`"_meta":{` + v + `"2026-07-28",` + c + `{},"progressToken":"p"}`,
		`"_meta":{"progressToken":1}`, `"_meta":{"progressToken":{}}`, `"_meta":{"mine":[1.5,"x"]}`}
}

// params are those of calls and lists, without _meta.
func params() map[string][]string {
	deep := strings.Repeat("[", 20) + strings.Repeat("]", 20)
	call := []string{`"name":"kit_echo","arguments":{"text":"x"}`, ``, `"name":7`, `"name":"kit_gone"`, `"name":"kit_hidden"`, `"name":"kit_echo"`, `"name":"kit\u005fecho","arguments":{"text":"x"}`}
	for _, args := range []string{`{}`, `null`, `[]`, `"x"`, `1`, `{"text":"a\u4e2d \"q\" <&>\u2028"}`, `{ "text" : "blank" }`, `{"text":7}`, `{"other":1}`,
		`{"text":"` + strings.Repeat("long", 40) + `"}`, `{"text":` + deep + `}`, `{"text":1e400}`, `{"text":1E2}`, `{"text":"\ud800"}`, `{"text":"a","text":"b"}`} {
		call = append(call, `"name":"kit_echo","arguments":`+args)
	}
	for _, tool := range []string{"kit_refuse", "kit_panic", "kit_write"} {
		call = append(call, `"name":"`+tool+`","arguments":{}`)
	}
	return map[string][]string{"tools/call": append(call, `"name":"kit_write","arguments":{"idempotency_key":"key-12345678"}`,
		`"name":"kit_echo","task":{}`, `"name":"kit_echo","inputResponses":{}`, `"name":"kit_echo","requestState":"s"`, `"name":"kit_echo","NAME":"kit_refuse"`, `"name":"kit_echo","x":1`),
		"tools/list": {``, `"cursor":""`, `"cursor":"abc"`, `"cursor":7`, `"x":1`}}
}

// TestFastPath sends every revision and method with every kind of params and of
// _meta both ways, twice: the second time the door knows the client.
func TestFastPath(t *testing.T) {
	k := newKit(t)
	n := 0
	for _, version := range versions() {
		for method, list := range params() {
			for i, p := range list {
				for j, meta := range metas() {
					if i > 1 && j > 4 {
						continue // odd params with odd _meta tell nothing new
					}
					_, name, _ := strings.Cut(p, `"name":"`)
					name, _, _ = strings.Cut(strings.ReplaceAll(name, `\u005f`, "_"), `"`)
					body := `{"jsonrpc":"2.0","id":7,"method":"` + method + `","params":{` + strings.Trim(p+","+meta, ",") + `}}`
					l := letter{body: body, header: k.header("Mcp-Protocol-Version", version, "Mcp-Method", method, "Mcp-Name", name)}
					k.bothWays(t, l)
					k.bothWays(t, l)
					n++
					if t.Failed() {
						return
					}
				}
			}
		}
	}
	t.Logf("%d messages, %d of %d left to the SDK", n, k.toSDK.Load(), 2*n)
}

// TestFastPathOtherwise varies what TestFastPath holds fixed.
func TestFastPathOtherwise(t *testing.T) {
	k := newKit(t)
	for _, version := range versions() {
		for _, method := range []string{"tools/call", "tools/list", "ping", "server/discover"} {
			params := ""
			if method == "tools/call" {
				params = `"name":"kit_echo","arguments":{"text":"x"}`
			}
			body, headers := message(version, method, params)
			headers = append(headers, "Mcp-Protocol-Version", version)
			for _, set := range [][]string{nil, {"Authorization", ""}, {"Authorization", "Bearer thh_wrong"}, {"Authorization", "Bearer " + strings.Repeat("x", 47)},
				{"Authorization", "Bearer " + k.narrow}, {"Content-Type", "text/plain"}, {"Accept", "text/html"}, {"Accept-Language", "en"}, {"Mcp-Method", ""},
				{"Mcp-Method", "ping"}, {"Mcp-Name", ""}, {"Mcp-Name", "kit_write"}, {"Mcp-Param-Text", "x"}, {"Mcp-Session-Id", "gone"}, {"Last-Event-Id", "1"}} {
				k.bothWays(t, letter{body: body, header: k.header(append(slices.Clone(headers), set...)...)})
			}
			for _, id := range []string{`"a"`, `"\u0061\"<"`, `"中"`, `""`, `-0`, `-5`, `9007199254740991`, `1.5`, `null`, `"` + strings.Repeat("i", 300) + `"`} {
				k.bothWays(t, letter{body: strings.Replace(body, `"id":1`, `"id":`+id, 1), header: k.header(headers...)})
			}
			for _, spelled := range []string{" \n" + body + "\t", strings.ReplaceAll(body, `":`, "\" : "), strings.Replace(body, `{"jsonrpc"`, `{"extra":1,"jsonrpc"`, 1),
				strings.Replace(body, `"method"`, `"m\u0065thod"`, 1), strings.Replace(body, `"id":1,`, "", 1), body + "x", body[:len(body)-1]} {
				k.bothWays(t, letter{body: spelled, header: k.header(headers...)})
			}
			gone, leave := context.WithCancel(context.Background())
			leave()
			k.bothWays(t, letter{ctx: gone, body: body, header: k.header(headers...)})
		}
		for _, c := range malformations() {
			k.bothWays(t, letter{body: c.body, header: k.header(append([]string{"Mcp-Protocol-Version", version}, c.headers...)...)})
		}
	}
}

// TestFastPathFixtures sends what the conformance suite calls both ways.
func TestFastPathFixtures(t *testing.T) {
	var names []string
	k := newKitWith(t, func(o mcpserver.Options) (*mcpserver.Handler, error) {
		return mcpserver.NewWithFixtures(o, fixtureOptions, func(s *mcp.Server) []string {
			names = addFixtures(s)
			return names
		})
	})
	slices.Sort(names)
	for _, version := range []string{v2026, v2025, ""} {
		for _, name := range append(slices.Compact(names), "kit_echo") {
			if strings.Contains(name, "state") || strings.Contains(name, "multi") || strings.Contains(name, "tampered") || strings.HasPrefix(name, "test_trigger") {
				continue // they answer differently each time
			}
			body, headers := message(version, "tools/call", `"name":"`+name+`","arguments":{}`)
			k.bothWays(t, letter{body: body, header: k.header(append(headers, "Mcp-Protocol-Version", version)...)})
		}
		body, headers := message(version, "tools/list", "")
		k.bothWays(t, letter{body: body, header: k.header(append(headers, "Mcp-Protocol-Version", version)...)})
	}
}

// TestFastPathIsTaken: plain calls and lists of every revision never reach the
// SDK, but for a newest client's first, which it judges.
func TestFastPathIsTaken(t *testing.T) {
	k := newKit(t)
	for _, version := range append(mcp.SupportedProtocolVersions(), "") {
		for method, params := range map[string]string{"tools/call": `"name":"kit_echo","arguments":{"text":"x"}`, "tools/list": ""} {
			k.call(t, version, method, params)
			before := k.toSDK.Load()
			k.call(t, version, method, params)
			if k.toSDK.Load() != before {
				t.Errorf("%q %s went to the SDK", version, method)
			}
		}
	}
}

// TestStrangersAreNotRemembered: who has no valid credential leaves nothing behind.
func TestStrangersAreNotRemembered(t *testing.T) {
	k := newKit(t)
	for range 2 {
		before := k.toSDK.Load()
		if a := k.call(t, v2026, "tools/call", `"name":"kit_echo"`, "Authorization", "Bearer thh_nobody"); a.status != http.StatusUnauthorized {
			t.Fatal(a.status, a.body)
		}
		if k.toSDK.Load() == before {
			t.Error("a stranger took the fast path")
		}
	}
}
