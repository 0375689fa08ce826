package inbox_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/blob"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// Every public mail is kept, whatever is wrong with it, and a second run adds nothing.
func TestImportOfTheCorpus(t *testing.T) {
	dir := testkit.Corpus(t)
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		begin := time.Now()
		got, err := w.ImportPath(ctx, malee, dir)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(begin)
		counts, _ := json.Marshal(got)
		t.Logf("%s in %s", counts, took)
		if got.Found < 174 || got.Found != got.Imported+got.Duplicates || len(got.Failed) > 0 {
			t.Errorf("found %d, want all 174, each imported or a duplicate; failed: %v", got.Found, got.Failed)
		}
		if n := w.count(t, "platform_source_message_inbox", "external_id LIKE '%#sha256:%' AND flags LIKE '%EXTERNAL_ID_REUSED%'"); n < 22 {
			t.Errorf("%d mails kept apart, want the 22 that repeat another mail's Message-ID", n)
		}
		if took > time.Minute {
			t.Errorf("took %s", took)
		}
		again, err := w.ImportPath(ctx, malee, dir)
		if err != nil || again.Imported != 0 || again.Found != got.Found {
			t.Errorf("second run: %+v %v, want nothing new", again, err)
		}
		if n := w.count(t, "platform_source_message_inbox", "1=1"); n != got.Imported {
			t.Errorf("%d rows, want %d", n, got.Imported)
		}
		everyBodyReads(t, w)
	})
}

func everyBodyReads(t *testing.T, w world) {
	t.Helper()
	p := inbox.ListParams{Limit: 200}
	for {
		page, next, err := w.List(ctx, malee, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page {
			if _, _, err := w.ReadBody(ctx, malee, m.ID, "test"); err != nil {
				t.Errorf("%s: %v", m.ExternalMessageID, err)
			}
		}
		if p.Cursor = next; next == "" {
			return
		}
	}
}

func TestImportKinds(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		one := mailing("<1@a.example>", "a@a.example", "one", "Date: Mon, 30 Nov 2026 08:00:00 +0700", "Received: from x by y; Mon, 30 Nov 2026 01:30:00 +0000", "Received: from w by x; Mon, 30 Nov 2026 01:00:00 +0000")
		noID := mailing("", "a@a.example", "two", "Date: Mon, 30 Nov 2026 08:00:00 +0700")
		box := "From a@a.example Mon Nov 30 08:00:00 2026\n" + strings.ReplaceAll(string(one), "\r\n", "\n") + "\nFrom a@a.example Mon Nov 30 08:00:00 2026\nMessage-ID: <3@a.example>\nSubject: three\n\nthird\n"
		dir := t.TempDir()
		for name, b := range map[string][]byte{"b/two.EML": noID, "a.eml": one, "copy.eml": one, "note.txt": []byte("no mail"), "md/cur/17.host:2,S": mailing("<4@a.example>", "a@a.example", "four")} {
			file := filepath.Join(dir, name)
			_ = os.MkdirAll(filepath.Dir(file), 0o750)
			if err := os.WriteFile(file, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		outside := filepath.Join(t.TempDir(), "outside.eml")
		_ = os.WriteFile(outside, mailing("<out@a.example>", "a@a.example", "outside"), 0o600)
		if err := os.Symlink(outside, filepath.Join(dir, "link.eml")); err != nil {
			t.Fatal(err)
		}
		got, err := w.ImportPath(ctx, malee, dir)
		want := inbox.ImportCounts{Found: 4, Imported: 3, Duplicates: 1, Failed: []inbox.ImportFailure{}}
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("folder, %v (-want +got):\n%s", err, d)
		}
		got, err = w.ImportReader(ctx, malee, "upload.mbox", strings.NewReader(box))
		if err != nil || got.Found != 2 || got.Imported != 1 || got.Duplicates != 1 {
			t.Errorf("mbox: %+v %v, want one new and the first known", got, err)
		}
		copied := append([]byte("Received: from y by z; Mon, 30 Nov 2026 02:00:00 +0000\r\n by q\r\nX-Spam: no\r\n"), one...)
		got, err = w.ImportReader(ctx, malee, "copy.eml", bytes.NewReader(copied))
		if err != nil || got.Duplicates != 1 {
			t.Errorf("a copy from another mailbox: %+v %v, want a duplicate", got, err)
		}
		changed := bytes.Replace(one, []byte("Dear"), []byte("Cher"), 1)
		got, err = w.ImportReader(ctx, malee, "changed.eml", bytes.NewReader(changed))
		if err != nil || got.Imported != 1 {
			t.Errorf("other words under a known id: %+v %v, want them kept too", got, err)
		}
		got, err = w.ImportPath(ctx, malee, outside)
		if err != nil || got.Imported != 1 {
			t.Errorf("one file: %+v %v", got, err)
		}
		_, err = w.ImportPath(ctx, malee, filepath.Join(dir, "none"))
		wantCode(t, "no such path", err, "IMPORT_PATH_INVALID")

		m, err := w.Locate(ctx, robot, "<1@a.example>")
		if err != nil || m.Provider != "IMPORT" || m.Channel != "EMAIL" || !m.ReceivedAt.Equal(time.Date(2026, 11, 30, 1, 30, 0, 0, time.UTC)) {
			t.Errorf("%s/%s received %s, %v; want IMPORT/EMAIL and the topmost Received", m.Provider, m.Channel, m.ReceivedAt, err)
		}
		m, err = w.Locate(ctx, robot, "sha256:"+blob.Key(noID))
		if err != nil || m.MessageID != "" || !m.ReceivedAt.Equal(m.SentAt) {
			t.Errorf("mail without Message-ID: %+v %v, want its Date as time of receipt", m, err)
		}
	})
}

