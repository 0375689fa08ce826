package sanitize

import (
	"strconv"
	"strings"
)

// selector is a list of compounds, outermost first.
type selector struct {
	path   []compound
	weight int
	maybe  bool // it may hold or not
}

// compound is what must hold for one element: td.note#top:first-child.
type compound struct {
	comb  byte // how it hangs on the compound before: blank, '>', '+', '~'
	parts []simple
}

// simple is one condition.
type simple struct {
	kind        byte // 't'ag, '#', '.', '[', ':'
	name        string
	op, value   string     // of an attribute
	fold        bool       // its value in any case
	step, start int        // of :nth-child and its like
	args        []selector // of :not, :is, :where
}

// index is what a rule is found by: an id, else a class, else an element.
func (c compound) index() (id, class, tag string) {
	for _, p := range c.parts {
		switch p.kind {
		case '#':
			id = strings.ToLower(p.name)
		case '.':
			if class == "" {
				class = strings.ToLower(p.name)
			}
		case 't':
			tag = p.name
		}
	}
	return id, class, tag
}

// wantsTotals: it asks what comes behind an element, which the walk learns first.
func (c compound) wantsTotals() bool {
	for _, p := range c.parts {
		if p.kind == ':' && (strings.Contains(p.name, "last-") || strings.HasPrefix(p.name, "only-") || p.name == "empty") {
			return true
		}
		for _, arg := range p.args {
			for _, inner := range arg.path {
				if inner.wantsTotals() {
					return true
				}
			}
		}
	}
	return false
}

// parseSelectors reads a selector list. sure is false when a part of it is not
// understood: a browser may then drop the whole rule.
func parseSelectors(s string) (list []selector, sure bool) {
	sure = true
	for _, one := range splitTop(s, ',') {
		r := reader{src: strings.TrimSpace(one)}
		sel, ok := r.selector()
		switch {
		case r.foreign:
			return nil, true // made for another browser
		case ok:
			list = append(list, sel)
		default:
			sure = false
		}
	}
	return list, sure
}

// reader scans one selector.
type reader struct {
	src     string
	at      int
	foreign bool // speaks to another browser: a rule nobody here applies
	unsure  bool
	weight  int
	depth   int
}

