package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/hotel"
)

// answer is what a door said, as far as the two must agree.
type answer struct {
	status   int
	code     string // of the refusal, "" on success
	envelope []byte // nil where a door answers in its protocol's own shape
	refused  bool
}

// overREST calls a tool's HTTP twin.
func (w *world) overREST(t *testing.T, path, token, lang, args string) answer {
	t.Helper()
	status, body := w.post(t, path, token, lang, args)
	return answer{status: status, code: find(member(t, body, "error"), "code"), envelope: body, refused: status != http.StatusOK}
}

// overMCP calls the tool itself.
func (w *world) overMCP(t *testing.T, tool, token, lang, args string) answer {
	t.Helper()
	status, body := w.post(t, hotel.Path, token, lang,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+`}}`)
	var res struct {
		Result *struct {
			IsError           bool
			StructuredContent json.RawMessage
			Content           []struct{ Text string }
		}
	}
	must(t, json.Unmarshal(body, &res))
	if res.Result == nil { // a 401 has no result
		return answer{status: status, code: find(member(t, body, "error"), "code"), refused: true}
	}
	r := res.Result
	if last := r.Content[len(r.Content)-1].Text; last != string(r.StructuredContent) {
		t.Errorf("%s: the text is not the structured content\n%s\n%s", tool, last, r.StructuredContent)
	}
	return answer{status: status, code: find(member(t, r.StructuredContent, "error"), "code"), envelope: r.StructuredContent, refused: r.IsError}
}

func (w *world) post(t *testing.T, path, token, lang, body string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, w.access.BaseURL+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Accept-Language", lang)
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	must(t, err)
	return res.StatusCode, b
}

func member(t *testing.T, doc []byte, name string) any {
	t.Helper()
	m, _ := decoded(t, doc).(map[string]any)
	return m[name]
}

// sameCall is one input for both doors. want is the code both must answer, ""
// for success; token stands for SuperAgent's.
type sameCall struct {
	name, tool, args, want string
	token                  string
}

