package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/demo"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

func demoFile(t *testing.T, index int) string {
	t.Helper()
	mails, err := demo.Mails()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), mails[index].File)
	if err := os.WriteFile(path, mails[index].Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMailInspect(t *testing.T) {
	out, code := run(t, "mail", "inspect", demoFile(t, 8)) // Thai, TIS-620
	var got struct {
		MessageID string  `json:"message_id"`
		Subject   string  `json:"subject"`
		Mode      string  `json:"html_render_mode"`
		Error     *string `json:"error"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	if got.MessageID != "<CAK-9d1x-20261128@mailbox.example>" || got.Subject != "ขอแจ้งความต้องการพิเศษ การจองเลขที่ 720933" ||
		got.Mode != "TEXT_ONLY" || got.Error != nil {
		t.Errorf("inspect: %+v", got)
	}
	if _, code := run(t, "mail", "inspect", filepath.Join(t.TempDir(), "absent.eml")); code != 1 {
		t.Errorf("absent file: exit %d, want 1", code)
	}
}

// TestMailInspectOfLittle: what is absent is null, and MIME headers alone are headers.
func TestMailInspectOfLittle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.eml")
	if err := os.WriteFile(path, []byte("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nHello\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := run(t, "mail", "inspect", path)
	var got map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s", code, err, out)
	}
	for _, name := range []string{"message_id", "in_reply_to", "sent_at"} {
		if v, there := got[name]; !there || v != nil {
			t.Errorf("%s is %v, want null", name, v)
		}
	}
	flags, text := got["flags"].([]any), got["error"]
	if got["text_body"] != "Hello\n" || len(flags) != 1 || flags[0] != inbox.FlagProblem || text != "neither sender, subject, date nor Message-ID was found" {
		t.Errorf("inspect: %s", out)
	}
}

// imported runs mail import into a demo's data folder and returns its counts.
func imported(t *testing.T, dir, path string) inbox.ImportCounts {
	t.Helper()
	out, _ := run(t, "mail", "import", "--data", dir, path)
	var c inbox.ImportCounts
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatalf("%v: %q", err, out)
	}
	return c
}

func TestMailImportTwiceChangesNothing(t *testing.T) {
	dir := t.TempDir()
	startDemo(t, dir, "--agent=off") // import works beside a running demo
	file := demoFile(t, 3)
	want := inbox.ImportCounts{Found: 1, Imported: 1, Elsewhere: 1, Failed: []inbox.ImportFailure{}}
	if diff := cmp.Diff(want, imported(t, dir, file)); diff != "" {
		t.Fatalf("first import (-want +got):\n%s", diff)
	}
	want = inbox.ImportCounts{Found: 1, Duplicates: 1, Failed: []inbox.ImportFailure{}}
	if diff := cmp.Diff(want, imported(t, dir, file)); diff != "" {
		t.Fatalf("second import (-want +got):\n%s", diff)
	}
}

func TestMailImportCorpus(t *testing.T) {
	corpus := testkit.Corpus(t)
	dir := t.TempDir()
	startDemo(t, dir, "--agent=off").kill()
	first := imported(t, dir, corpus)
	t.Logf("first: %+v", first)
	if first.Found < 100 || len(first.Failed) > 0 || first.Imported+first.Duplicates != first.Found {
		t.Fatalf("corpus import: %+v; want every mail kept", first)
	}
	second := imported(t, dir, corpus)
	if second.Imported != 0 || second.Duplicates != first.Found {
		t.Fatalf("second corpus import: %+v; want %d duplicates", second, first.Found)
	}
}

func TestMailSweep(t *testing.T) {
	dir := t.TempDir()
	startDemo(t, dir, "--agent=off").kill()
	var got struct{ Seen, Removed int }
	out, code := run(t, "mail", "sweep", "--data", dir)
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || got.Seen == 0 || got.Removed != 0 {
		t.Errorf("exit %d, %v: %s, want the mail's bytes seen and kept", code, err, out)
	}
}
