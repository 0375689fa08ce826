package agent

import (
	"strconv"
	"unicode/utf8"
)

// scanner reads one JSON document once. Without a report its methods return
// false at the first thing wrong; with one they note what the schema refuses and
// go on, and stop only where the text is no JSON.
type scanner struct {
	doc    []byte
	pos    int
	depth  int
	limit  int
	names  [][]byte // undeclared names of the objects that are open, innermost last
	top    seen
	report *report
}

// document reads the whole text, which must hold one value and nothing else.
func (p *scanner) document(n *node) bool {
	if !utf8.Valid(p.doc) {
		return p.broken(notUTF8)
	}
	p.space()
	if !p.value(n) {
		return false
	}
	p.space()
	if p.pos != len(p.doc) {
		return p.broken(trailing)
	}
	return p.report == nil || len(p.report.found) == 0
}

func (p *scanner) space() {
	for p.pos < len(p.doc) {
		switch p.doc[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

func (p *scanner) peek() byte {
	if p.pos < len(p.doc) {
		return p.doc[p.pos]
	}
	return 0 // no JSON token begins with it
}

func (p *scanner) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

func kindOf(c byte) kinds {
	switch {
	case c == '{':
		return kindObject
	case c == '[':
		return kindArray
	case c == '"':
		return kindString
	case c == '-', c >= '0' && c <= '9':
		return kindNumber
	case c == 't', c == 'f':
		return kindBoolean
	case c == 'n':
		return kindNull
	}
	return 0
}

func (p *scanner) value(n *node) bool {
	kind := kindOf(p.peek())
	if kind == 0 {
		return p.broken(syntax)
	}
	accepted := kind
	if kind == kindNumber {
		accepted = kindNumber | kindInteger
	}
	if n != nil && n.types != 0 && n.types&accepted == 0 {
		if !p.bad(wrongType, n, kind) {
			return false
		}
		n = nil // read on, but hold it against nothing
	}
	switch kind {
	case kindObject:
		return p.object(n)
	case kindArray:
		return p.array(n)
	case kindString:
		return p.str(n)
	case kindNumber:
		return p.number(n)
	default:
		return p.word(n)
	}
}

func (p *scanner) enter() bool {
	p.pos++
	p.depth++
	if p.depth > p.limit {
		return p.broken(tooDeep)
	}
	p.space()
	return true
}

// object reads { … }; the position is at the brace.
func (p *scanner) object(n *node) bool {
	if n != nil && n.enum != nil && !p.bad(notListed, n, kindObject) {
		return false
	}
	if !p.enter() {
		return false
	}
	o := open{node: n, first: len(p.names)}
	for more := !p.take('}'); more; {
		if !p.member(&o) {
			return false
		}
		p.space()
		switch {
		case p.take(','):
			p.space()
		case p.take('}'):
			more = false
		default:
			return p.broken(syntax)
		}
	}
	p.names = p.names[:o.first]
	p.depth--
	return p.complete(&o)
}

// open is an object that is being read.
type open struct {
	node  *node
	seen  bits
	next  int                 // the property to expect, when they come in order
	first int                 // where its undeclared names begin in scanner.names
	many  map[string]struct{} // instead of names, once there are many
}

func (p *scanner) member(o *open) bool {
	if p.peek() != '"' {
		return p.broken(syntax)
	}
	name, ok := p.name()
	if !ok {
		return false
	}
	p.space()
	if !p.take(':') {
		return p.broken(syntax)
	}
	p.space()
	p.report.push(name)
	child, ok := p.declared(o, name)
	ok = ok && p.value(child)
	p.report.pop()
	return ok
}

// declared finds the schema of a member and refuses a name given twice.
func (p *scanner) declared(o *open, name []byte) (*node, bool) {
	if i := o.lookup(name); i >= 0 {
		if p.depth == 1 {
			if p.top.keys == nil {
				p.top.keys = make([]string, 0, len(o.node.names))
			}
			p.top.keys = append(p.top.keys, o.node.names[i])
		}
		if o.seen.has(i) {
			return nil, p.bad(twice, o.node, 0)
		}
		o.seen.set(i)
		o.next = i + 1
		return o.node.props[i], true
	}
	if p.depth == 1 {
		p.top.undeclared++
	}
	if p.repeated(o, name) {
		return nil, p.bad(twice, o.node, 0)
	}
	switch {
	case o.node == nil:
		return nil, true
	case o.node.closed:
		return nil, p.bad(undeclared, o.node, 0)
	}
	return o.node.rest, true
}

func (o *open) lookup(name []byte) int {
	if o.node == nil {
		return -1
	}
	if o.next < len(o.node.names) && o.node.names[o.next] == string(name) {
		return o.next
	}
	if i, ok := o.node.index[string(name)]; ok {
		return i
	}
	return -1
}

// fewNames is how many names are compared one by one before a map pays.
const fewNames = 16

func (p *scanner) repeated(o *open, name []byte) bool {
	if o.many != nil {
		_, was := o.many[string(name)]
		o.many[string(name)] = struct{}{}
		return was
	}
	mine := p.names[o.first:]
	for _, other := range mine {
		if string(other) == string(name) {
			return true
		}
	}
	if len(mine) == fewNames {
		o.many = make(map[string]struct{}, 4*fewNames)
		for _, other := range mine {
			o.many[string(other)] = struct{}{}
		}
		o.many[string(name)] = struct{}{}
		return false
	}
	p.names = append(p.names, name)
	return false
}

// complete refuses an object that lacks a required property.
func (p *scanner) complete(o *open) bool {
	if o.node == nil {
		return true
	}
	for w := range o.node.required {
		if o.node.required[w]&^o.seen[w] == 0 {
			continue
		}
		for i := w * 64; i < len(o.node.names) && i < w*64+64; i++ {
			if o.node.required.has(i) && !o.seen.has(i) && !p.lacking(o.node, i) {
				return false
			}
		}
	}
	return true
}

func (p *scanner) lacking(n *node, i int) bool {
	p.report.push([]byte(n.names[i]))
	ok := p.bad(missing, n.props[i], 0)
	p.report.pop()
	return ok
}

// array reads [ … ]; the position is at the bracket.
func (p *scanner) array(n *node) bool {
	if n != nil && n.enum != nil && !p.bad(notListed, n, kindArray) {
		return false
	}
	if !p.enter() {
		return false
	}
	var items *node
	if n != nil {
		items = n.items
	}
	length := 0
	for more := !p.take(']'); more; length++ {
		p.report.pushIndex(length)
		if !p.value(items) {
			return false
		}
		p.report.pop()
		p.space()
		switch {
		case p.take(','):
			p.space()
		case p.take(']'):
			more = false
		default:
			return p.broken(syntax)
		}
	}
	p.depth--
	if n != nil && (length < n.minItems || n.maxItems >= 0 && length > n.maxItems) {
		return p.bad(itemCount, n, 0)
	}
	return true
}

func (p *scanner) word(n *node) bool {
	for _, w := range [...]string{"true", "false", "null"} {
		if len(p.doc)-p.pos < len(w) || string(p.doc[p.pos:p.pos+len(w)]) != w {
			continue
		}
		p.pos += len(w)
		if n == nil || n.enum == nil || w == "true" && n.enum.yes || w == "false" && n.enum.no || w == "null" && n.enum.words&kindNull != 0 {
			return true
		}
		return p.bad(notListed, n, 0)
	}
	return p.broken(syntax)
}

// number reads a number; Go's own grammar is wider than JSON's.
func (p *scanner) number(n *node) bool {
	start, whole := p.pos, true
	p.take('-')
	first := p.pos
	if d := p.digits(); d == 0 || d > 1 && p.doc[first] == '0' {
		return p.broken(syntax)
	}
	if p.take('.') {
		whole = false
		if p.digits() == 0 {
			return p.broken(syntax)
		}
	}
	if p.take('e') || p.take('E') {
		whole = false
		if !p.take('-') {
			p.take('+')
		}
		if p.digits() == 0 {
			return p.broken(syntax)
		}
	}
	return p.measure(n, p.doc[start:p.pos], whole)
}

func (p *scanner) digits() int {
	start := p.pos
	for p.pos < len(p.doc) && p.doc[p.pos] >= '0' && p.doc[p.pos] <= '9' {
		p.pos++
	}
	return p.pos - start
}

func (p *scanner) measure(n *node, text []byte, whole bool) bool {
	plain := n == nil || n.enum == nil && n.minimum == nil && n.maximum == nil
	if plain && whole && len(text) <= 300 { // well inside a float64
		return true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil { // 1e400: nothing behind this could hold it
		return p.broken(outOfRange)
	}
	switch {
	case n == nil:
		return true
	case n.types != 0 && n.types&kindNumber == 0 && !whole:
		return p.bad(wrongType, n, kindNumber)
	case n.minimum != nil && f < *n.minimum, n.maximum != nil && f > *n.maximum:
		return p.bad(bounds, n, 0)
	case n.enum != nil && !n.enum.hasNumber(f):
		return p.bad(notListed, n, 0)
	}
	return true
}

func (e *enum) hasNumber(f float64) bool {
	for _, v := range e.numbers {
		if v == f {
			return true
		}
	}
	return false
}
