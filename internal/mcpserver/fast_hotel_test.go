package mcpserver_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/app/apptest"
	"thhotel/internal/casequery"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/intake"
	"thhotel/internal/mcpserver"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// newHotelKit is the door and its twin over the five tools and the demo hotel.
func newHotelKit(t *testing.T) (*kit, *apptest.World) {
	t.Helper()
	w, k := apptest.New(t, testkit.DB(t)), &kit{}
	registry := agent.NewRegistry()
	for _, tool := range append(casequery.Tools(w.Cases), intake.Tools(w.Intake)...) {
		_, err := registry.Register(tool)
		apptest.Must(t, err)
	}
	executor, err := agent.NewExecutor(agent.Options{DB: w.DB, Clock: w.Clock, Registry: registry, Services: []agent.Service{hotel.Service("test")},
		Auth: w.Platform, Audit: w.Audit})
	apptest.Must(t, err)
	a, err := w.Platform.CreateServiceAccount(context.Background(), w.System, platform.AccountParams{Name: "agent", Role: access.RoleSuperAgent})
	apptest.Must(t, err)
	issued, err := w.Platform.IssueToken(context.Background(), w.System, platform.IssueParams{SubjectID: a.ID, Name: "t", Scopes: access.SuperAgentScopes(), Audience: hotel.Path})
	apptest.Must(t, err)
	k.token = issued.Token
	k.openDoors(t, mcpserver.New, mcpserver.Options{Executor: executor, Registry: registry, Service: hotel.Name, Clock: w.Clock, MaxBody: 10 << 20})
	return k, w
}

// TestFastPathHotel sends the five tools both ways: packages as they come in, the
// same again, orders by every key and in full, and every conversation, with what
// is wrong beside what is right.
func TestFastPathHotel(t *testing.T) {
	k, w := newHotelKit(t)
	for _, args := range hotelCalls(t, w) { // packages are new once only
		body, headers := message(v2025, "tools/call", `"name":"`+hotel.ToolSubmit+`","arguments":`+args)
		letter{body: body, header: k.header(headers...)}.deliver(k.door)
	}
	for _, version := range []string{v2026, v2025, ""} {
		call := func(tool, args string) string {
			body, headers := message(version, "tools/call", `"name":"`+tool+`","arguments":`+args)
			return k.bothWays(t, letter{body: body, header: k.header(append(headers, "Mcp-Protocol-Version", version)...)}).Body.String()
		}
		for _, args := range hotelCalls(t, w) {
			for _, tool := range hotel.Tools() {
				call(tool, args)
			}
		}
		body, headers := message(version, "tools/list", "")
		k.bothWays(t, letter{body: body, header: k.header(append(headers, "Mcp-Protocol-Version", version)...)})
		if got := call(hotel.ToolCaseContext, `{"confirmation_number":"`+anOrder(t, "confirmation_number")+`"}`); !strings.Contains(got, "ORDER:") {
			t.Errorf("nothing was found: %s", got)
		}
	}
	if n := k.toSDK.Load(); n != 1 { // the newest revision's first
		t.Errorf("%d requests went to the SDK", n)
	}
}

// hotelCalls are arguments of every tool; each is sent to all of them.
func hotelCalls(t *testing.T, w *apptest.World) []string {
	t.Helper()
	out := []string{`{}`, `{"hotel_id":"` + w.Hotel.ID + `","group_code":"nothing"}`, `{"object_id":"ORDER:` + w.Hotel.ID + `"}`, `{"object_id":"` + strings.Repeat("x", 300) + `"}`}
	for _, key := range []string{"group_code", "confirmation_number", "reservation_no"} {
		if v := anOrder(t, key); v != "" {
			out = append(out, `{"`+key+`":"`+v+`"}`, `{"`+key+`":" `+strings.ToLower(v)+` ","body_thread_used_only_as_evidence":true}`)
		}
	}
	var mails []struct {
		ConversationID string `json:"conversation_id"`
		ID             string `json:"source_message_id"`
	}
	apptest.Decode(t, apptest.File(t, "manifest.json"), &mails)
	for _, m := range mails[:4] {
		out = append(out, `{"external_conversation_id":"`+m.ConversationID+`","limit":2}`, `{"source_message_id":"`+m.ID+`"}`)
	}
	packages, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "demo", "data", "*.v4.json"))
	apptest.Must(t, err)
	for _, f := range packages[:4] {
		out = append(out, string(apptest.File(t, filepath.Base(f))))
	}
	return out
}

// anOrder is a key of one of the demo's orders.
func anOrder(t *testing.T, key string) string {
	t.Helper()
	var s struct{ Orders []map[string]any }
	apptest.Decode(t, apptest.File(t, "orders.seed.json"), &s)
	for _, o := range s.Orders {
		if v, _ := o[key].(string); v != "" && o["created_by_mail"] == nil {
			return v
		}
	}
	return ""
}

// FuzzMembers holds the door's own readers against others: what agent.WellFormed
// accepts, httpd.CheckJSON accepts too, and encoding/json finds the same members.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{"a":1,"b":{"c":[1,"}"]},"d":"\"","e":null}`, ` {} `, `{"\u0061" : true , "b":-1.5e3}`, `{"a":"\\","b":[]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		var want map[string]json.RawMessage
		if agent.WellFormed(doc) && httpd.CheckJSON(doc, httpd.MaxDepth) != nil {
			t.Fatalf("%q is well formed to one and not to the other", doc)
		}
		if !agent.WellFormed(doc) || json.Unmarshal(doc, &want) != nil || want == nil {
			t.Skip("no object")
		}
		got := mcpserver.Members(doc)
		if len(got) != len(want) {
			t.Fatalf("%d members of %q, want %d", len(got), doc, len(want))
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Errorf("%q: %q is %q, want %q", doc, name, got[name], value)
			}
		}
	})
}
