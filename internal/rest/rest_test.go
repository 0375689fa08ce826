package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

const agentRole = access.RoleSuperAgent

func TestToolTwin(t *testing.T) {
	k := newKit(t)
	read, write := "/api/kit/v1/kit_read", "/api/kit/v1/kit_write"
	cases := []struct {
		name, path, body string
		status           int
		code             string
	}{
		{"success", read, `{"text":"中文"}`, 200, ""},
		{"not JSON", read, `{`, 400, "MCP_REQUEST_INVALID"},
		{"empty body", read, ``, 400, "MCP_REQUEST_INVALID"},
		{"duplicate keys", read, `{"text":"a","text":"b"}`, 400, "MCP_REQUEST_INVALID"},
		{"trailing data", read, `{"text":"a"}{}`, 400, "MCP_REQUEST_INVALID"},
		{"invalid UTF-8", read, "{\"text\":\"\xff\"}", 400, "MCP_REQUEST_INVALID"},
		{"a list", read, `[]`, 400, "MCP_REQUEST_INVALID"},
		{"against the schema", read, `{"text":1,"x":2}`, 400, "MCP_REQUEST_INVALID"},
		{"hidden", "/api/kit/v1/kit_hidden", `{"text":"a"}`, 403, "MCP_PERMISSION_DENIED"},
		{"not found", read, `{"text":"not_found"}`, 404, "KIT_not_found"},
		{"conflict", read, `{"text":"conflict"}`, 409, "KIT_conflict"},
		{"business rule", read, `{"text":"rule"}`, 422, "KIT_rule"},
		{"limited", read, `{"text":"limited"}`, 429, "KIT_limited"},
		{"unavailable", read, `{"text":"unavailable"}`, 503, "KIT_unavailable"},
		{"too large", read, `{"text":"` + strings.Repeat("x", 11<<20) + `"}`, 413, "MCP_REQUEST_BODY_TOO_LARGE"},
		{"write", write, `{"text":"a","idempotency_key":"key-0001"}`, 200, ""},
		{"write again", write, `{"text":"a","idempotency_key":"key-0001"}`, 200, ""},
		{"write, other arguments", write, `{"text":"b","idempotency_key":"key-0001"}`, 409, "MCP_CONFLICT"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := k.as(t, agentRole, c.path, c.body, "X-Request-Id", "req-1")
			if a.status != c.status || a.code() != c.code || a.Success != (c.code == "") {
				t.Fatalf("got %d %s\nwant %d %s", a.status, a.raw, c.status, c.code)
			}
			if a.RequestID == "" || a.TraceID == "" || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
				t.Errorf("an incomplete answer: %s", a.raw)
			}
			if c.name == "limited" && a.header.Get("Retry-After") != "7" {
				t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
			}
		})
	}
	if k.runs["kit_write"] != 1 {
		t.Errorf("the write ran %d times", k.runs["kit_write"])
	}
	if a := k.as(t, agentRole, read, `{"text":"a"}`, "Content-Type", "text/plain"); a.status != 415 || a.code() != "MCP_REQUEST_INVALID" {
		t.Errorf("content type: %d %s", a.status, a.raw)
	}
}

func TestUnauthenticated(t *testing.T) {
	k := newKit(t)
	for name, set := range map[string][]string{"none": nil, "unknown": {"Authorization", "Bearer thh_x"}, "basic beside a partner": {"Authorization", "Basic x", "X-Partner-Id", "p"}} {
		a := k.send(t, http.MethodPost, "/api/kit/v1/kit_read", `{"text":"a"}`, set...)
		want := `resource_metadata="https://hotel.example/.well-known/oauth-protected-resource/mcp"`
		if a.status != 401 || a.code() != "MCP_AUTH_INVALID" || !strings.Contains(a.header.Get("WWW-Authenticate"), want) {
			t.Errorf("%s: %d %v %s", name, a.status, a.header, a.raw)
		}
	}
}

