package sheet

import "strings"

// readCSV reads text with whatever separator makes most sense of it.
func readCSV(data []byte, l Limits) (Book, error) {
	text, charset := decode(data)
	sep, rest := separator(text)
	t := Table{Sheet: ""}
	p := &csvReader{text: rest, sep: sep, quotes: true, l: l, t: &t}
	if !p.read() { // a quote that never ends would swallow the file
		t = Table{}
		p = &csvReader{text: rest, sep: sep, l: l, t: &t}
		p.read()
	}
	t.trim()
	return Book{Format: CSV, Charset: charset, Separator: string(sep), Tables: []Table{t}, Truncated: t.Truncated}, nil
}

// csvReader reads RFC 4180 and everything near it: ragged rows, any line end,
// quotes in the middle, spaces before a quote.
type csvReader struct {
	text   string
	sep    byte
	quotes bool
	l      Limits
	t      *Table
	cells  int
	row    []Cell
	col    int
}

// read reports false when a quote was never closed.
func (p *csvReader) read() bool {
	for p.text != "" {
		if len(p.t.Rows) >= p.l.MaxRows || p.cells >= p.l.MaxCells {
			p.t.Truncated = true
			return true
		}
		cell, closed := p.cell()
		if !closed {
			return false
		}
		p.add(cell)
		if p.text == "" {
			break
		}
		c := p.text[0]
		p.text = p.text[1:]
		if c == p.sep {
			if p.text == "" {
				p.add("")
			}
			continue
		}
		if c == '\r' && strings.HasPrefix(p.text, "\n") {
			p.text = p.text[1:]
		}
		p.endRow()
	}
	if p.col > 0 {
		p.endRow()
	}
	return true
}

func (p *csvReader) endRow() {
	p.t.Rows = append(p.t.Rows, p.row)
	p.row, p.col = nil, 0
}

func (p *csvReader) add(raw string) {
	p.col++
	if p.col > p.l.MaxCols {
		p.t.Truncated = p.t.Truncated || raw != ""
		return
	}
	text := strings.TrimSpace(p.l.text(raw, &p.t.Truncated))
	p.cells++
	p.row = append(p.row, Cell{Text: text, Formula: computes(text)})
}

// cell takes one cell off the text, up to the separator or line end after it.
func (p *csvReader) cell() (string, bool) {
	trimmed := strings.TrimLeft(p.text, " ")
	if p.quotes && strings.HasPrefix(trimmed, `"`) {
		return p.quoted(trimmed[1:])
	}
	end := strings.IndexFunc(p.text, func(r rune) bool { return r == rune(p.sep) || r == '\n' || r == '\r' })
	if end < 0 {
		end = len(p.text)
	}
	cell := p.text[:end]
	p.text = p.text[end:]
	return cell, true
}

// quoted reads after an opening quote. Text between the closing quote and the
// separator is kept: people write it.
func (p *csvReader) quoted(s string) (string, bool) {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '"')
		if i < 0 {
			return "", false
		}
		out.WriteString(s[:i])
		s = s[i+1:]
		if strings.HasPrefix(s, `"`) {
			out.WriteByte('"')
			s = s[1:]
			continue
		}
		p.text = s
		p.quotes = false
		tail, _ := p.cell()
		p.quotes = true
		out.WriteString(strings.TrimRight(tail, " "))
		return out.String(), true
	}
}

// computes reports whether a spreadsheet would compute the text.
func computes(text string) bool { return strings.HasPrefix(text, "=") || strings.HasPrefix(text, "@") }

// separator finds the one that cuts the first lines into most columns, most
// evenly; "sep=;" in the first line is Excel's own way to say it.
func separator(text string) (byte, string) {
	if first, rest, _ := strings.Cut(text, "\n"); len(strings.TrimRight(first, "\r")) == 5 && strings.EqualFold(first[:4], "sep=") {
		return first[4], rest
	}
	best, most := byte(','), 0.0
	for _, sep := range []byte{',', ';', '\t', '|'} {
		if s := evenness(text, sep); s > most {
			best, most = sep, s
		}
	}
	return best, text
}

// evenness scores a separator: columns that many lines agree upon.
func evenness(text string, sep byte) float64 {
	t := Table{}
	p := &csvReader{text: text[:min(len(text), 32<<10)], sep: sep, quotes: true, t: &t,
		l: Limits{MaxRows: 50, MaxCols: 200, MaxCells: 10_000, MaxText: 1000}}
	if !p.read() {
		t.Rows = nil
		*p = csvReader{text: text[:min(len(text), 32<<10)], sep: sep, t: &t, l: p.l}
		p.read()
	}
	lines, counts := 0, map[int]int{}
	for _, row := range t.Rows {
		if len(row) > 1 || len(row) == 1 && row[0].Text != "" {
			lines++
			counts[len(row)]++
		}
	}
	best := 0.0
	for width, n := range counts {
		if width > 1 {
			best = max(best, float64(n)/float64(lines)*(1+float64(min(width, 40))/40))
		}
	}
	return best
}
