package inbox_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// mailWithFiles brings files as attachments f1, f2, …
func mailWithFiles(t *testing.T, w world, files ...[2]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("From: a@a.example\r\nSubject: files\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhere\r\n")
	var ids []string
	for i, f := range files {
		fmt.Fprintf(&b, "--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=%q\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n",
			f[0], base64.StdEncoding.EncodeToString([]byte(f[1])))
		ids = append(ids, fmt.Sprintf("f%d", i+1))
	}
	b.WriteString("--x--\r\n")
	return w.deliver(t, inbox.DeliverParams{ExternalMessageID: "files", Raw: []byte(b.String()), AttachmentIDs: ids})
}

func TestPreview(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		id := mailWithFiles(t, w, [2]string{"names.csv", "Name;Note\nBerg, Ola;=1+1\n"}, [2]string{"old.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600)},
			[2]string{"photo.png", "\x89PNG\r\n\x1a\n"}, [2]string{"broken.xlsx", "PK\x03\x04nothing"})
		a, book, err := w.Preview(ctx, malee, id, "f1")
		if err != nil || a.Name != "names.csv" || len(book.Tables) != 1 || book.Tables[0].Rows[1][0].Text != "Berg, Ola" || !book.Tables[0].Rows[1][1].Formula {
			t.Fatalf("%+v %+v %v", a, book, err)
		}
		seen, err := w.Accesses(ctx, malee, id, "", 0)
		if err != nil || len(seen) != 1 || seen[0].What != "ATTACHMENT" || seen[0].AttachmentID != "f1" || seen[0].Why != "preview" || seen[0].SubjectName != "malee" {
			t.Errorf("accesses %+v, %v", seen, err)
		}
		for file, code := range map[string]string{"f2": "SHEET_OLD_FORMAT", "f3": "SHEET_UNSUPPORTED", "f4": "SHEET_CORRUPT", "f9": inbox.ErrAttachment.Code} {
			_, _, err := w.Preview(ctx, malee, id, file)
			wantCode(t, file, err, code)
		}
		if _, _, err := w.Table(ctx, robot, id, "f1"); err != nil {
			t.Errorf("table for rules: %v", err)
		}
		if seen, _ := w.Accesses(ctx, malee, id, "", 0); len(seen) != 1 {
			t.Errorf("%d accesses after refusals and a reading for rules, want 1", len(seen))
		}
		_, _, err = w.Preview(ctx, other, id, "f1")
		wantCode(t, "another hotel", err, inbox.ErrNotFound.Code)
		wantCode(t, "another hotel's record", w.RecordShown(ctx, other, id, "f1", "x"), inbox.ErrNotFound.Code)
	})
}

// Nothing is shown whose reading cannot be written down, or whose bytes are not
// those that came.
func TestPreviewOfDamagedFile(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := mailWithFiles(t, w, [2]string{"names.csv", "Name;Note\nBerg;x\n"})
	m, err := w.Get(ctx, malee, id)
	if err != nil {
		t.Fatal(err)
	}
	key := m.Attachments[0].SHA256
	damage(t, w, key)
	_, _, err = w.Preview(ctx, malee, id, "f1")
	wantCode(t, "damaged", err, inbox.ErrOriginal.Code)
	_ = filepath.WalkDir(w.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.Contains(path, key) && !d.IsDir() {
			return os.Remove(path)
		}
		return nil
	})
	_, _, err = w.Preview(ctx, malee, id, "f1")
	wantCode(t, "missing", err, inbox.ErrOriginal.Code)
	if seen, _ := w.Accesses(ctx, malee, id, "", 0); len(seen) != 0 {
		t.Errorf("%d accesses to what nobody saw", len(seen))
	}
}
