package sheet

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// sheet reads the cells of one part.
func (w *workbook) sheet(part string) (Table, error) {
	t := Table{}
	at := &place{}
	var merges []area
	err := w.tokens(part, func(d *stream, e xml.StartElement) error {
		switch e.Name.Local {
		case "row":
			if w.startRow(&t, at, e); at.row > w.l.MaxRows || w.cells > w.l.MaxCells {
				t.Truncated = true // nothing more would be kept
				return errStop
			}
		case "c":
			return w.cell(d, &t, at, e)
		case "mergeCell":
			if a, ok := parseArea(attr(e, "ref")); ok && len(merges) < 10_000 {
				merges = append(merges, a)
			}
		}
		return nil
	})
	w.spread(&t, merges)
	t.trim()
	return t, err
}

// place is where the next cell stands unless it says so itself; from 1.
type place struct{ row, col int }

func (w *workbook) startRow(t *Table, at *place, e xml.StartElement) {
	at.row++
	at.col = 0
	if n, err := strconv.Atoi(attr(e, "r")); err == nil && n > 0 {
		at.row = n
	}
	if h := attr(e, "hidden"); (h == "1" || h == "true") && at.row <= w.l.MaxRows {
		t.HiddenRows = append(t.HiddenRows, at.row)
	}
}

func (w *workbook) cell(d *stream, t *Table, at *place, e xml.StartElement) error {
	at.col++
	if row, col, ok := parseRef(attr(e, "r")); ok {
		at.row, at.col = row, col
	}
	raw, formula, err := w.value(d)
	if err != nil || raw == "" && !formula {
		return err
	}
	c := Cell{Text: w.display(raw, attr(e, "t"), attr(e, "s")), Formula: formula}
	c.Text = strings.TrimSpace(w.l.text(c.Text, &t.Truncated))
	w.put(t, max(at.row, 1), at.col, c)
	return nil
}

// put stores a cell within the limits. The rows before it cost a nil each.
func (w *workbook) put(t *Table, row, col int, c Cell) {
	if row > w.l.MaxRows || col > w.l.MaxCols {
		t.Truncated = true
		return
	}
	for len(t.Rows) < row {
		t.Rows = append(t.Rows, nil)
	}
	line := t.Rows[row-1]
	if more := col - len(line); more > 0 {
		if w.cells += more; w.cells > w.l.MaxCells {
			t.Truncated = true
			return
		}
		line = append(line, make([]Cell, more)...)
	}
	line[col-1] = c
	t.Rows[row-1] = line
}

// value reads a cell's content up to its end: the cached value, and whether a
// formula made it.
func (w *workbook) value(d *stream) (raw string, formula bool, err error) {
	in := ""
	for {
		t, err := d.inside()
		if err != nil {
			return "", false, err
		}
		switch e := t.(type) {
		case xml.StartElement:
			in = e.Name.Local
			formula = formula || in == "f"
			if in == "is" {
				if raw, err = w.richText(d, "is"); err != nil {
					return "", false, err
				}
			}
		case xml.CharData:
			if in == "v" && len(raw) < 4*w.l.MaxText {
				raw += string(e[:min(len(e), 4*w.l.MaxText)])
			}
		case xml.EndElement:
			in = ""
			if e.Name.Local == "c" {
				return strings.ToValidUTF8(raw, ""), formula, nil
			}
		}
	}
}

// display makes text of a stored value, as a person would see it.
func (w *workbook) display(raw, kind, styleID string) string {
	switch kind {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(raw)); err == nil && i >= 0 && i < len(w.strings) {
			return w.strings[i]
		}
		return ""
	case "b":
		if strings.TrimSpace(raw) == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "d":
		return isoDate(raw)
	case "str", "inlineStr", "e":
		return raw
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(raw), 64)
	if err != nil {
		return raw
	}
	var s style
	if i, err := strconv.Atoi(styleID); err == nil && i >= 0 && i < len(w.styles) {
		s = w.styles[i]
	}
	if s.date {
		if text := w.serial(x); text != "" {
			return text
		}
	}
	text := number(x)
	for len(text) < s.zeros {
		text = "0" + text
	}
	return text
}

func isoDate(raw string) string {
	raw = strings.TrimSuffix(strings.TrimSpace(raw), "Z")
	day, clock, _ := strings.Cut(raw, "T")
	if clock == "" || strings.HasPrefix(clock, "00:00:00") {
		return day
	}
	return day + " " + clock[:min(len(clock), 5)]
}