func parityCalls(w *world, t *testing.T) []sameCall {
	t.Helper()
	narrow := w.token(t, w.serviceAccount(t, "narrow", access.RoleSuperAgent), access.MessageOriginal.Scope).Token
	feed := w.token(t, w.serviceAccount(t, "feed", access.RoleMailBus), access.SuperAgentScopes()...).Token
	good := map[string]string{
		hotel.ToolCaseContext: `{"confirmation_number":"4032077"}`, hotel.ToolObjectDetail: `{"object_id":"` + w.orderID(t, "4032077") + `"}`,
		hotel.ToolConversationTasks:    `{"source_message_id":"agentbus-ext-0006"}`,
		hotel.ToolConversationMessages: `{"source_message_id":"agentbus-ext-0006"}`,
		hotel.ToolSubmit:               pkg(t, 6, "replayed"),
	}
	var out []sameCall
	for _, tool := range hotel.Tools() {
		args := good[tool]
		out = append(out, sameCall{"success", tool, args, "", ""},
			sameCall{"scope missing", tool, args, "MCP_PERMISSION_DENIED", narrow},
			sameCall{"role too weak", tool, args, "MCP_PERMISSION_DENIED", feed},
			sameCall{"wrong token", tool, args, "MCP_AUTH_INVALID", "thh_nonsense"})
	}
	big := `{"hotel_id":"` + strings.Repeat("x", 64<<10) + `"}`
	return append(out,
		sameCall{"several", hotel.ToolCaseContext, `{"group_code":"NORDIC0227"}`, "", ""},
		sameCall{"nothing found", hotel.ToolCaseContext, `{"confirmation_number":"999"}`, "", ""},
		sameCall{"evidence only", hotel.ToolCaseContext, `{"confirmation_number":"4032077","body_thread_used_only_as_evidence":true}`, "", ""},
		sameCall{"no key", hotel.ToolCaseContext, `{}`, "CASE_KEY_REQUIRED", ""},
		sameCall{"number as a key", hotel.ToolCaseContext, `{"confirmation_number":4032077}`, "MCP_REQUEST_INVALID", ""},
		sameCall{"too large", hotel.ToolCaseContext, big, "MCP_REQUEST_INVALID", ""},
		sameCall{"another hotel", hotel.ToolCaseContext, `{"group_code":"X","hotel_id":"1"}`, "HOTEL_MISMATCH", ""},
		sameCall{"argument missing", hotel.ToolObjectDetail, `{}`, "MCP_REQUEST_INVALID", ""},
		sameCall{"unknown argument", hotel.ToolObjectDetail, `{"object_id":"ORDER:1","id":"1"}`, "MCP_REQUEST_INVALID", ""},
		sameCall{"no such order", hotel.ToolObjectDetail, `{"object_id":"ORDER:0199f000-0000-7000-8000-000000000009"}`, "OBJECT_NOT_FOUND", ""},
		sameCall{"other type", hotel.ToolObjectDetail, `{"object_id":"TASK:1"}`, "OBJECT_TYPE_UNSUPPORTED", ""},
		sameCall{"limit too large", hotel.ToolConversationTasks, `{"source_message_id":"x","limit":201}`, "MCP_REQUEST_INVALID", ""},
		sameCall{"limit of a string", hotel.ToolConversationMessages, `{"source_message_id":"x","limit":"1"}`, "MCP_REQUEST_INVALID", ""},
		sameCall{"first of many", hotel.ToolConversationMessages, `{"external_conversation_id":"conv-nordic-2027","limit":1}`, "", ""},
		sameCall{"foreign cursor", hotel.ToolConversationMessages, `{"external_conversation_id":"conv-nordic-2027","cursor":"x"}`, "CURSOR_INVALID", ""},
		sameCall{"nothing to go by", hotel.ToolConversationTasks, `{}`, "CONVERSATION_KEY_REQUIRED", ""},
		sameCall{"unknown mail", hotel.ToolConversationTasks, `{"source_message_id":"agentbus-ext-9999"}`, "SOURCE_MESSAGE_NOT_FOUND", ""},
		sameCall{"old package", hotel.ToolSubmit, `{"case_candidates":[]}`, "MCP_SUBMIT_V4_REQUIRED", ""},
		sameCall{"broken package", hotel.ToolSubmit, strings.Replace(pkg(t, 6, "x"), `"message_events":[`, `"message_events":1,"x":[`, 1), "MCP_SUBMIT_PAYLOAD_INVALID", ""},
		sameCall{"unknown mail", hotel.ToolSubmit, strings.Replace(pkg(t, 6, "x"), "ext-0006", "ext-9999", 1), "SOURCE_MESSAGE_NOT_FOUND", ""},
	)
}

// compare runs one input through both doors.
func (w *world) compare(t *testing.T, c sameCall, lang string) {
	t.Helper()
	info, ok := w.Registry.Lookup(c.tool)
	if !ok || info.REST == "" {
		t.Fatalf("%s has no HTTP twin", c.tool)
	}
	if c.token == "" {
		c.token = w.access.SuperAgentToken
	}
	viaREST := w.overREST(t, info.REST, c.token, lang, c.args)
	viaMCP := w.overMCP(t, c.tool, c.token, lang, c.args)
	agree(t, c, viaREST, viaMCP)
}

func agree(t *testing.T, c sameCall, viaREST, viaMCP answer) {
	t.Helper()
	if viaREST.code != viaMCP.code || viaREST.code != c.want {
		t.Errorf("REST answers %q, MCP %q, want %q: %.300s", viaREST.code, viaMCP.code, c.want, viaREST.envelope)
	}
	if viaREST.refused != viaMCP.refused || viaREST.refused != (viaREST.code != "") {
		t.Errorf("refused: REST %v (status %d), MCP %v, code %q", viaREST.refused, viaREST.status, viaMCP.refused, viaREST.code)
	}
	if viaMCP.envelope == nil {
		if viaMCP.status != viaREST.status || viaMCP.status != http.StatusUnauthorized {
			t.Errorf("no envelope over MCP, status %d; REST %d", viaMCP.status, viaREST.status)
		}
		return
	}
	if diff := cmp.Diff(withoutIDs(t, viaREST.envelope), withoutIDs(t, viaMCP.envelope)); diff != "" {
		t.Errorf("-REST +MCP\n%s", diff)
	}
}