// TestParity sends the same input through both doors and compares what came out.
func TestParity(t *testing.T) {
	k := newKit(t)
	for _, body := range []string{`{"text":"中文"}`, `{"text":null}`, `{}`, `{"text":1}`, `{"text":"rule"}`, `{"text":"conflict"}`, `{"text":"internal"}`, `[]`, `{"text":"a","more":1}`} {
		for _, tool := range []string{"kit_read", "kit_bodies", "kit_hidden"} {
			set := []string{"X-Request-Id", "req-parity", "X-Trace-Id", "trace-parity"}
			direct := k.as(t, agentRole, "/api/kit/v1/"+tool, body, set...)
			rpc := k.as(t, agentRole, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+body+`}}`,
				append(set, "Mcp-Protocol-Version", "2025-11-25")...)
			var out struct {
				Result struct {
					StructuredContent json.RawMessage
					IsError           bool
				}
			}
			if err := json.Unmarshal(rpc.raw, &out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(direct.raw), string(out.Result.StructuredContent)); diff != "" {
				t.Errorf("%s %s (-rest +mcp):\n%s", tool, body, diff)
			}
			if out.Result.IsError != (direct.status != 200) {
				t.Errorf("%s %s: isError %v beside status %d", tool, body, out.Result.IsError, direct.status)
			}
		}
	}
}

// partner signs as a partner of an account.
type partner struct{ id, secret string }

func (k *kit) partner(t *testing.T, role access.Role) partner {
	t.Helper()
	id, secret, err := k.platform.CreatePartner(context.Background(), k.by, platform.PartnerParams{Name: "partner of " + string(role), AccountID: k.accounts[role]})
	if err != nil {
		t.Fatal(err)
	}
	return partner{id, secret}
}

func (p partner) headers(t *testing.T, id, body string) []string {
	t.Helper()
	return p.headersAt(t, id, body, time.Now())
}

