package inbox_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

func TestConversationIsFoundWhereItLives(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		put := func(provider, channel, ext, conv string) {
			w.deliver(t, inbox.DeliverParams{Provider: provider, Channel: channel, ExternalMessageID: ext, ExternalConversationID: conv, ReceivedAt: testkit.Now, Raw: mailing("", "a@a.example", "x "+provider+channel+ext)})
		}
		put("", "", "default", "conv-default")
		put("OUTLOOK", "EMAIL", "default", "conv-default")
		put("OUTLOOK", "EMAIL", "outlook", "conv-outlook")
		put("OUTLOOK", "CHAT", "two", "conv-two")
		put("IMPORT", "EMAIL", "two", "conv-two")
		type params = inbox.ConversationParams
		for name, c := range map[string]struct {
			p        params
			want     string // provider/channel/conversation of n
			resolved bool
			code     string
		}{
			"defaults win":               {params{ConversationID: "conv-default"}, "AGENTBUS/EMAIL/conv-default of 1", false, ""},
			"by a message":               {params{ExternalMessageID: " default "}, "AGENTBUS/EMAIL/conv-default of 1", false, ""},
			"named place":                {params{ConversationID: "conv-default", Provider: "outlook"}, "OUTLOOK/EMAIL/conv-default of 1", false, ""},
			"only elsewhere":             {params{ConversationID: "conv-outlook"}, "OUTLOOK/EMAIL/conv-outlook of 1", true, ""},
			"a message only elsewhere":   {params{ExternalMessageID: "outlook"}, "OUTLOOK/EMAIL/conv-outlook of 1", true, ""},
			"in several places":          {params{ConversationID: "conv-two"}, "", false, "SOURCE_MESSAGE_AMBIGUOUS"},
			"a message in several":       {params{ExternalMessageID: "two"}, "", false, "SOURCE_MESSAGE_AMBIGUOUS"},
			"several, place named":       {params{ExternalMessageID: "two", Provider: "OUTLOOK", Channel: "CHAT"}, "OUTLOOK/CHAT/conv-two of 1", false, ""},
			"place named, not there":     {params{ConversationID: "conv-outlook", Provider: "AGENTBUS"}, "AGENTBUS/EMAIL/conv-outlook of 0", false, ""},
			"the id wins over a message": {params{ConversationID: "conv-outlook", ExternalMessageID: "default"}, "OUTLOOK/EMAIL/conv-outlook of 1", true, ""},
			"nothing anywhere":           {params{ConversationID: "conv-none"}, "AGENTBUS/EMAIL/conv-none of 0", false, ""},
			"no such message":            {params{ExternalMessageID: "none"}, "", false, "SOURCE_MESSAGE_NOT_FOUND"},
			"neither":                    {params{ConversationID: " "}, "", false, "CONVERSATION_KEY_REQUIRED"},
			"another hotel's id":         {params{ConversationID: "conv-default", HotelID: other.HotelID}, "", false, "HOTEL_MISMATCH"},
			"a foreign cursor":           {params{ConversationID: "conv-default", Cursor: "eA"}, "", false, "CURSOR_INVALID"},
		} {
			got, err := w.Conversation(ctx, robot, c.p)
			if c.code != "" {
				wantCode(t, name, err, c.code)
				_, _, err = w.ReadConversation(ctx, robot, c.p)
				wantCode(t, name+", with bodies", err, c.code)
				continue
			}
			if s := fmt.Sprintf("%s/%s/%s of %d", got.Provider, got.Channel, got.ConversationID, got.Total); err != nil || s != c.want || got.Resolved != c.resolved {
				t.Errorf("%s: %s resolved %v, %v; want %s resolved %v", name, s, got.Resolved, err, c.want, c.resolved)
			}
		}
		if c, err := w.Conversation(ctx, other, params{ConversationID: "conv-default"}); err != nil || c.Total != 0 {
			t.Errorf("another hotel sees %d messages, %v", c.Total, err)
		}
		_, err := w.Locate(ctx, robot, "two")
		wantCode(t, "locate in several places", err, "SOURCE_MESSAGE_AMBIGUOUS")
		_, err = w.Locate(ctx, other, "outlook")
		wantCode(t, "locate another hotel's", err, "SOURCE_MESSAGE_NOT_FOUND")
	})
}

func TestConversationPages(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		const n = 23
		for i := range n {
			ext := fmt.Sprintf("m%02d", i)
			at := testkit.Now.Add(time.Duration(i/5) * time.Minute) // many at the same moment
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: ext, ExternalConversationID: "c", ReceivedAt: at, Raw: mailing("", "a@a.example", ext)})
		}
		p, got := inbox.ConversationParams{ConversationID: "c", Limit: 4}, []string{}
		for {
			c, bodies, err := w.ReadConversation(ctx, robot, p)
			if err != nil || c.Total != n || len(bodies) != len(c.Messages) || len(bodies) > 4 {
				t.Fatalf("page of %d, %d bodies, total %d, %v", len(c.Messages), len(bodies), c.Total, err)
			}
			for i, m := range c.Messages {
				if !strings.Contains(bodies[i].Text, m.ExternalMessageID) {
					t.Errorf("body %q beside message %s", bodies[i].Text, m.ExternalMessageID)
				}
				got = append(got, m.ExternalMessageID)
			}
			if p.Cursor = c.NextCursor; p.Cursor == "" {
				break
			}
		}
		for i, ext := range got {
			if ext != fmt.Sprintf("m%02d", i) {
				t.Fatalf("order %v", got)
			}
		}
		if len(got) != n {
			t.Errorf("%d messages over all pages, want %d", len(got), n)
		}
	})
}

