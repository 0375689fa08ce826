package hotel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
	"thhotel/internal/intake"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// TestRefusalsThroughTheExecutor: each refusal has the contract's code, fits the
// output schema and says what to do.
func TestRefusalsThroughTheExecutor(t *testing.T) {
	d := newDoor(t, testkit.DB(t))
	narrow := d.tokenWith(t, access.ConversationRead.Scope)
	pkg := string(file(t, "01-group-new-nordic-choir.v4.json"))
	for name, c := range map[string]struct{ token, tool, args, code, details string }{
		"no credential":      {"", hotel.ToolCaseContext, `{"group_code":"X"}`, "MCP_AUTH_INVALID", "reason"},
		"wrong credential":   {"thh_nonsense", hotel.ToolCaseContext, `{"group_code":"X"}`, "MCP_AUTH_INVALID", "reason"},
		"scope missing":      {narrow, hotel.ToolCaseContext, `{"group_code":"X"}`, "MCP_PERMISSION_DENIED", "required_scope"},
		"no such tool":       {d.token, "th_hotel_delete_everything", `{}`, "MCP_TOOL_NOT_FOUND", `{}`},
		"number as a key":    {d.token, hotel.ToolCaseContext, `{"confirmation_number":4032077}`, "MCP_REQUEST_INVALID", `"path":"/confirmation_number"`},
		"unknown argument":   {d.token, hotel.ToolObjectDetail, `{"object_id":"ORDER:1","id":"1"}`, "MCP_REQUEST_INVALID", `"path":"/id"`},
		"argument missing":   {d.token, hotel.ToolObjectDetail, `{}`, "MCP_REQUEST_INVALID", "object_id"},
		"limit too large":    {d.token, hotel.ToolConversationTasks, `{"source_message_id":"x","limit":201}`, "MCP_REQUEST_INVALID", `"path":"/limit"`},
		"duplicate argument": {d.token, hotel.ToolCaseContext, `{"group_code":"A","group_code":"B"}`, "MCP_REQUEST_INVALID", "violations"},
		"no JSON object":     {d.token, hotel.ToolSubmit, `[]`, "MCP_REQUEST_INVALID", "violations"},
		"duplicate field":    {d.token, hotel.ToolSubmit, `{"route_code":null,"route_code":"S10"}`, "MCP_REQUEST_INVALID", "violations"},
		"old package":        {d.token, hotel.ToolSubmit, `{"case_candidates":[]}`, "MCP_SUBMIT_V4_REQUIRED", "expected_root_fields"},
		"unknown mail":       {d.token, hotel.ToolSubmit, strings.Replace(pkg, "ext-0001", "ext-9999", 1), "SOURCE_MESSAGE_NOT_FOUND", `{}`},
		"domain refusal":     {d.token, hotel.ToolObjectDetail, `{"object_id":"TASK:1"}`, "OBJECT_TYPE_UNSUPPORTED", `{}`},
		"another hotel":      {d.token, hotel.ToolCaseContext, `{"group_code":"X","hotel_id":"1"}`, "HOTEL_MISMATCH", `{}`},
	} {
		d.token, c.token = c.token, d.token
		out := d.call(c.tool, []byte(c.args))
		d.token = c.token
		var env hotel.Envelope
		decode(t, out.Body, &env)
		if env.Success || env.Error == nil || env.Error.Code != c.code || env.Error.Message == "" || env.RequestID != "req-001" {
			t.Errorf("%s: %s, want %s", name, out.Body, c.code)
			continue
		}
		details, err := json.Marshal(env.Error.Details)
		must(t, err)
		if !strings.Contains(string(details), c.details) {
			t.Errorf("%s: details %s, want %s in them", name, details, c.details)
		}
		if i := slices.Index(hotel.Tools(), c.tool); i >= 0 {
			fits(t, name, tools()[i].OutputSchema, out.Body)
		}
	}
}

func (d *door) tokenWith(t *testing.T, scopes ...string) string {
	t.Helper()
	account, err := d.Platform.CreateServiceAccount(context.Background(), d.System, platform.AccountParams{Name: "narrow", Role: access.RoleSuperAgent})
	must(t, err)
	issued, err := d.Platform.IssueToken(context.Background(), d.System, platform.IssueParams{SubjectID: account.ID, Name: "narrow", Scopes: scopes, Audience: hotel.Path})
	must(t, err)
	return issued.Token
}

// TestToolsListForThisCaller: five tools in the contract's order, fewer for a
// token that may do less.
func TestToolsListForThisCaller(t *testing.T) {
	d := newDoor(t, testkit.DB(t))
	for token, want := range map[string][]string{
		d.token: hotel.Tools(),
		d.tokenWith(t, access.ConversationRead.Scope): {hotel.ToolConversationTasks},
	} {
		list, revision, err := d.executor.Visible(context.Background(), agent.Credential{Token: token, Audience: hotel.Path}, access.Trace{RequestID: "r"}, hotel.Name)
		must(t, err)
		var got []string
		for _, tool := range list {
			got = append(got, tool.Name)
		}
		if !slices.Equal(got, want) || revision == "" {
			t.Errorf("tools %v, revision %q; want %v", got, revision, want)
		}
	}
}

