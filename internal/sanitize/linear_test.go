package sanitize_test

import (
	"runtime"
	"strings"
	"testing"

	"thhotel/internal/sanitize"
)

// growing are documents of a size that can be chosen.
var growing = map[string]func(n int) string{
	"plain":            func(n int) string { return strings.Repeat("<p>Hello <b>world</b></p>", n) },
	"deep":             func(n int) string { return strings.Repeat("<div>", n) },
	"unclosed formats": func(n int) string { return strings.Repeat("<p><font color=red><b><i>x", n) },
	"carried formats":  func(n int) string { return "<b class=a><i class=b><u class=c>" + strings.Repeat("<p>x</p>", n) },
	"rules": func(n int) string {
		return "<style>" + strings.Repeat(".a .b>i:not(.c)~p{color:red}", 300) + "</style>" + strings.Repeat("<p class=a><b class=b><i>x</i></b></p>", n)
	},
	"siblings": func(n int) string {
		return "<style>.a~.b~.c{color:red}</style>" + strings.Repeat("<i class=a></i><i class=b></i><i class=c></i>", n)
	},
	"last of many":     func(n int) string { return "<style>i:last-child{color:red}</style>" + strings.Repeat("<i>x</i>", n) },
	"end tags":         func(n int) string { return strings.Repeat("<b><div>", 100) + strings.Repeat("</b></i></p>", n) },
	"cells":            func(n int) string { return "<table>" + strings.Repeat("<tr><td>x", n) },
	"variables":        func(n int) string { return strings.Repeat(`<p style="--a:var(--b);color:var(--a)">x</p>`, n) },
	"anchors":          func(n int) string { return strings.Repeat("<a href=x>y<div>", n) },
	"style attributes": func(n int) string { return strings.Repeat(`<p style="display:none;color:calc(1 + 1)">x</p>`, n) },
	"long style":       func(n int) string { return `<p style="` + strings.Repeat("color:red;", n) + `">x</p>` },
	"gradients": func(n int) string {
		return `<p style="background:` + strings.Repeat("linear-gradient(red,blue),", n) + `">x</p>`
	},
	"media":        func(n int) string { return "<style>" + strings.Repeat("@media (min-width:1px){", n) + "</style>x" },
	"cards":        func(n int) string { return strings.Repeat("4111 ", n) },
	"tags in text": func(n int) string { return strings.Repeat("a\u200b\U000E0041", n) },
	"clip boxes":   func(n int) string { return strings.Repeat(`<div style="height:9px;overflow:hidden"><br>`, n) },
}

// Twice the input costs twice the work and twice the memory; more only where the
// walk says that it stopped.
func TestWorkGrowsWithTheInput(t *testing.T) {
	for name, make := range growing {
		small, large := make(2000), make(4000)
		if one, two := sanitize.Work(small), sanitize.Work(large); two > 5*one/2+20000 && two < sanitize.MostWork {
			t.Errorf("%s: %d steps for %d bytes, %d for %d", name, one, len(small), two, len(large))
		}
		if one, two := allocated(small), allocated(large); two > 5*one/2+1<<20 {
			t.Errorf("%s: %d bytes of memory for %d, %d for %d", name, one, len(small), two, len(large))
		}
	}
}

func allocated(src string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sanitize.HTML(src)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
