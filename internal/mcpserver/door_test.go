package mcpserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

type result struct {
	Content []struct {
		Type, Text string
	}
	StructuredContent json.RawMessage
	IsError           bool
	ResultType        string
}

func (a answer) result(t *testing.T) result {
	t.Helper()
	var r result
	if a.status != 200 || json.Unmarshal(a.Result, &r) != nil {
		t.Fatalf("no result: %d %s", a.status, a.body)
	}
	return r
}

func TestCallEncoding(t *testing.T) {
	k := newKit(t)
	cases := []struct {
		tool, summary, code string
		isError             bool
	}{
		{"kit_echo", "回声完成。", "", false},
		{"kit_slow", "已完成，结果见下方 JSON。", "", false},
		{"kit_refuse", "规则拒绝，请改后重试。", "KIT_REFUSED", true},
		{"kit_hidden", "凭证缺少权限范围 hotel:audit.read，请向管理员申请包含该范围的凭证。", "MCP_PERMISSION_DENIED", true},
		{"kit_panic", "系统内部错误，请稍后重试；若仍失败请把 request_id 告知管理员。", "MCP_INTERNAL_ERROR", true},
	}
	for _, version := range []string{v2026, v2025} {
		for _, c := range cases {
			t.Run(version+"/"+c.tool, func(t *testing.T) {
				a := k.call(t, version, "tools/call", `"name":"`+c.tool+`","arguments":{}`)
				r := a.result(t)
				if r.IsError != c.isError || len(r.Content) != 2 || r.Content[0].Text != c.summary {
					t.Fatalf("got %s", a.body)
				}
				if r.Content[1].Text != string(r.StructuredContent) {
					t.Errorf("the text is not exactly the structured content:\n%s\n%s", r.Content[1].Text, r.StructuredContent)
				}
				var env struct {
					Success bool
					Error   *struct{ Code string }
				}
				if err := json.Unmarshal(r.StructuredContent, &env); err != nil {
					t.Fatal(err)
				}
				if env.Success == c.isError || c.isError && env.Error.Code != c.code {
					t.Errorf("envelope %s", r.StructuredContent)
				}
				if (r.ResultType == "complete") != (version == v2026) {
					t.Errorf("resultType %q on %s", r.ResultType, version)
				}
				if strings.Contains(a.body, "kit secret") {
					t.Error("a panic's text leaked")
				}
			})
		}
	}
}

func TestUnknownToolIsAnErrorAndAudited(t *testing.T) {
	k := newKit(t)
	check(t, k.call(t, v2026, "tools/call", `"name":"kit_gone"`), 400, -32602, "MCP_TOOL_NOT_FOUND")
	check(t, k.call(t, v2025, "tools/call", `"name":"kit_gone"`), 200, -32602, "MCP_TOOL_NOT_FOUND")
	k.call(t, v2025, "tools/call", `"name":"kit_hidden"`)
	entries, _, err := k.audit.List(context.Background(), audit.Filter{HotelID: k.hotelID})
	if err != nil {
		t.Fatal(err)
	}
	denied := map[string]int{}
	for _, e := range entries {
		if e.Status == audit.Denied || e.Status == audit.Failed {
			denied[e.Tool]++
			if e.Adapter != "mcp" || e.Protocol == "" || e.RequestID == "" {
				t.Errorf("an incomplete row: %+v", e)
			}
		}
	}
	if denied["kit_gone"] != 2 || denied["kit_hidden"] != 1 {
		t.Errorf("refused calls in the audit: %v", denied)
	}
}

func TestListIsTheCallersOwn(t *testing.T) {
	k := newKit(t)
	list := func(version, token string) (names []string, scope, revision string) {
		a := k.call(t, version, "tools/list", "", "Authorization", "Bearer "+token)
		var r struct {
			Tools      []struct{ Name string }
			CacheScope string
			Meta       map[string]any `json:"_meta"`
		}
		if a.status != 200 || json.Unmarshal(a.Result, &r) != nil {
			t.Fatalf("%d %s", a.status, a.body)
		}
		for _, tool := range r.Tools {
			names = append(names, tool.Name)
		}
		revision, _ = r.Meta["th-hotel/revision"].(string)
		return names, r.CacheScope, revision
	}
	for _, version := range []string{v2026, v2025} {
		wide, scope, revision := list(version, k.token)
		if diff := cmp.Diff(names[:len(names)-1], wide); diff != "" || scope != "private" || revision == "" {
			t.Errorf("%s: scope %q, revision %q, tools (-want +got):\n%s", version, scope, revision, diff)
		}
		narrow, _, _ := list(version, k.narrow)
		if diff := cmp.Diff(names[1:len(names)-1], narrow); diff != "" {
			t.Errorf("%s narrow (-want +got):\n%s", version, diff)
		}
	}
}

