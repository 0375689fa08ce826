package sanitize

import (
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// finish cleans the text of all pieces: characters, white space, card numbers.
func finish(pieces []piece, flags flagSet) {
	run := []int{} // text pieces which are read as one line
	for i := range pieces {
		p := &pieces[i]
		switch {
		case p.kind == pieceText:
			text := cleanChars(newlines(string(p.text)), flags)
			if !p.pre {
				text = collapse(text)
			}
			p.text = []byte(text)
			run = append(run, i)
		case p.kind == pieceVoid || isBlock(p.tag):
			maskPieces(pieces, run, flags)
			run = run[:0]
		}
	}
	maskPieces(pieces, run, flags)
}

// collapse makes every run of white space one blank.
func collapse(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	blank := false
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' || r == '\f' {
			blank = true
			continue
		}
		if blank {
			out.WriteByte(' ')
			blank = false
		}
		out.WriteRune(r)
	}
	if blank {
		out.WriteByte(' ')
	}
	return out.String()
}

// maskPieces masks card numbers, also when formatting parts their groups.
func maskPieces(pieces []piece, run []int, flags flagSet) {
	if len(run) == 0 {
		return
	}
	var line strings.Builder
	for _, i := range run {
		line.Write(pieces[i].text)
	}
	spans := cardSpans(line.String())
	if len(spans) == 0 {
		return
	}
	flags.add(FlagCardMasked)
	base := 0
	for _, i := range run {
		size, n := len(pieces[i].text), 0
		for n < len(spans) && spans[n].to <= base+size {
			n++
		}
		pieces[i].text = []byte(maskSpans(string(pieces[i].text), base, spans[:n]))
		base, spans = base+size, spans[n:]
	}
}

func isBlock(tag string) bool {
	return kept[tag] && !setInline[tag]
}

var setInline = setOf("b strong i em u s sub sup small code")

// renderHTML prints the pieces and passes them through the second, independent
// guard: even a fault in the walk cannot let a link or a script out.
func renderHTML(pieces []piece) string {
	var out strings.Builder
	for _, p := range pieces {
		switch p.kind {
		case pieceText:
			out.WriteString(html.EscapeString(string(p.text)))
		case pieceOpen:
			out.WriteString("<" + p.tag)
			if p.tag == "td" || p.tag == "th" {
				out.WriteString(p.attr)
			}
			out.WriteString(">")
		case pieceClose:
			out.WriteString("</" + p.tag + ">")
		case pieceVoid:
			out.WriteString("<" + p.tag + ">")
		}
	}
	return policy().Sanitize(out.String())
}

// policy is built once and never changed afterwards.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	for tag := range kept {
		p.AllowElements(tag)
		p.AllowNoAttrs().OnElements(tag)
	}
	p.AllowElements("br", "hr")
	p.AllowAttrs("colspan", "rowspan").Matching(bluemonday.Integer).OnElements("td", "th")
	return p
})
