package inbox_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/blob"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

func TestDeliverOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		p := inbox.DeliverParams{ExternalMessageID: "ext-1", Raw: mailing("<1@a.example>", "A <a@a.example>", "first")}
		first, err := w.Deliver(ctx, bus, p)
		if err != nil || first.Duplicate {
			t.Fatalf("first delivery: %+v %v", first, err)
		}
		before, _ := w.Get(ctx, robot, first.MessageID)
		again, err := w.Deliver(ctx, bus, p)
		if err != nil || !again.Duplicate || again.MessageID != first.MessageID {
			t.Errorf("again: %+v %v, want a duplicate of %s", again, err, first.MessageID)
		}
		after, _ := w.Get(ctx, robot, first.MessageID)
		if !slices.Equal(before.Flags, after.Flags) {
			t.Errorf("a duplicate changed the flags from %v to %v", before.Flags, after.Flags)
		}
		p.Raw = mailing("<1@a.example>", "A <a@a.example>", "second")
		_, err = w.Deliver(ctx, bus, p)
		wantCode(t, "other bytes", err, "SOURCE_MESSAGE_CONFLICT")
		kept, _ := w.Get(ctx, robot, first.MessageID)
		if kept.Subject != "first" || !slices.Contains(kept.Flags, inbox.FlagIDReused) {
			t.Errorf("kept %q %v, want the first one, flagged", kept.Subject, kept.Flags)
		}
		if n := w.count(t, "platform_source_message_inbox", "1=1"); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
		p.Channel = "chat"
		if d, err := w.Deliver(ctx, bus, p); err != nil || d.Duplicate {
			t.Errorf("the same id in another channel: %+v %v, want a message of its own", d, err)
		}
		if _, err := w.Deliver(ctx, other, inbox.DeliverParams{ExternalMessageID: "ext-1", Raw: p.Raw}); err != nil {
			t.Errorf("the same id in another hotel: %v", err)
		}
	})
}

func TestDeliverOnceUnderARace(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		var wait sync.WaitGroup
		var mu sync.Mutex
		fresh, ids := 0, map[string]bool{}
		for i := range 12 {
			wait.Go(func() {
				p := inbox.DeliverParams{ExternalMessageID: "ext-1", Raw: mailing("<1@a.example>", "a@a.example", "one")}
				if i%3 == 2 { // and its replies, which all join one thread
					id := "<" + string(rune('a'+i)) + "@a.example>"
					p = inbox.DeliverParams{ExternalMessageID: id, Raw: mailing(id, "a@a.example", "reply", "In-Reply-To: <1@a.example>", "References: <0@a.example> <1@a.example>")}
				}
				d, err := w.Deliver(ctx, bus, p)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Errorf("delivery %d: %v", i, err)
				}
				if p.ExternalMessageID == "ext-1" {
					ids[d.MessageID] = true
					if !d.Duplicate {
						fresh++
					}
				}
			})
		}
		wait.Wait()
		if fresh != 1 || len(ids) != 1 {
			t.Errorf("%d deliveries were first, ids %v; want exactly one", fresh, ids)
		}
		c, err := w.Conversation(ctx, robot, inbox.ConversationParams{ConversationID: "<0@a.example>"})
		if err != nil || c.Total != 5 {
			t.Errorf("conversation of the root has %d messages, %v; want all 5", c.Total, err)
		}
	})
}

func TestUnreadableMailIsKept(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for name, raw := range map[string][]byte{
			"binary": {0, 1, 2, 255, 254, 0}, "no headers": []byte("\x00\xff just bytes"), "open multipart": []byte("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: multipart/mixed; boundary=\r\n\r\n\xff"),
		} {
			id := w.deliver(t, inbox.DeliverParams{ExternalMessageID: name, Raw: raw})
			r, _, err := w.OpenOriginal(ctx, malee, id)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, raw) {
				t.Errorf("%s: original %q %v", name, got, err)
			}
			_ = r.Close()
		}
		for name, raw := range map[string]string{"bad date": "From: a@a.example\r\nDate: yesterday\r\n\r\nhello", "bare id": "Message-ID: bare@a.example\r\nSubject: x\r\n\r\nhello"} {
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: name, Raw: []byte(raw)})
			m, err := w.Locate(ctx, robot, name)
			if err != nil || slices.Contains(m.Flags, inbox.FlagUnparseable) || slices.Contains(m.Flags, inbox.FlagProblem) != (name == "bad date") {
				t.Errorf("%s: flags %v, %v; want it readable", name, m.Flags, err)
			}
		}
		if m, _ := w.Locate(ctx, robot, "bare id"); m.MessageID != "bare@a.example" || m.ConversationID != "<bare@a.example>" {
			t.Errorf("a bare Message-ID is %q in conversation %q", m.MessageID, m.ConversationID)
		}
		m, err := w.Locate(ctx, robot, "binary")
		if err != nil || m.Problem == "" || !slices.Contains(m.Flags, inbox.FlagUnparseable) || m.ReceivedAt != testkit.Now {
			t.Errorf("%+v %v, want a problem, %s and the time of delivery", m, err, inbox.FlagUnparseable)
		}
	})
}