func TestCredentials(t *testing.T) {
	k := newKit(t)
	for _, method := range []string{"tools/call", "tools/list", "server/discover"} {
		for name, header := range map[string]string{"missing": "", "unknown": "Bearer thh_unknown", "basic": "Basic eDp5"} {
			params := ""
			if method == "tools/call" {
				params = `"name":"kit_echo"`
			}
			a := k.call(t, v2026, method, params, "Authorization", header)
			check(t, a, 401, -32000, "MCP_AUTH_INVALID")
			challenge := a.header.Get("WWW-Authenticate")
			if !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, `resource_metadata="http://`) ||
				strings.Contains(challenge, "invalid_token") != (name == "unknown") {
				t.Errorf("%s %s: challenge %q", method, name, challenge)
			}
		}
	}
	by := access.AsSystem(k.hotelID, "test")
	if err := k.platform.RevokeCredential(context.Background(), by, k.credential); err != nil {
		t.Fatal(err)
	}
	check(t, k.call(t, v2025, "tools/call", `"name":"kit_echo"`), 401, -32000, "MCP_AUTH_INVALID")
	// A stream that was asked for must not hide the status.
	check(t, k.call(t, v2025, "tools/call", `"name":"kit_slow","_meta":{"progressToken":1}`), 401, -32000, "MCP_AUTH_INVALID")
}

func TestMetadataAndMethods(t *testing.T) {
	k := newKit(t)
	get := func(method, url string) answer {
		r, err := http.NewRequest(method, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+k.token)
		return send(t, r)
	}
	a := get(http.MethodGet, strings.Replace(k.url, "/mcp", "/.well-known/oauth-protected-resource/mcp", 1))
	var m struct {
		Resource string
		Scopes   []string `json:"scopes_supported"`
	}
	if err := json.Unmarshal([]byte(a.body), &m); err != nil || m.Resource != k.url || len(m.Scopes) != 3 {
		t.Errorf("metadata %v: %s", err, a.body)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions} {
		if a := get(method, k.url); a.status != 405 || a.header.Get("Allow") != http.MethodPost {
			t.Errorf("%s: %d, Allow %q", method, a.status, a.header.Get("Allow"))
		}
	}
}

func TestTraceAndClient(t *testing.T) {
	k := newKit(t)
	const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
	a := k.post(t, v2025, `{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"kit_echo","_meta":{"traceparent":"`+parent+`"}}}`,
		"X-Request-Id", "req-of-caller", "User-Agent", strings.Repeat("agent ", 100))
	text := a.result(t).Content[1].Text
	for _, want := range []string{`"request_id":"req-of-caller"`, `"trace_id":"0af7651916cd43dd8448eb211c80319c"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	if string(a.ID) != `"x"` {
		t.Errorf("id %s", a.ID)
	}
}

// TestHangUpCancels: on every revision, a caller who is gone ends the handler.
func TestHangUpCancels(t *testing.T) {
	k := newKit(t)
	for _, version := range []string{v2026, v2025, ""} {
		body, headers := message(version, "tools/call", `"name":"kit_wait"`)
		ctx, cancel := context.WithCancel(context.Background())
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, k.url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+k.token)
		r.Header.Set("Content-Type", "application/json")
		if version != "" {
			r.Header.Set("Mcp-Protocol-Version", version)
		}
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		go func() {
			<-k.started
			cancel()
		}()
		if res, err := http.DefaultClient.Do(r); err == nil {
			res.Body.Close()
			t.Fatalf("%s: an answer to a caller who hung up", version)
		}
		select {
		case <-k.ended:
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: the handler runs on", version)
		}
	}
}

// TestProgress: a stream when the caller asks for progress and takes one, else JSON.
func TestProgress(t *testing.T) {
	k := newKit(t)
	const params = `"name":"kit_slow","_meta":{"progressToken":"p"}`
	a := k.post(t, v2025, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+`}}`)
	if !strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") || a.header.Get("X-Accel-Buffering") != "no" ||
		!strings.Contains(a.body, `"progressToken":"p"`) || !strings.Contains(a.body, `"result":`) {
		t.Errorf("no progress: %v %s", a.header, a.body)
	}
	for name, set := range map[string][]string{"takes only JSON": {"Accept", "application/json"}, "no token": nil} {
		p := params
		if set == nil {
			p = `"name":"kit_slow"`
		}
		a := k.post(t, v2025, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+p+`}}`, set...)
		if a.result(t).IsError || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %s", name, a.body)
		}
	}
}

// bearer adds the token to a client's requests.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestOfficialClient drives the door with the SDK's own client, which negotiates
// the newest revision, and with one that is held to the older handshake.
func TestOfficialClient(t *testing.T) {
	k := newKit(t)
	for _, version := range []string{v2026, v2025} {
		t.Run(version, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			client := mcp.NewClient(&mcp.Implementation{Name: "official", Version: "1"}, nil)
			session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: k.url, HTTPClient: &http.Client{Transport: bearer(k.token)},
				DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			list, err := session.ListTools(ctx, nil)
			if err != nil || len(list.Tools) != len(names)-1 || list.Tools[0].Name != "kit_write" {
				t.Fatalf("list: %v %+v", err, list)
			}
			res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "kit_echo", Arguments: map[string]any{"text": "中文"}})
			if err != nil || res.IsError || len(res.Content) != 2 {
				t.Fatalf("call: %v %+v", err, res)
			}
			data := res.StructuredContent.(map[string]any)["data"].(map[string]any)
			if data["protocol"] != version || data["args"] != `{"text":"中文"}` {
				t.Errorf("data %v", data)
			}
			if res, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "kit_refuse"}); err != nil || !res.IsError {
				t.Errorf("refusal: %v %+v", err, res)
			}
			if _, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "kit_gone"}); err == nil {
				t.Error("an unknown tool was answered")
			}
		})
	}
}
