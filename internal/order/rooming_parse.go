package order

import (
	"regexp"
	"slices"
	"strings"

	"thhotel/internal/sheet"
)

// Bounds of one list.
const (
	maxLines  = 2000
	maxText   = 300
	maxSharer = 10
)

// ParseRooming reads a rooming list out of the tables of a file. It never fails:
// what cannot be read is a line that says so.
func ParseRooming(b sheet.Book) RoomingSheet {
	out := RoomingSheet{Format: b.Format, Truncated: b.Truncated}
	words := headerWords()
	for _, t := range b.Tables {
		cols, at := findHeader(t, words)
		if cols == nil || t.Hidden {
			if len(t.Rows) > 0 {
				out.Skipped = append(out.Skipped, orElse(t.Sheet, "CSV"))
			}
			continue
		}
		p := &listParser{t: t, cols: cols, out: &out, sheet: t.Sheet}
		if len(b.Tables) == 1 {
			p.sheet = ""
		}
		p.read(at)
	}
	out.judge(b)
	return out
}

// judge says why there is no list, where there is none.
func (s *RoomingSheet) judge(b sheet.Book) {
	if slices.ContainsFunc(s.Lines, func(l SheetLine) bool { return l.Kind != LineNote }) {
		return
	}
	n := noteOf(NoteNothing, "文件中没有住客行。", "The file has no row of a guest.")
	if len(s.Skipped) > 0 && len(s.Lines) == 0 {
		n = noteOf(NoteNoHeader, "找不到表头（至少需要姓名列和另一列）；请查看附件。", "No header row was found (a name column and one more); look at the attachment.")
		for _, t := range b.Tables { // kept and reported all the same
			p := &listParser{t: t, out: s, sheet: t.Sheet}
			for i := range t.Rows {
				p.keep(i, LineUnread, n)
			}
		}
	}
	s.Problem = &n
}

// listParser reads the lines of one table.
type listParser struct {
	t     sheet.Table
	cols  []column
	out   *RoomingSheet
	sheet string
	in    dateOrder
	outs  dateOrder
	rooms int // rooms so far, to name those that the list does not
	last  *SheetLine
	// cells of the last guest's line, to see which are empty in a sharer's
	lastRoom string
}

func (p *listParser) read(header int) {
	for _, c := range p.cols {
		switch {
		case c.header == "":
		case c.field == "" || c.field == colUnused:
			p.out.Unused = append(p.out.Unused, cut(c.header, 80))
		default:
			p.out.Columns = append(p.out.Columns, cut(c.header, 80)+" → "+c.field)
		}
	}
	p.in, p.outs = orderOf(p.values(colArrival, header+1)), orderOf(p.values(colDepart, header+1))
	if p.in == unsureOrder {
		p.in = p.outs
	}
	if p.outs == unsureOrder {
		p.outs = p.in
	}
	for i := range p.t.Rows {
		switch {
		case len(p.out.Lines) >= maxLines:
			p.out.Truncated = true
			return
		case i < header:
			p.keep(i, LineNote)
		case i > header:
			p.line(i)
		}
	}
}

func (p *listParser) values(field string, from int) []string {
	var out []string
	for i := from; i < len(p.t.Rows); i++ {
		out = append(out, p.cell(i, field, 0).Text)
	}
	return out
}

// cell is the first cell that is not empty under a field, for a person across.
func (p *listParser) cell(row int, field string, person int) sheet.Cell {
	for i, c := range p.t.Rows[row] {
		if i < len(p.cols) && p.cols[i].field == field && p.cols[i].person == person && c.Text != "" {
			return c
		}
	}
	return sheet.Cell{}
}

// all joins every cell under a field: lists have several columns of remarks.
func (p *listParser) all(row int, field string) string {
	var out []string
	for i, c := range p.t.Rows[row] {
		if i < len(p.cols) && p.cols[i].field == field && c.Text != "" && !slices.Contains(out, c.Text) {
			out = append(out, c.Text)
		}
	}
	return strings.Join(out, "; ")
}

// keep reports a line that is no guest's.
func (p *listParser) keep(row int, kind string, notes ...RoomingNote) {
	if text := p.written(row); text != "" && len(p.out.Lines) < maxLines {
		p.out.Lines = append(p.out.Lines, SheetLine{Sheet: p.sheet, Line: row + 1, Kind: kind, Text: text, Issues: notes})
	}
}

