package sanitize

import (
	"slices"
	"strings"
)

// element is what selectors see of a tag.
type element struct {
	tag, id string
	classes []string
	attrs   map[string]string
	parent  *element
	other   *element   // what else its parent may be
	before  []*element // the siblings in front, nearest last; only when rules ask
	cut     bool       // there are more in front
	vague   bool       // formatting carried on may stand between it and its parent
	number  int        // of all elements, in the order of the document
	nth     int        // among its siblings, from one
	nthType int        // among those of its kind
	total   *totals    // what it holds in the end, when rules ask
	family  *totals    // what its parent does
}

// totals is what a parent has in the end.
type totals struct {
	kids  int
	types map[string]int
	text  bool
}

const (
	maxBefore = 60     // siblings remembered
	maxTotals = 100000 // parents counted
	maxStep   = 2000   // comparisons for one selector and element
)

// newElement places a tag below the innermost open element.
func (w *walker) newElement(tag string, attrs map[string]string) *element {
	parent, other := w.around()
	w.number++
	e := &element{tag: tag, attrs: attrs, parent: parent, other: other, number: w.number, vague: w.carried > 0}
	e.id = attrs["id"]
	e.classes = strings.Fields(attrs["class"])
	kin := &w.kin[len(w.kin)-1]
	kin.kids++
	e.nth = kin.kids
	if w.sheet.count > 0 || tag == "summary" {
		if kin.types == nil {
			kin.types = map[string]int{}
		}
		if len(kin.types) < 200 || kin.types[tag] > 0 {
			kin.types[tag]++
		}
		e.nthType = kin.types[tag]
	}
	if w.sheet.siblings {
		kin.line(e)
	}
	e.total, e.family = w.learnt[e.number], w.learnt[parent.number]
	if parent.tag == "table" && (tag == "tr" || tag == "td" || tag == "th") { // browsers put a body in between
		e.parent = &element{tag: "tbody", parent: parent, nth: 1, nthType: 1}
		if tag != "tr" {
			e.parent = &element{tag: "tr", parent: e.parent, nth: 1, nthType: 1}
		}
	}
	return e
}

// kin counts the children of one open element.
type kin struct {
	totals
	last []*element
	cut  bool
}

func (k *kin) line(e *element) {
	e.before, e.cut = k.last[:len(k.last):len(k.last)], k.cut
	k.last = append(k.last, e)
	if len(k.last) > maxBefore {
		k.last[0].before, k.last, k.cut = nil, k.last[1:], true
	}
}

// around is the element which the next tag stands in. Formatting that is carried
// on from a block before may stand in between or not; other is the parent if it does.
func (w *walker) around() (parent, other *element) {
	parent = w.body
	for i := len(w.frames) - 1; i >= 0; i-- {
		if f := &w.frames[i]; f.el != nil && !f.reopened {
			parent = f.el
			break
		}
	}
	for i := range w.frames {
		if w.carried == 0 {
			break
		}
		w.work++
		if f := &w.frames[i]; f.reopened && f.el != nil && !w.learning {
			if other == nil {
				other = parent
			}
			clone := *f.el
			clone.parent, other = other, &clone
		}
	}
	return parent, other
}

// matching collects the declarations which hold for an element for sure, and
// those of which nobody can say.
func (w *walker) matching(e *element) (sure []weighed, unsure []decl) {
	if w.sheet.count == 0 || w.learning {
		return nil, nil
	}
	lists := [][]rule{w.sheet.any, w.sheet.byTag[e.tag]}
	for i, class := range e.classes {
		if class = strings.ToLower(class); i < 50 && !slices.Contains(e.classes[:i], e.classes[i]) {
			lists = append(lists, w.sheet.byClass[class])
		}
	}
	if e.id != "" {
		lists = append(lists, w.sheet.byID[strings.ToLower(e.id)])
	}
	for _, rules := range lists {
		for i := range rules {
			r := &rules[i]
			steps := maxStep
			holds := r.holds(e, len(r.path)-1, &steps)
			if e.other != nil {
				also := *e
				also.parent = e.other
				if r.holds(&also, len(r.path)-1, &steps) != holds {
					holds = maybe
				}
			}
			w.work += 1 + (maxStep - steps)
			if holds == no {
				continue
			}
			w.work += 50 // sorting and merging cost more than looking
			if holds == yes && !r.maybe {
				sure = append(sure, weighed{r.weight, r.order, r.decls})
			} else {
				unsure = append(unsure, r.decls...)
			}
		}
	}
	return sure, unsure
}