func (r *reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

func (r *reader) selector() (selector, bool) {
	var out selector
	comb := byte(' ')
	for r.at < len(r.src) {
		c, ok := r.compound()
		if !ok || len(out.path) > 20 {
			return out, false
		}
		c.comb = comb
		out.path = append(out.path, c)
		comb = r.combinator()
	}
	out.weight, out.maybe = r.weight, r.unsure
	return out, len(out.path) > 0 && comb == ' '
}

func (r *reader) combinator() byte {
	comb := byte(' ')
	for strings.IndexByte(" \t\r\n\f>+~", r.peek()) >= 0 && r.at < len(r.src) {
		if c := r.peek(); c == '>' || c == '+' || c == '~' {
			comb = c
		}
		r.at++
	}
	return comb
}

func (r *reader) compound() (compound, bool) {
	var c compound
	for r.at < len(r.src) {
		switch b := r.peek(); {
		case b == '*':
			r.at++
		case b == '#' || b == '.':
			r.at++
			name := r.ident()
			if name == "" {
				return c, false
			}
			c.parts = append(c.parts, simple{kind: b, name: name})
			r.weight += map[byte]int{'#': 1 << 20, '.': 1 << 10}[b]
		case b == '[':
			p, ok := r.attribute()
			if !ok {
				return c, false
			}
			c.parts = append(c.parts, p)
		case b == ':':
			p, ok := r.pseudo()
			if !ok {
				return c, false
			}
			c.parts = append(c.parts, p...)
		case strings.IndexByte(" \t\r\n\f>+~", b) >= 0:
			return c, r.at > 0
		default:
			name := r.ident()
			if name == "" || len(c.parts) > 0 {
				return c, false
			}
			c.parts = append(c.parts, simple{kind: 't', name: strings.ToLower(name)})
			r.weight++
		}
	}
	return c, true
}

// ident reads a name, escapes undone.
func (r *reader) ident() string {
	start := r.at
	for r.at < len(r.src) {
		c := r.src[r.at]
		switch {
		case c == '\\' && r.at+1 < len(r.src):
			end := r.at + 1
			for end < len(r.src) && end < r.at+7 && strings.IndexByte("0123456789abcdefABCDEF", r.src[end]) >= 0 {
				end++
			}
			if end == r.at+1 {
				end++
			} else if end < len(r.src) && r.src[end] == ' ' {
				end++
			}
			r.at = end
		case c >= 0x80 || c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			r.at++
		default:
			return unescape(r.src[start:r.at])
		}
	}
	return unescape(r.src[start:r.at])
}

func (r *reader) attribute() (simple, bool) {
	end := indexTop(r.src[r.at+1:], "]")
	if end < 0 {
		end = len(r.src) - r.at - 1
	}
	text := r.src[r.at+1 : r.at+1+end]
	r.at = min(len(r.src), r.at+end+2)
	r.weight += 1 << 10
	name, value, has := strings.Cut(text, "=")
	p := simple{kind: '[', op: ""}
	if has {
		p.op = "="
		if n := len(name); n > 0 && strings.IndexByte("~|^$*", name[n-1]) >= 0 {
			p.op, name = name[n-1:]+"=", name[:n-1]
		}
		value = strings.TrimSpace(value)
		if n := len(value); n > 2 && (value[n-1] == 'i' || value[n-1] == 'I') && (value[n-2] == ' ' || value[n-2] == '"' || value[n-2] == '\'') {
			p.fold, value = true, strings.TrimSpace(value[:n-1])
		}
		p.value = unescape(strings.Trim(value, `"'`))
	}
	p.name = strings.ToLower(strings.TrimSpace(unescape(name)))
	return p, p.name != ""
}

var (
	// stateless hold of no element of a mail that is just being read.
	stateless = setOf(`hover active focus focus-within focus-visible visited target before after selection placeholder marker backdrop
		first-letter-none file-selector-button cue fullscreen modal popover-open picture-in-picture autofill -webkit-autofill
		details-content target-within future past current playing paused host slotted`)
	// certain hold of every element they can stand at here.
	certain = setOf("defined")
	// listing take selectors.
	listing = setOf("not is where matches -webkit-any any")
	// counting take a formula or imply one.
	counting = map[string]string{"first-child": "1", "last-child": "1", "first-of-type": "1", "last-of-type": "1", "nth-child": "", "nth-last-child": "",
		"nth-of-type": "", "nth-last-of-type": "", "only-child": "1", "only-of-type": "1"}
)

func (r *reader) pseudo() ([]simple, bool) {
	double := strings.HasPrefix(r.src[r.at:], "::")
	r.at++
	if double {
		r.at++
	}
	name := strings.ToLower(r.ident())
	args := ""
	if r.peek() == '(' {
		end := indexTop(r.src[r.at+1:], ")")
		if end < 0 {
			end = len(r.src) - r.at - 1
		}
		args = r.src[r.at+1 : r.at+1+end]
		r.at = min(len(r.src), r.at+end+2)
	}
	switch {
	case name == "":
		return nil, false
	case listing[name]:
		return r.list(name, args)
	case name == "first-line" || name == "first-letter":
		r.weight++
		r.unsure = true
		return nil, true
	case stateless[name]:
		return []simple{{kind: ':', name: "never"}}, true
	case strings.HasPrefix(name, "-ms-") || strings.HasPrefix(name, "-moz-") || strings.HasPrefix(name, "-o-"):
		r.foreign = true
		return nil, false
	case double || strings.HasPrefix(name, "-webkit-"):
		return []simple{{kind: ':', name: "never"}}, true
	}
	return r.class(name, args)
}

// class reads the pseudo-classes which depend on where an element stands.
func (r *reader) class(name, args string) ([]simple, bool) {
	r.weight += 1 << 10
	formula, counts := counting[name]
	switch {
	case name == "root" || name == "link" || name == "any-link" || name == "empty" || certain[name]:
		return []simple{{kind: ':', name: name}}, true
	case name == "lang":
		return []simple{{kind: ':', name: name, value: args}}, true
	case counts:
		if formula == "" {
			formula = args
		}
		step, start, ok := nth(formula)
		r.unsure = r.unsure || !ok
		return []simple{{kind: ':', name: name, step: step, start: start}}, true
	}
	// :checked, :dir() and what is yet to come
	r.unsure = true
	return nil, dependent[name]
}

// dependent pseudo-classes may hold or not.
var dependent = setOf(`dir has checked enabled disabled required optional read-only read-write default indeterminate valid invalid
	in-range out-of-range placeholder-shown user-valid user-invalid open scope state muted buffering seeking stalled volume-locked`)

// list reads the selectors inside :not() and its like.
func (r *reader) list(name, args string) ([]simple, bool) {
	if r.depth >= 4 {
		r.unsure = true
		return nil, true
	}
	p := simple{kind: ':', name: "is"}
	if name == "not" {
		p.name = "not"
	}
	heaviest := 0
	for _, one := range splitTop(args, ',') {
		inner := reader{src: strings.TrimSpace(one), depth: r.depth + 1}
		sel, ok := inner.selector()
		if !ok {
			if name == "not" {
				return nil, false
			}
			continue // these lists forgive
		}
		heaviest = max(heaviest, sel.weight)
		p.args = append(p.args, sel)
	}
	if name != "where" {
		r.weight += heaviest
	}
	return []simple{p}, true
}

// nth reads "2n+1", "odd" and the like.
func nth(s string) (step, start int, ok bool) {
	s, _, _ = strings.Cut(strings.ToLower(s), " of ")
	s = strings.Join(strings.Fields(s), "")
	switch s {
	case "odd":
		return 2, 1, true
	case "even":
		return 2, 0, true
	}
	head, tail, has := strings.Cut(s, "n")
	if !has {
		n, err := strconv.Atoi(s)
		return 0, n, err == nil
	}
	switch head {
	case "", "+":
		step = 1
	case "-":
		step = -1
	default:
		n, err := strconv.Atoi(head)
		if err != nil {
			return 0, 0, false
		}
		step = n
	}
	if tail == "" {
		return step, 0, true
	}
	n, err := strconv.Atoi(tail)
	return step, n, err == nil
}
