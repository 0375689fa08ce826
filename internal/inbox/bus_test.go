package inbox_test

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

const payload = `{
  "source": {"provider": "agentbus", "channel": "email", "external_message_id": "ext-9", "external_conversation_id": "conv-9"},
  "headers": {"Message-ID": "<9@siamlink.example>", "In-Reply-To": "<8@thhotel.example>", "References": "<7@siamlink.example> <8@thhotel.example>",
    "Reply-To": "desk@trk.example", "Auto-Submitted": "auto-generated", "List-Unsubscribe": ["<https://x.example>"]},
  "subject": "Rooming list \u202e for you", "sender": "Priya Nair <priya.nair@siamlink.example>",
  "recipients": [{"name": "Groups", "email": "groups@thhotel.example"}, "malee@thhotel.example"],
  "sent_at": "2026-11-29T18:20:09+07:00", "future_field": {"kept": true},
  "text_body": "", "html_body": "<p>See the list</p><div style=\"display:none\">SYSTEM NOTICE</div><img src=\"https://t.example/p.gif\">",
  "attachments": [
    {"id": "att-1", "name": "..\\..\\list.csv", "content_type": "text/csv", "content_base64": "YSxiDQo="},
    {"id": "att-2", "name": "offer.html", "content_type": "text/html", "size": 4096}]
}`

func TestBusPayload(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		d, err := w.DeliverBus(ctx, bus, []byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		m, b, err := w.ReadBody(ctx, malee, d.MessageID, "test")
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 11, 29, 11, 20, 9, 0, time.UTC)
		want := inbox.Message{ID: d.MessageID, Provider: "AGENTBUS", Channel: "EMAIL", ExternalMessageID: "ext-9", ConversationID: "conv-9",
			MessageID: "<9@siamlink.example>", InReplyTo: "<8@thhotel.example>", References: []string{"<7@siamlink.example>", "<8@thhotel.example>"},
			Subject: "Rooming list for you", SenderName: "Priya Nair", SenderEmail: "priya.nair@siamlink.example",
			To: []string{"groups@thhotel.example", "malee@thhotel.example"}, Cc: []string{}, ReplyTo: []string{"desk@trk.example"}, SentAt: at, ReceivedAt: at,
			RawFormat: "BUS_JSON", RawSize: int64(len(payload)), RawSHA256: m.RawSHA256, RenderMode: inbox.RenderHTML,
			Flags:       []string{"ACTIVE_ATTACHMENT", "AUTO_SUBMITTED", "BULK", "HIDDEN_CONTENT_REMOVED", "INVISIBLE_CHARACTERS_REMOVED", "REMOTE_CONTENT_REMOVED", "REPLY_TO_ELSEWHERE"},
			Attachments: []inbox.Attachment{{ID: "att-1", Name: "list.csv", ContentType: "text/csv", Size: 5, SHA256: m.Attachments[0].SHA256}, {ID: "att-2", Name: "offer.html", ContentType: "text/html", Size: 4096}}}
		if diff := cmp.Diff(want, m); diff != "" {
			t.Errorf("message (-want +got):\n%s", diff)
		}
		if !strings.Contains(b.Text, "See the list") || strings.Contains(b.Text+b.HTML, "SYSTEM") || strings.Contains(b.HTML, "img") {
			t.Errorf("text %q, HTML %q", b.Text, b.HTML)
		}
		r, a, err := w.OpenOriginal(ctx, malee, d.MessageID)
		if err != nil {
			t.Fatal(err)
		}
		if raw, err := io.ReadAll(r); err != nil || string(raw) != payload || a.ContentType != "application/json" {
			t.Errorf("the original is not the payload's exact bytes: %s %v", a.ContentType, err)
		}
		_ = r.Close()
		var compact any
		_ = json.Unmarshal([]byte(payload), &compact)
		same, _ := json.Marshal(compact)
		if again, err := w.DeliverBus(ctx, bus, same); err != nil || !again.Duplicate || again.MessageID != d.MessageID {
			t.Errorf("the same payload in other formatting: %+v %v, want a duplicate", again, err)
		}
		_, err = w.DeliverBus(ctx, bus, []byte(strings.Replace(payload, "See the list", "See another list", 1)))
		wantCode(t, "other content", err, "SOURCE_MESSAGE_CONFLICT")
	})
}

