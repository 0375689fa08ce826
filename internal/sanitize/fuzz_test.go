package sanitize_test

import (
	"testing"
	"unicode/utf8"

	"thhotel/internal/sanitize"
)

func FuzzHTML(f *testing.F) {
	for _, seed := range []string{
		`<p>x<table><td style="display:none">a<div>b</table>c`,
		`<ul><li><p>a<li hidden>b</ul><td>c<dl><dt>d<dd>e`,
		`<style>.x{color:#fff}</style><font class=x>a<p>b</font>c`,
		`<pre> a <b> 4111 <i>1111 1111 1111</i></pre><xmp><a></xmp><svg><p>x</svg>`,
		"&lt;script&gt;\u200b<a href=x>&#x202e;y</a><!--z--><h1><span><h2>",
		`<blockquote><ol><li>a</ol></blockquote><plaintext><b>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got := check(t, "fuzz", src)
		if !utf8.ValidString(got.HTML) || !utf8.ValidString(got.Text) {
			t.Errorf("not UTF-8: %q %q", got.HTML, got.Text)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"a\u200bb", "4111 1111 1111 1111", "می\u200cخواهم", "👨\u200d👩\ufe0f", "\xff\r\n\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		got := sanitize.Text(src)
		if !utf8.ValidString(got.Text) || got.HTML != "" {
			t.Errorf("not UTF-8: %q", got.Text)
		}
		if again := sanitize.Text(got.Text); again.Text != got.Text {
			t.Errorf("second pass changes it:\nin  %q\n1st %q\n2nd %q", src, got.Text, again.Text)
		}
	})
}
