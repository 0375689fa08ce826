package sanitize

import (
	"strconv"
	"strings"
)

// textWriter lays pieces out as plain text: blocks on their own lines, cells of
// a row parted by " | ", bullets and numbers before items, "> " before quotes.
type textWriter struct {
	out    strings.Builder
	breaks int  // line breaks owed before the next word
	blank  bool // a blank owed before the next word
	fresh  bool // at the start of a line
	quote  int
	gap    int   // quote depth of the empty lines owed
	lists  []int // 0 = bullets, else the number of the next item
	rows   []row
	head   string // bullet owed at the start of the line
}

// row is an open table row.
type row struct {
	cells  int  // so far
	flat   bool // cells stay on one line
	inCell bool
}

func renderText(pieces []piece) string {
	w := &textWriter{fresh: true}
	flat := flatRows(pieces)
	for i, p := range pieces {
		switch p.kind {
		case pieceText:
			w.text(string(p.text), p.pre)
		case pieceVoid:
			w.void(p.tag)
		case pieceOpen:
			w.openTag(p.tag, flat[i])
		case pieceClose:
			w.closeTag(p.tag)
		}
	}
	return tidy(w.out.String())
}

// tidy drops rows without a word and blanks at the end of lines.
func tidy(s string) string {
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		line = strings.TrimRight(line, " ")
		if strings.Contains(line, "|") && strings.Trim(line, "|> ") == "" {
			continue
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// flatRows finds the rows which read as one line: several cells, none of which
// holds a table or a list.
func flatRows(pieces []piece) map[int]bool {
	type open struct {
		at, cells int
		nested    bool
	}
	flat := map[int]bool{}
	var stack []open
	for i, p := range pieces {
		switch {
		case p.kind == pieceOpen && p.tag == "tr":
			stack = append(stack, open{at: i})
		case len(stack) == 0:
		case p.kind == pieceOpen && (p.tag == "td" || p.tag == "th"):
			stack[len(stack)-1].cells++
		case p.kind == pieceOpen && (p.tag == "table" || p.tag == "ul" || p.tag == "ol" || p.tag == "pre" || p.tag == "blockquote"):
			for n := range stack {
				stack[n].nested = true
			}
		case p.kind == pieceClose && p.tag == "tr":
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			flat[last.at] = last.cells > 1 && !last.nested
		}
	}
	return flat
}

// inFlat tells whether the next word stands in a cell that is kept on one line.
func (w *textWriter) inFlat() bool {
	return len(w.rows) > 0 && w.rows[len(w.rows)-1].flat && w.rows[len(w.rows)-1].inCell
}

// line owes at least n line breaks.
func (w *textWriter) line(n int) {
	w.blank = false
	if w.breaks == 0 {
		w.gap = w.quote
	}
	w.breaks = max(w.breaks, n)
}

func (w *textWriter) write(s string) {
	w.flush()
	w.out.WriteString(s)
	w.fresh = false
}

// flush pays what is owed before a word.
func (w *textWriter) flush() {
	switch {
	case w.breaks > 0 && w.inFlat():
		if !w.fresh {
			w.out.WriteString("; ")
		}
	case w.breaks > 0 && w.out.Len() > 0:
		prefix := strings.TrimSuffix(strings.Repeat("> ", min(w.gap, w.quote)), " ")
		w.out.WriteString("\n" + strings.Repeat(prefix+"\n", min(w.breaks, 3)-1))
		w.fresh = true
		w.startLine()
	case w.out.Len() == 0:
		w.startLine()
	case w.blank && !w.fresh:
		w.out.WriteByte(' ')
	}
	w.breaks, w.blank = 0, false
	if w.head != "" {
		w.out.WriteString(w.head)
		w.head = ""
	}
}

func (w *textWriter) startLine() {
	w.out.WriteString(strings.Repeat("> ", w.quote))
	if len(w.lists) > 1 {
		w.out.WriteString(strings.Repeat("  ", min(len(w.lists)-1, 8)))
	}
}

func (w *textWriter) text(s string, pre bool) {
	if pre {
		for i, line := range strings.Split(s, "\n") {
			if i > 0 {
				w.line(w.breaks + 1)
			}
			if line != "" {
				w.write(line)
			}
		}
		return
	}
	for i, word := range strings.Split(s, " ") {
		if i > 0 {
			w.blank = true
		}
		if word != "" {
			w.write(word)
		}
	}
}

func (w *textWriter) void(tag string) {
	if tag == "hr" {
		w.line(1)
		w.write("---")
		w.line(1)
		return
	}
	w.line(w.breaks + 1)
}

func (w *textWriter) openTag(tag string, flat bool) {
	switch tag {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "pre", "dl":
		w.line(2)
	case "blockquote":
		w.line(2)
		w.quote = min(w.quote+1, 16)
	case "ul", "ol":
		w.line(2 - min(1, len(w.lists)))
		w.lists = append(w.lists, btoi(tag == "ol"))
	case "li":
		w.item()
	case "div", "dt", "dd", "caption":
		w.line(1)
	case "tr":
		w.line(1)
		if flat { // begin the line now: the first cell may be empty
			w.flush()
			w.fresh = true
		}
		w.rows = append(w.rows, row{flat: flat})
	case "td", "th":
		w.cell()
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (w *textWriter) item() {
	w.line(1)
	if len(w.lists) == 0 {
		return
	}
	n := &w.lists[len(w.lists)-1]
	if *n == 0 {
		w.head = "- "
		return
	}
	w.head = strconv.Itoa(*n) + ". "
	*n++
}

func (w *textWriter) cell() {
	if len(w.rows) == 0 {
		return
	}
	r := &w.rows[len(w.rows)-1]
	r.cells++
	if r.flat && r.cells > 1 {
		w.blank = false
		w.write(" | ")
		w.fresh = true
	}
	if !r.flat {
		w.line(1)
	}
	r.inCell = true
}

func (w *textWriter) closeTag(tag string) {
	switch tag {
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "pre", "dl":
		w.line(2)
	case "blockquote":
		w.line(2)
		w.quote = max(0, w.quote-1)
	case "ul", "ol":
		if len(w.lists) > 0 {
			w.lists = w.lists[:len(w.lists)-1]
		}
		w.line(2 - min(1, len(w.lists)))
	case "li", "div", "dt", "dd", "caption":
		w.line(1)
	case "tr":
		if len(w.rows) > 0 {
			w.rows = w.rows[:len(w.rows)-1]
		}
		w.line(1)
	case "td", "th":
		if len(w.rows) > 0 {
			r := &w.rows[len(w.rows)-1]
			r.inCell = false
			if r.flat {
				w.breaks, w.blank = 0, false
			}
		}
	}
}
