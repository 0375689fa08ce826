package inbox_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// TestSameMailFromTwoSources: the bus and a file bring one mail; both stay, both say so.
func TestSameMailFromTwoSources(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		raw := mailing("<1@a.example>", "a@a.example", "hello")
		first := w.deliver(t, inbox.DeliverParams{ExternalMessageID: "ext-1", Raw: raw})
		if m, _ := w.Get(ctx, malee, first); slices.Contains(m.Flags, inbox.FlagCopy) {
			t.Errorf("alone, yet flagged: %v", m.Flags)
		}
		counts, err := w.ImportReader(ctx, bus, "a.eml", strings.NewReader(string(raw)))
		if err != nil || counts.Imported != 1 || counts.Elsewhere != 1 {
			t.Fatalf("%+v, %v, want one imported that is elsewhere too", counts, err)
		}
		second := w.deliver(t, inbox.DeliverParams{Channel: "OUTLOOK", ExternalMessageID: "ext-2", Raw: mailing("<1@a.example>", "a@a.example", "hello", "X-Mailbox: two")})
		for _, id := range []string{first, second} {
			m, err := w.Get(ctx, malee, id)
			if err != nil || !slices.Contains(m.Flags, inbox.FlagCopy) {
				t.Errorf("%s: flags %v, %v, want %s", m.ExternalMessageID, m.Flags, err, inbox.FlagCopy)
			}
			if copies, err := w.Copies(ctx, malee, id); err != nil || len(copies) != 2 {
				t.Errorf("%s: %d copies, %v, want 2", m.ExternalMessageID, len(copies), err)
			}
		}
		if copies, err := w.Copies(ctx, other, first); err == nil || copies != nil {
			t.Errorf("another hotel sees %d copies", len(copies))
		}
	})
}

func withMIME(id string, raw []byte, more string) []byte {
	return []byte(fmt.Sprintf(`{"source":{"external_message_id":%q,"external_conversation_id":"conv-m"},"raw_mime_base64":%q%s}`, id, base64.StdEncoding.EncodeToString(raw), more))
}

// TestWholeMailThroughTheBus: the original is the mail, not the payload.
func TestWholeMailThroughTheBus(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for _, m := range demoMails(t)[:3] {
			ids := ""
			for _, a := range m.Attachments {
				ids += fmt.Sprintf(`{"id":%q},`, a.ID)
			}
			got, err := w.DeliverBus(ctx, bus, withMIME(m.ExternalID, m.raw, `,"attachments":[`+strings.TrimSuffix(ids, ",")+`]`))
			if err != nil {
				t.Fatal(err)
			}
			if got.Message.RawFormat != "MAIL" || got.Message.RawSHA256 != m.SHA256 && m.SHA256 != "" || got.Message.Subject != m.Subject || got.Message.ConversationID != "conv-m" {
				t.Errorf("%s: %+v", m.File, got.Message)
			}
			for i, a := range m.Attachments {
				if got.Message.Attachments[i].ID != a.ID || got.Message.Attachments[i].Size != a.Size {
					t.Errorf("%s: attachment %+v, want %+v", m.File, got.Message.Attachments[i], a)
				}
			}
			r, _, err := w.OpenOriginal(ctx, malee, got.MessageID)
			if err != nil {
				t.Fatal(err)
			}
			if raw, err := io.ReadAll(r); err != nil || string(raw) != string(m.raw) {
				t.Errorf("%s: the original differs, %v", m.File, err)
			}
			_ = r.Close()
		}
		m := demoMails(t)[0]
		if again, err := w.DeliverBus(ctx, bus, withMIME(m.ExternalID, m.raw, `,"retry":2`)); err != nil || !again.Duplicate {
			t.Errorf("again: %+v, %v, want a duplicate", again, err)
		}
		_, err := w.DeliverBus(ctx, bus, withMIME(m.ExternalID, append(m.raw, 'x'), ""))
		wantCode(t, "other bytes", err, "SOURCE_MESSAGE_CONFLICT")
		if f := fault.As(err); f.Details["stored_sha256"] == "" || f.Details["message_id"] == "" {
			t.Errorf("the conflict does not say what is stored: %v", f.Details)
		}
		got, err := w.DeliverBus(ctx, bus, withMIME("bytes", []byte{0, 1, 2, 255}, ""))
		if err != nil || !slices.Contains(got.Message.Flags, inbox.FlagUnparseable) || got.Message.Problem == "" {
			t.Errorf("no mail at all: %+v, %v, want it kept and flagged", got.Message, err)
		}
	})
}

