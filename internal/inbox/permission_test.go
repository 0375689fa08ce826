package inbox_test

import (
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// Every use case refuses a caller whose role or scope lacks its permission.
func TestPermissions(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := w.deliver(t, inbox.DeliverParams{ExternalMessageID: "x", ExternalConversationID: "c", Raw: mailing("", "a@a.example", "x")})
	conv := inbox.ConversationParams{ConversationID: "c"}
	calls := map[string]func(by access.Caller) error{
		"Deliver":    func(by access.Caller) error { _, err := w.Deliver(ctx, by, inbox.DeliverParams{}); return err },
		"DeliverBus": func(by access.Caller) error { _, err := w.DeliverBus(ctx, by, []byte("{}")); return err },
		"ImportPath": func(by access.Caller) error { _, err := w.ImportPath(ctx, by, "."); return err },
		"ImportReader": func(by access.Caller) error {
			_, err := w.ImportReader(ctx, by, "x.eml", strings.NewReader("x"))
			return err
		},
		"Locate":           func(by access.Caller) error { _, err := w.Locate(ctx, by, "x"); return err },
		"Get":              func(by access.Caller) error { _, err := w.Get(ctx, by, id); return err },
		"GetMany":          func(by access.Caller) error { _, err := w.GetMany(ctx, by, []string{id}); return err },
		"List":             func(by access.Caller) error { _, _, err := w.List(ctx, by, inbox.ListParams{}); return err },
		"Facts":            func(by access.Caller) error { _, err := w.Facts(ctx, by, id); return err },
		"ReadBody":         func(by access.Caller) error { _, _, err := w.ReadBody(ctx, by, id, ""); return err },
		"Conversation":     func(by access.Caller) error { _, err := w.Conversation(ctx, by, conv); return err },
		"ReadConversation": func(by access.Caller) error { _, _, err := w.ReadConversation(ctx, by, conv); return err },
		"OpenOriginal":     func(by access.Caller) error { _, _, err := w.OpenOriginal(ctx, by, id); return err },
		"OpenAttachment":   func(by access.Caller) error { _, _, err := w.OpenAttachment(ctx, by, id, "x"); return err },
		"Preview":          func(by access.Caller) error { _, _, err := w.Preview(ctx, by, id, "x"); return err },
		"Table":            func(by access.Caller) error { _, _, err := w.Table(ctx, by, id, "x"); return err },
		"RecordShown":      func(by access.Caller) error { return w.RecordShown(ctx, by, id, "x", "y") },
		"Accesses":         func(by access.Caller) error { _, err := w.Accesses(ctx, by, id, "", 0); return err },
	}
	unscoped := access.AsSystem(hotel, "x")
	unscoped.Scopes = []string{}
	for name, call := range calls {
		wantCode(t, name+" without the role", call(nobody), access.CodePermission)
		wantCode(t, name+" without the scope", call(unscoped), access.CodeScope)
	}
	submitter := robot
	submitter.Scopes = []string{access.TaskResultSubmit.Scope}
	for _, name := range []string{"Locate", "Get", "GetMany", "Facts"} {
		if err := calls[name](submitter); err != nil {
			t.Errorf("%s for one who may only submit: %v", name, err)
		}
	}
	wantCode(t, "ReadBody for one who may only submit", calls["ReadBody"](submitter), access.CodeScope)
}

func TestList(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for _, s := range []struct{ ext, from, subject string }{
			{"1", "Priya <priya@siamlink.example>", "Group 100% NORDIC_0227"}, {"2", "li@yuntu.example", "预订申请 王小明"}, {"3", "a@a.example", "Groupe"},
		} {
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: "ext-" + s.ext, ReceivedAt: testkit.Now, Raw: []byte("From: " + s.from + "\r\nSubject: " + s.subject + "\r\nContent-Type: text/plain; charset=utf-8\r\nReply-To: x@elsewhere.example\r\n\r\nbody")})
		}
		for name, c := range map[string]struct {
			p    inbox.ListParams
			want string
		}{
			"all, newest first": {inbox.ListParams{}, "3 2 1"}, "any case": {inbox.ListParams{Search: "GROUP"}, "3 1"}, "all words": {inbox.ListParams{Search: "siamlink nordic"}, "1"},
			"percent is itself": {inbox.ListParams{Search: "100%"}, "1"}, "underscore is itself": {inbox.ListParams{Search: "c_0"}, "1"}, "no wildcard": {inbox.ListParams{Search: "gr%p"}, ""},
			"chinese": {inbox.ListParams{Search: "王小明"}, "2"}, "external id": {inbox.ListParams{Search: "ext-3"}, "3"}, "bodies too": {inbox.ListParams{Search: "body"}, "3 2 1"}, "head and body": {inbox.ListParams{Search: "nordic body"}, "1"}, "reply to": {inbox.ListParams{Search: "elsewhere.example"}, "3 2 1"},
			"flag": {inbox.ListParams{Flag: inbox.FlagReplyElsewhere}, "3 2 1"}, "other flag": {inbox.ListParams{Flag: inbox.FlagBulk}, ""}, "part of a flag": {inbox.ListParams{Flag: "REPLY"}, ""},
			"since": {inbox.ListParams{Since: testkit.Now}, "3 2 1"}, "until": {inbox.ListParams{Until: testkit.Now}, ""}, "provider": {inbox.ListParams{Provider: "agentbus"}, "3 2 1"}, "other channel": {inbox.ListParams{Channel: "CHAT"}, ""},
		} {
			var got []string
			for more := true; more; {
				c.p.Limit = 1
				page, next, err := w.List(ctx, robot, c.p)
				if err != nil || len(page) > 1 {
					t.Fatalf("%s: %d messages, %v", name, len(page), err)
				}
				for _, m := range page {
					got = append(got, strings.TrimPrefix(m.ExternalMessageID, "ext-"))
				}
				c.p.Cursor, more = next, next != ""
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("%s: %q, want %q", name, s, c.want)
			}
		}
		if page, _, err := w.List(ctx, other, inbox.ListParams{}); err != nil || len(page) != 0 {
			t.Errorf("another hotel sees %d messages, %v", len(page), err)
		}
		_, _, err := w.List(ctx, robot, inbox.ListParams{Cursor: "!"})
		wantCode(t, "cursor", err, "CURSOR_INVALID")
	})
}
