package inbox_test

import (
	"bytes"
	"io"
	"testing"

	"thhotel/internal/blob"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// FuzzImport: any bytes as a file of mails are counted, and each mail is kept
// whole, flagged, or named among the failed. Importing them again changes nothing.
func FuzzImport(f *testing.F) {
	w := newFuzzWorld(f)
	for _, m := range [][]byte{
		mailing("<1@a.example>", "a@a.example", "hello"), mailing("", "", ""), []byte("From a@b Mon Nov 30 00:00:00 2026\nFrom: a@a.example\n\nx\n\nFrom c@d Mon Nov 30 00:00:00 2026\n\n"),
		[]byte("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/rfc822\n\nSubject: in\n\n--b--"), {0, 255, 13, 10}, nil, []byte("\r\n\r\n"),
		[]byte("Message-ID: <\x00\xff>\nReferences: <a> <b> <a>\nDate: 99 Foo -1\nSubject: =?gb2312?B?/////w==?=\n\n=\n"),
	} {
		f.Add(m)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		counts, err := w.ImportReader(ctx, bus, "upload", bytes.NewReader(raw))
		if err != nil || counts.Found != counts.Imported+counts.Duplicates+len(counts.Failed) {
			t.Fatalf("%+v, %v for %q", counts, err, raw)
		}
		before := w.rowsAt(t)
		again, err := w.ImportReader(ctx, bus, "upload", bytes.NewReader(raw))
		if err != nil || again.Imported != 0 || again.Found != counts.Found || w.rowsAt(t) != before {
			t.Fatalf("again: %+v, %v for %q", again, err, raw)
		}
		if counts.Imported == 0 {
			return
		}
		page, _, err := w.List(ctx, malee, inbox.ListParams{Limit: 1})
		if err != nil || len(page) != 1 {
			t.Fatal(len(page), err)
		}
		r, _, err := w.OpenOriginal(ctx, malee, page[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if b, err := io.ReadAll(r); err != nil || blob.Key(b) != page[0].RawSHA256 {
			t.Fatalf("the original: %v for %q", err, raw)
		}
		if _, _, err := w.ReadBody(ctx, malee, page[0].ID, "test"); err != nil {
			t.Fatalf("the body: %v for %q", err, raw)
		}
	})
}

func newFuzzWorld(f *testing.F) world {
	f.Helper()
	return newWorld(f, testkit.DB(f))
}

func (w world) rowsAt(t *testing.T) [3]int {
	t.Helper()
	return [3]int{w.count(t, "platform_source_message_inbox", "1=1"), w.count(t, "inbox_text", "1=1"), w.count(t, "inbox_thread", "1=1")}
}