func TestDeliveryRefusals(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	good := inbox.DeliverParams{ExternalMessageID: "x", Raw: []byte("Subject: x\r\n\r\nx")}
	with := func(change func(*inbox.DeliverParams)) inbox.DeliverParams { p := good; change(&p); return p }
	for name, c := range map[string]struct {
		by   access.Caller
		p    inbox.DeliverParams
		want string
		path string
	}{
		"superagent delivers":     {robot, good, access.CodeScope, ""},
		"staff delivers as bus":   {access.Caller{HotelID: hotel, Role: access.RoleAgent}, good, access.CodePermission, ""},
		"bus imports":             {access.Caller{HotelID: hotel, Role: access.RoleMailBus}, with(func(p *inbox.DeliverParams) { p.Provider = " import " }), access.CodePermission, ""},
		"no hotel":                {access.AsSystem("", "x"), good, "HOTEL_MISMATCH", ""},
		"empty":                   {bus, with(func(p *inbox.DeliverParams) { p.Raw = nil }), "MESSAGE_DELIVERY_INVALID", ""},
		"no id":                   {bus, with(func(p *inbox.DeliverParams) { p.ExternalMessageID = " " }), "MESSAGE_DELIVERY_INVALID", "/source/external_message_id"},
		"long id":                 {bus, with(func(p *inbox.DeliverParams) { p.ExternalMessageID = strings.Repeat("x", 1001) }), "MESSAGE_DELIVERY_INVALID", "/source/external_message_id"},
		"line break in id":        {bus, with(func(p *inbox.DeliverParams) { p.ExternalConversationID = "a\nb" }), "MESSAGE_DELIVERY_INVALID", "/source/external_conversation_id"},
		"provider with spaces":    {bus, with(func(p *inbox.DeliverParams) { p.Provider = "my bus" }), "MESSAGE_DELIVERY_INVALID", "/source/provider"},
		"repeated attachment ids": {bus, with(func(p *inbox.DeliverParams) { p.AttachmentIDs = []string{"a", "a"} }), "MESSAGE_DELIVERY_INVALID", "/attachments/1/id"},
		"too large":               {bus, with(func(p *inbox.DeliverParams) { p.Raw = make([]byte, 64<<20+1) }), "MESSAGE_TOO_LARGE", ""},
	} {
		_, err := w.Deliver(ctx, c.by, c.p)
		wantCode(t, name, err, c.want)
		if f := fault.As(err).Fields; c.path != "" && (len(f) != 1 || f[0].Path != c.path) {
			t.Errorf("%s: violations %+v, want one at %s", name, f, c.path)
		}
	}
	if n := w.count(t, "platform_source_message_inbox", "1=1"); n != 0 {
		t.Errorf("%d rows after refusals", n)
	}
}

// The original is stored before the row: without a blob store there is no row.
func TestNoRowWithoutOriginal(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	if err := w.blob.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Deliver(ctx, bus, inbox.DeliverParams{ExternalMessageID: "x", Raw: []byte("Subject: x\r\n\r\nx")}); err == nil {
		t.Error("delivered although the original cannot be kept")
	}
	if n := w.count(t, "platform_source_message_inbox", "1=1"); n != 0 {
		t.Errorf("%d rows without original", n)
	}
}

func TestOriginalAndAttachment(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		raw := []byte("From: a@a.example\r\nSubject: list\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nsee list\r\n--b\r\nContent-Type: text/csv; name=\"list.csv\"\r\nContent-Disposition: attachment; filename=\"list.csv\"\r\n\r\na,b\r\n--b--\r\n")
		id := w.deliver(t, inbox.DeliverParams{ExternalMessageID: "x", Raw: raw, AttachmentIDs: []string{"att-1", "att-2"}})
		m, err := w.Get(ctx, malee, id)
		if err != nil || len(m.Attachments) != 2 || m.Attachments[0].ID != "att-1" || m.Attachments[0].Name != "list.csv" {
			t.Fatalf("attachments %+v %v", m.Attachments, err)
		}
		r, a, err := w.OpenAttachment(ctx, malee, id, "att-1")
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(r); err != nil || strings.TrimSpace(string(b)) != "a,b" || a.SHA256 != blob.Key(b) {
			t.Errorf("attachment %q %v", b, err)
		}
		_ = r.Close()
		_, _, err = w.OpenAttachment(ctx, malee, id, "att-2")
		wantCode(t, "an attachment that was only announced", err, "ATTACHMENT_NOT_DELIVERED")
		_, _, err = w.OpenAttachment(ctx, malee, id, "att-3")
		wantCode(t, "no such attachment", err, "ATTACHMENT_NOT_FOUND")
		_, _, err = w.OpenAttachment(ctx, other, id, "att-1")
		wantCode(t, "another hotel", err, "SOURCE_MESSAGE_NOT_FOUND")
		_, _, err = w.OpenAttachment(ctx, robot, id, "att-1")
		wantCode(t, "the agent", err, access.CodeScope)
		_, _, err = w.OpenOriginal(ctx, robot, id)
		wantCode(t, "the agent", err, access.CodeScope)
		if n := w.count(t, "inbox_access", "what = 'ATTACHMENT' AND attachment_id = 'att-1'"); n != 1 {
			t.Errorf("%d access rows for one attachment read", n)
		}
		if n := w.count(t, "audit_event", "tool = 'message.original'"); n != 1 {
			t.Errorf("%d audit rows for one attachment read", n)
		}
		damage(t, w, m.RawSHA256)
		r, _, err = w.OpenOriginal(ctx, malee, id)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(r)
		wantCode(t, "damaged original", err, "ORIGINAL_DAMAGED")
		_ = r.Close()
		if err := os.Remove(filepath.Join(w.dir, m.RawSHA256[:2], m.RawSHA256)); err != nil {
			t.Fatal(err)
		}
		_, _, err = w.OpenOriginal(ctx, malee, id)
		wantCode(t, "missing original", err, "ORIGINAL_DAMAGED")
		if !errors.Is(err, blob.ErrMissing) {
			t.Errorf("the cause is lost for the log: %v", err)
		}
	})
}

func damage(t *testing.T, w world, key string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.dir, key[:2], key), []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
}