func (p *listParser) written(row int) string {
	var out []string
	for _, c := range p.t.Rows[row] {
		if c.Text != "" && !c.Merged {
			out = append(out, strings.Join(strings.Fields(c.Text), " "))
		}
	}
	return cut(strings.Join(out, " | "), maxText)
}

// totals begin lines that sum up.
var totals = regexp.MustCompile(`(?i)^(grand\s*)?(total|sub-?total|sum|summe|gesamt|somme|合计|总计|共计|合計|總計|計|รวม|รวมทั้งหมด)\b`)

func (p *listParser) line(row int) {
	text := p.written(row)
	if text == "" {
		return
	}
	first := strings.SplitN(text, " | ", 2)[0]
	if p.headerAgain(row) || totals.MatchString(first) || strings.HasPrefix(first, "合计") || strings.HasPrefix(first, "总计") || strings.HasPrefix(first, "合計") || strings.HasPrefix(first, "รวม") {
		p.keep(row, LineNote)
		return
	}
	names, guessed, hasName := p.names(row)
	filled := p.filled(row)
	switch {
	case filled == 0 && (len(names) == 0 && !hasName || strings.ContainsAny(first, "0123456789") && !strings.Contains(text, " | ")):
		p.keep(row, LineNote) // a group's title ("BUS 1"), or words beside the list
		p.last = nil          // nobody below it shares a room with anybody above
	case len(names) == 0:
		p.keep(row, LineUnread, noteOf(NoteNoName, "没有可读的客人姓名。", "No guest's name can be read."))
	default:
		p.guest(row, names, guessed, filled)
	}
}

// headerAgain: the header stands at the top of every page.
func (p *listParser) headerAgain(row int) bool {
	same := 0
	for i, c := range p.t.Rows[row] {
		if i < len(p.cols) && p.cols[i].header != "" && strings.EqualFold(p.cols[i].header, c.Text) {
			same++
		}
	}
	return same >= 2
}

// filled counts the cells that tell something of a stay.
func (p *listParser) filled(row int) int {
	n := 0
	for _, f := range []string{colRoom, colType, colArrival, colDepart, colAdults, colPax, colRooms, colWith, colNights, colFirst} {
		if c := p.cell(row, f, 0); c.Text != "" && !c.Merged {
			n++
		}
	}
	return n
}

// names reads everybody a line names: the guest, further name columns, and those
// who accompany. hasName says that something stands in the name column.
func (p *listParser) names(row int) (names []string, guessed, hasName bool) {
	for i := range maxSharer {
		last, first, full := p.cell(row, colLast, i).Text, p.cell(row, colFirst, i).Text, p.cell(row, colName, i).Text
		hasName = hasName || i == 0 && (last+first+full) != ""
		switch {
		case last != "" && !placeholders.MatchString(last):
			if n := readPair(last, first); n != "" {
				names = append(names, n)
			}
		case full != "":
			for _, one := range p.several(full) {
				names, guessed = append(names, one.name), guessed || one.guessed
			}
		case first != "" && len(p.cell(row, colName, i).Text) == 0:
			if n := readName(first); n.name != "" {
				names, guessed = append(names, n.name), guessed || n.guessed
			}
		}
	}
	if len(names) == 0 {
		return nil, false, hasName
	}
	for _, one := range readNames(p.all(row, colWith)) {
		names, guessed = append(names, one.name), guessed || one.guessed
	}
	return unique(names), guessed, hasName
}

// several reads a name cell; more than one name only where a sign for it stands.
func (p *listParser) several(full string) []person {
	if between.MatchString(full) {
		return readNames(full)
	}
	if n := readName(full); n.name != "" {
		return []person{n}
	}
	return nil
}

// readPair reads a surname and a given name; a surname cell that holds a whole name
// is read as one.
func readPair(last, first string) string {
	if first == "" {
		return readName(last).name
	}
	if !hasLetter(last) {
		return ""
	}
	return joinName(last, first)
}

func unique(list []string) []string {
	var out []string
	for _, n := range list {
		if !slices.ContainsFunc(out, func(o string) bool { return samePerson(o, n) }) {
			out = append(out, n)
		}
	}
	return out
}

// roomLink is a sharer told by a number: "with 3", "room 12", "#4".
var roomLink = regexp.MustCompile(`(?i)^(?:with|w/|room|rm|no\.?|nr\.?|#|same as)?\s*#?\s*(\d{1,4})$`)

