package order

import (
	"strings"
	"time"

	"thhotel/internal/fault"
	"thhotel/internal/sheet"
)

// projectionLine is a row of an OPERA report.
type projectionLine struct {
	line   int
	p      Projection
	faults []fault.Violation
}

// reportWords are the headers of OPERA's exports and of the feed's own fields.
func reportWords() map[string]string {
	out := map[string]string{}
	for field, words := range map[string]string{
		"kind":                "kind type objecttype recordtype 类型",
		"group_code":          "groupcode blockcode block group allotmentcode 团队代码 团号 团队号",
		"confirmation_number": "confirmationnumber confirmationno confirmation confno confnumber crsno 确认号 确认编号",
		"reservation_no":      "reservationno reservationnumber reservationid resvno resvnameid resvid resno 预订号",
		"status":              "status reservationstatus resvstatus blockstatus shortresvstatus 状态",
		"arrival_date":        "arrivaldate arrival arr begindate startdate checkin 到店日期 抵店日期 入住日期",
		"departure_date":      "departuredate departure dep enddate checkout 离店日期 退房日期",
		"guest_name":          "guestname name fullname blockname groupname blockdescription 姓名 客人姓名 团队名称",
		"room_type_code":      "roomtypecode roomtype roomcategorylabel roomcategory rmtype 房型",
		"room_count":          "roomcount rooms noofrooms numberofrooms nofrooms qty 房数 间数",
		"as_of":               "asof updatedat lastupdated updatedate lastmodified timestamp businesstimestamp snapshotat 更新时间",
	} {
		for _, w := range strings.Fields(words) {
			out[squeezed(w)] = field
		}
	}
	return out
}

// reportHeader finds the header: the first row that names a key and a status or date.
func reportHeader(t sheet.Table) (cols map[int]string, at int) {
	words := reportWords()
	for i := 0; i < min(len(t.Rows), 40); i++ {
		cols, named := map[int]string{}, map[string]bool{}
		for c, cell := range t.Rows[i] {
			if f := words[squeezed(cell.Text)]; f != "" && !named[f] {
				cols[c], named[f] = f, true
			}
		}
		if (named["group_code"] || named["confirmation_number"] || named["reservation_no"]) && (named["status"] || named["arrival_date"]) {
			return cols, i
		}
	}
	return nil, 0
}

// readProjections reads a report. asOf stands for rows that do not say when they
// were true; zone is the hotel's.
func readProjections(t sheet.Table, asOf time.Time, zone *time.Location) ([]projectionLine, bool) {
	cols, header := reportHeader(t)
	if cols == nil {
		return nil, false
	}
	var arrivals []string
	for _, row := range t.Rows[header+1:] {
		for c, cell := range row {
			if cols[c] == "arrival_date" || cols[c] == "departure_date" {
				arrivals = append(arrivals, cell.Text)
			}
		}
	}
	order := orderOf(arrivals)
	var out []projectionLine
	for i, row := range t.Rows[header+1:] {
		v := map[string]string{}
		for c, cell := range row {
			if f := cols[c]; f != "" && cell.Text != "" {
				v[f] = strings.TrimPrefix(cell.Text, "'") // the mark of a text, as our own exports write it
			}
		}
		if len(v) > 0 {
			out = appendLine(out, projectionOfRow(header+i+2, v, asOf, zone, order))
		}
	}
	return out, true
}

// appendLine joins the rows of one object, which a report gives for every room type.
func appendLine(out []projectionLine, l projectionLine) []projectionLine {
	if n := len(out); n > 0 && len(l.faults) == 0 && len(out[n-1].faults) == 0 && len(l.p.RoomItems) == 1 && len(out[n-1].p.RoomItems) > 0 {
		last := out[n-1].p
		same := last
		same.RoomItems = l.p.RoomItems
		if last.Kind == "BLOCK" && toJSON(same) == toJSON(l.p) {
			out[n-1].p.RoomItems = append(last.RoomItems, l.p.RoomItems...)
			return out
		}
	}
	return append(out, l)
}

func projectionOfRow(line int, v map[string]string, asOf time.Time, zone *time.Location, order dateOrder) projectionLine {
	l := projectionLine{line: line, p: Projection{Kind: kindOf(v), GroupCode: v["group_code"], ConfirmationNumber: v["confirmation_number"],
		ReservationNo: v["reservation_no"], Status: v["status"], GuestName: v["guest_name"], AsOf: asOf}}
	wrong := func(field, message string) {
		l.faults = append(l.faults, fault.Violation{Path: "/" + field, Code: codeValue, Message: message})
	}
	for _, d := range []struct {
		name string
		into *string
	}{{"arrival_date", &l.p.ArrivalDate}, {"departure_date", &l.p.DepartureDate}} {
		read := readDate(v[d.name], order)
		*d.into = read.Day
		if read.Text != "" || strings.HasPrefix(read.Day, "0000") || read.Other != "" {
			wrong(d.name, "a date that can be read in one way only, best YYYY-MM-DD")
		}
	}
	if s := v["as_of"]; s != "" {
		at, ok := readMoment(s, zone)
		if l.p.AsOf = at; !ok {
			wrong("as_of", "a moment: 2026-11-30T08:15:00+07:00, or 2026-11-30 08:15 in the hotel's time")
		}
	}
	if code := v["room_type_code"]; code != "" {
		n := 1
		if c, given := v["room_count"]; given {
			if n = atoi(c); n == 0 && c != "0" {
				wrong("room_count", "a whole number")
			}
		}
		l.p.RoomItems = []RoomLine{{RoomTypeCode: key(code), RoomCount: n}}
	}
	return l
}

func kindOf(v map[string]string) string {
	switch k := key(v["kind"]); {
	case k == "BLOCK" || k == "GROUP" || k == "ALLOTMENT":
		return "BLOCK"
	case k != "" && k != "RESERVATION" && k != "FIT":
		return k // refused, by name
	case v["group_code"] != "" && v["confirmation_number"] == "" && v["reservation_no"] == "":
		return "BLOCK"
	}
	return "RESERVATION"
}

func readMoment(s string, zone *time.Location) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, true
	}
	for _, layout := range []string{"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04:05", "2006/01/02 15:04:05", "2006/01/02 15:04", "02.01.2006 15:04", "02-Jan-2006 15:04", "02-Jan-06 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, s, zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
