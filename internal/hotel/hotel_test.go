package hotel_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/casequery"
	"thhotel/internal/fault"
	"thhotel/internal/hotel"
	"thhotel/internal/intake"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// tools are the registered ones; they need no services to be looked at.
func tools() []agent.Tool {
	return append(casequery.Tools(&casequery.Service{}), intake.Tools(&intake.Service{})...)
}

func TestServiceListsItsTools(t *testing.T) {
	s := hotel.Service("test")
	if s.Name != "hotel" || s.Path != "/mcp" || s.Dialect == nil {
		t.Errorf("name %q, path %q, dialect %v", s.Name, s.Path, s.Dialect)
	}
	if n := utf8.RuneCountInString(s.Instructions); n == 0 || n >= 2000 {
		t.Errorf("instructions have %d characters, want fewer than 2,000", n)
	}
	var have []string
	for _, tool := range tools() {
		have = append(have, tool.Name)
	}
	want := []string{"th_hotel_query_case_context", "th_hotel_query_object_detail", "th_hotel_list_message_conversation_tasks",
		"th_hotel_list_message_conversation_messages", "th_hotel_submit_task_results"}
	if diff := cmp.Diff(want, s.Tools); diff != "" {
		t.Errorf("order of tools/list -want +got\n%s", diff)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("registered tools -want +got\n%s", diff)
	}
}

func TestToolsAreFitForHosts(t *testing.T) {
	registry := agent.NewRegistry()
	seen := 0
	for _, tool := range tools() {
		if _, err := registry.Register(tool); err != nil {
			t.Errorf("register: %v", err)
		}
		n := utf8.RuneCountInString(tool.Description)
		if n == 0 || n >= 2000 || !strings.Contains(tool.Description, "何时使用") || !strings.Contains(tool.Description, "不应使用") {
			t.Errorf("%s: description of %d characters needs both borders within 2,000", tool.Name, n)
		}
		if tool.Title == "" || tool.REST == "" || tool.Owner != hotel.Name {
			t.Errorf("%s: title %q, REST %q, owner %q", tool.Name, tool.Title, tool.REST, tool.Owner)
		}
		seen += tokens(t, tool)
		for _, doc := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			closedOrOpen(t, tool.Name, doc)
		}
	}
	if seen >= 2500 {
		t.Errorf("a model sees about %d tokens of this address, want fewer than 2,500", seen)
	}
}

// tokens estimates what a tool costs a model: three quarters of a token for a
// Chinese character, one for four others.
func tokens(t *testing.T, tool agent.Tool) int {
	t.Helper()
	var schema bytes.Buffer
	must(t, json.Compact(&schema, tool.InputSchema))
	chinese, other := 0, 0
	for _, r := range tool.Name + tool.Title + tool.Description + schema.String() {
		if r > 0x2e80 {
			chinese++
		} else {
			other++
		}
	}
	return (chinese*3 + other) / 4
}