// holds tells whether the path up to i fits e and what stands around it.
func (s *selector) holds(e *element, i int, steps *int) tri {
	if *steps--; *steps < 0 {
		return maybe
	}
	here := s.path[i].fits(e, steps)
	if here == no || i == 0 {
		return here
	}
	best := no
	switch s.path[i].comb {
	case '>':
		if e.parent != nil {
			best = s.holds(e.parent, i-1, steps)
		}
	case '+':
		if n := len(e.before); n > 0 {
			best = s.holds(e.before[n-1], i-1, steps)
		}
	case '~':
		for n := len(e.before) - 1; n >= 0 && best < yes; n-- {
			best = max(best, s.holds(e.before[n], i-1, steps))
		}
		if e.cut {
			best = max(best, maybe)
		}
	default:
		for up := e.parent; up != nil && best < yes && *steps >= 0; up = up.parent {
			best = max(best, s.holds(up, i-1, steps))
		}
	}
	return min(here, best)
}

func (c *compound) fits(e *element, steps *int) tri {
	out := yes
	for i := range c.parts {
		if out = min(out, c.parts[i].fits(e, steps)); out == no {
			return no
		}
	}
	return out
}

func (p *simple) fits(e *element, steps *int) tri {
	*steps--
	switch p.kind {
	case 't':
		return truth(e.tag == p.name)
	case '#':
		return sameName(e.id, p.name)
	case '.':
		best := no
		for _, class := range e.classes {
			best = max(best, sameName(class, p.name))
		}
		return best
	case '[':
		return p.attribute(e)
	}
	return p.pseudo(e, steps)
}

// sameName: old pages do not tell upper from lower case, others do.
func sameName(have, want string) tri {
	if have == want {
		return yes
	}
	if strings.EqualFold(have, want) && have != "" {
		return maybe
	}
	return no
}

func (p *simple) attribute(e *element) tri {
	have, ok := e.attrs[p.name]
	if !ok || p.op == "" {
		return truth(ok)
	}
	want := p.value
	if p.fold || foldedAttrs[p.name] {
		have, want = strings.ToLower(have), strings.ToLower(want)
	}
	switch p.op {
	case "=":
		return truth(have == want)
	case "~=":
		return truth(slices.Contains(strings.Fields(have), want))
	case "|=":
		return truth(have == want || strings.HasPrefix(have, want+"-"))
	case "^=":
		return truth(want != "" && strings.HasPrefix(have, want))
	case "$=":
		return truth(want != "" && strings.HasSuffix(have, want))
	}
	return truth(want != "" && strings.Contains(have, want))
}

// foldedAttrs are compared without regard to case, as HTML says.
var foldedAttrs = setOf(`align bgcolor border charset checked clear color colspan dir disabled face frame hreflang lang language link media
	method nowrap rel rev rowspan rules scope shape size target text type valign vlink`)

func (p *simple) pseudo(e *element, steps *int) tri {
	switch p.name {
	case "is", "not":
		best := no
		for i := range p.args {
			arg := &p.args[i]
			holds := arg.holds(e, len(arg.path)-1, steps)
			if arg.maybe {
				holds = min(holds, maybe)
			}
			best = max(best, holds)
		}
		if p.name == "not" {
			return best.not()
		}
		return best
	case "root":
		return truth(e.tag == "html" && e.parent == nil)
	case "link", "any-link":
		_, target := e.attrs["href"]
		return truth(target && (e.tag == "a" || e.tag == "area"))
	case "defined":
		return yes
	case "never":
		return no
	case "lang":
		return p.lang(e)
	case "empty":
		if e.total == nil {
			return maybe
		}
		return truth(e.total.kids == 0 && !e.total.text)
	}
	return p.count(e)
}

// lang goes by the nearest element which names its language.
func (p *simple) lang(e *element) tri {
	for up := e; up != nil; up = up.parent {
		have, ok := up.attrs["lang"]
		if !ok {
			continue
		}
		for _, want := range strings.Split(p.value, ",") {
			want = strings.Trim(strings.TrimSpace(want), `"'`)
			if strings.EqualFold(have, want) || len(have) > len(want) && want != "" && strings.EqualFold(have[:len(want)+1], want+"-") {
				return yes
			}
		}
		return no
	}
	return no
}

// count judges :nth-child and its kin.
func (p *simple) count(e *element) tri {
	if e.vague {
		return maybe
	}
	n := e.nth
	typed := strings.HasSuffix(p.name, "-of-type")
	if typed {
		n = e.nthType
	}
	if strings.HasPrefix(p.name, "only-") || strings.Contains(p.name, "last-") {
		if e.family == nil {
			return maybe
		}
		all := e.family.kids
		if typed {
			all = e.family.types[e.tag]
		}
		if strings.HasPrefix(p.name, "only-") {
			return truth(all == 1)
		}
		n = all - n + 1
	}
	if p.step == 0 {
		return truth(n == p.start)
	}
	rest := n - p.start
	return truth(rest%p.step == 0 && rest/p.step >= 0)
}
