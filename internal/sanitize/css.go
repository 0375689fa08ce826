package sanitize

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Only as much CSS is understood as is needed to see what it hides: declarations,
// and rules with simple selectors (element, .class, #id, joined or nested).

// decl is one declaration, name and value in lower case, escapes undone.
type decl struct {
	name, value string
	important   bool
}

// relevant lists the properties which can hide text or bring it back.
var relevant = map[string]bool{
	"display": true, "visibility": true, "opacity": true, "filter": true, "font-size": true, "font": true,
	"width": true, "height": true, "max-width": true, "max-height": true, "overflow": true, "overflow-x": true, "overflow-y": true,
	"clip": true, "clip-path": true, "-webkit-clip-path": true, "position": true, "left": true, "top": true, "right": true, "bottom": true,
	"margin": true, "margin-left": true, "margin-top": true, "text-indent": true, "z-index": true, "transform": true, "-webkit-transform": true,
	"color": true, "-webkit-text-fill-color": true, "background": true, "background-color": true, "background-image": true,
	"mso-hide": true, "content-visibility": true,
}

// parseDecls reads the inside of a style attribute or of a rule.
func parseDecls(s string) []decl {
	var out []decl
	for _, part := range splitTop(stripComments(s), ';') {
		name, value, ok := strings.Cut(part, ":")
		if !ok {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(unescape(name)))
		if !relevant[name] {
			continue
		}
		value = strings.ToLower(strings.TrimSpace(unescape(value)))
		head, bang, found := strings.Cut(value, "!")
		important := found && strings.TrimSpace(bang) == "important"
		out = append(out, decl{name, strings.TrimSpace(head), important})
	}
	return out
}

// stripComments drops CSS comments; an unclosed one eats the rest, as in a browser.
func stripComments(s string) string {
	if !strings.Contains(s, "/*") {
		return s
	}
	var out strings.Builder
	for {
		head, rest, found := strings.Cut(s, "/*")
		out.WriteString(head)
		if !found {
			return out.String()
		}
		if _, s, found = strings.Cut(rest, "*/"); !found {
			return out.String()
		}
	}
}

// splitTop splits at sep outside quotes and brackets.
func splitTop(s string, sep byte) []string {
	var out []string
	depth, quote, start := 0, byte(0), 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == sep && depth == 0:
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	return append(out, s[start:])
}

// unescape undoes CSS escapes: \64 isplay is display.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			out.WriteByte(s[i])
			continue
		}
		end := i + 1
		for end < len(s) && end < i+7 && strings.IndexByte("0123456789abcdefABCDEF", s[end]) >= 0 {
			end++
		}
		if end == i+1 {
			i++
			out.WriteByte(s[i])
			continue
		}
		if n, err := strconv.ParseInt(s[i+1:end], 16, 32); err == nil && n <= unicode.MaxRune {
			out.WriteRune(rune(n))
		}
		if end < len(s) && strings.IndexByte(" \t\n\f", s[end]) >= 0 {
			end++
		}
		i = end - 1
	}
	return out.String()
}

// compound is one simple selector: td.note#top.
type compound struct {
	tag, id string
	classes []string
}

// rule is a selector (outermost compound first) with what it declares.
type rule struct {
	path   []compound
	weight int
	decls  []decl
}

const (
	maxSheet = 256 << 10 // bytes of style blocks which are read
	maxRules = 2000
)

// sheet holds the rules of all style blocks, found by their last compound.
type sheet struct {
	byTag, byClass, byID map[string][]rule
	any                  []rule
	count, size          int
}

func newSheet() *sheet {
	return &sheet{byTag: map[string][]rule{}, byClass: map[string][]rule{}, byID: map[string][]rule{}}
}

// add reads a style block. It reports false when the block is more than is read.
func (s *sheet) add(css string) bool {
	s.size += len(css)
	if s.size > maxSheet {
		return false
	}
	css = strings.NewReplacer("<!--", " ", "-->", " ").Replace(stripComments(css))
	s.block(css, 0)
	return s.count < maxRules
}

