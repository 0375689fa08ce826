package order

import "slices"

// roomingView is the card's rooming list against the block.
func (j *judged) roomingView() *RoomingView {
	if j.event.Type != RoomingList {
		return nil
	}
	f := &j.facts
	v := &RoomingView{Mode: "REPLACE", Source: j.rowsFrom(), Lines: f.Lines, Nights: f.nights()}
	if f.adds() {
		v.Mode = "ADD"
	}
	if v.Lines == nil {
		for _, r := range f.rows() {
			v.Lines = append(v.Lines, RoomingLine{RoomingRow: r, State: RowOK, TypeWritten: r.RoomTypeCode})
		}
		annotate(v.Lines, *f)
	}
	for _, s := range f.Sheets {
		v.Files = append(v.Files, s.Name)
		v.Columns, v.Unused, v.Skipped = append(v.Columns, s.Columns...), append(v.Unused, s.Unused...), append(v.Skipped, s.Skipped...)
		v.Truncated = v.Truncated || s.Truncated
		if s.Problem != nil {
			v.Problems = append(v.Problems, *s.Problem)
		}
	}
	v.count(f)
	return v
}

func (j *judged) rowsFrom() string {
	switch {
	case j.facts.Lines != nil:
		return RowsAttachment
	case len(j.facts.rows()) == 0:
		return ""
	case j.agent.After.RoomingList == nil || !slices.Equal(j.agent.After.RoomingList.Entries, j.facts.rows()):
		return RowsCorrection
	}
	return RowsPackage
}

func (v *RoomingView) count(f *Facts) {
	t := f.Target
	if t == nil {
		t = &Record{}
	}
	for _, r := range roomsOf(f.rows(), t) {
		v.Rooms += r.count
	}
	v.Guests = len(f.rows())
	for _, l := range v.Lines {
		switch l.State {
		case RowUnread:
			v.Unread++
		case RowCheck:
			v.Doubtful++
		}
	}
}

// annotate adds to each guest's line what the rules see in it.
func annotate(lines []RoomingLine, f Facts) {
	twice := map[string]bool{}
	for _, n := range duplicateNames(f) {
		twice[string(letters(n))] = true
	}
	for i := range lines {
		l := &lines[i]
		if l.State != RowOK {
			continue
		}
		add := func(code, zh, en string) { l.Notes = append(l.Notes, noteOf(code, zh, en)) }
		if twice[string(letters(l.GuestName))] {
			add(NoteDuplicate, "姓名重复。", "The name stands twice.")
		}
		if surnameOnly(l.GuestName) {
			add(NoteNoFirstName, "只有姓。", "There is only a surname.")
		}
		if t := f.Target; t != nil {
			if outside(l.ArrivalDate, l.DepartureDate, t) {
				add(NoteOutside, "日期超出团队的 "+span(t)+"。", "The dates lie outside the block's "+span(t)+".")
			}
			if l.RoomTypeCode != "" && lineOf(t.Rooms, l.RoomTypeCode) == nil && !slices.ContainsFunc(l.Notes, isTypeNote) {
				add(NoteNotInBlock, "团队没有房型 "+l.RoomTypeCode+"。", "The block has no "+l.RoomTypeCode+".")
			}
		}
		if len(l.Notes) > 0 {
			l.State = RowCheck
		}
	}
}

func isTypeNote(n RoomingNote) bool { return n.Code == NoteType || n.Code == NoteTypeAmbiguous }

// useSheets takes the rows of the files that were read for an event that carries none.
func (j *judged) useSheets(sheets []RoomingSheet) {
	f := &j.facts
	f.Sheets = sheets
	var rows []RoomingRow
	for _, s := range sheets {
		r := s.resolve(f.Target, f.Codes.RoomTypes)
		rows, f.Lines = append(rows, r.rows...), append(f.Lines, r.lines...)
	}
	list := RoomingSummary{}
	if l := j.event.After.RoomingList; l != nil {
		list = *l // the agent's own stays as it was written
	}
	list.Entries = rows
	j.event.After.RoomingList, f.Event.After.RoomingList = &list, &list
	annotate(f.Lines, *f)
}

// unreadDiscrepancies are the lines that confirming leaves out: the order's history
// and the list's voucher keep them.
func (j *judged) unreadDiscrepancies() []Discrepancy {
	out := slices.Clone(j.event.After.Discrepancies)
	for _, l := range j.facts.Lines {
		if l.State == RowUnread {
			out = append(out, Discrepancy{Row: l.Row, GuestName: "", Issue: "not imported: " + l.Text})
		}
	}
	return out
}

// listFiles are the attachments a rooming list comes from.
func (j *judged) listFiles() []string {
	ids := slices.Clone(j.event.AttachmentIDs)
	for _, s := range j.facts.Sheets {
		if !slices.Contains(ids, s.AttachmentID) {
			ids = append(ids, s.AttachmentID)
		}
	}
	return ids
}
