package order

import (
	"slices"
	"strings"
	"unicode"
)

func roomingRules() []rule {
	on := []EventType{RoomingList}
	return []rule{
		{name: "rooming.no_group", level: Hard, events: on, check: func(f Facts) verdict {
			return fireIf(f.Target == nil || f.Target.BookingType == FIT, "住客名单必须对应一个团队或配额。", "A rooming list needs a group or allotment.")
		}},
		{name: "rooming.status", level: Hard, events: on, check: func(f Facts) verdict {
			may := []string{StatusTentative, StatusConfirmed, StatusInHouse}
			return fireIf(f.Target != nil && !slices.Contains(may, f.Target.Status), "订单状态为 "+statusOf(f)+"，不能导入名单。", "The order is "+statusOf(f)+"; names cannot be picked up.")
		}},
		{name: "rooming.rows_against_block", level: Review, data: true, events: on, check: rowsAgainstBlock},
		{name: "rooming.outside_dates", level: Review, data: true, events: on, check: rowsOutside},
		{name: "rooming.discrepancies", level: Review, events: on, check: func(f Facts) verdict {
			var list []string
			for _, d := range f.Event.After.Discrepancies {
				list = append(list, itoa(d.Row)+" "+d.GuestName+": "+d.Issue)
			}
			return fireIf(len(list) > 0, "名单中有不符的行："+some(list), "Rows at odds with the block: "+some(list))
		}},
		{name: "rooming.unread_rows", level: Review, events: on, check: unreadRows},
		{name: "rooming.doubtful_rows", level: Review, events: on, check: doubtfulRows},
		{name: "rooming.duplicate_names", level: Review, data: true, events: on, check: func(f Facts) verdict {
			if len(f.rows()) == 0 {
				return noRows("重复的姓名", "names that stand twice")
			}
			twice := duplicateNames(f)
			return fireIf(len(twice) > 0, "重复的姓名："+some(twice), "Names that stand twice: "+some(twice))
		}},
		{name: "rooming.first_names", level: Review, data: true, events: on, check: func(f Facts) verdict {
			if len(f.rows()) == 0 {
				return noRows("缺少的名字", "missing first names")
			}
			var without []string
			for _, r := range f.rows() {
				if surnameOnly(r.GuestName) {
					without = append(without, r.GuestName)
				}
			}
			return fireIf(len(without) > 0, "缺少名字（只有姓）："+some(without), "First names are missing: "+some(without))
		}},
		{name: "rooming.replaces", level: Review, events: on, check: func(f Facts) verdict {
			if len(f.Listed) == 0 {
				return pass()
			}
			if f.adds() {
				return fire("将在现有 "+itoa(len(f.Listed))+" 行名单之外追加。", "Adds to the "+itoa(len(f.Listed))+" rows already listed.")
			}
			return fire("将取代现有 "+itoa(len(f.Listed))+" 行名单。", "Replaces the "+itoa(len(f.Listed))+" rows already listed.")
		}},
		{name: "rooming.rooms_without_names", level: Warn, events: on, check: roomsWithoutNames},
	}
}

func (f Facts) rows() []RoomingRow {
	if f.Event.After.RoomingList == nil {
		return nil
	}
	return f.Event.After.RoomingList.Entries
}

// adds: the list comes on top of the names already there.
func (f Facts) adds() bool {
	return f.Event.After.RoomingList != nil && f.Event.After.RoomingList.Mode == "ADD"
}

// some keeps a rule's sentence readable: the card's table has every row.
func some(list []string) string {
	const most = 12
	if len(list) > most {
		return strings.Join(list[:most], "; ") + "; … (" + itoa(len(list)) + ")"
	}
	return strings.Join(list, "; ")
}

