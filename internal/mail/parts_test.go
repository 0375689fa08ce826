package mail_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/mail"
	"thhotel/internal/sanitize"
)

// shape is what of a message the cases below look at.
type shape struct {
	Text, HTML string
	Files      []string // name type inline content
}

func shapeOf(m mail.Message) shape {
	s := shape{Text: m.Text, HTML: m.HTML}
	for _, a := range m.Attachments {
		s.Files = append(s.Files, fmt.Sprintf("%s %s %v %q", a.Name, a.ContentType, a.Inline, a.Content))
	}
	return s
}

// multi writes a multipart from parts given as "header\n\nbody".
func multi(kind, boundary string, parts ...string) string {
	out := "Content-Type: multipart/" + kind + "; boundary=\"" + boundary + "\"\n\n"
	for _, part := range parts {
		out += "--" + boundary + "\n" + part + "\n"
	}
	return out + "--" + boundary + "--\n"
}

const (
	plainPart = "Content-Type: text/plain; charset=utf-8\n\nplain"
	htmlPart  = "Content-Type: text/html; charset=utf-8\n\n<p>html</p>"
	imagePart = "Content-Type: image/png; name=a.png\nContent-ID: <i@x>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\nAAEC"
	filePart  = "Content-Type: text/csv; name=list.csv\nContent-Disposition: attachment; filename=list.csv\n\na,b"
)

