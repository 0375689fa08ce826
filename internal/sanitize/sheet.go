package sanitize

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

const (
	maxSheet  = 256 << 10 // bytes of style blocks which are read
	maxRules  = 2000
	maxNested = 6 // blocks within blocks
)

// rule is a selector with what it declares.
type rule struct {
	selector
	order int // in the sheet
	decls []decl
}

// layered rules lose against all others; their weight is that much less.
const layered = -1 << 30

// sheet holds the rules of all style blocks, found by their last compound.
type sheet struct {
	byTag, byClass, byID map[string][]rule
	any                  []rule
	frames               map[string]string // animations which may hide, see hidesBy
	vars                 values            // of @property
	count, size          int
	siblings, totals     bool // what selectors ask for beyond the open elements
}

// place is where in a sheet a rule stands.
type place struct {
	maybe, layer bool
	parent       string // selectors of the rule around
	depth        int
}

func newSheet() *sheet {
	return &sheet{byTag: map[string][]rule{}, byClass: map[string][]rule{}, byID: map[string][]rule{}, frames: map[string]string{}, vars: values{}}
}

// add reads a style block. It reports false when the block is more than is read.
func (s *sheet) add(css string) bool {
	s.size += len(css)
	if s.size > maxSheet {
		return false
	}
	css = strings.NewReplacer("<!--", " ", "-->", " ").Replace(stripComments(css))
	s.block(css, place{})
	return s.count < maxRules
}

func (s *sheet) block(css string, at place) {
	for s.count < maxRules {
		css = strings.TrimLeft(css, " \t\r\n\f")
		stops := "{"
		if strings.HasPrefix(css, "@") {
			stops = "{;"
		}
		i := indexTop(css, stops)
		if i < 0 {
			return
		}
		head := strings.TrimSpace(css[:i])
		if css[i] == ';' {
			s.statement(head)
			css = css[i+1:]
			continue
		}
		var body string
		body, css = cutBody(css[i:])
		if strings.HasPrefix(head, "@") {
			s.group(strings.ToLower(head), body, at)
		} else {
			s.rules(head, body, at)
		}
	}
}

// indexTop finds the first of some bytes outside quotes and brackets.
func indexTop(css, stops string) int {
	depth, quote := 0, byte(0)
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case (c == ')' || c == ']') && depth > 0:
			depth--
		case depth == 0 && strings.IndexByte(stops, c) >= 0:
			return i
		}
	}
	return -1
}

// cutBody cuts "{ body } rest"; an unclosed block reaches to the end.
func cutBody(css string) (body, rest string) {
	depth, quote := 0, byte(0)
	for i := 0; i < len(css); i++ {
		c := css[i]
		switch {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return css[1:i], css[i+1:]
			}
		}
	}
	return css[1:], ""
}

// statement reads an at-rule without a block. Only a sheet brought along can be
// read; what lies elsewhere no mail program loads.
func (s *sheet) statement(head string) {
	rest, ok := strings.CutPrefix(head, "@import")
	if !ok {
		return
	}
	rest = strings.Trim(strings.TrimSpace(rest), `"'`)
	rest = strings.Trim(strings.TrimSuffix(strings.TrimPrefix(rest, "url("), ")"), `"'`)
	if css, ok := dataSheet(rest); ok {
		s.add(css)
	}
}

// dataSheet is the style sheet inside a data: address.
func dataSheet(address string) (string, bool) {
	head, body, ok := strings.Cut(strings.TrimSpace(address), ",")
	if !ok || len(head) < 5 || !strings.EqualFold(head[:5], "data:") {
		return "", false
	}
	plain, err := url.PathUnescape(body)
	if err != nil {
		plain = body
	}
	if !strings.Contains(strings.ToLower(head), ";base64") {
		return plain, true
	}
	plain = strings.TrimRight(strings.Join(strings.Fields(plain), ""), "=")
	css, err := base64.RawStdEncoding.DecodeString(plain)
	return string(css), err == nil
}

// group reads an at-rule with a block.
func (s *sheet) group(head, body string, at place) {
	name, query, _ := strings.Cut(head[1:]+" ", " ")
	if i := strings.IndexByte(name, '('); i >= 0 {
		name, query = name[:i], name[i:]+" "+query
	}
	at.depth++
	if at.depth > maxNested {
		return
	}
	switch name {
	case "media", "supports":
		holds := media(query)
		if name == "supports" {
			holds = supports(query)
		}
		if holds == no {
			return
		}
		at.maybe = at.maybe || holds == maybe
	case "layer":
		at.layer = true
	case "container", "scope", "document", "-moz-document":
		at.maybe = true
	case "keyframes", "-webkit-keyframes":
		if len(s.frames) < 200 {
			s.frames[strings.Trim(strings.TrimSpace(query), `"'`)] = body
		}
		return
	case "property":
		for _, part := range splitTop(body, ';') {
			if key, value, ok := strings.Cut(part, ":"); ok && strings.TrimSpace(key) == "initial-value" && len(s.vars) < 200 {
				s.vars[strings.TrimSpace(query)] = strings.TrimSpace(value)
			}
		}
		return
	default:
		return
	}
	if at.parent != "" { // nested in a rule: declarations stand in it directly
		s.rules("&", body, at)
		return
	}
	s.block(body, at)
}