func (p partner) headersAt(t *testing.T, id, body string, at time.Time) []string {
	t.Helper()
	stamp, signature, err := platform.Sign(p.secret, id, at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return []string{"X-Partner-Id", p.id, "webhook-id", id, "webhook-timestamp", stamp, "webhook-signature", signature}
}

func TestSignedDelivery(t *testing.T) {
	k := newKit(t)
	p := k.partner(t, agentRole)
	send := func(tool, id, body string) answer {
		return k.send(t, http.MethodPost, "/api/kit/v1/"+tool, body, p.headers(t, id, body)...)
	}
	first := send("kit_read", "msg_1", `{"text":"a"}`)
	again := send("kit_read", "msg_1", `{"text":"a"}`)
	if first.status != 200 || string(first.raw) != string(again.raw) || again.header.Get("X-Replayed") != "true" || k.runs["kit_read"] != 1 {
		t.Errorf("a repeat was not answered from the record (%d runs):\n%s\n%s", k.runs["kit_read"], first.raw, again.raw)
	}
	if a := send("kit_read", "msg_1", `{"text":"b"}`); a.status != 409 || a.code() != "WEBHOOK_ID_REUSED" {
		t.Errorf("a used id with another body: %d %s", a.status, a.raw)
	}
	send("kit_bodies", "msg_2", `{"text":"a"}`)
	if a := send("kit_bodies", "msg_2", `{"text":"a"}`); a.status != 200 || k.runs["kit_bodies"] != 2 {
		t.Errorf("an answer with bodies came from the record: %d runs, %s", k.runs["kit_bodies"], a.raw)
	}
	if a := send("kit_read", "msg_3", `{"text":"unavailable"}`); a.status != 503 {
		t.Fatalf("%d %s", a.status, a.raw)
	}
	if send("kit_read", "msg_3", `{"text":"unavailable"}`); k.runs["kit_read"] != 3 {
		t.Errorf("an outage was kept as the answer: %d runs", k.runs["kit_read"])
	}
	bad := p.headers(t, "msg_4", `{"text":"other"}`)
	if a := k.send(t, http.MethodPost, "/api/kit/v1/kit_read", `{"text":"a"}`, bad...); a.status != 401 || a.code() != "AUTH_SIGNATURE_INVALID" {
		t.Errorf("a wrong signature: %d %s", a.status, a.raw)
	}
	if a := k.send(t, http.MethodPost, "/api/kit/v1/kit_read", `{"text":"a"}`, "Webhook-Id", "m", "Webhook-Signature", "v1,x"); a.status != 401 || a.code() != "AUTH_SIGNATURE_INVALID" {
		t.Errorf("signed without saying by whom: %d %s", a.status, a.raw)
	}
}

func TestFeeds(t *testing.T) {
	k := newKit(t)
	const bus, opera = "/api/integrations/agentbus/messages", "/api/integrations/opera/projections"
	const mail = `{"source":{"provider":"AGENTBUS","channel":"EMAIL","external_message_id":"ext-1","external_conversation_id":"conv-1"},
"subject":"Booking","sender":{"name":"A","email":"a@example.com"},"recipients":[{"email":"b@hotel.example"}],"sent_at":"2026-11-30T01:00:00Z","text_body":"hello"}`
	a := k.as(t, access.RoleMailBus, bus, mail)
	var got struct {
		SourceMessageID string `json:"source_message_id"`
		Duplicate       bool
	}
	if a.status != 200 || json.Unmarshal(a.Data, &got) != nil || got.SourceMessageID == "" || got.Duplicate {
		t.Fatalf("first delivery: %d %s", a.status, a.raw)
	}
	id := got.SourceMessageID
	p := k.partner(t, access.RoleMailBus)
	a = k.send(t, http.MethodPost, bus, mail, p.headers(t, "m-1", mail)...)
	if a.status != 200 || json.Unmarshal(a.Data, &got) != nil || got.SourceMessageID != id || !got.Duplicate {
		t.Errorf("signed repeat: %d %s", a.status, a.raw)
	}
	if a := k.as(t, agentRole, bus, mail); a.status != 403 {
		t.Errorf("SuperAgent delivered a mail: %d %s", a.status, a.raw)
	}
	if a := k.as(t, access.RoleMailBus, bus, `{"source":{}}`); a.status != 400 && a.status != 422 {
		t.Errorf("no id: %d %s", a.status, a.raw)
	}
	for _, body := range []string{`{}`, `{"projections":[]}`, `{"projections":1}`, `[1]`} {
		if a := k.as(t, access.RoleOperaFeed, opera, body); a.status != 400 || a.code() != "MCP_REQUEST_INVALID" {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
	const projection = `{"kind":"RESERVATION","confirmation_number":"C1","status":"RESERVED","arrival_date":"2026-12-01","departure_date":"2026-12-03","as_of":"2026-11-30T01:00:00Z"}`
	for _, body := range []string{`{"projections":[` + projection + `]}`, `[` + projection + `]`} {
		if a := k.as(t, access.RoleOperaFeed, opera, body); a.status != 200 {
			t.Errorf("%s: %d %s", body, a.status, a.raw)
		}
	}
}

func TestProbes(t *testing.T) {
	k := newKit(t)
	if a := k.send(t, http.MethodGet, "/healthz", ""); a.status != 200 || !strings.Contains(string(a.raw), "1.2.3") {
		t.Errorf("healthz: %d %s", a.status, a.raw)
	}
	if a := k.send(t, http.MethodGet, "/readyz", ""); a.status != 200 {
		t.Errorf("readyz: %d %s", a.status, a.raw)
	}
	for err, want := range map[error]string{errors.New("dial tcp 10.0.0.1"): "failed", fault.New(fault.Unavailable, "HOTEL_NOT_CONFIGURED", "", ""): "HOTEL_NOT_CONFIGURED"} {
		k.ready = err
		if a := k.send(t, http.MethodGet, "/readyz", ""); a.status != 503 || !strings.Contains(string(a.raw), want) || strings.Contains(string(a.raw), "10.0.0.1") {
			t.Errorf("readyz with %v: %d %s", err, a.status, a.raw)
		}
	}
}
