package sanitize_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"thhotel/internal/sanitize"
)

// hostileSizes are small to write down and dear to a careless reader.
func hostileSizes() map[string]string {
	formatting := "<p>"
	for i := range 500 {
		formatting += "<b style='color:#" + string(rune('a'+i%6)) + "00' class=x" + strings.Repeat("y", i%50) + ">"
	}
	rules := "<style>"
	for range 1900 {
		rules += ".a{color:red}"
	}
	return map[string]string{
		"deep":               strings.Repeat("<div>", 30000) + "x",
		"deep spans":         strings.Repeat("<span>", 30000) + "x",
		"deep tables":        strings.Repeat("<table><tr><td>", 20000) + "x",
		"unclosed formats":   formatting + strings.Repeat("</p><p>x", 15000),
		"end tags":           strings.Repeat("<span>", 500) + strings.Repeat("</div>", 40000),
		"wrong end tags":     "<div><table><td>" + strings.Repeat("<i>", 500) + strings.Repeat("</div>", 40000),
		"many rules":         rules + "</style>" + strings.Repeat("<p class=a>x", 15000),
		"nested selectors":   "<style>.a .b .c{color:red}</style>" + strings.Repeat("<i class=c>", 500) + strings.Repeat("<p class=c>x</p>", 15000),
		"attributes":         "<p " + strings.Repeat("a=b ", 200000) + ">x",
		"style":              "<p style='" + strings.Repeat("display:block;", 30000) + "'>x",
		"escaped style":      "<p style='" + strings.Repeat(`\64 `, 200000) + "'>x",
		"open brackets":      "<style>" + strings.Repeat("@media screen{", 18000) + "</style>x",
		"open tags":          strings.Repeat("<", 1<<20),
		"entities":           strings.Repeat("&amp;", 200000),
		"digits":             strings.Repeat("4", 1<<20),
		"digit groups":       strings.Repeat("4111 ", 200000),
		"lists":              strings.Repeat("<ul><li>", 30000),
		"paragraphs in list": "<ul>" + strings.Repeat("<li><p>x<font color=red>", 30000),
		"too long":           strings.Repeat("ก", 3<<20),
	}
}

// What is hostile in size must be over soon, and what is cut must be said.
func TestBounds(t *testing.T) {
	for name, src := range hostileSizes() {
		done := make(chan sanitize.Result, 1)
		go func() { done <- sanitize.HTML(src) }()
		select {
		case got := <-done:
			if !utf8.ValidString(got.HTML) || len(got.HTML) > 8*len(src)+100 {
				t.Errorf("%s: %d bytes became %d", name, len(src), len(got.HTML))
			}
		case <-time.After(30 * time.Second): // the slowest takes one, the race detector ten times as long
			t.Fatalf("%s: %d bytes are not done after 30 seconds", name, len(src))
		}
	}
}

func TestTooLongIsCutAndSaid(t *testing.T) {
	src := strings.Repeat("ก", sanitize.MaxInput/3+1)
	for name, got := range map[string]sanitize.Result{"html": sanitize.HTML(src), "text": sanitize.Text(src)} {
		if !slices.Contains(got.Flags, sanitize.FlagTruncated) || len(got.Text) > sanitize.MaxInput || !utf8.ValidString(got.Text) {
			t.Errorf("%s: flags %v, %d bytes", name, got.Flags, len(got.Text))
		}
	}
}