func TestBusShapes(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	for name, c := range map[string]struct{ fields, sender, to, text string }{
		"bodies object": {`"sender": {"name": "A", "email": "a@a.example"}, "recipients": {"to": ["b@b.example"], "cc": "c@c.example"}, "bodies": {"text": "hello"}`, "a@a.example", "b@b.example", "hello"},
		"one body":      {`"sender": {"address": "a@a.example"}, "recipients": "B <b@b.example>, c@c.example", "body": "<p>hello</p>", "body_content_type": "text/html"`, "a@a.example", "b@b.example c@c.example", "hello"},
		"header list":   {`"headers": [{"name": "Subject", "value": "s"}], "sender": ["a@a.example"], "recipients": {"email": "b@b.example"}, "body": "hello"`, "a@a.example", "b@b.example", "hello"},
		"nulls":         {`"headers": null, "sender": null, "recipients": null, "sent_at": "", "text_body": null, "html_body": null, "attachments": null`, "", "", ""},
		"no address":    {`"sender": "+66 81 234", "text_body": "chat"`, "+66 81 234", "", "chat"},
	} {
		d, err := w.DeliverBus(ctx, bus, []byte(`{"source": {"external_message_id": "`+name+`"}, `+c.fields+`}`))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, b, err := w.ReadBody(ctx, malee, d.MessageID, "test")
		if err != nil || m.SenderEmail != c.sender || strings.Join(m.To, " ") != c.to || strings.TrimSpace(b.Text) != c.text {
			t.Errorf("%s: from %q to %v: %q, %v", name, m.SenderEmail, m.To, b.Text, err)
		}
	}
}

func TestBusRefusals(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	for name, c := range map[string]struct{ payload, code, path string }{
		"not JSON":    {"<xml>", "MESSAGE_DELIVERY_INVALID", ""},
		"no id":       {`{"source": {}}`, "MESSAGE_DELIVERY_INVALID", "/source/external_message_id"},
		"wrong type":  {`{"source": {"external_message_id": 7}}`, "MESSAGE_DELIVERY_INVALID", "/source/external_message_id"},
		"bad time":    {`{"source": {"external_message_id": "x"}, "sent_at": "yesterday"}`, "MESSAGE_DELIVERY_INVALID", "/sent_at"},
		"bad base64":  {`{"source": {"external_message_id": "x"}, "attachments": [{"id": "a", "content_base64": "%"}]}`, "MESSAGE_DELIVERY_INVALID", "/attachments/0/content_base64"},
		"import":      {`{"source": {"provider": "IMPORT", "external_message_id": "x"}}`, "MESSAGE_DELIVERY_INVALID", "/source/provider"},
		"other hotel": {`{"hotel_id": "h", "source": {"external_message_id": "x"}}`, "HOTEL_MISMATCH", ""},
	} {
		_, err := w.DeliverBus(ctx, bus, []byte(c.payload))
		wantCode(t, name, err, c.code)
		if f := fault.As(err).Fields; c.path != "" && !slices.ContainsFunc(f, func(v fault.Violation) bool { return v.Path == c.path }) {
			t.Errorf("%s: violations %+v, want one at %s", name, f, c.path)
		}
	}
}

// The demo's mails as a bus would send them: parsed there, without received_at.
func TestDemoMailsThroughTheBus(t *testing.T) {
	mails := demoMails(t)
	w := newWorld(t, testkit.DB(t))
	for _, m := range mails {
		in := inbox.Inspect(m.raw)
		b, err := json.Marshal(map[string]any{
			"source":  map[string]any{"provider": "AGENTBUS", "channel": "EMAIL", "external_message_id": m.ExternalID, "external_conversation_id": m.Conversation},
			"headers": map[string]any{"Message-ID": in.MessageID}, "subject": in.Subject, "sender": in.From, "recipients": in.To, "sent_at": in.SentAt, "text_body": in.TextBody,
			"attachments": []any{map[string]any{"id": "att-" + m.ExternalID, "name": "whole.eml", "content_type": "message/rfc822", "content_base64": base64.StdEncoding.EncodeToString(m.raw)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.DeliverBus(ctx, bus, b); err != nil {
			t.Fatal(err)
		}
	}
	c, err := w.Conversation(ctx, robot, inbox.ConversationParams{ConversationID: "conv-nordic-2027"})
	if err != nil || len(c.Messages) != 5 || c.Messages[3].ExternalMessageID != "agentbus-ext-0011" {
		t.Errorf("%d messages, %v, want mail 11 fourth of five", len(c.Messages), err)
	}
}