// Two files with one Message-ID are two mails: the second is kept under an id
// made of that one and its content, found there again, and flagged.
func TestImportOfAReusedMessageID(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		const id = "<1@a.example>"
		first := mailing(id, "a@a.example", "one")
		others := [][]byte{mailing(id, "b@b.example", "two"), mailing(id, "c@c.example", "three")}
		bring := func(raw []byte) inbox.ImportCounts {
			t.Helper()
			got, err := w.ImportReader(ctx, malee, "x.eml", bytes.NewReader(raw))
			if err != nil || got.Found != 1 || len(got.Failed) > 0 {
				t.Errorf("%+v %v", got, err)
			}
			return got
		}
		for _, raw := range append([][]byte{first}, others...) {
			if got := bring(raw); got.Imported != 1 {
				t.Errorf("%+v, want it imported", got)
			}
		}
		onTheWay := append([]byte("Received: from y by z; Mon, 30 Nov 2026 02:00:00 +0000\r\n"), others[1]...)
		for _, raw := range append([][]byte{first, onTheWay}, others...) {
			if got := bring(raw); got.Duplicates != 1 {
				t.Errorf("again: %+v, want a duplicate", got)
			}
		}
		page, _, err := w.List(ctx, malee, inbox.ListParams{Limit: 10})
		if err != nil || len(page) != 3 {
			t.Fatalf("%d mails, %v; want 3", len(page), err)
		}
		form := regexp.MustCompile(`^<1@a\.example>#sha256:[0-9a-f]{16}$`)
		for _, m := range page {
			apart := m.Subject != "one"
			if m.MessageID != id || form.MatchString(m.ExternalMessageID) != apart || slices.Contains(m.Flags, inbox.FlagIDReused) != apart {
				t.Errorf("%s: id %s, flags %v; kept apart and flagged: want %v", m.Subject, m.ExternalMessageID, m.Flags, apart)
			}
			if found, err := w.Locate(ctx, robot, m.ExternalMessageID); err != nil || found.ID != m.ID {
				t.Errorf("%s: %s %v, want to find it", m.ExternalMessageID, found.ID, err)
			}
		}
		long := "<" + strings.Repeat("a", 980) + "@a.example>"
		for range 2 {
			bring(mailing(long, "a@a.example", "one"))
			bring(mailing(long, "a@a.example", "two"))
		}
		if n := w.count(t, "platform_source_message_inbox", "external_id LIKE 'sha256:%' AND subject = 'two'"); n != 1 {
			t.Errorf("%d mails under their digest alone, want the one with too long an id", n)
		}
	})
}

func TestInspect(t *testing.T) {
	for _, m := range demoMails(t) {
		got := inbox.Inspect(m.raw)
		if got.MessageID == nil || *got.MessageID != m.MessageID || got.Subject != m.Subject || !strings.Contains(got.From, m.Sender) || got.Error != nil {
			t.Errorf("%s: %+v", m.File, got)
		}
		if got.SentAt == nil || strings.Replace(*got.SentAt, "Z", "+00:00", 1) != strings.Replace(m.SentAt.Format(time.RFC3339), "Z", "+00:00", 1) {
			t.Errorf("%s: sent_at %v, want %s", m.File, got.SentAt, m.SentAt.Format(time.RFC3339))
		}
	}
	bad := inbox.Inspect([]byte{0xff, 0, 1})
	if bad.Error == nil || !slices.Contains(bad.Flags, inbox.FlagUnparseable) {
		t.Errorf("bytes that are no mail: %+v", bad)
	}
	var keys map[string]json.RawMessage
	b, err := json.Marshal(bad)
	if err == nil {
		err = json.Unmarshal(b, &keys)
	}
	for _, k := range strings.Fields("message_id in_reply_to references subject from to sent_at text_body html_body_sanitized html_render_mode flags attachments error") {
		null := k == "sent_at" || k == "message_id" || k == "in_reply_to"
		if v, ok := keys[k]; !ok || bytes.Equal(v, []byte("null")) != null {
			t.Errorf("field %s is %s, %v", k, v, err)
		}
	}
}
