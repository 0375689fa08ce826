package order

import (
	"encoding/json"
	"slices"
	"strconv"
)

type fieldKind uint8

const (
	kindText fieldKind = iota
	kindKey            // upper-cased business key
	kindDate
	kindInt
)

// field is one value of an order that mails speak of: one table for reading a
// proposal, showing the difference, and writing it.
type field struct {
	name string
	zh   string // what people call it
	en   string
	kind fieldKind
	max  int // most characters the system of record takes
	at   func(*Record) *string
	num  func(*Record) **int
}

// fields in the order a person reads them. Lengths are OPERA's where it states
// one; names are ours.
func fields() []field {
	return []field{
		{name: "group_name", zh: "团队名称", en: "group name", max: 200, at: func(r *Record) *string { return &r.GroupName }},
		{name: "guest_name", zh: "客人姓名", en: "guest name", max: 200, at: func(r *Record) *string { return &r.GuestName }},
		{name: "alternate_name", zh: "别名", en: "alternate name", max: 200, at: func(r *Record) *string { return &r.AlternateName }},
		{name: "arrival_date", zh: "到店日期", en: "arrival", kind: kindDate, max: 10, at: func(r *Record) *string { return &r.ArrivalDate }},
		{name: "departure_date", zh: "离店日期", en: "departure", kind: kindDate, max: 10, at: func(r *Record) *string { return &r.DepartureDate }},
		{name: "rate_code", zh: "房价代码", en: "rate code", kind: kindKey, max: 20, at: func(r *Record) *string { return &r.RateCode }},
		{name: "account_code", zh: "客户代码", en: "account", kind: kindKey, max: 20, at: func(r *Record) *string { return &r.AccountCode }},
		{name: "external_reference", zh: "外部单号", en: "external reference", kind: kindKey, max: 80, at: func(r *Record) *string { return &r.ExternalReference }},
		{name: "booking_scenario", zh: "预订场景", en: "booking scenario", kind: kindKey, max: 80, at: func(r *Record) *string { return &r.BookingScenario }},
		{name: "adults", zh: "成人", en: "adults", kind: kindInt, num: func(r *Record) **int { return &r.Adults }},
		{name: "children", zh: "儿童", en: "children", kind: kindInt, num: func(r *Record) **int { return &r.Children }},
		{name: "cutoff_date", zh: "截止日", en: "cut-off", kind: kindDate, max: 10, at: func(r *Record) *string { return &r.CutoffDate }},
		{name: "release_days", zh: "释放天数", en: "release days", kind: kindInt, num: func(r *Record) **int { return &r.ReleaseDays }},
	}
}

func fieldNamed(name string) (field, bool) {
	all := fields()
	i := slices.IndexFunc(all, func(f field) bool { return f.name == name })
	if i < 0 {
		return field{}, false
	}
	return all[i], true
}

func (f field) get(r *Record) string {
	if f.num == nil {
		return *f.at(r)
	}
	if n := *f.num(r); n != nil {
		return strconv.Itoa(*n)
	}
	return ""
}

// set writes a value; one that is no number for a number field changes nothing
// (the rules have refused it by then).
func (f field) set(r *Record, value string) {
	if f.num == nil {
		*f.at(r) = value
		return
	}
	if n, err := strconv.Atoi(value); err == nil {
		*f.num(r) = &n
	}
}

// proposal is what an event wants an order to say: values by field name, rooms
// (nil: not spoken of), extra facts.
type proposal struct {
	values map[string]string
	rooms  []RoomItem
	extra  map[string]json.RawMessage
}

// proposed reads the proposal out of an event. Only a NEW_BOOKING speaks with its
// own top-level fields; in every other event they identify the order.
func proposed(e Event, account string) proposal {
	p := proposal{values: map[string]string{}, rooms: e.After.RoomItems, extra: e.After.Extra}
	if e.Type == NewBooking {
		p.fromTop(e, account)
	}
	if e.Type == NewBooking || e.Type == UpdateBooking {
		for k, v := range e.After.Fields {
			p.values[k] = v
		}
	}
	if e.Type != UpdateBooking && e.Type != NewBooking {
		p.rooms, p.extra = nil, nil
	}
	return p
}

func (p *proposal) fromTop(e Event, account string) {
	for k, v := range map[string]string{"arrival_date": e.ArrivalDate, "departure_date": e.DepartureDate, "rate_code": e.RateCode,
		"booking_scenario": e.BookingScenario, "guest_name": e.GuestName, "account_code": key(account)} {
		if v != "" {
			p.values[k] = v
		}
	}
	if p.rooms == nil {
		p.rooms = e.RoomItems
	}
}

// apply writes the proposal on a record and reports whether anything changed.
func (p proposal) apply(r *Record) bool {
	changed := false
	for _, f := range fields() {
		if v, ok := p.values[f.name]; ok && v != f.get(r) {
			f.set(r, v)
			changed = true
		}
	}
	if p.rooms != nil && applyRooms(r, p.rooms) {
		changed = true
	}
	for k, v := range p.extra {
		if !sameJSON(r.Extra[k], v) {
			if r.Extra == nil {
				r.Extra = map[string]json.RawMessage{}
			}
			r.Extra[k] = v
			changed = true
		}
	}
	return changed
}

// applyRooms makes the lines those of the mail; a rate the mail does not give stays.
func applyRooms(r *Record, items []RoomItem) bool {
	var lines []RoomLine
	for _, it := range items {
		if it.RoomTypeCode == "" || it.RoomCount == nil {
			continue
		}
		l := RoomLine{RoomTypeCode: it.RoomTypeCode, RoomCount: *it.RoomCount}
		if old := lineOf(r.Rooms, it.RoomTypeCode); old != nil {
			l.RateMinor = old.RateMinor
		}
		if minor, ok := minorUnits(it.Rate, r.Currency); ok {
			l.RateMinor = &minor
		}
		lines = append(lines, l)
	}
	if sameRooms(lines, r.Rooms) {
		return false
	}
	r.Rooms = lines
	return true
}

func lineOf(lines []RoomLine, code string) *RoomLine {
	for i := range lines {
		if lines[i].RoomTypeCode == code {
			return &lines[i]
		}
	}
	return nil
}

// sameRooms compares as sets: the order of lines means nothing.
func sameRooms(a, b []RoomLine) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		y := lineOf(b, x.RoomTypeCode)
		if y == nil || y.RoomCount != x.RoomCount || !sameRate(x.RateMinor, y.RateMinor) {
			return false
		}
	}
	return true
}

func sameRate(a, b *int64) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
