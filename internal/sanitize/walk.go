package sanitize

import (
	"bytes"
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
	id       string
	classes  []string
	key      string // what it declares, to know repeats
	own      map[string]string
	look     look
	pre      bool
}

const (
	maxFrames = 512       // open elements; content nested deeper is dropped
	maxDepth  = 128       // nesting that goes out; deeper elements lose their tags
	maxReopen = 8         // unclosed formatting which is carried on
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
}

// walk turns HTML into pieces which hold nothing but visible, allowed content.
func walk(src string, flags flagSet) []piece {
	w := &walker{flags: flags, sheet: newSheet(), open: map[string]int{}}
	w.readSheets(src)
	w.base = plainLook()
	for _, tag := range []string{"html", "body"} { // there even when not written
		w.base = w.base.with(sortDecls(w.matching(frame{tag: tag}), nil))
	}
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
	if w.work >= maxWork {
		flags.add(FlagTruncated)
	}
	w.closeTo(0)
	return w.pieces
}

// readSheets collects style blocks first: a rule may stand behind what it hides.
func (w *walker) readSheets(src string) {
	z := html.NewTokenizer(strings.NewReader(src))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken {
			continue
		}
		name, more := z.TagName()
		if !bytes.Equal(name, []byte("style")) {
			continue
		}
		if onScreen := mediaApplies(z, more); z.Next() != html.TextToken || !onScreen {
			continue
		}
		css := string(z.Raw())
		if strings.Contains(css, "@import") || strings.Contains(css, "url(") {
			w.flags.add(FlagRemoteContent)
		}
		if !w.sheet.add(css) {
			w.flags.add(FlagTruncated)
		}
	}
}

// mediaApplies reads the media attribute of a style block.
func mediaApplies(z *html.Tokenizer, more bool) bool {
	for more {
		var key, value []byte
		if key, value, more = z.TagAttr(); bytes.Equal(key, []byte("media")) {
			return applies("@media " + strings.ToLower(string(value)))
		}
	}
	return true
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
	top := w.top()
	if top.look.hides() {
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
	case tag == "html" || tag == "head":
		return
	case droppedWhole[tag]:
		w.drop(tag, t.Type)
		return
	}
	w.makeRoom(tag)
	switch {
	case void[tag]:
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
	if (tag == "br" || tag == "hr") && !w.top().look.gone {
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
		if w.wall(f, tableWalls) && (f.tag == "table" || !tableParts[tag] && tag != "table") {
			return -1
		}
	}
	return -1
}

// wall tells whether a frame bounds the search for an open element. One that
// does not go out is none, unless it is hidden as a whole.
func (w *walker) wall(f *frame, walls map[string]bool) bool {
	return walls[f.tag] && (f.out != "" || f.look.gone)
}

// makeRoom closes what a start tag implies to be closed.
func (w *walker) makeRoom(tag string) {
	switch {
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
	f.out = w.placed(f)
	if f.out == "pre" {
		f.pre = true
	}
	w.frames = append(w.frames, f)
	w.open[f.tag]++
	if f.out != "" {
		w.depth++
		w.pieces = append(w.pieces, piece{kind: pieceOpen, tag: f.out, attr: f.key})
	}
}

// closeTo closes the frames from index i on. Formatting that was not closed by
// its own tag goes on behind, because what it hides stays hidden.
func (w *walker) closeTo(i int) {
	var again []frame
	for n := len(w.frames) - 1; n >= i; n-- {
		f := w.frames[n]
		w.frames = w.frames[:n]
		w.open[f.tag]--
		if f.out != "" {
			w.depth--
			w.pieces = append(w.pieces, piece{kind: pieceClose, tag: f.out})
		}
		switch {
		case tableWalls[f.tag]:
			again = nil
		case n > i && formatting[f.tag] && len(f.own) > 0:
			again = remember(again, f)
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
	f.out, f.look, f.pre = "", top.look.with(f.own), top.pre
	equal := 0
	for i := range w.frames {
		if w.frames[i].key == f.key && w.frames[i].tag == f.tag {
			equal++
		}
	}
	if equal >= 3 || len(w.frames) > maxFrames/2 && !f.look.hides() {
		return
	}
	w.frames = append(w.frames, f)
	w.open[f.tag]++
}

// remember adds a frame to those carried on, innermost first. When there are too
// many, one that hides takes the place of one that does not.
func remember(again []frame, f frame) []frame {
	for _, have := range again {
		if have.key == f.key && have.tag == f.tag {
			return again
		}
	}
	if len(again) < maxReopen {
		return append(again, f)
	}
	if f.look.hides() {
		again[maxReopen-1] = f
	}
	return again
}