// closedOrOpen: every object says whether it takes more fields, and output
// schemas take them.
func closedOrOpen(t *testing.T, name string, doc json.RawMessage) {
	t.Helper()
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			kinds, _ := v["type"].([]any)
			if v["type"] == "object" || slices.Contains(kinds, any("object")) {
				if _, ok := v["additionalProperties"].(bool); !ok {
					t.Errorf("%s: an object does not state additionalProperties: %v", name, v)
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	var tree any
	if err := json.Unmarshal(doc, &tree); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	walk(tree)
}

// TestCodesAreTotal: every core code has a published one, and domain codes pass.
func TestCodesAreTotal(t *testing.T) {
	want := map[string]string{
		"invalid_request": "MCP_REQUEST_INVALID", "invalid_arguments": "MCP_REQUEST_INVALID", "invalid_result": "MCP_RESULT_INVALID",
		"unauthenticated": "MCP_AUTH_INVALID", "insufficient_scope": "MCP_PERMISSION_DENIED", "permission_denied": "MCP_PERMISSION_DENIED",
		"not_found": "MCP_TOOL_NOT_FOUND", "conflict": "MCP_CONFLICT", "risk_denied": "MCP_TOOL_DISABLED",
		"confirmation_required": "MCP_REQUEST_INVALID", "idempotency_required": "MCP_CONFLICT", "idempotency_pending": "MCP_CONFLICT",
		"timeout": "MCP_TIMEOUT", "canceled": "MCP_TIMEOUT", "rate_limited": "MCP_RATE_LIMITED", "audit_unavailable": "MCP_AUDIT_UNAVAILABLE",
		"internal_error": "MCP_INTERNAL_ERROR",
		"":               "MCP_INTERNAL_ERROR", "SOURCE_MESSAGE_NOT_FOUND": "SOURCE_MESSAGE_NOT_FOUND",
	}
	var d hotel.Dialect
	for _, code := range agent.Codes() {
		if _, ok := want[code]; !ok {
			t.Errorf("core code %s has no case here", code)
		}
		if got := d.Code(code); !strings.HasPrefix(got, "MCP_") {
			t.Errorf("core code %s is published as %s", code, got)
		}
	}
	for code, published := range want {
		if got := d.Code(code); got != published {
			t.Errorf("%q is published as %s, want %s", code, got, published)
		}
	}
}

var trace = access.Trace{RequestID: "req-001", TraceID: "trace-001"}

func TestEnvelopes(t *testing.T) {
	var d hotel.Dialect
	denied := fault.New(fault.Unauthenticated, "AUTH_SIGNATURE_INVALID", "签名校验失败。", "The signature does not verify.")
	broken := fault.New(fault.Invalid, "invalid_arguments", "参数不符。", "Wrong arguments.").At(fault.Violation{Path: "/limit", Message: "at most 200"})
	busy := fault.New(fault.Limited, "rate_limited", "请稍后。", "Later.")
	busy.RetryAfter = 3
	secret := fault.As(errors.New("dial tcp 10.0.0.1: refused")).With(map[string]any{"host": "10.0.0.1"})
	odd := fault.New(fault.Conflict, "conflict", "冲突。", "Conflict.").With(map[string]any{"n": math.NaN()})
	for name, c := range map[string]struct {
		lang string
		f    *fault.Error
		want string
	}{
		"of the contract": {"zh", denied, `{"code":"AUTH_SIGNATURE_INVALID","message":"签名校验失败。","details":{}}`},
		"in English":      {"en", denied, `{"code":"AUTH_SIGNATURE_INVALID","message":"The signature does not verify.","details":{}}`},
		"violations":      {"en", broken, `{"code":"MCP_REQUEST_INVALID","message":"Wrong arguments.","details":{"violations":[{"path":"/limit","message":"at most 200"}]}}`},
		"waiting":         {"en", busy, `{"code":"MCP_RATE_LIMITED","message":"Later.","details":{"retry_after_seconds":3}}`},
		"internal tells nothing": {"en", secret,
			`{"code":"MCP_INTERNAL_ERROR","message":"Internal error. Try again later; if it persists, tell the operator the request_id.","details":{}}`},
		"details that do not marshal": {"en", odd, `{"code":"MCP_CONFLICT","message":"Conflict.","details":{}}`},
	} {
		got := d.Failure(trace, c.lang, c.f)
		want := `{"success":false,"request_id":"req-001","trace_id":"trace-001","data":null,"warnings":[],"error":` + c.want + `}`
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	got, err := d.Success(trace, "zh", json.RawMessage(`{"a":1}`), nil)
	want := `{"success":true,"request_id":"req-001","trace_id":"trace-001","data":{"a":1},"warnings":[],"error":null}`
	if err != nil || string(got) != want {
		t.Errorf("success: %s, %v; want %s", got, err, want)
	}
	if _, err := d.Success(trace, "zh", json.RawMessage(`{`), nil); err == nil {
		t.Error("data that is no JSON was wrapped")
	}
}

// TestRefusalsFitEveryOutputSchema: a strict client accepts an error of any tool.
// TestSuccessIsTheEnvelope: what is put together by hand is what the type says.
func TestSuccessIsTheEnvelope(t *testing.T) {
	for _, warnings := range [][]agent.Warning{{}, {{Code: "W", Message: "小心 <b>"}}} {
		trace := access.Trace{RequestID: `r"1<`, TraceID: "t\u2028"}
		want, err := json.Marshal(hotel.Envelope{Success: true, RequestID: trace.RequestID, TraceID: trace.TraceID, Data: json.RawMessage(`{"a":[1,"中"]}`), Warnings: warnings})
		if err != nil {
			t.Fatal(err)
		}
		got, err := hotel.Dialect{}.Success(trace, "zh", json.RawMessage(`{"a":[1,"中"]}`), warnings)
		if err != nil || string(got) != string(want) {
			t.Errorf("%v\n%s\n%s", err, got, want)
		}
	}
}

func TestRefusalsFitEveryOutputSchema(t *testing.T) {
	body := hotel.Dialect{}.Failure(trace, "zh", intake.ErrPayloadInvalid.At(fault.Violation{Path: "/x", Code: "Y", Message: "z"}))
	for _, tool := range tools() {
		s, err := agent.CompileSchema(tool.OutputSchema)
		if err != nil {
			t.Fatalf("%s: %v", tool.Name, err)
		}
		if v := s.Validate(body); len(v) > 0 {
			t.Errorf("%s: %v", tool.Name, v)
		}
	}
}