func TestParts(t *testing.T) {
	cases := []struct {
		name, src string
		want      shape
		problem   string
	}{
		{"plain", "Subject: x\r\n\r\na \r\nb\r\n", shape{Text: "a \nb\n"}, ""},
		{"html only", "Content-Type: text/html\n\n<p>a</p>", shape{HTML: "<p>a</p>"}, ""},
		{"alternative", multi("alternative", "b", plainPart, htmlPart), shape{Text: "plain", HTML: "<p>html</p>"}, ""},
		{"outlook", multi("mixed", "m", multi("related", "r", multi("alternative", "a", plainPart, htmlPart), imagePart), filePart),
			shape{"plain", "<p>html</p>", []string{`a.png image/png true "\x00\x01\x02"`, `list.csv text/csv false "a,b"`}}, ""},
		{"html and a text footer", multi("mixed", "m", htmlPart, plainPart), shape{HTML: "<p>html</p>\n<pre>plain</pre>"}, ""},
		{"two texts", multi("mixed", "m", plainPart, plainPart), shape{Text: "plain\nplain"}, ""},
		{"text with a name", multi("mixed", "m", plainPart, "Content-Type: text/plain; name=notes.txt\n\nnote"),
			shape{"plain", "", []string{`notes.txt text/plain false "note"`}}, ""},
		{"forwarded as a file", multi("mixed", "m", plainPart, "Content-Type: message/rfc822\n\nSubject: y\n\nz"),
			shape{"plain", "", []string{`attachment-1.eml message/rfc822 false "Subject: y\n\nz"`}}, ""},
		{"digest", multi("digest", "m", "\nSubject: y\n\nz"), shape{"---------- Forwarded message ---------\nFrom: \nSubject: y\n\nz", "", []string{`attachment-1.eml message/rfc822 false "Subject: y\n\nz"`}}, ""},
		{"winmail", multi("mixed", "m", plainPart, "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+"),
			shape{"plain", "", []string{`winmail.dat application/ms-tnef false "x\x9f>"`}}, ""},
		{"calendar", multi("alternative", "m", plainPart, "Content-Type: text/calendar; method=REQUEST\n\nBEGIN"),
			shape{"plain", "", []string{`attachment-1.ics text/calendar false "BEGIN"`}}, ""},
		{"quoted-printable with faults", "Content-Transfer-Encoding: quoted-printable\n\na=3Db =\nc=E4=ZZ =", shape{Text: "a=b cä=ZZ "}, ""},
		{"base64 with rubbish", "Content-Transfer-Encoding: base64\n\naGVs bG8=\n!!\nIHdvcmxk", shape{Text: "hello world"}, ""},
		{"unknown encoding", "Content-Transfer-Encoding: x-zip\n\na", shape{Text: "a"}, `transfer encoding "x-zip" is not known`},
		{"no parts", "Content-Type: multipart/mixed; boundary=q\n\njust text", shape{Text: "just text"}, "the parts cannot be told apart, the body is shown as one text"},
		{"boundary not closed", "Content-Type: multipart/mixed; boundary=q\n\n--q\n\na\n", shape{Text: "a\n"}, ""},
		{"no header", "just text, no header", shape{Text: "just text, no header"}, "no header"},
		{"nothing", "", shape{}, "no header found"},
		{"mbox line in front", "From a@b Tue Dec  1 10:00:00 2026\nSubject: x\n\na", shape{Text: "a"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := mail.Parse([]byte(c.src))
			checkValid(t, c.name, m)
			if diff := cmp.Diff(c.want, shapeOf(m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if c.problem == "" && m.Problem != "" || !strings.Contains(m.Problem, c.problem) {
				t.Errorf("problem %q, want %q", m.Problem, c.problem)
			}
		})
	}
}

func TestAttachmentNames(t *testing.T) {
	cases := map[string]string{
		`filename="../../etc/passwd"`:                    "passwd",
		`filename="C:\\temp\\a.pdf"`:                     "a.pdf",
		`filename="..\\..\\x.exe"`:                       "x.exe",
		`filename=".htaccess"`:                           "htaccess",
		`filename=".."`:                                  "attachment-1.pdf",
		`filename=""`:                                    "attachment-1.pdf",
		`filename="a|b?.pdf"`:                            "a_b_.pdf",
		`filename*=utf-8''a%00b%0D%0A.pdf`:               "ab.pdf",
		`filename*=utf-8''invoice%E2%80%AEfdp.exe`:       "invoicefdp.exe",
		`filename="=?utf-8?q?Zimmerliste_M=C3=BCller?="`: "Zimmerliste Müller",
		`filename*0="long"; filename*1="er.pdf"`:         "longer.pdf",
	}
	for header, want := range cases {
		src := multi("mixed", "m", "Content-Type: application/pdf\nContent-Disposition: attachment; "+header+"\n\nx")
		m := mail.Parse([]byte(src))
		if len(m.Attachments) != 1 || m.Attachments[0].Name != want {
			t.Errorf("%s: got %+v, want %q", header, m.Attachments, want)
		}
	}
	long := multi("mixed", "m", "Content-Type: application/pdf\nContent-Disposition: attachment; filename=\""+strings.Repeat("ก", 300)+".pdf\"\n\nx")
	if m := mail.Parse([]byte(long)); len(m.Attachments) != 1 || len(m.Attachments[0].Name) > 180 || !strings.HasSuffix(m.Attachments[0].Name, ".pdf") {
		t.Errorf("long name: %+v", m.Attachments)
	}
}

// What is hostile in size is read in bounded time, headers included.
func TestBounds(t *testing.T) {
	nested := "Subject: x\n"
	for i := range 5000 {
		nested += fmt.Sprintf("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	cases := map[string]string{
		"nested":         nested,
		"many parts":     "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 500000),
		"allowed parts":  "Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\nContent-Type: a/b\n\nx\n", 9900),
		"long header":    "Subject: x\nX: " + strings.Repeat("y", 2<<20) + "\n\nz",
		"many headers":   "Subject: x\n" + strings.Repeat("To: a@b.example\n", 100000) + "\nz",
		"many addresses": "Subject: x\nTo: " + strings.Repeat("a@b.example, ", 50000) + "\n\nz",
		"broken list":    "Subject: x\nTo: " + strings.Repeat("(a@b.example, <", 50000) + "\n\nz",
		"encoded words":  "Subject: x\nComment: " + strings.Repeat("=?utf-8?q?=41?= ", 50000) + "\n\nz",
		"word subject":   "Subject: " + strings.Repeat("=?utf-8?q?x?= ", 60000) + "\n\nz",
		"huge text":      "Subject: x\n\n" + strings.Repeat("abc def\n", 4<<20),
		"too large":      "Subject: x\n\n" + strings.Repeat("z", mail.MaxRaw),
	}
	for name, src := range cases {
		done := make(chan mail.Message, 1)
		go func() { done <- mail.Parse([]byte(src)) }()
		select {
		case m := <-done:
			if !strings.HasPrefix(m.Subject, "x") {
				t.Errorf("%s: subject %.20q, problem %q", name, m.Subject, m.Problem)
			}
		case <-time.After(30 * time.Second): // the slowest takes half a second
			t.Fatalf("%s: not done after 30 seconds", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		multi("mixed", "m", multi("alternative", "a", plainPart, htmlPart), filePart, imagePart),
		"From: =?gbk?B?wO7P/tGp?= <a@b>\nTo: (x\nDate: Tue, 1 Dec 2026 10:00 EST\nReceived: x; y\n\n\xff\xfe",
		multi("digest", "m", "\nSubject: y\n\nz") + "Content-Disposition: attachment; filename*=utf-8''%2e%2e%2f",
		"Content-Type: text/html\n\n<p>a<blockquote>b</blockquote><table><td>From:<td>c</table><pre>&gt; d\n\ne</pre><hr>f",
		"Content-Type: text/plain; format=flowed; delsp=yes; charset=utf-7\n\n> a \nbegin 644 x\n#0V%T\n`\nend\n+ZeU-\n-- \nB",
		"Content-Type: application/ms-tnef\n\nx\x9f>\"\x01\x00\x01\x03\x90\x06\x00\x04\x00\x00\x00\x01\x00\x00\x00",
		"Content-Type: text/html; charset=big5\nContent-Transfer-Encoding: quoted-printable\n\n<meta charset=gbk>=A4=A4",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m := mail.Parse(raw)
		checkValid(t, "fuzz", m)
		if strings.Contains(m.Problem, "gave up") {
			t.Logf("the library panics: %s", m.Problem)
		}
		fresh, quoted := mail.SplitQuoted(m.Text)
		if len(fresh)+len(quoted) > len(m.Text)+2 {
			t.Errorf("splitting adds text: %q %q", fresh, quoted)
		}
		if said, signature := mail.SplitSignature(m.Text); len(said)+len(signature) > len(m.Text) {
			t.Errorf("splitting adds text: %q %q", said, signature)
		}
		clean := sanitize.HTML(m.HTML).HTML
		if fresh, quoted := mail.SplitQuotedHTML(clean); len(plainWords(fresh))+len(plainWords(quoted)) != len(plainWords(clean)) {
			t.Errorf("splitting %q loses or adds words: %q %q", clean, fresh, quoted)
		}
	})
}
