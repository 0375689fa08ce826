package order

import (
	"slices"
	"strings"

	"thhotel/internal/platform"
)

// resolved is what a file's lines mean for one order: the guests, and every line
// as people see it.
type resolved struct {
	rows  []RoomingRow
	lines []RoomingLine
}

// resolve reads a file against an order: its dates settle what is ambiguous, its
// room types what is only described. The order may be nil.
func (s RoomingSheet) resolve(t *Record, codes []platform.RoomType) resolved {
	var out resolved
	if t == nil {
		t = &Record{}
	}
	lines := roommates(s.Lines)
	leads := map[string]RoomingRow{} // by room
	for _, l := range lines {
		if l.Kind != LineGuest {
			out.lines = append(out.lines, l.plain())
			continue
		}
		for i, r := range l.guests(t, codes, leads) {
			line := RoomingLine{RoomingRow: r.row, Sheet: l.Sheet, State: RowOK, TypeWritten: l.Type, Text: l.Text}
			if i == 0 {
				line.Notes = append(slices.Clone(l.Issues), r.notes...)
			}
			out.rows, out.lines = append(out.rows, r.row), append(out.lines, line)
		}
	}
	return out
}

// plain is a line without a guest.
func (l SheetLine) plain() RoomingLine {
	state := RowUnread
	if l.Kind == LineNote {
		state = RowNote
	}
	return RoomingLine{RoomingRow: RoomingRow{Row: l.Line}, Sheet: l.Sheet, State: state, Text: l.Text, Notes: l.Issues}
}

// roommates puts two lines that name each other, or of which one names the other,
// into one room, and takes the name off the line that only mentions it.
func roommates(lines []SheetLine) []SheetLine {
	out := slices.Clone(lines)
	at := map[string]int{}
	for i, l := range out {
		if l.Kind == LineGuest {
			at[string(letters(l.Names[0]))] = i
		}
	}
	for i := range out {
		if out[i].Kind != LineGuest {
			continue
		}
		kept := out[i].Names[:1:1]
		for _, n := range out[i].Names[1:] {
			j, ok := at[string(letters(n))]
			if !ok || j == i {
				kept = append(kept, n)
				continue
			}
			out[max(i, j)].Room = out[min(i, j)].Room
		}
		out[i].Names = kept
	}
	return out
}

type guestRow struct {
	row   RoomingRow
	notes []RoomingNote
}

// guests makes one row for everybody the line names.
func (l SheetLine) guests(t *Record, codes []platform.RoomType, leads map[string]RoomingRow) []guestRow {
	first := guestRow{row: RoomingRow{Row: l.Line, GuestName: cut(l.Names[0], 200), Remark: l.Remark}}
	first.stay(l, t)
	first.kind(l, t, codes)
	lead, shared := leads[l.Room]
	if shared {
		first.row.SharingWith = lead.GuestName
		first.row.ArrivalDate, first.row.DepartureDate = orElse(first.row.ArrivalDate, lead.ArrivalDate), orElse(first.row.DepartureDate, lead.DepartureDate)
		if l.Type == "" {
			first.row.RoomTypeCode = lead.RoomTypeCode
		}
	} else {
		if l.Rooms > 1 {
			first.row.Rooms = l.Rooms
		}
		leads[l.Room] = first.row
		lead = first.row
	}
	out := []guestRow{first}
	for _, n := range l.Names[1:] {
		r := first.row
		r.GuestName, r.SharingWith, r.Remark, r.Rooms = cut(n, 200), lead.GuestName, "", 0
		out = append(out, guestRow{row: r})
	}
	return out
}

// stay settles the dates.
func (g *guestRow) stay(l SheetLine, t *Record) {
	in, unsureIn := l.Dates[0].settle(t.ArrivalDate, t.DepartureDate)
	out, unsureOut := l.Dates[1].settle(t.ArrivalDate, t.DepartureDate)
	if out == "" && in != "" && l.Nights > 0 && l.Nights < 400 {
		out = addDays(in, l.Nights)
	}
	if unsureIn || unsureOut {
		g.add(NoteDateAmbiguous, "日期有两种读法，已按日/月读取。", "A date can be read in two ways; the day was taken to come first.")
	}
	if in != "" && out != "" && in >= out {
		g.add(NoteDatesOrder, "离店 "+out+" 不晚于到店 "+in+"；按团队日期计。", "The departure "+out+" is not after the arrival "+in+"; the block's dates are taken.")
		in, out = "", ""
	}
	g.row.ArrivalDate, g.row.DepartureDate = in, out
}