// However large and hostile the bodies, one answer stays below 1 MiB, nothing is
// skipped, and what was cut says so.
func TestAnswersStaySmall(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		bodies := map[string]string{
			"ascii":   strings.Repeat("word and word ", 20_000),
			"angle":   strings.Repeat("<>&\"", 60_000),
			"chinese": strings.Repeat("酒店预订", 30_000),
			"emoji":   strings.Repeat("😀 ", 40_000),
			"html":    "<p>" + strings.Repeat("<b>bold &amp; &lt;text&gt;</b> ", 20_000),
		}
		n := 0
		for kind, body := range bodies {
			for range 4 {
				n++
				mime := "plain"
				if kind == "html" {
					mime = "html"
				}
				raw := "From: a@a.example\r\nSubject: " + kind + "\r\nMIME-Version: 1.0\r\nContent-Type: text/" + mime + "; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n" + body
				w.deliver(t, inbox.DeliverParams{ExternalMessageID: fmt.Sprint(n), ExternalConversationID: "c", ReceivedAt: testkit.Now, Raw: []byte(raw)})
			}
		}
		p, seen, pages := inbox.ConversationParams{ConversationID: "c", Limit: 200}, 0, 0
		for pages = 1; ; pages++ {
			c, bodies, err := w.ReadConversation(ctx, robot, p)
			if err != nil || len(bodies) == 0 {
				t.Fatalf("page %d: %d bodies, %v", pages, len(bodies), err)
			}
			size := 0
			for _, b := range bodies {
				text, _ := json.Marshal(b.Text)
				html, _ := json.Marshal(b.HTML)
				size += len(text) + len(html)
				if strings.LastIndexByte(b.HTML, '<') > strings.LastIndexByte(b.HTML, '>') || strings.Count(b.HTML, "<b>") != strings.Count(b.HTML, "</b>") {
					t.Errorf("HTML is cut inside a tag or left open: …%s", b.HTML[max(0, len(b.HTML)-40):])
				}
				if !b.Truncated || len(b.Text) > 64<<10 || len(b.HTML) > 64<<10 {
					t.Errorf("text %d and HTML %d bytes, truncated %v", len(b.Text), len(b.HTML), b.Truncated)
				}
			}
			if size > 900<<10 {
				t.Errorf("page %d carries %d bytes of JSON", pages, size)
			}
			seen += len(bodies)
			if p.Cursor = c.NextCursor; p.Cursor == "" {
				break
			}
		}
		if seen != n || w.count(t, "inbox_access", "1=1") != n {
			t.Errorf("%d of %d bodies on %d pages, %d access rows", seen, n, pages, w.count(t, "inbox_access", "1=1"))
		}
		t.Logf("%d large bodies took %d pages", n, pages)
	})
}

func TestNoBodyWithoutAccessRecord(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		id := w.deliver(t, inbox.DeliverParams{ExternalMessageID: "x", ExternalConversationID: "c", Raw: mailing("", "a@a.example", "secret")})
		if m, b, err := w.ReadBody(ctx, malee, id, "card 7"); err != nil || m.ID != id || !strings.Contains(b.Text, "secret") {
			t.Fatalf("ReadBody: %q %v", b.Text, err)
		}
		if n := w.count(t, "inbox_access", "message_id = ? AND why = 'card 7' AND adapter = 'pages' AND subject_id = 'st-1' AND hotel_id = ?", id, hotel); n != 1 {
			t.Errorf("%d access rows, want 1", n)
		}
		list, err := w.Accesses(ctx, malee, id, "", 0)
		if err != nil || len(list) != 1 || list[0].Why != "card 7" || list[0].At != testkit.Now {
			t.Errorf("accesses %+v %v", list, err)
		}
		_, b, err := w.ReadBody(ctx, nobody, id, "")
		wantCode(t, "no permission", err, access.CodePermission)
		_, _, err = w.ReadBody(ctx, other, id, "")
		wantCode(t, "another hotel", err, "SOURCE_MESSAGE_NOT_FOUND")
		inTx := w.db.InTx(ctx, func(ctx context.Context) error {
			_, b, err = w.ReadBody(ctx, malee, id, "")
			return err
		})
		if inTx == nil || b.Text != "" {
			t.Error("a body was read inside a transaction that could take the record back")
		}
		if _, err := w.db.Writer().ExecContext(ctx, "DROP TABLE inbox_access"); err != nil {
			t.Fatal(err)
		}
		if m, b, err := w.ReadBody(ctx, malee, id, ""); err == nil || b.Text != "" || m.ID != "" {
			t.Errorf("without a record: %q %v", b.Text, err)
		}
		if c, bodies, err := w.ReadConversation(ctx, robot, inbox.ConversationParams{ConversationID: "c"}); err == nil || bodies != nil || c.Messages != nil {
			t.Errorf("without a record: %d bodies, %v", len(bodies), err)
		}
		if r, _, err := w.OpenOriginal(ctx, malee, id); err == nil || r != nil {
			t.Errorf("without a record: an original, %v", err)
		}
		if _, err := w.Conversation(ctx, robot, inbox.ConversationParams{ConversationID: "c"}); err != nil {
			t.Errorf("listing needs no record: %v", err)
		}
	})
}