// TestDeliveryViolations: every wrong place at once, in both languages.
func TestDeliveryViolations(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	long := strings.Repeat("x", 1001)
	for name, c := range map[string]struct{ payload, paths string }{
		"types":         {`{"source":{"provider":1,"channel":[],"external_message_id":"x"},"subject":7,"attachments":[{"id":1,"size":"big"},2],"references":[1],"received_at":5}`, "/attachments/0/id /attachments/0/size /attachments/1 /received_at /references/0 /source/channel /source/provider /subject"},
		"no source":     {`{}`, "/source"},
		"a list":        {`[]`, ""},
		"no id":         {`{"source":{}}`, "/source/external_message_id"},
		"blank id":      {`{"source":{"external_message_id":" "}}`, "/source/external_message_id"},
		"empty id":      {`{"source":{"external_message_id":""}}`, "/source/external_message_id"},
		"values":        {`{"source":{"provider":"a b","channel":"ü","external_message_id":"` + long + `","external_conversation_id":"a\nb"},"sent_at":"2026-02-30T00:00:00Z","received_at":"today"}`, "/received_at /sent_at /source/channel /source/external_conversation_id /source/external_message_id /source/provider"},
		"import":        {`{"source":{"provider":"import","external_message_id":"x"}}`, "/source/provider"},
		"attachments":   {`{"source":{"external_message_id":"x"},"attachments":[{"id":"a","content_base64":"%"},{"id":"a"},{"id":"` + strings.Repeat("y", 201) + `","size":-1}]}`, "/attachments/2/size"},
		"base64":        {`{"source":{"external_message_id":"x"},"attachments":[{"content_base64":"%"},{"content_base64":"YQ"}]}`, "/attachments/0/content_base64 /attachments/1/content_base64"},
		"twice":         {`{"source":{"external_message_id":"x"},"attachments":[{"id":"a"},{"id":"a"}]}`, "/attachments/1/id"},
		"beside a mail": {`{"source":{"external_message_id":"x"},"raw_mime_base64":"YQ==","text_body":"x","html_body":"y","body":"z","headers":{"a":"b"},"bodies":{"text":"t"},"message_id":"m","in_reply_to":"i","references":["r"]}`, "/bodies /body /headers /html_body /in_reply_to /message_id /references /text_body"},
		"bad mail":      {`{"source":{"external_message_id":"x"},"raw_mime_base64":"%%"}`, "/raw_mime_base64"},
		"huge size":     {`{"source":{"external_message_id":"x"},"attachments":[{"size":1e300}]}`, "/attachments/0/size"},
		"duplicate":     {`{"source":{"external_message_id":"x"},"subject":"a","subject":"b"}`, "/subject"},
	} {
		_, err := w.DeliverBus(ctx, bus, []byte(c.payload))
		wantCode(t, name, err, "MESSAGE_DELIVERY_INVALID")
		var paths []string
		for _, v := range fault.As(err).Fields {
			paths = append(paths, v.Path)
			if v.Message == "" || v.MessageEN == "" || v.Message == v.MessageEN {
				t.Errorf("%s: %+v is not in both languages", name, v)
			}
		}
		slices.Sort(paths)
		if got := strings.Join(slices.Compact(paths), " "); got != c.paths {
			t.Errorf("%s: violations at %q, want %q", name, got, c.paths)
		}
	}
	if n := w.count(t, "platform_source_message_inbox", "1=1"); n != 0 {
		t.Errorf("refusals left %d messages", n)
	}
}
