package order

import "time"

func dateRules() []rule {
	stays := []EventType{NewBooking, UpdateBooking}
	return []rule{
		{name: "dates.real", level: Hard, events: []EventType{NewBooking, UpdateBooking, RoomingList, Payment}, check: unrealDate},
		{name: "dates.arrival_before_departure", level: Hard, events: []EventType{NewBooking, UpdateBooking, RoomingList}, check: func(f Facts) verdict {
			for _, r := range f.rows() {
				if realDate(r.ArrivalDate) && realDate(r.DepartureDate) && r.ArrivalDate >= r.DepartureDate {
					return fire("名单 "+r.GuestName+" 的到店日期必须早于离店日期。", "Arrival of "+r.GuestName+" on the list must be before departure.")
				}
			}
			in, out := f.stay()
			return fireIf(datesChange(f) && realDate(in) && realDate(out) && in >= out, "到店日期必须早于离店日期（"+in+" / "+out+"）。",
				"Arrival must be before departure ("+in+" / "+out+").")
		}},
		{name: "dates.arrival_past", level: Review, events: stays, check: func(f Facts) verdict {
			in := f.proposal().values["arrival_date"]
			moved := f.Target == nil || in != f.Target.ArrivalDate
			return fireIf(realDate(in) && moved && in < f.BusinessDate, "到店日期 "+in+" 早于营业日期 "+f.BusinessDate+"。",
				"Arrival "+in+" is before the business date "+f.BusinessDate+".")
		}},
		{name: "dates.long_stay", level: Review, events: stays, check: func(f Facts) verdict {
			in, out := f.stay()
			n := nights(in, out)
			return fireIf(datesChange(f) && !f.isAllotmentBlock() && n > f.Settings.MaxNights, "入住 "+itoa(n)+" 晚，超过 "+itoa(f.Settings.MaxNights)+" 晚。",
				"A stay of "+itoa(n)+" nights, more than "+itoa(f.Settings.MaxNights)+".")
		}},
		{name: "dates.far_ahead", level: Review, events: stays, check: func(f Facts) verdict {
			in := f.proposal().values["arrival_date"]
			return fireIf(realDate(in) && nights(f.BusinessDate, in) > f.Settings.MaxDaysAhead, "到店日期 "+in+" 距营业日期超过 "+far(f.Settings.MaxDaysAhead).zh+"。",
				"Arrival "+in+" is more than "+far(f.Settings.MaxDaysAhead).en+" ahead.")
		}},
	}
}

// unrealDate looks at every date that confirming would write.
func unrealDate(f Facts) verdict {
	values := f.proposal().values
	for _, field := range fields() {
		if v := values[field.name]; field.kind == kindDate && v != "" && !realDate(v) {
			return fire("日期不存在："+field.zh+" "+v+"。", "Not a real date: "+field.en+" "+v+".")
		}
	}
	if v := f.payment().ValueDate; v != "" && !realDate(v) {
		return fire("日期不存在：起息日 "+v+"。", "Not a real date: value date "+v+".")
	}
	for _, r := range f.rows() {
		for _, v := range []string{r.ArrivalDate, r.DepartureDate} {
			if v != "" && !realDate(v) {
				return fire("日期不存在：名单 "+r.GuestName+" "+v+"。", "Not a real date: "+v+" of "+r.GuestName+" on the list.")
			}
		}
	}
	return pass()
}

// far says a number of days as people do.
func far(days int) label {
	if days > 0 && days%365 == 0 {
		return label{itoa(days/365) + " 年", itoa(days/365) + " year(s)"}
	}
	return label{itoa(days) + " 天", itoa(days) + " days"}
}

// stay is the stay as it would be: the proposal over the target.
func (f Facts) stay() (in, out string) {
	p := f.proposal().values
	in, out = p["arrival_date"], p["departure_date"]
	if f.Target != nil && f.Event.Type != NewBooking {
		if in == "" {
			in = f.Target.ArrivalDate
		}
		if out == "" {
			out = f.Target.DepartureDate
		}
	}
	return in, out
}

func datesChange(f Facts) bool {
	p := f.proposal().values
	return p["arrival_date"] != "" || p["departure_date"] != ""
}

