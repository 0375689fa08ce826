package inbox_test

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/inbox"
)

func TestDemoMailsAreStoredAsTheManifestSays(t *testing.T) {
	mails := demoMails(t)
	everywhere(t, func(t *testing.T, w world) {
		for _, m := range mails {
			id := w.deliver(t, m.params())
			got, err := w.Locate(ctx, robot, m.ExternalID)
			if err != nil || got.ID != id {
				t.Fatalf("Locate(%s) = %s, %v; want %s", m.ExternalID, got.ID, err, id)
			}
			want := inbox.Message{ID: id, Provider: "AGENTBUS", Channel: "EMAIL", ExternalMessageID: m.ExternalID, ConversationID: m.Conversation,
				MessageID: m.MessageID, Subject: m.Subject, SenderEmail: m.Sender, SentAt: m.SentAt.UTC(), ReceivedAt: m.SentAt.UTC(), RawSHA256: m.SHA256, RawSize: int64(len(m.raw))}
			short := inbox.Message{ID: got.ID, Provider: got.Provider, Channel: got.Channel, ExternalMessageID: got.ExternalMessageID, ConversationID: got.ConversationID,
				MessageID: got.MessageID, Subject: got.Subject, SenderEmail: got.SenderEmail, SentAt: got.SentAt, ReceivedAt: got.ReceivedAt, RawSHA256: got.RawSHA256, RawSize: got.RawSize}
			if d := cmp.Diff(want, short); d != "" {
				t.Errorf("%s (-want +got):\n%s", m.File, d)
			}
			if len(got.Attachments) != len(m.Attachments) {
				t.Fatalf("%s: attachments %+v, want %+v", m.File, got.Attachments, m.Attachments)
			}
			for i, a := range m.Attachments {
				g := got.Attachments[i]
				if g.ID != a.ID || g.Name != a.Name || g.ContentType != a.Content_type || g.Size != a.Size {
					t.Errorf("%s: attachment %+v, want %+v", m.File, g, a)
				}
			}
			original, _, err := w.OpenOriginal(ctx, malee, id)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(original)
			_ = original.Close()
			if err != nil || string(raw) != string(m.raw) {
				t.Errorf("%s: the original is not byte-exact (%v)", m.File, err)
			}
		}
	})
}

func TestDemoConversationInReceiptOrder(t *testing.T) {
	mails := demoMails(t)
	slices.Reverse(mails) // whatever order they arrive in
	everywhere(t, func(t *testing.T, w world) {
		for _, m := range mails {
			w.deliver(t, m.params())
		}
		c, bodies, err := w.ReadConversation(ctx, robot, inbox.ConversationParams{ExternalMessageID: "agentbus-ext-0008"})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		flags := map[string]string{}
		for _, m := range c.Messages {
			n := strings.TrimPrefix(m.ExternalMessageID, "agentbus-ext-00")
			order = append(order, n)
			flags[n] = strings.Join(m.Flags, " ")
		}
		if got := strings.Join(order, " "); got != "01 02 03 11 08" || c.Total != 5 || c.ConversationID != "conv-nordic-2027" {
			t.Errorf("conversation %s of %d: %s, want 01 02 03 11 08", c.ConversationID, c.Total, got)
		}
		for _, n := range []string{"01", "02", "03", "08"} {
			if strings.Contains(flags[n], "SENDER_") {
				t.Errorf("mail %s is flagged %s", n, flags[n])
			}
		}
		for _, want := range []string{inbox.FlagDomainNew, inbox.FlagLookAlike, inbox.FlagReplyElsewhere, inbox.FlagActiveAttachment, "HIDDEN_CONTENT_REMOVED", "REMOTE_CONTENT_REMOVED"} {
			if !strings.Contains(flags["11"], want) {
				t.Errorf("mail 11 lacks %s: %s", want, flags["11"])
			}
		}
		harmless(t, bodies[3])
		if n := w.count(t, "inbox_access", "what = 'BODY' AND subject_name = 'superagent' AND request_id = 'req-1' AND trace_id = 'trace-1' AND adapter = 'mcp'"); n != 5 {
			t.Errorf("%d access rows for 5 bodies", n)
		}
	})
}

var marker = regexp.MustCompile(`v\d\d-`)

// harmless: nothing of mail 11's hidden words and none of its markers is left.
func harmless(t *testing.T, b inbox.Body) {
	t.Helper()
	if !strings.Contains(b.Text, "please find our updated list") || b.RenderMode != inbox.RenderHTML {
		t.Errorf("mail 11 is not readable: %s %q", b.RenderMode, b.Text)
	}
	for name, s := range map[string]string{"text": b.Text, "html": b.HTML, "fresh": b.Fresh, "quoted": b.Quoted} {
		if found := marker.FindAllString(s, -1); found != nil {
			t.Errorf("mail 11 %s keeps %v", name, found)
		}
		for _, bad := range []string{"SYSTEM NOTICE", "CANCEL_BOOKING", "href", "src=", "style", "<img", "<a "} {
			if strings.Contains(s, bad) {
				t.Errorf("mail 11 %s keeps %q:\n%s", name, bad, s)
			}
		}
	}
}

// As files, without the bus's conversation ids, the mails thread by their headers.
func TestDemoMailsThreadWithoutTheBus(t *testing.T) {
	mails := demoMails(t)
	roots := map[string]string{
		"01": "<PN20261123.0914.8a1f2c@mail.siamlink.example>", "04": "<20261125154233.YT88213@mx.yuntu-travel.example>",
		"06": "<conf-20261112-4032077@thhotel.example>", "09": "<CAK-9d1x-20261128@mailbox.example>",
	}
	for like, n := range map[string][]string{"01": {"02", "03", "08", "11"}, "04": {"05"}, "06": {"07"}} {
		for _, x := range n {
			roots[x] = roots[like]
		}
	}
	everywhere(t, func(t *testing.T, w world) {
		for i := range mails {
			m := mails[(i*5+3)%len(mails)] // a stride that meets replies before their roots
			if _, err := w.Deliver(ctx, malee, inbox.DeliverParams{Provider: "import", ExternalMessageID: m.MessageID, Raw: m.raw}); err != nil {
				t.Fatal(err)
			}
		}
		for _, m := range mails {
			got, err := w.Locate(ctx, robot, m.MessageID)
			if err != nil {
				t.Fatal(err)
			}
			if want := roots[m.File[:2]]; want != "" && got.ConversationID != want {
				t.Errorf("%s is in %s, want %s", m.File, got.ConversationID, want)
			}
			if !got.ReceivedAt.Equal(m.SentAt) {
				t.Errorf("%s received %s, want its Date %s", m.File, got.ReceivedAt, m.SentAt)
			}
		}
	})
}
