package sanitize

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// The walk reads tags one by one and keeps a stack of open elements, so work and
// memory stay linear and every bound is in sight. A tree parser would follow
// browsers more closely, but re-opens unclosed formatting without limit: some
// kilobytes of hostile mail become gigabytes of nodes.

type pieceKind int

const (
	pieceText pieceKind = iota
	pieceOpen
	pieceClose
	pieceVoid
)

// piece is one step of the cleaned document.
type piece struct {
	kind pieceKind
	tag  string // of open, close and void
	attr string // colspan and rowspan, ready to print
	text []byte
	pre  bool // white space counts
}

// frame is one open element.
type frame struct {
	tag, out string // as read; as it goes out ("" = only its content)
	el       *element
	key      string // what it declares, to know repeats
	own      values
	look     look
	pre      bool
	at       int  // pieces when it was opened
	reopened bool // formatting carried on from a block before
	closed   bool // shows nothing but its summary
	doomed   bool // hidden for a reason that is not in own
}

const (
	maxFrames = 512       // open elements; content nested deeper is dropped
	maxDepth  = 128       // nesting that goes out; deeper elements lose their tags
	maxReopen = 48        // unclosed formatting which is carried on
	maxWork   = 100 << 20 // comparisons of all kinds
)

type walker struct {
	flags   flagSet
	sheet   *sheet
	base    look // of the page itself
	frames  []frame
	open    map[string]int // frames by tag
	depth   int            // frames which go out
	skipTag string         // inside an element dropped whole …
	skip    int            // … this deep
	work    int            // comparisons so far
	pieces  []piece

	page, body *element // html and body, there even when not written
	number     int      // elements so far
	kin        []kin    // children of the body and of every frame
	carried    int      // reopened frames
	headed     bool     // the head is over
	lost       bool     // too much formatting is open to know what hides
	learning   bool     // a first walk which only counts, see learn
	learnt     map[int]*totals
}

// walk turns HTML into pieces which hold nothing but visible, allowed content.
func walk(src string, flags flagSet) []piece {
	w := newWalker(flags)
	w.readSheets(src)
	if w.sheet.totals {
		w.learnt = learn(src, w.sheet)
	}
	w.ground()
	w.run(src)
	if w.work >= maxWork {
		flags.add(FlagTruncated)
	}
	w.closeTo(0)
	return w.pieces
}

// unseen flags words that no reader sees: in a comment, in an alt text. A few
// words are usual there, and Outlook's conditional comments are too.
func (w *walker) unseen(s string) {
	if len(strings.Fields(s)) >= 8 && !strings.HasPrefix(strings.TrimSpace(s), "[if") {
		w.flags.add(FlagHiddenContent)
	}
}

func (w *walker) top() frame {
	if len(w.frames) == 0 {
		return frame{look: w.base}
	}
	return w.frames[len(w.frames)-1]
}

func (w *walker) text(s string) {
	if w.skip > 0 {
		return
	}
	w.kin[len(w.kin)-1].text = true
	w.headed = w.headed || strings.TrimSpace(s) != ""
	top := w.top()
	if w.learning {
		return
	}
	if top.closed || w.lost || top.look.hides() || w.overlaid(top.look) {
		if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			w.flags.add(FlagHiddenContent)
		}
		return
	}
	if n := len(w.pieces); n > 0 && w.pieces[n-1].kind == pieceText && w.pieces[n-1].pre == top.pre {
		w.pieces[n-1].text = append(w.pieces[n-1].text, s...)
		return
	}
	w.pieces = append(w.pieces, piece{kind: pieceText, text: []byte(s), pre: top.pre})
}

func (w *walker) start(t html.Token) {
	tag := t.Data
	if w.skip > 0 {
		if tag == w.skipTag && !void[tag] {
			w.skip++
		}
		return
	}
	w.flagAttrs(tag, t.Attr)
	if active[tag] {
		w.flags.add(FlagActiveContent)
	}
	switch {
	case tag == "html" || tag == "body":
		w.again(tag, t.Attr)
		return
	case tag == "head":
		return
	case droppedWhole[tag]:
		if w.headed || !headTags[tag] {
			w.newElement(tag, attrMap(t.Attr))
		}
		w.drop(tag, t.Type)
		return
	}
	w.headed = w.headed || !headTags[tag]
	w.makeRoom(tag)
	switch {
	case void[tag]:
		if w.headed {
			w.newElement(tag, attrMap(t.Attr))
		}
		w.void(tag)
	case len(w.frames) >= maxFrames:
		w.flags.add(FlagTruncated)
		w.skipTag, w.skip = tag, 1
	default:
		w.push(w.frame(tag, t.Attr))
	}
}

// drop begins to skip an element with its content.
func (w *walker) drop(tag string, kind html.TokenType) {
	foreign := tag == "svg" || tag == "math"
	if foreign && kind == html.SelfClosingTagToken {
		return
	}
	w.skipTag, w.skip = tag, 1
}

func (w *walker) void(tag string) {
	look := w.top().look
	if look.box != nil {
		look.box.used += look.fontPx
	}
	if (tag == "br" || tag == "hr") && !look.gone && !w.learning {
		w.pieces = append(w.pieces, piece{kind: pieceVoid, tag: tag})
	}
}

