package mail

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// SplitQuotedHTML parts cleaned HTML as SplitQuoted parts text: fresh keeps what
// the sender wrote now, quoted the history, each with the structure around it.
// It goes by what is left when classes and styles are gone: block quotes, rules,
// and the words above a quotation. quoted is "" when there is no history.
func SplitQuotedHTML(src string) (fresh, quoted string) {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(src), context)
	if err != nil {
		return src, ""
	}
	p := &page{line: map[*html.Node]int{}}
	for _, n := range nodes {
		p.read(n, 0)
	}
	p.end()
	old := history(p.lines)
	any := false
	for _, is := range old {
		any = any || is
	}
	if !any {
		return src, ""
	}
	return p.render(nodes, old, false), p.render(nodes, old, true)
}

// page is HTML read as lines of text.
type page struct {
	lines   []string
	current strings.Builder
	depth   int // of quotation
	line    map[*html.Node]int
}

func (p *page) end() {
	if p.current.Len() == 0 && len(p.lines) > 0 && p.lines[len(p.lines)-1] == "" {
		return
	}
	text := strings.Join(strings.Fields(p.current.String()), " ")
	if p.depth > 0 {
		text = strings.Repeat(">", p.depth) + " " + text
	}
	p.lines = append(p.lines, text)
	p.current.Reset()
}

// breaks: elements which begin and end lines.
var breaks = map[string]bool{"p": true, "div": true, "h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "ul": true, "ol": true,
	"li": true, "dl": true, "dt": true, "dd": true, "table": true, "caption": true, "thead": true, "tbody": true, "tfoot": true, "tr": true,
	"pre": true, "blockquote": true}

// read takes a node as part of the line it stands on.
func (p *page) read(n *html.Node, nesting int) {
	if nesting > 500 {
		p.line[n] = len(p.lines)
		return
	}
	switch {
	case n.Type == html.TextNode:
		p.text(n)
	case n.Type != html.ElementNode || n.Data == "style" || n.Data == "script" || n.Data == "head":
	case n.Data == "br":
		p.line[n] = len(p.lines)
		p.lines = append(p.lines, p.cut())
	case n.Data == "hr":
		p.block()
		p.line[n] = len(p.lines)
		p.current.WriteString("-----------")
		p.block()
	default:
		p.element(n, nesting)
	}
}

func (p *page) element(n *html.Node, nesting int) {
	if breaks[n.Data] {
		p.block()
	}
	if n.Data == "blockquote" {
		p.depth++
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		p.read(c, nesting+1)
		if n.Data == "tr" && c.Type == html.ElementNode {
			p.current.WriteString(" | ")
		}
	}
	if breaks[n.Data] {
		p.block()
	}
	if n.Data == "blockquote" {
		p.depth--
	}
}

// block ends a line that has words.
func (p *page) block() {
	if strings.TrimSpace(p.current.String()) != "" {
		p.lines = append(p.lines, p.cut())
	}
	p.current.Reset()
}

// cut is the line so far, marked when it is quoted.
func (p *page) cut() string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(p.current.String(), "\u00a0", " ")), " ")
	p.current.Reset()
	if p.depth > 0 {
		return strings.Repeat(">", p.depth) + " " + text
	}
	return text
}

// text takes a text node; one of several lines, as in <pre>, is parted first.
func (p *page) text(n *html.Node) {
	if n.Parent != nil && n.Parent.Data == "pre" && strings.Contains(n.Data, "\n") {
		head, rest, _ := strings.Cut(n.Data, "\n")
		after := &html.Node{Type: html.TextNode, Data: rest}
		n.Data = head + "\n"
		n.Parent.InsertBefore(after, n.NextSibling)
		p.line[n] = len(p.lines)
		p.current.WriteString(head)
		p.lines = append(p.lines, p.cut())
		return
	}
	p.line[n] = len(p.lines)
	p.current.WriteString(n.Data)
}

// render prints the lines which are history, or those which are not.
func (p *page) render(nodes []*html.Node, old []bool, want bool) string {
	var out strings.Builder
	for _, n := range nodes {
		if kept := p.keep(n, old, want, 0); kept != nil {
			_ = html.Render(&out, kept)
		}
	}
	return strings.TrimSpace(out.String())
}

// keep copies what belongs to one side; an element without any of it goes, but
// for cells of a row that stays.
func (p *page) keep(n *html.Node, old []bool, want bool, nesting int) *html.Node {
	if n.Type != html.ElementNode || n.Data == "br" || n.Data == "hr" || nesting > 500 {
		i, ok := p.line[n]
		if !ok || (i < len(old) && old[i]) != want {
			return nil
		}
		return &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr}
	}
	out := &html.Node{Type: html.ElementNode, Data: n.Data, DataAtom: n.DataAtom, Attr: n.Attr}
	some := false
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		kept := p.keep(c, old, want, nesting+1)
		switch {
		case kept != nil:
			out.AppendChild(kept)
			some = some || kept.Type == html.ElementNode || strings.TrimSpace(kept.Data) != ""
		case n.Data == "tr" && c.Type == html.ElementNode:
			out.AppendChild(&html.Node{Type: html.ElementNode, Data: c.Data, DataAtom: c.DataAtom, Attr: c.Attr})
		}
	}
	if !some {
		return nil
	}
	return out
}