// TestSubmitTogether: the same package through the executor from several sides at
// once is written once; whoever comes too early is told to come again.
func TestSubmitTogether(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		d := newDoor(t, db)
		pkg := file(t, "12-wholesaler-sheet-three-orders.v4.json")
		outs := make([]agent.Outcome, 4)
		var wg sync.WaitGroup
		for i := range outs {
			wg.Go(func() { outs[i] = d.call(hotel.ToolSubmit, pkg) })
		}
		wg.Wait()
		fresh := 0
		for _, o := range outs {
			switch {
			case o.Fault != nil && o.Fault.Code != "MCP_CONFLICT":
				t.Errorf("refused: %v", o.Fault)
			case o.Fault == nil && !o.Replayed:
				fresh++
			}
		}
		again := d.call(hotel.ToolSubmit, pkg)
		var env struct{ Data intake.SubmitResult }
		decode(t, again.Body, &env)
		if fresh != 1 || !again.Replayed || !env.Data.IdempotentReplay || env.Data.AcceptedCount != 3 {
			t.Errorf("%d fresh answers, then %s; want one, then a replay", fresh, again.Body)
		}
		for table, want := range map[string]int{"ai_transition_batch": 1, "ai_transition": 3, "order_card": 3} {
			var n int
			must(t, db.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM "+table).Scan(&n))
			if n != want {
				t.Errorf("%s has %d rows, want %d", table, n, want)
			}
		}
	})
}

// TestLargestPackage: as many events as are taken, each wrong in many places,
// still give one answer.
func TestLargestPackage(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		d := newDoor(t, db)
		rooms := strings.Repeat(`{"room_type_code":9,"room_count":"x"},`, 50)
		event := `{"order_ref":"ORD-1","event_type":"NEW_BOOKING","target_order":{"booking_type":"x","locator_type":"y","locator_value":1},"manual_review":0,"room_items":[` + strings.TrimSuffix(rooms, ",") + `]}`
		pkg := func(events int) []byte {
			return []byte(fmt.Sprintf(`{"route_code":null,"source_message":{"source_message_id":"agentbus-ext-0001","subject":null,"sender":null,"sent_at":null,"body":null,"body_content_type":"text/plain","attachments":[]},
				"order_contexts":[{"order_ref":"ORD-1","basic_information":{"account_code":null,"manual_review":null}}],"message_events":[%s]}`,
				strings.TrimSuffix(strings.Repeat(event+",", events), ",")))
		}
		out := d.call(hotel.ToolSubmit, pkg(500))
		var env struct{ Data intake.SubmitResult }
		decode(t, out.Body, &env)
		if out.Fault != nil || env.Data.AcceptedCount != 500 || len(env.Data.Items[499].AdapterContractError) != 4 {
			t.Fatalf("%v, %d accepted, %d bytes", out.Fault, env.Data.AcceptedCount, len(out.Body))
		}
		if last := env.Data.Items[499].AdapterContractError[3]; last.Code != intake.CodeMoreErrors || last.Path != "/message_events/499" {
			t.Errorf("last complaint %+v", last)
		}
		if out := d.call(hotel.ToolSubmit, pkg(501)); out.Fault == nil || out.Fault.Code != intake.CodePayloadInvalid {
			t.Errorf("501 events: %v, want %s", out.Fault, intake.CodePayloadInvalid)
		}
	})
}

// TestDataSpeaksTheCallsLanguage: what stands inside data is in the language of the envelope.
func TestDataSpeaksTheCallsLanguage(t *testing.T) {
	d := newDoor(t, testkit.DB(t))
	for lang, chinese := range map[string]bool{"": true, "zh": true, "en": false} {
		out := d.executor.Do(context.Background(), agent.Call{Tool: hotel.ToolCaseContext, Service: hotel.Name, Lang: lang,
			Arguments:  json.RawMessage(`{"confirmation_number":"4032001","target_key_source":"body_thread_evidence","object_type_hint":"GROUP"}`),
			Credential: agent.Credential{Token: d.token, Audience: hotel.Path}, Trace: access.Trace{RequestID: "r", TraceID: "t", Adapter: "mcp"}})
		var env struct {
			Data struct {
				Warnings   []agent.Warning
				Validation struct{ Reasons []struct{ Message string } } `json:"target_object_validation"`
			}
		}
		decode(t, out.Body, &env)
		texts := []string{out.Summary}
		for _, w := range env.Data.Warnings {
			texts = append(texts, w.Message)
		}
		for _, r := range env.Data.Validation.Reasons {
			texts = append(texts, r.Message)
		}
		if len(texts) < 5 {
			t.Fatalf("%q: only %v", lang, texts)
		}
		for _, text := range texts {
			if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) != chinese {
				t.Errorf("asked for %q: %s", lang, text)
			}
		}
	}
}