func (s *sheet) block(css string, depth int) {
	for css != "" && s.count < maxRules {
		head, body, rest, ok := nextBlock(css)
		css = rest
		if !ok {
			return
		}
		if i := strings.LastIndexByte(head, ';'); i >= 0 {
			head = head[i+1:] // @import and @charset stand in front without a block
		}
		head = strings.ToLower(strings.TrimSpace(head))
		switch {
		case !strings.HasPrefix(head, "@"):
			s.rules(head, body)
		case depth < 4 && applies(head):
			s.block(body, depth+1)
		}
	}
}

// nextBlock cuts "head { body } rest"; an unclosed block reaches to the end.
func nextBlock(css string) (head, body, rest string, ok bool) {
	open := strings.IndexByte(css, '{')
	if open < 0 {
		return "", "", "", false
	}
	depth, quote := 0, byte(0)
	for i := open; i < len(css); i++ {
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
				return css[:open], css[open+1 : i], css[i+1:], true
			}
		}
	}
	return css[:open], css[open+1:], "", true
}

// applies tells whether a group rule holds on an ordinary screen.
func applies(head string) bool {
	switch {
	case strings.HasPrefix(head, "@supports"), strings.HasPrefix(head, "@layer"):
		return true
	case !strings.HasPrefix(head, "@media"):
		return false
	}
	for _, never := range []string{"print", "max-", "prefers", "orientation", "resolution", "pixel-ratio", "<", "speech", "not "} {
		if strings.Contains(head, never) {
			return false
		}
	}
	return true
}

func (s *sheet) rules(head, body string) {
	decls := parseDecls(body)
	if len(decls) == 0 {
		return
	}
	for _, sel := range strings.Split(head, ",") {
		path, weight, ok := parseSelector(sel)
		if !ok || s.count >= maxRules {
			continue
		}
		s.count++
		r, last := rule{path, weight, decls}, path[len(path)-1]
		switch {
		case last.id != "":
			s.byID[last.id] = append(s.byID[last.id], r)
		case len(last.classes) > 0:
			s.byClass[last.classes[0]] = append(s.byClass[last.classes[0]], r)
		case last.tag != "":
			s.byTag[last.tag] = append(s.byTag[last.tag], r)
		default:
			s.any = append(s.any, r)
		}
	}
}

// parseSelector understands descendants (and takes children for such); states,
// attributes and siblings are not understood and such rules not applied.
func parseSelector(sel string) (path []compound, weight int, ok bool) {
	sel = strings.ReplaceAll(sel, ">", " ")
	if strings.ContainsAny(sel, ":[+~") {
		return nil, 0, false
	}
	for _, word := range strings.Fields(unescape(sel)) {
		c := compound{}
		for word != "" {
			end := strings.IndexAny(word[1:], ".#") + 1
			if end == 0 {
				end = len(word)
			}
			switch name := word[:end]; name[0] {
			case '.':
				c.classes = append(c.classes, name[1:])
				weight += 100
			case '#':
				c.id = name[1:]
				weight += 10000
			case '*':
			default:
				c.tag = name
				weight++
			}
			word = word[end:]
		}
		path = append(path, c)
	}
	return path, weight, len(path) > 0 && len(path) <= 8
}

// sortDecls puts declarations in the order in which the later one wins: rules by
// weight, then the style attribute, then the important ones of each.
func sortDecls(rules []rule, inline []decl) map[string]string {
	slices.SortStableFunc(rules, func(a, b rule) int { return a.weight - b.weight })
	values := map[string]string{}
	for _, important := range []bool{false, true} {
		for _, r := range rules {
			set(values, r.decls, important)
		}
		set(values, inline, important)
	}
	return values
}

func set(values map[string]string, decls []decl, important bool) {
	for _, d := range decls {
		if d.important != important {
			continue
		}
		if d.name == "background" { // the shorthand resets what stood before
			delete(values, "background-color")
			delete(values, "background-image")
		}
		if d.name == "font" {
			delete(values, "font-size")
		}
		values[d.name] = d.value
	}
}
