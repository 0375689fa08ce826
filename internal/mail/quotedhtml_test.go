package mail_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"thhotel/internal/mail"
	"thhotel/internal/sanitize"
	"thhotel/internal/testkit"
)

func TestSplitQuotedHTML(t *testing.T) {
	cases := []struct{ name, src, fresh, quoted string }{
		{"nothing", `<p>Hi</p>`, `<p>Hi</p>`, ``},
		{"block quote", `<p>Yes</p><div>On 26 Nov 2026 at 10:10, A &lt;a@b.example&gt; wrote:</div><blockquote><p>Hi</p></blockquote>`,
			`<p>Yes</p>`, `<div>On 26 Nov 2026 at 10:10, A &lt;a@b.example&gt; wrote:</div><blockquote><p>Hi</p></blockquote>`},
		{"answer below", `<blockquote>one?</blockquote><p>Yes</p><blockquote>two?</blockquote><p>No</p>`, `<p>Yes</p><p>No</p>`,
			`<blockquote>one?</blockquote><blockquote>two?</blockquote>`},
		{"outlook", `<div>Ja<p><b>Von:</b> A<br><b>Gesendet:</b> Dienstag<br><b>An:</b> B<br><b>Betreff:</b> x</p><p>Hallo</p></div>`, `<div>Ja</div>`,
			`<div><p><b>Von:</b> A<br/><b>Gesendet:</b> Dienstag<br/><b>An:</b> B<br/><b>Betreff:</b> x</p><p>Hallo</p></div>`},
		{"rule", `<div>Yes<hr><b>From: </b>a@b.example<br><b>To: </b>c<br><b>Sent: </b>Friday<br><b>Subject: </b>x<p>Hi</p></div>`, `<div>Yes</div>`,
			`<div><hr/><b>From: </b>a@b.example<br/><b>To: </b>c<br/><b>Sent: </b>Friday<br/><b>Subject: </b>x<p>Hi</p></div>`},
		{"in one cell", `<table><tr><td>好的<br>------------------ 原始邮件 ------------------<br>发件人: A</td><td></td></tr></table>`,
			`<table><tbody><tr><td>好的<br/></td><td></td></tr></tbody></table>`,
			`<table><tbody><tr><td>------------------ 原始邮件 ------------------<br/>发件人: A</td><td></td></tr></tbody></table>`},
		{"netease table", `<div>好的</div><table><tbody><tr><td>发件人</td><td>A</td></tr><tr><td>日期</td><td>2026年</td></tr><tr><td>主题</td><td>x</td></tr></tbody></table><p>你好</p>`,
			`<div>好的</div>`,
			`<table><tbody><tr><td>发件人</td><td>A</td></tr><tr><td>日期</td><td>2026年</td></tr><tr><td>主题</td><td>x</td></tr></tbody></table><p>你好</p>`},
		{"table of rooms", `<table><tr><td>From</td><td>BKK</td></tr><tr><td>To</td><td>HKT</td></tr></table>`, `<table><tr><td>From</td><td>BKK</td></tr><tr><td>To</td><td>HKT</td></tr></table>`, ``},
		{"forward", `<div>---------- Forwarded message ---------<br>From: A<br>Subject: x</div><p>Hi</p>`,
			`<div>---------- Forwarded message ---------<br>From: A<br>Subject: x</div><p>Hi</p>`, ``},
		{"pre", "<pre>Yes\n&gt; Hi\n&gt; there\nNo</pre>", "<pre>Yes\nNo</pre>", "<pre>&gt; Hi\n&gt; there\n</pre>"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if fresh, quoted := mail.SplitQuotedHTML(c.src); fresh != c.fresh || quoted != c.quoted {
				t.Errorf("got  %s\n and %s\nwant %s\n and %s", fresh, quoted, c.fresh, c.quoted)
			}
		})
	}
}

func plainWords(src string) string {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return ""
	}
	var out strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			out.WriteString(n.Data + " ")
		}
	}
	return squeeze(out.String())
}

// The HTML replies of talon's test set, cleaned first as the inbox does: what is
// new in each is known, and nothing is lost.
func TestTalonHTMLReplies(t *testing.T) {
	dir := testkit.Corpus(t, "replies-talon")
	files, err := filepath.Glob(filepath.Join(dir, "html_replies", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	wants := map[string]string{"reply-separated-by-hr.html": "Hi there Bob", "OLK_SRC_BODY_SECTION.html": "Reply"}
	for name := range wants {
		files = append(files, filepath.Join(dir, name))
	}
	sources := map[string]string{}
	for _, path := range files {
		sources[filepath.Base(path)] = string(read(t, path))
	}
	sources["reply-quotations-share-block.eml"] = mail.Parse(read(t, filepath.Join(dir, "reply-quotations-share-block.eml"))).HTML
	wants["reply-quotations-share-block.eml"] = ""
	right := 0
	for name, src := range sources {
		want, known := wants[name]
		if !known {
			want = "Hi. I am fine. Thanks, Alex"
		}
		clean := sanitize.HTML(src)
		fresh, quoted := mail.SplitQuotedHTML(clean.HTML)
		ok := plainWords(fresh) == squeeze(want) && quoted != ""
		if want == "" { // a long letter: it is enough that the question is there and the history is not
			ok = strings.Contains(fresh, "dietry restrictions") && !strings.Contains(fresh, "New Booking Inquiry") && strings.Contains(quoted, "New Booking Inquiry")
		}
		text, _ := mail.SplitQuoted(clean.Text)
		if sameText := want == "" || squeeze(text) == squeeze(want); ok && sameText {
			right++
		} else {
			t.Logf("%s: html %q, text %q", name, fresh, text)
		}
		if len(plainWords(fresh))+len(plainWords(quoted)) != len(plainWords(clean.HTML)) {
			t.Errorf("%s: words are lost or added", name)
		}
	}
	t.Logf("%d of %d HTML replies split right, as HTML and as the text made from it", right, len(sources))
	if right < len(sources) {
		t.Errorf("only %d of %d", right, len(sources))
	}
}

// talon's texts with known signatures.
func TestTalonSignatures(t *testing.T) {
	dir := testkit.Corpus(t, "replies-talon", "signature", "emails", "stripped")
	files, err := filepath.Glob(filepath.Join(dir, "*_body"))
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, path := range files {
		want := ""
		if b, err := os.ReadFile(strings.TrimSuffix(path, "_body") + "_signature"); err == nil {
			want = strings.ReplaceAll(string(b), "#sig#", "")
		}
		if _, signature := mail.SplitSignature(strings.ReplaceAll(string(read(t, path)), "#sig#", "")); squeeze(signature) == squeeze(want) {
			right++
		} else {
			t.Logf("%s: got %q, want %q", filepath.Base(path), signature, want)
		}
	}
	t.Logf("%d of %d signatures found right", right, len(files))
	if right < 5 {
		t.Errorf("only %d", right)
	}
}