// kind settles the room type; one that is not known stays as it is written.
func (g *guestRow) kind(l SheetLine, t *Record, codes []platform.RoomType) {
	code, several := resolveType(l.Type, t.Rooms, codes)
	g.row.RoomTypeCode = orElse(code, cut(key(l.Type), 80))
	switch {
	case code != "" || l.Type == "":
	case len(several) > 0:
		g.add(NoteTypeAmbiguous, "房型“"+l.Type+"”可能是 "+strings.Join(several, "、")+"。", "The room type “"+l.Type+"” may be "+strings.Join(several, ", ")+".")
	default:
		g.add(NoteType, "不认识的房型“"+l.Type+"”。", "The room type “"+l.Type+"” is not known.")
	}
}

func (g *guestRow) add(code, zh, en string) { g.notes = append(g.notes, noteOf(code, zh, en)) }

// room is what guests share: its type, and the nights anybody is in it.
type room struct {
	code   string
	count  int
	nights map[string]bool
}

// roomsOf groups rows into rooms by the names that share. A name that is not on the
// list shares the row's own room.
func roomsOf(rows []RoomingRow, t *Record) []*room {
	var out []*room
	home := map[string]*room{}
	for _, r := range rows {
		name, with := string(letters(r.GuestName)), string(letters(r.SharingWith))
		h := home[with]
		if with == "" || h == nil {
			h = &room{code: r.RoomTypeCode, count: max(r.Rooms, 1), nights: map[string]bool{}}
			out = append(out, h)
			if with != "" {
				home[with] = h
			}
		}
		home[name] = h
		in, depart := orElse(r.ArrivalDate, t.ArrivalDate), orElse(r.DepartureDate, t.DepartureDate)
		for n := range min(nights(in, depart), 366) {
			h.nights[addDays(in, n)] = true
		}
	}
	return out
}

// nights compares the list with the block, by room type and night.
func (f Facts) nights() []RoomingNight {
	t := f.Target
	if t == nil || len(f.rows()) == 0 {
		return nil
	}
	var rows []RoomingRow
	if f.adds() {
		for _, e := range f.Listed {
			rows = append(rows, e.RoomingRow)
		}
	}
	need := map[string]map[string]int{} // type, night
	for _, l := range t.Rooms {
		need[l.RoomTypeCode] = map[string]int{}
	}
	from, to := t.ArrivalDate, t.DepartureDate
	for _, r := range roomsOf(append(rows, f.rows()...), t) {
		if need[r.code] == nil {
			need[r.code] = map[string]int{}
		}
		for n := range r.nights {
			need[r.code][n] += r.count
			from, to = min(from, n), max(to, addDays(n, 1))
		}
	}
	return f.compare(need, from, to)
}

// compare makes the table. Of a long allotment only the nights somebody stays count.
func (f Facts) compare(need map[string]map[string]int, from, to string) []RoomingNight {
	var out []RoomingNight
	long := nights(f.Target.ArrivalDate, f.Target.DepartureDate) > 31
	for _, code := range sortedKeys(need) {
		have := 0
		if l := lineOf(f.Target.Rooms, code); l != nil {
			have = l.RoomCount
		}
		name, _ := f.Codes.RoomType(code)
		for i := range min(nights(from, to), 366) {
			n := RoomingNight{Date: addDays(from, i), RoomTypeCode: code, RoomTypeName: name.Name, Need: need[code][addDays(from, i)], Block: have}
			inside := n.Date >= f.Target.ArrivalDate && n.Date < f.Target.DepartureDate
			if n.Need == 0 && (long || !inside) {
				continue
			}
			n.settle(inside)
			out = append(out, n)
		}
	}
	return out
}

func (n *RoomingNight) settle(inside bool) {
	switch {
	case !inside:
		n.Block, n.State = 0, NightOutside
	case n.Need > n.Block:
		n.State = NightOver
	case n.Need < n.Block:
		n.State = NightShort
	default:
		n.State = NightEqual
	}
}
