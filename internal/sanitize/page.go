package sanitize

import (
	"strings"

	"golang.org/x/net/html"
)

func newWalker(flags flagSet) *walker {
	page := &element{tag: "html", number: 1, nth: 1, nthType: 1, attrs: map[string]string{}}
	body := &element{tag: "body", number: 2, nth: 2, nthType: 1, attrs: map[string]string{}, parent: page}
	return &walker{flags: flags, sheet: newSheet(), open: map[string]int{}, page: page, body: body, number: 2, kin: []kin{{}}}
}

// learn walks once only to count: rules may ask whether an element is the last.
func learn(src string, s *sheet) map[int]*totals {
	w := newWalker(flagSet{})
	w.sheet, w.learning, w.learnt = s, true, map[int]*totals{}
	w.run(src)
	w.closeTo(0)
	w.learnt[w.body.number] = &w.kin[0].totals
	return w.learnt
}

func (w *walker) run(src string) {
	z := html.NewTokenizer(strings.NewReader(src))
	for z.Next() != html.ErrorToken && w.work < maxWork {
		switch t := z.Token(); t.Type {
		case html.TextToken:
			w.text(t.Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(t)
		case html.EndTagToken:
			w.end(t.Data)
		case html.CommentToken:
			w.unseen(t.Data)
		case html.DoctypeToken, html.ErrorToken: // nothing to read
		}
	}
}

// ground works out how text looks that stands in the page itself.
func (w *walker) ground() {
	if w.learning {
		return
	}
	w.base = plainLook()
	w.base.vars = w.sheet.vars
	for _, el := range []*element{w.page, w.body} {
		el.id, el.classes = el.attrs["id"], strings.Fields(el.attrs["class"])
		frames := w.frames
		w.frames = nil
		w.base = w.styled(el).look
		w.frames = frames
	}
}

// note keeps what a first walk learns of an element that ends.
func (w *walker) note(el *element, t totals) {
	if w.learning && el != nil && len(w.learnt) < maxTotals && w.learnt[el.number] == nil {
		w.learnt[el.number] = &t
	}
}

// again takes the attributes of html and body, wherever they stand.
func (w *walker) again(tag string, attrs []html.Attribute) {
	el := w.page
	if tag == "body" {
		el = w.body
	}
	for name, value := range attrMap(attrs) {
		if !has(el.attrs, name) && len(el.attrs) < 100 {
			el.attrs[name] = value
		}
	}
	w.work += 50
	w.ground()
}

// holdsBlock tells whether a block stands open inside a frame.
func (w *walker) holdsBlock(i int) bool {
	for n := i + 1; n < len(w.frames); n++ {
		w.work++
		if special[w.frames[n].tag] {
			return true
		}
	}
	return false
}

// unwrap ends formatting around a block which stays open, as browsers do: what
// follows in the block looks as if the formatting had never been there.
func (w *walker) unwrap(i int) {
	w.wrapped(i)
	ended := w.frames[i].el
	w.open[w.frames[i].tag]--
	f := &w.frames[i]
	f.tag, f.key, f.own, f.doomed, f.closed, f.el = "", "", nil, false, false, nil
	for n := i; n < len(w.frames); n++ {
		w.work += 20
		around := frame{look: w.base}
		if n > 0 {
			around = w.frames[n-1]
		}
		f := &w.frames[n]
		box, vars := f.look.box, f.look.vars
		f.look = around.look.with(f.own)
		f.look.box, f.look.vars = box, vars
		f.look.gone = f.look.gone || f.doomed || n > i && around.closed && f.tag != "summary"
		if n == i {
			f.closed = around.closed
		}
		if f.el != nil && f.el.parent == ended {
			f.el.parent = ended.parent
		}
	}
}

// wrapped looks back at what a block showed inside formatting that ends before the
// block does: browsers put the formatting around the content of the block, where
// it wins over what the block says.
func (w *walker) wrapped(i int) {
	for n := i + 1; n < len(w.frames); n++ {
		f := &w.frames[n]
		if !special[f.tag] {
			continue
		}
		if f.closed || f.look.with(w.frames[i].own).hides() && !f.look.hides() {
			w.flags.add(FlagHiddenContent)
			for at := f.at; at < len(w.pieces); at++ {
				w.work++
				w.pieces[at].text = nil
			}
			f.at = len(w.pieces)
		}
		return
	}
}

// overlaid tells whether formatting carried on from a block before hides text
// here. Browsers open it again only where text comes, so it may win over what the
// blocks in between say; it stands outside of them in the frames.
func (w *walker) overlaid(l look) bool {
	if w.carried == 0 {
		return false
	}
	for i := range w.frames {
		w.work++
		if f := &w.frames[i]; f.reopened {
			l = l.with(f.own)
		}
	}
	return l.hides()
}
