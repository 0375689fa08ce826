package sanitize

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Only as much CSS is understood as is needed to see what it hides. What a browser
// throws away must be thrown away here too, or "display:none;display:bogus" would
// show what the reader of the mail never saw.

// decl is one declaration: the name in lower case, escapes undone.
type decl struct {
	name, value string
	important   bool
}

// values are the declarations which hold for an element, by name.
type values map[string]string

// relevant lists the properties which can hide text or bring it back.
var relevant = setOf(`display visibility opacity filter font-size font width height max-width max-height overflow overflow-x
	overflow-y clip clip-path -webkit-clip-path position left top right bottom margin margin-left margin-top padding padding-top
	text-indent z-index transform -webkit-transform scale translate rotate zoom letter-spacing line-height color
	-webkit-text-fill-color background background-color background-image mso-hide content-visibility mask mask-image -webkit-mask
	-webkit-mask-image mix-blend-mode animation animation-name -webkit-animation -webkit-animation-name`)

// twin names the property which means the same in left-to-right writing.
var twin = map[string]string{
	"inline-size": "width", "block-size": "height", "max-inline-size": "max-width", "max-block-size": "max-height",
	"inset-inline-start": "left", "inset-inline-end": "right", "inset-block-start": "top", "inset-block-end": "bottom",
	"margin-inline-start": "margin-left", "margin-block-start": "margin-top", "margin-inline": "margin-left", "margin-block": "margin-top",
	"padding-block-start": "padding-top", "padding-block": "padding-top", "inset-inline": "left", "inset-block": "top",
	"overflow-inline": "overflow-x", "overflow-block": "overflow-y",
}

// maxValue bounds one value, which variables could multiply.
const maxValue = 2000

// parseDecls reads the inside of a style attribute or of a rule.
func parseDecls(s string) []decl {
	var out []decl
	for _, part := range splitTop(stripComments(s), ';') {
		name, value, ok := strings.Cut(part, ":")
		if !ok || len(value) > maxValue && !strings.Contains(value, "url(") {
			continue
		}
		name, value = strings.TrimSpace(unescape(name)), strings.Join(strings.Fields(unescape(value)), " ")
		if !strings.HasPrefix(name, "--") {
			name = strings.ToLower(name)
		}
		if same, ok := twin[name]; ok {
			name = same
		}
		if name != "inset" && !relevant[name] && !strings.HasPrefix(name, "--") {
			continue
		}
		head, bang, found := strings.Cut(value, "!")
		if found && !strings.EqualFold(strings.TrimSpace(bang), "important") {
			continue
		}
		if head = strings.TrimSpace(head); !strings.Contains(strings.ToLower(head), "var(") && !strings.HasPrefix(name, "--") {
			head = strings.ToLower(head)
		}
		out = appendDecl(out, decl{name, head, found})
	}
	return out
}

// appendDecl adds a declaration a browser would accept.
func appendDecl(out []decl, d decl) []decl {
	if d.name == "inset" {
		for side, value := range sides(d.value) {
			out = append(out, decl{side, value, d.important})
		}
		return out
	}
	if strings.HasPrefix(d.name, "--") || strings.Contains(strings.ToLower(d.value), "var(") || valid(d.name, d.value) {
		out = append(out, d)
	}
	return out
}

// sides reads "top right bottom left", of which the last ones may be left out.
func sides(value string) map[string]string {
	f := splitWords(value)
	if len(f) == 0 || len(f) > 4 {
		return nil
	}
	for len(f) < 4 {
		f = append(f, f[max(0, len(f)-2)])
	}
	return map[string]string{"top": f[0], "right": f[1], "bottom": f[2], "left": f[3]}
}

// splitWords splits at blanks outside brackets.
func splitWords(value string) []string {
	return slices.DeleteFunc(splitTop(value, ' '), func(s string) bool { return s == "" })
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
			if c == quote || c == '\n' {
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

// resolved replaces var() by what the variables say and lowers the case.
func resolved(value string, vars values) string {
	for range 16 {
		lower := strings.ToLower(value)
		at := strings.LastIndex(lower, "var(")
		if at < 0 || len(value) > maxValue {
			return lower
		}
		end := strings.IndexByte(value[at:], ')')
		if end < 0 {
			end = len(value) - at
		}
		name, fallback, _ := strings.Cut(value[at+len("var("):at+end], ",")
		text, ok := vars[strings.TrimSpace(name)]
		if !ok {
			text = fallback
		}
		value = strings.TrimSpace(value[:at] + strings.TrimSpace(text) + value[min(len(value), at+end+1):])
	}
	return strings.ToLower(value)
}

// weighed is a declaration list with the weight of its selector and its place.
type weighed struct {
	weight, order int
	decls         []decl
}

// cascade puts declarations in the order in which the later one wins: rules by
// weight, then the style attribute, then the important ones of each.
func cascade(rules []weighed, inline []decl, vars values) values {
	slices.SortStableFunc(rules, func(a, b weighed) int { return cmp.Or(a.weight-b.weight, a.order-b.order) })
	out := values{}
	for _, important := range []bool{false, true} {
		for _, r := range rules {
			out.set(r.decls, important, vars)
		}
		out.set(inline, important, vars)
	}
	return out
}

// customs are the variables which an element declares, on top of those around it.
func customs(rules []weighed, inline []decl, around values) values {
	own := values{}
	for _, r := range append(slices.Clone(rules), weighed{decls: inline}) {
		for _, d := range r.decls {
			if strings.HasPrefix(d.name, "--") && len(own) < 200 {
				own[d.name] = d.value
			}
		}
	}
	if len(own) == 0 {
		return around
	}
	for name, value := range around {
		if _, redefined := own[name]; !redefined && len(own) < 400 {
			own[name] = value
		}
	}
	return own
}

func (v values) set(decls []decl, important bool, vars values) {
	for _, d := range decls {
		if d.important != important || strings.HasPrefix(d.name, "--") {
			continue
		}
		value := resolved(d.value, vars)
		if value != d.value && !valid(d.name, value) {
			value = "unset" // too late for a browser to take the one before
		}
		if before, ok := v[d.name]; ok && unitless(d.name, value) && before != value {
			continue // only old-fashioned pages take sizes without a unit
		}
		if d.name == "background" { // the shorthand resets what stood before
			delete(v, "background-color")
			delete(v, "background-image")
		}
		if d.name == "font" {
			delete(v, "font-size")
		}
		v[d.name] = value
	}
}
