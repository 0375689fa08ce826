package mail_test

import (
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/mail"
	"thhotel/internal/testkit"
)

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// demoPackage is what a demo package says of its mail.
type demoPackage struct {
	SourceMessage struct {
		Subject, Sender string
		SentAt          string `json:"sent_at"`
		Body            string
		BodyContentType string `json:"body_content_type"`
		Attachments     []demoFile
	} `json:"source_message"`
}

type demoFile struct {
	Name        string
	ContentType string `json:"content_type"`
	Size        int
}

func TestDemoMails(t *testing.T) {
	packages, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "demo", "data", "*.v4.json"))
	if err != nil || len(packages) != 12 {
		t.Fatalf("%d packages, %v", len(packages), err)
	}
	for _, path := range packages {
		t.Run(filepath.Base(path), func(t *testing.T) {
			var want demoPackage
			if err := json.Unmarshal(read(t, path), &want); err != nil {
				t.Fatal(err)
			}
			got := mail.Parse(read(t, strings.TrimSuffix(path, ".v4.json")+".eml"))
			compareDemo(t, want, got)
		})
	}
}

func compareDemo(t *testing.T, want demoPackage, got mail.Message) {
	t.Helper()
	src := want.SourceMessage
	if got.Problem != "" {
		t.Errorf("problem %q", got.Problem)
	}
	if got.Subject != src.Subject || got.From.Email != src.Sender {
		t.Errorf("got %q from %q, want %q from %q", got.Subject, got.From.Email, src.Subject, src.Sender)
	}
	if sent := got.SentAt.Format("2006-01-02T15:04:05-07:00"); sent != src.SentAt {
		t.Errorf("sent at %s, want %s", sent, src.SentAt)
	}
	body := got.Text
	if src.BodyContentType == "text/html" {
		body = got.HTML
	}
	// Mail 11 is HTML only and its package gives the visible sentence alone.
	if htmlOnly := got.Text == "" && src.BodyContentType == "text/plain"; htmlOnly {
		if !strings.Contains(strings.Join(strings.Fields(got.HTML), " "), src.Body) {
			t.Errorf("the sentence is not in the HTML")
		}
	} else if diff := cmp.Diff(strings.Fields(src.Body), strings.Fields(body)); diff != "" { // flowed lines are joined
		t.Errorf("body (-want +got):\n%s", diff)
	}
	var files []demoFile
	for _, a := range got.Attachments {
		files = append(files, demoFile{a.Name, a.ContentType, len(a.Content)})
	}
	if diff := cmp.Diff(append([]demoFile(nil), src.Attachments...), files); diff != "" {
		t.Errorf("attachments (-want +got):\n%s", diff)
	}
}

// Every mail of the corpus is read in bounded time and without a panic.
func TestCorpusMailsParse(t *testing.T) {
	root := testkit.Corpus(t)
	files, problems, noSender, empty := 0, 0, 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		ext := filepath.Ext(path)
		if err != nil || d.IsDir() || ext != ".eml" && ext != ".raw" && ext != ".mbox" {
			return err
		}
		m := mail.Parse(read(t, path)) // bounded time: see TestBounds
		files++
		name, _ := filepath.Rel(root, path)
		checkValid(t, name, m)
		if m.Problem != "" {
			problems++
			t.Logf("%s: %s", name, m.Problem)
		}
		if m.From.Email == "" {
			noSender++
		}
		if m.Text == "" && m.HTML == "" && len(m.Attachments) == 0 {
			empty++
			t.Logf("%s: nothing in it", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d mails, %d with a problem, %d without a sender, %d empty", files, problems, noSender, empty)
}

// checkValid asserts what holds of every message, however broken the mail.
func checkValid(t *testing.T, name string, m mail.Message) {
	t.Helper()
	texts := append([]string{m.MessageID, m.InReplyTo, m.Subject, m.Text, m.HTML, m.Problem, m.From.Name, m.From.Email,
		m.AutoSubmitted, m.ListUnsubscribe}, m.References...)
	for _, list := range [][]mail.Address{m.To, m.Cc, m.ReplyTo} {
		for _, a := range list {
			texts = append(texts, a.Name, a.Email)
		}
	}
	for _, a := range m.Attachments {
		texts = append(texts, a.Name, a.ContentType, a.ContentID)
		if a.Name == "" || strings.ContainsAny(a.Name, "/\\\x00\n\r\u202e") || len(a.Name) > 200 || a.Name == ".." || a.Name == "." {
			t.Errorf("%s: attachment name %q", name, a.Name)
		}
	}
	for _, s := range texts {
		if !utf8.ValidString(s) {
			t.Errorf("%s: not UTF-8: %q", name, s)
		}
	}
	if strings.ContainsAny(m.Subject+m.From.Email+m.From.Name+m.MessageID, "\r\n") {
		t.Errorf("%s: line end in a header: %q", name, m.Subject)
	}
	if strings.Contains(m.Text, "\r") {
		t.Errorf("%s: carriage return in the text", name)
	}
}

// The replies of talon's test set: what is new in each is known.
func TestTalonReplies(t *testing.T) {
	dir := testkit.Corpus(t, "replies-talon", "standard_replies")
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, path := range files {
		want := "Hello"
		if b, err := os.ReadFile(strings.TrimSuffix(path, ".eml") + "_reply_text"); err == nil {
			want = string(b)
		}
		fresh, quoted := mail.SplitQuoted(mail.Parse(read(t, path)).Text)
		if squeeze(fresh) == squeeze(want) && quoted != "" {
			right++
		} else {
			t.Logf("%s: got %q, want %q", filepath.Base(path), fresh, want)
		}
	}
	t.Logf("%d of %d replies split right", right, len(files))
	if right < len(files)-1 {
		t.Errorf("only %d of %d", right, len(files))
	}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// Every winmail.dat of the corpus is opened: the files it names come out, and so
// does a body where it has one.
func TestCorpusWinmail(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(testkit.Corpus(t, "mime-tnef-mimekit"), "*.winmail.dat"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, path := range files {
		m := mail.Parse([]byte("Subject: x\nContent-Type: application/ms-tnef\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(read(t, path))))
		checkValid(t, path, m)
		got := map[string]bool{"body.html": m.HTML != "", "body.rtf": m.Text != ""}
		for _, a := range m.Attachments {
			got[a.Name] = true
		}
		want := strings.Fields(string(read(t, strings.TrimSuffix(path, ".winmail.dat")+".expected-files.txt")))
		for _, name := range want {
			if !got[name] {
				t.Errorf("%s: %s is missing: %v, problem %q", filepath.Base(path), name, got, m.Problem)
			}
		}
		t.Logf("%s: %d files expected, %d attachments, problem %q", filepath.Base(path), len(want), len(m.Attachments), m.Problem)
	}
}