func (p *listParser) guest(row int, names []string, guessed bool, filled int) {
	l := SheetLine{Sheet: p.sheet, Line: row + 1, Kind: LineGuest, Text: p.written(row), Names: names, Type: cut(p.cell(row, colType, 0).Text, 80),
		Rooms: max(atoi(p.cell(row, colRooms, 0).Text), 0), Adults: p.number(row, colAdults), Child: p.number(row, colChildren),
		Nights: atoi(p.cell(row, colNights, 0).Text), Remark: cut(p.all(row, colRemark), 500)}
	if l.Adults == nil {
		l.Adults = p.number(row, colPax)
	}
	l.Dates = [2]sheetDate{readDate(p.cell(row, colArrival, 0).Text, p.in), readDate(p.cell(row, colDepart, 0).Text, p.outs)}
	p.place(row, &l)
	p.doubts(row, &l, guessed, filled)
	p.out.Lines = append(p.out.Lines, l)
	p.last = &p.out.Lines[len(p.out.Lines)-1]
}

func (p *listParser) number(row int, field string) *int {
	s := strings.TrimSpace(p.cell(row, field, 0).Text)
	if s == "" || len(s) > 3 || strings.Trim(s, "0123456789") != "" {
		return nil
	}
	n := atoi(s)
	return &n
}

// place finds out whose room the line shares: by its room's number, by a number
// that repeats, by the sharer it names, or because it says nothing of a room itself.
func (p *listParser) place(row int, l *SheetLine) {
	room, no := p.cell(row, colRoom, 0), p.cell(row, colNo, 0)
	hasRoom, hasNo := p.has(colRoom), p.has(colNo)
	link := roomLink.FindStringSubmatch(strings.TrimSpace(p.all(row, colWith)))
	key := ""
	switch {
	case link != nil:
		key = "#" + link[1]
	case room.Text != "":
		key = room.Text
	case no.Text != "":
		key = "#" + no.Text
	}
	own := p.cell(row, colType, 0)
	silent := own.Text == "" || own.Merged
	blank := (hasRoom || hasNo) && key == "" || key == "" && silent && p.has(colType) || key != "" && room.Merged
	if blank && silent && p.last != nil && p.last.Kind == LineGuest {
		l.Room = p.lastRoom
		if l.Type == "" {
			l.Type = p.last.Type
		}
		p.inherit(l)
		return
	}
	if key == "" {
		p.rooms++
		key = "·" + itoa(p.rooms)
	}
	l.Room = cut(p.sheet+"/"+strings.ToUpper(strings.TrimSpace(key)), 80)
	p.lastRoom = l.Room
}

// inherit gives a sharer the dates of the room where the line has none.
func (p *listParser) inherit(l *SheetLine) {
	if l.Dates[0] == (sheetDate{}) && l.Dates[1] == (sheetDate{}) {
		l.Dates, l.Nights = p.last.Dates, p.last.Nights
	}
}

func (p *listParser) has(field string) bool {
	return slices.ContainsFunc(p.cols, func(c column) bool { return c.field == field })
}

// doubts notes what a person should look at although the line was read.
func (p *listParser) doubts(row int, l *SheetLine, guessed bool, filled int) {
	add := func(code, zh, en string) { l.Issues = append(l.Issues, noteOf(code, zh, en)) }
	if guessed {
		add(NoteNameOrder, "姓与名的顺序是推测的。", "Which part is the surname was guessed.")
	}
	if filled == 0 && l.Remark == "" && (p.has(colType) || p.has(colArrival)) && !strings.Contains(l.Names[0], ",") {
		add(NoteOnlyName, "此行只有姓名，可能是标题。", "The line has nothing but a name; it may be a title.")
	}
	for _, d := range l.Dates {
		if d.Text != "" {
			add(NoteDate, "日期无法识别："+d.Text, "The date cannot be read: "+d.Text)
		}
	}
	if l.Rooms > 1 {
		add(NoteManyRooms, "一行代表 "+itoa(l.Rooms)+" 间房，缺少其余姓名。", "One line stands for "+itoa(l.Rooms)+" rooms; the other names are missing.")
	}
	if slices.ContainsFunc(p.t.Rows[row], func(c sheet.Cell) bool { return c.Formula }) {
		add(NoteFormula, "含公式单元格，按缓存文本读取，未计算。", "A cell is a formula: its stored text was read, nothing was computed.")
	}
	if slices.Contains(p.t.HiddenRows, row+1) {
		add(NoteHidden, "该行在文件中是隐藏的。", "The row is hidden in the file.")
	}
}