// isAllotmentBlock: an allotment itself runs for months; a reservation in it does not.
func (f Facts) isAllotmentBlock() bool {
	if f.Event.Type == NewBooking {
		return f.Event.Target.BookingType == Allotment && f.Event.Target.LocatorValue == ""
	}
	return f.Target != nil && f.Target.BookingType == Allotment && f.Target.BlockOrderID == ""
}

// nights between two dates, 0 when either is no date.
func nights(from, to string) int {
	a, err := time.Parse(time.DateOnly, from)
	b, err2 := time.Parse(time.DateOnly, to)
	if err != nil || err2 != nil {
		return 0
	}
	return int(b.Sub(a).Hours() / 24)
}

// addDays moves a date; "" when it is none.
func addDays(date string, n int) string {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return t.AddDate(0, 0, n).Format(time.DateOnly)
}

func roomRules() []rule {
	rooms := []EventType{NewBooking, UpdateBooking, RoomingList}
	return []rule{
		{name: "rooms.count", level: Hard, events: rooms, check: func(f Facts) verdict {
			for _, it := range f.roomItems() {
				if it.RoomCount == nil || *it.RoomCount < 1 {
					return fire("房型 "+it.RoomTypeCode+" 的房数必须是不小于 1 的整数。", "The room count of "+it.RoomTypeCode+" must be a whole number of at least 1.")
				}
			}
			return pass()
		}},
		{name: "rooms.one_line_per_type", level: Hard, events: rooms, check: func(f Facts) verdict {
			seen := map[string]bool{}
			for _, it := range f.roomItems() {
				if it.RoomTypeCode != "" && seen[it.RoomTypeCode] {
					return fire("房型 "+it.RoomTypeCode+" 出现了多行，请合并。", "Room type "+it.RoomTypeCode+" stands on more than one line. Merge them.")
				}
				seen[it.RoomTypeCode] = true
			}
			return pass()
		}},
		{name: "rooms.capacity", level: Review, data: true, events: []EventType{NewBooking, UpdateBooking}, check: overCapacity},
		{name: "rooms.many_as_fit", level: Review, events: []EventType{NewBooking, UpdateBooking}, check: func(f Facts) verdict {
			after, asked := f.afterwards()
			n := after.RoomCount()
			return fireIf(asked && after.BookingType == FIT && n >= f.Settings.FITMaxRooms, itoa(n)+" 间房按散客预订，通常应为团队。",
				itoa(n)+" rooms as FIT; that many are usually a group.")
		}},
		{name: "rooms.few_as_group", level: Review, events: []EventType{NewBooking, UpdateBooking}, check: func(f Facts) verdict {
			after, asked := f.afterwards()
			n := after.RoomCount()
			return fireIf(asked && after.BookingType == Group && n > 0 && n < f.Settings.GroupMinRooms, "团队仅 "+itoa(n)+" 间房，通常应为散客。",
				"Only "+itoa(n)+" room(s) as a group; so few are usually FIT.")
		}},
	}
}

// afterwards is the order as it would be; asked is whether the event speaks of
// rooms or persons at all.
func (f Facts) afterwards() (Record, bool) {
	p := f.proposal()
	var r Record
	if f.Target != nil && f.Event.Type != NewBooking {
		r = f.Target.clone()
	} else {
		r.BookingType = orElse(f.Event.Target.BookingType, FIT) // as the order is made
	}
	if f.Event.After.Scope == ScopeMember {
		return r, false
	}
	p.apply(&r)
	return r, p.rooms != nil || p.values["adults"] != ""
}

func overCapacity(f Facts) verdict {
	r, asked := f.afterwards()
	if !asked || len(r.Rooms) == 0 {
		return pass()
	}
	if r.Adults == nil {
		return unchecked("入住人数与房间容量（没有成人数）。", "guests against room capacity (no number of adults).")
	}
	places := 0
	for _, l := range r.Rooms {
		t, _ := f.Codes.RoomType(l.RoomTypeCode)
		if t.Capacity == 0 {
			return unchecked("入住人数与房间容量（房型 "+l.RoomTypeCode+" 没有容量）。", "guests against room capacity (no capacity for "+l.RoomTypeCode+").")
		}
		places += t.Capacity * l.RoomCount
	}
	return fireIf(*r.Adults > places, itoa(*r.Adults)+" 位成人超过房间可住的 "+itoa(places)+" 人。", itoa(*r.Adults)+" adults, but the rooms hold "+itoa(places)+".")
}