func (s *sheet) rules(head, body string, at place) {
	if at.parent != "" {
		if strings.Contains(head, "&") {
			head = strings.ReplaceAll(head, "&", ":is("+at.parent+")")
		} else {
			head = ":is(" + at.parent + ") " + strings.Join(splitTop(head, ','), ",:is("+at.parent+") ")
		}
	}
	if len(head) > 20000 {
		return
	}
	own := body
	if strings.IndexByte(body, '{') >= 0 && at.depth < maxNested {
		var nested string
		own, nested = partBody(body)
		s.block(nested, place{maybe: at.maybe, layer: at.layer, parent: head, depth: at.depth + 1})
	}
	decls := parseDecls(own)
	if len(decls) == 0 {
		return
	}
	list, sure := parseSelectors(head)
	for _, sel := range list {
		if s.count >= maxRules {
			return
		}
		sel.maybe = sel.maybe || at.maybe || !sure
		if at.layer {
			sel.weight += layered
		}
		s.file(rule{sel, s.count, decls})
	}
}

// partBody parts the declarations of a rule from the rules nested in it.
func partBody(body string) (own, nested string) {
	var decls, rules strings.Builder
	for {
		i := indexTop(body, ";{")
		if i < 0 {
			decls.WriteString(body)
			return decls.String(), rules.String()
		}
		if body[i] == ';' {
			decls.WriteString(body[:i+1])
			body = body[i+1:]
			continue
		}
		inner, rest := cutBody(body[i:])
		rules.WriteString(body[:i] + "{" + inner + "}")
		body = rest
	}
}

func (s *sheet) file(r rule) {
	s.count++
	for _, c := range r.path {
		s.siblings = s.siblings || c.comb == '+' || c.comb == '~'
		s.totals = s.totals || c.wantsTotals()
	}
	id, class, tag := r.path[len(r.path)-1].index()
	switch {
	case id != "":
		s.byID[id] = append(s.byID[id], r)
	case class != "":
		s.byClass[class] = append(s.byClass[class], r)
	case tag != "":
		s.byTag[tag] = append(s.byTag[tag], r)
	default:
		s.any = append(s.any, r)
	}
}

// readSheets collects style blocks first: a rule may stand behind what it hides.
func (w *walker) readSheets(src string) {
	z := html.NewTokenizer(strings.NewReader(src))
	templates := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		name, more := z.TagName()
		switch string(name) {
		case "template":
			if templates++; kind == html.EndTagToken {
				templates = max(0, templates-2)
			}
		case "link":
			if templates == 0 && kind != html.EndTagToken {
				w.link(attrsOf(z, more))
			}
		case "style":
			attrs := attrsOf(z, more)
			if kind != html.StartTagToken || z.Next() != html.TextToken || templates > 0 {
				continue
			}
			w.style(attrs, string(bytes.Clone(z.Raw())))
		}
	}
}

func attrsOf(z *html.Tokenizer, more bool) map[string]string {
	out := map[string]string{}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if _, twice := out[string(key)]; !twice {
			out[string(key)] = string(value)
		}
	}
	return out
}

// link reads a style sheet which the mail brings along.
func (w *walker) link(attrs map[string]string) {
	if css, ok := dataSheet(attrs["href"]); ok && strings.Contains(strings.ToLower(attrs["rel"]), "stylesheet") {
		w.style(map[string]string{"media": attrs["media"]}, css)
	}
}

func (w *walker) style(attrs map[string]string, css string) {
	if kind := strings.ToLower(strings.TrimSpace(attrs["type"])); kind != "" && kind != "text/css" {
		return
	}
	if strings.Contains(css, "@import") || strings.Contains(css, "url(") {
		w.flags.add(FlagRemoteContent)
	}
	holds := media(strings.ToLower(attrs["media"]))
	if holds == no {
		return
	}
	if holds == maybe {
		css = "@container x{" + css
	}
	if !w.sheet.add(css) {
		w.flags.add(FlagTruncated)
	}
}
