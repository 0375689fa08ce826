package sanitize_test

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
)

// author writes mails nobody would: random elements in each other, with random
// styles and rules, and a word of its own in every corner.
type author struct {
	r     *rand.Rand
	words int
}

func pick(r *rand.Rand, list []string) string { return list[r.Intn(len(list))] }

var (
	someTags   = strings.Fields("div p span font b i a table ul ol center blockquote h2 section u pre details em small")
	someStyles = []string{"color:#000", "color:#fff", "color:#336699", "background:#000", "background:#fff", "background:#336699", "background-color:inherit",
		"display:none", "display:block", "display:inline", "visibility:hidden", "visibility:visible", "opacity:0", "opacity:1", "opacity:.5",
		"font-size:0", "font-size:14px", "font-size:1.2em", "font-size:100%", "height:0;overflow:hidden;display:block", "position:absolute;left:-9999px",
		"color:inherit", "color:transparent", "display:none !important", "color:#111!important", "color:var(--c)",
		"--c:#fff", "--c:#222", "display:var(--d,none)", "--d:block", "color:currentColor", "background:none", "background:transparent",
		"font:12px Arial", "font-size:larger", "visibility:inherit", "display:inherit", "color:initial", "color:unset", "display:revert"}
	someSelectors = []string{".a", ".b", ".c", "p", "div", "b", "#x", ".a .b", "div>.a", "p+p", ".a~.b", "b:first-child", "i:last-child", "p:nth-child(2)",
		"div:nth-child(odd)", ":not(.a)>b", ".a:not(.b)", "span", "td", "li:nth-last-child(1)", "[class=a]", "[class~=b]", "[title^=t]", "font[color]", "a:link",
		"a:hover", ":is(p,div).c", "*.b", "table .a", "ul>li", "div div", "p:only-child", "u:empty", "b:first-of-type", "i:last-of-type", ".a.b", "div:hover .a"}
)

func (a *author) word() string {
	a.words++
	return fmt.Sprintf("w%dw", a.words)
}

func (a *author) attrs() string {
	out := ""
	if a.r.Intn(3) == 0 {
		n := 1 + a.r.Intn(2)
		var decls []string
		for range n {
			decls = append(decls, pick(a.r, someStyles))
		}
		out += ` style="` + strings.Join(decls, ";") + `"`
	}
	if a.r.Intn(3) == 0 {
		out += ` class="` + strings.Join([]string{pick(a.r, []string{"a", "b", "c"}), pick(a.r, []string{"", "a", "b"})}, " ") + `"`
	}
	if a.r.Intn(12) == 0 {
		out += pick(a.r, []string{" hidden", " id=x", " title=t1", " color=white", " bgcolor=black", " href=x", " open", " aria-hidden=true"})
	}
	return out
}

func (a *author) node(depth int) string {
	if depth == 0 || a.r.Intn(4) == 0 {
		return " " + a.word() + " "
	}
	tag := pick(a.r, someTags)
	inner := ""
	for range 1 + a.r.Intn(3) {
		inner += a.node(depth - 1)
	}
	switch tag {
	case "table":
		return "<table" + a.attrs() + "><tr" + a.attrs() + "><td" + a.attrs() + ">" + inner + "</td><td" + a.attrs() + ">" + a.word() + "</td></tr></table>"
	case "ul", "ol":
		return "<" + tag + a.attrs() + "><li" + a.attrs() + ">" + inner + "</li><li" + a.attrs() + ">" + a.word() + "</li></" + tag + ">"
	case "details":
		return "<details" + a.attrs() + "><summary>" + a.word() + "</summary>" + inner + "</details>"
	case "p", "h2", "a":
		inner = a.word()
	}
	if a.r.Intn(40) == 0 {
		return "<" + tag + a.attrs() + ">" + inner // careless
	}
	return "<" + tag + a.attrs() + ">" + inner + "</" + tag + ">"
}

func (a *author) mail() string {
	sheet := ""
	for range a.r.Intn(5) {
		rule := pick(a.r, someSelectors) + "{" + pick(a.r, someStyles) + ";" + pick(a.r, someStyles) + "}"
		switch a.r.Intn(8) {
		case 0:
			rule = "@media (min-width:600px){" + rule + "}"
		case 1:
			rule = "@media (max-width:600px){" + rule + "}"
		}
		sheet += rule
	}
	body := ""
	for range 3 {
		body += a.node(4)
	}
	return "<!doctype html><style>" + sheet + "</style>" + body
}

// What a browser hides must not come through, whatever the mail is made of. More
// mails are read where THHOTEL_SOAK says how many.
func TestBrowserAgreesOnRandomMail(t *testing.T) {
	j := newJudge(t)
	n, seed := 240, int64(4)
	if more, err := strconv.Atoi(os.Getenv("THHOTEL_SOAK_MAILS")); err == nil {
		n, seed = more, int64(more)
	}
	a := &author{r: rand.New(rand.NewSource(seed))}
	var docs []string
	for range n {
		docs = append(docs, a.mail())
	}
	var all comparison
	for part := range slices.Chunk(docs, 60) {
		for i, s := range show[[]sight](t, j, framed(part), eyes) {
			var one comparison
			got := sanitize.HTML(part[i])
			one.compare(s, got)
			all.compare(s, got)
			if len(one.leaks) > 0 {
				t.Errorf("leaks %q\n%s", one.leaks, part[i])
			} else if len(one.lost) > 0 {
				t.Logf("lost %q\n%s", one.lost, part[i])
			}
		}
	}
	t.Logf("%d mails: %d of %d visible words kept, %d of %d hidden words leak", n, all.kept, all.shown, all.leaked, all.hidden)
	if all.kept*100 < all.shown*97 {
		t.Errorf("only %d of %d visible words kept", all.kept, all.shown)
	}
}