func (w *walker) end(tag string) {
	if w.skip > 0 {
		if tag == w.skipTag {
			w.skip--
		}
		return
	}
	if tag == "br" {
		w.void(tag)
		return
	}
	if i := w.match(tag); i >= 0 {
		if formatting[tag] && w.holdsBlock(i) {
			w.unwrap(i)
			return
		}
		w.closeTo(i)
	}
}

// match finds the open element which an end tag closes, or -1.
func (w *walker) match(tag string) int {
	if w.open[tag] == 0 && !headings[tag] {
		return -1
	}
	for i := len(w.frames) - 1; i >= 0; i-- {
		w.work++
		f := &w.frames[i]
		if f.tag == tag || headings[tag] && headings[f.tag] {
			return i
		}
		if special[f.tag] && !special[tag] && !formatting[tag] {
			return -1 // as browsers do, they end no block around which they stand
		}
		if w.wall(f, tableWalls) && (f.tag == "table" || !tableParts[tag] && tag != "table") {
			return -1
		}
	}
	return -1
}

// wall tells whether a frame bounds the search for an open element. One that
// does not go out is none, unless it is hidden as a whole.
func (w *walker) wall(f *frame, walls map[string]bool) bool {
	stray := tableParts[f.tag] && f.out == "div"
	return walls[f.tag] && !stray && (f.out != "" || f.look.gone)
}

// makeRoom closes what a start tag implies to be closed.
func (w *walker) makeRoom(tag string) {
	switch {
	case tag == "a" || tag == "nobr" || tag == "button":
		w.end(tag) // none stands in another
	case tag == "li":
		w.closeOpen(listWalls, "li", "li")
	case tag == "dt" || tag == "dd":
		w.closeOpen(listWalls, "dt", "dd")
	case tableParts[tag]:
		if i := w.home(tag); i >= 0 {
			w.closeTo(i + 1)
			return
		}
	}
	if closesP[tag] || tableParts[tag] {
		w.closeOpen(tableWalls, "p", "p")
	}
}

func (w *walker) closeOpen(walls map[string]bool, one, other string) {
	if w.open[one]+w.open[other] == 0 {
		return
	}
	for i := len(w.frames) - 1; i >= 0; i-- {
		w.work++
		f := &w.frames[i]
		if f.tag == one || f.tag == other {
			w.closeTo(i)
			return
		}
		if w.wall(f, walls) {
			return
		}
	}
}

// home finds the frame a part of a table belongs into, or -1 outside tables.
func (w *walker) home(tag string) int {
	if w.open["table"] == 0 {
		return -1
	}
	for i := len(w.frames) - 1; i >= 0; i-- {
		w.work++
		f := &w.frames[i]
		if cellHome[tag][f.tag] && (f.out != "" || f.look.gone) {
			return i
		}
	}
	return -1
}

// push opens an element.
func (w *walker) push(f frame) {
	f.out, f.at = w.placed(f), len(w.pieces)
	if f.out == "pre" {
		f.pre = true
	}
	w.frames, w.kin = append(w.frames, f), append(w.kin, kin{})
	w.open[f.tag]++
	if f.out != "" {
		w.depth++
		w.piece(piece{kind: pieceOpen, tag: f.out, attr: f.key})
	}
}

func (w *walker) piece(p piece) {
	if !w.learning {
		w.pieces = append(w.pieces, p)
	}
}

// closeTo closes the frames from index i on. Formatting that was not closed by
// its own tag goes on behind, because what it hides stays hidden.
func (w *walker) closeTo(i int) {
	var again []frame
	for n := len(w.frames) - 1; n >= i; n-- {
		f := w.frames[n]
		w.note(f.el, w.kin[n+1].totals)
		w.frames, w.kin = w.frames[:n], w.kin[:n+1]
		w.open[f.tag]--
		w.carried -= btoi(f.reopened)
		if f.out != "" {
			w.depth--
			w.piece(piece{kind: pieceClose, tag: f.out})
		}
		switch {
		case tableWalls[f.tag]:
			again = nil
		case n > i && formatting[f.tag]:
			again = w.remember(again, f)
		}
	}
	for n := len(again) - 1; n >= 0 && len(w.frames) < maxFrames; n-- {
		w.reopen(again[n])
	}
}

// reopen carries formatting on. Like a browser it lets no more than three equal
// ones stand inside each other, else a long list of careless items grows deep.
func (w *walker) reopen(f frame) {
	top := w.top()
	f.out, f.look, f.pre, f.reopened = "", top.look.with(f.own), top.pre, true
	f.look.gone = f.look.gone || f.doomed || top.closed
	equal := 0
	for i := range w.frames {
		if w.frames[i].key == f.key && w.frames[i].tag == f.tag {
			equal++
		}
	}
	if equal >= 3 || len(w.frames) > maxFrames/2 && !f.look.hides() {
		return
	}
	w.frames, w.kin = append(w.frames, f), append(w.kin, kin{})
	w.open[f.tag]++
	w.carried++
	w.work += 20
}

// remember adds a frame to those carried on, innermost first, of equal ones no
// more than three. When there are too many to follow, nothing behind is shown.
func (w *walker) remember(again []frame, f frame) []frame {
	equal := 0
	for _, have := range again {
		if have.key == f.key && have.tag == f.tag {
			equal++
		}
	}
	if equal >= 3 {
		return again
	}
	if len(again) >= maxReopen {
		w.lost = true
		w.flags.add(FlagTruncated)
		return again
	}
	return append(again, f)
}