// surnameOnly: "Berg" and "Berg," lack a first name; "Ola Berg" and 王小明 do not.
func surnameOnly(name string) bool {
	last, first, comma := strings.Cut(name, ",")
	if comma {
		return strings.TrimSpace(first) == ""
	}
	if len(strings.Fields(last)) != 1 {
		return false
	}
	runes := letters(last)
	return len(runes) < 2 || !unicode.In(runes[0], unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}

// noRows: neither the package nor a file gave any, so nothing of them was looked at.
func noRows(zh, en string) verdict {
	return unchecked("名单中"+zh+"（没有名单各行，请看附件）。", en+" (there are no rows; see the attachment).")
}

// duplicateNames also looks at the names already listed, where they stay.
func duplicateNames(f Facts) []string {
	seen, told, twice := map[string]bool{}, map[string]bool{}, []string{}
	if f.adds() {
		for _, e := range f.Listed {
			seen[string(letters(e.GuestName))] = true
		}
	}
	for _, r := range f.rows() {
		n := string(letters(r.GuestName))
		if n != "" && seen[n] && !told[n] {
			twice, told[n] = append(twice, r.GuestName), true
		}
		seen[n] = true
	}
	return twice
}

// rowsAgainstBlock compares rooms per type and night where the rows are known,
// else the counts the list states, and says what it could not compare.
func rowsAgainstBlock(f Facts) verdict {
	if f.Target == nil {
		return pass()
	}
	for _, it := range f.Event.RoomItems {
		if l := lineOf(f.Target.Rooms, it.RoomTypeCode); it.RoomCount != nil && (l == nil || l.RoomCount != *it.RoomCount) {
			have := 0
			if l != nil {
				have = l.RoomCount
			}
			return fire("名单 "+it.RoomTypeCode+" "+itoa(*it.RoomCount)+" 间，团队为 "+itoa(have)+" 间。", "The list has "+itoa(*it.RoomCount)+" "+it.RoomTypeCode+", the block "+itoa(have)+".")
		}
	}
	if len(f.rows()) == 0 {
		return rowsUnknown(f)
	}
	if undated(f.Target) {
		return noBlockDates()
	}
	for _, n := range f.nights() {
		if n.State == NightOver {
			at := orElse(n.RoomTypeCode, "?") + " " + n.Date
			return fire("名单在 "+at+" 需要 "+itoa(n.Need)+" 间，团队只有 "+itoa(n.Block)+" 间。", "The list needs "+itoa(n.Need)+" rooms for "+at+", the block has "+itoa(n.Block)+".")
		}
	}
	return pass()
}

func rowsUnknown(f Facts) verdict {
	for _, s := range f.Sheets {
		if s.Problem != nil {
			return unchecked("名单逐行对照（"+s.Name+"："+s.Problem.Text+"）", "the list row by row ("+s.Name+": "+s.Problem.TextEN+")")
		}
	}
	return unchecked("名单逐行对照（数据包不含名单各行，请看附件）。", "the list row by row (the package carries no rows; see the attachment).")
}

func rowsOutside(f Facts) verdict {
	if f.Target == nil {
		return pass()
	}
	if undated(f.Target) {
		return noBlockDates()
	}
	if undated(f.Target) {
		return noBlockDates()
	}
	if outside(f.Event.ArrivalDate, f.Event.DepartureDate, f.Target) {
		return fire("名单日期超出团队的 "+span(f.Target)+"。", "The list's dates lie outside the block's "+span(f.Target)+".")
	}
	var out []string
	for _, r := range f.rows() {
		if outside(r.ArrivalDate, r.DepartureDate, f.Target) {
			out = append(out, itoa(r.Row)+" "+r.GuestName)
		}
	}
	return fireIf(len(out) > 0, "这些行的日期超出团队："+some(out), "Rows outside the block's dates: "+some(out))
}

// unreadRows: nothing of a file may be lost in silence.
func unreadRows(f Facts) verdict {
	var lines []string
	for _, l := range f.Lines {
		if l.State == RowUnread {
			lines = append(lines, itoa(l.Row)+" "+cut(l.Text, 60))
		}
	}
	cutOff := slices.ContainsFunc(f.Sheets, func(s RoomingSheet) bool { return s.Truncated })
	switch {
	case len(lines) > 0:
		return fire("名单中 "+itoa(len(lines))+" 行无法识别，不会导入："+some(lines), itoa(len(lines))+" row(s) of the file could not be read and will not be imported: "+some(lines))
	case cutOff:
		return fire("名单文件过长，只读取了一部分；请下载原文件核对。", "The file is too long and was read in part; download the original and compare.")
	}
	return pass()
}

// doubtful notes need a look and have no rule of their own.
var doubtful = []string{NoteNameOrder, NoteDate, NoteDateAmbiguous, NoteDatesOrder, NoteType, NoteTypeAmbiguous, NoteOnlyName, NoteManyRooms, NoteFormula, NoteHidden}

func doubtfulRows(f Facts) verdict {
	var zh, en []string
	for _, l := range f.Lines {
		for _, n := range l.Notes {
			if l.State == RowCheck && slices.Contains(doubtful, n.Code) {
				zh, en = append(zh, itoa(l.Row)+" "+l.GuestName+" "+n.Text), append(en, itoa(l.Row)+" "+l.GuestName+": "+n.TextEN)
			}
		}
	}
	return fireIf(len(zh) > 0, "请核对名单中的这些行："+some(zh), "Rows of the file to look at: "+some(en))
}

// roomsWithoutNames concerns whole lists: a file that replaces.
func roomsWithoutNames(f Facts) verdict {
	if f.Target == nil || len(f.Lines) == 0 || f.adds() {
		return pass()
	}
	short := map[string]int{}
	for _, n := range f.nights() {
		if n.State == NightShort {
			short[n.RoomTypeCode] = max(short[n.RoomTypeCode], n.Block-n.Need)
		}
	}
	var list []string
	for _, c := range sortedKeys(short) {
		list = append(list, c+" "+itoa(short[c]))
	}
	return fireIf(len(list) > 0, "团队中还有房间没有姓名："+some(list), "Rooms of the block without a name: "+some(list))
}