// number writes what Excel keeps of a number: 15 digits.
func number(x float64) string {
	s := strconv.FormatFloat(x, 'g', 15, 64)
	y, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return s
	}
	if y > 1e20 || y < -1e20 {
		return s
	}
	return strconv.FormatFloat(y, 'f', -1, 64)
}

// serial makes a date of a day number; "" when it is none.
func (w *workbook) serial(x float64) string {
	if x < 0 || x > 2958465 { // 9999-12-31
		return ""
	}
	day := int(x)
	seconds := int((x-float64(day))*86400 + 0.5)
	start := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.epoch == 1:
		start = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case day < 60: // Excel believes in 1900-02-29
		start = start.AddDate(0, 0, 1)
	}
	at := start.AddDate(0, 0, day).Add(time.Duration(seconds) * time.Second)
	switch {
	case day == 0 && w.epoch == 0:
		return at.Format("15:04")
	case seconds == 0:
		return at.Format(time.DateOnly)
	}
	return at.Format("2006-01-02 15:04")
}

// style is what the reader needs of a cell's format.
type style struct {
	date  bool
	zeros int // pad with zeros to this length: "000000"
}

func (w *workbook) readStyles(part string) error {
	formats := map[int]string{}
	inCells := false
	return w.tokens(part, func(_ *stream, e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if id, err := strconv.Atoi(attr(e, "numFmtId")); err == nil && len(formats) < 10_000 {
				formats[id] = attr(e, "formatCode")
			}
		case "cellStyleXfs", "cellStyles", "dxfs":
			inCells = false
		case "cellXfs":
			inCells = true
		case "xf":
			if inCells && len(w.styles) < 100_000 {
				id, _ := strconv.Atoi(attr(e, "numFmtId"))
				w.styles = append(w.styles, styleOf(id, formats[id]))
			}
		}
		return nil
	})
}

var (
	quotedFormat = regexp.MustCompile(`"[^"]*"|\\.|\[[^\]]*\]|_.`)
	zerosOnly    = regexp.MustCompile(`^0{2,30}$`)
)

// styleOf knows the built-in date formats (14–22, 45–47, and those of East Asian
// and Thai Excels) and custom ones by their letters.
func styleOf(id int, code string) style {
	if code == "" {
		return style{date: id >= 14 && id <= 22 || id >= 27 && id <= 36 || id >= 45 && id <= 47 || id >= 50 && id <= 58 || id >= 71 && id <= 81}
	}
	if zerosOnly.MatchString(code) {
		return style{zeros: len(code)}
	}
	first, _, _ := strings.Cut(quotedFormat.ReplaceAllString(strings.ToLower(code), ""), ";")
	if strings.ContainsAny(first, "0#?") && !strings.ContainsAny(first, "yd") {
		return style{}
	}
	return style{date: strings.ContainsAny(first, "ydhms") && !strings.Contains(first, "general")}
}

// area is a merged range; from 1, inclusive.
type area struct{ top, left, bottom, right int }

func parseArea(ref string) (area, bool) {
	from, to, ok := strings.Cut(ref, ":")
	if !ok {
		return area{}, false
	}
	r1, c1, ok1 := parseRef(from)
	r2, c2, ok2 := parseRef(to)
	return area{r1, c1, r2, c2}, ok1 && ok2 && r1 <= r2 && c1 <= c2
}

// spread repeats a merged cell's text in the rows below it, where people see it;
// not to the right, where titles would become columns.
func (w *workbook) spread(t *Table, merges []area) {
	for _, m := range merges {
		if m.top > len(t.Rows) || m.left > len(t.Rows[m.top-1]) {
			continue
		}
		c := t.Rows[m.top-1][m.left-1]
		if c.Text == "" {
			continue
		}
		c.Merged = true
		for row := m.top + 1; row <= min(m.bottom, len(t.Rows)); row++ {
			if w.cells > w.l.MaxCells {
				t.Truncated = true
				return
			}
			w.put(t, row, m.left, c)
		}
	}
}

// parseRef reads "AB12".
func parseRef(ref string) (row, col int, ok bool) {
	i := 0
	for ; i < len(ref) && i < 4; i++ {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			break
		}
		col = col*26 + int(c-'A'+1)
	}
	row, err := strconv.Atoi(ref[i:])
	return row, col, err == nil && i > 0 && row > 0 && row <= 1<<20
}

// String helps tests and logs: "CSV, 1 sheet".
func (b Book) String() string { return fmt.Sprintf("%s, %d sheet(s)", b.Format, len(b.Tables)) }