// withoutIDs drops the two ids that differ from call to call, and nothing else.
func withoutIDs(t *testing.T, envelope []byte) any {
	t.Helper()
	m, _ := decoded(t, envelope).(map[string]any)
	for _, id := range []string{"request_id", "trace_id"} {
		if s, ok := m[id].(string); !ok || s == "" {
			t.Errorf("no %s in %.300s", id, envelope)
		}
		delete(m, id)
	}
	return m
}

// TestParity: the same input gives the same answer through either door.
func TestParity(t *testing.T) {
	w := newWorld(t)
	if out := w.overMCP(t, hotel.ToolSubmit, w.access.SuperAgentToken, "zh", pkg(t, 6, "replayed")); out.refused {
		t.Fatalf("%s", out.envelope)
	}
	calls := parityCalls(w, t)
	for _, tool := range hotel.Tools() {
		if n := len(slices.DeleteFunc(slices.Clone(calls), func(c sameCall) bool { return c.tool != tool })); n < 5 {
			t.Errorf("%s is called %d times", tool, n)
		}
	}
	for _, c := range calls {
		for _, lang := range []string{"zh", "en"} {
			t.Run(strings.ReplaceAll(c.tool+" "+c.name+" "+lang, " ", "_"), func(t *testing.T) { w.compare(t, c, lang) })
		}
	}
	for _, tool := range hotel.Tools() {
		t.Run(tool+"_switched_off", func(t *testing.T) {
			must(t, w.Executor.SetSwitch(context.Background(), w.by, tool, false))
			w.compare(t, sameCall{tool: tool, args: firstArgs(calls, tool), want: "MCP_TOOL_DISABLED"}, "zh")
		})
	}
}

func firstArgs(calls []sameCall, tool string) string {
	return calls[slices.IndexFunc(calls, func(c sameCall) bool { return c.tool == tool })].args
}

var (
	uuids     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	revisions = regexp.MustCompile(`("revision":|第 )\d+`)
)

// TestParityOfFirstSubmission: what is new through one door is new through the
// other, in the same words. The mails' texts differ, so the ids and revisions do.
func TestParityOfFirstSubmission(t *testing.T) {
	w := newWorld(t)
	info, _ := w.Registry.Lookup(hotel.ToolSubmit)
	token := w.access.SuperAgentToken
	for _, mail := range []int{4, 7, 10, 12} { // an order, an ambiguous one, a notice, three orders
		t.Run(strconv.Itoa(mail), func(t *testing.T) {
			if first := w.overMCP(t, hotel.ToolSubmit, token, "zh", pkg(t, mail, "0")); first.refused {
				t.Fatalf("%s", first.envelope)
			}
			viaREST := w.overREST(t, info.REST, token, "zh", pkg(t, mail, "1"))
			viaMCP := w.overMCP(t, hotel.ToolSubmit, token, "zh", pkg(t, mail, "2"))
			if !bytes.Contains(viaREST.envelope, []byte(`"idempotent_replay":false`)) {
				t.Errorf("not new: %s", viaREST.envelope)
			}
			viaREST.envelope, viaMCP.envelope = inOrder(viaREST.envelope), inOrder(viaMCP.envelope)
			agree(t, sameCall{}, viaREST, viaMCP)
		})
	}
}

// inOrder names ids by their order of appearance, and takes revisions out.
func inOrder(envelope []byte) []byte {
	seen := map[string]string{}
	envelope = uuids.ReplaceAllFunc(envelope, func(id []byte) []byte {
		if seen[string(id)] == "" {
			seen[string(id)] = "id-" + strconv.Itoa(len(seen))
		}
		return []byte(seen[string(id)])
	})
	return revisions.ReplaceAll(envelope, []byte("${1}0"))
}
