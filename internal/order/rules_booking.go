package order

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

func newRules() []rule {
	on := []EventType{NewBooking}
	return []rule{
		{name: "new.dates", level: Hard, events: on, check: func(f Facts) verdict {
			in, out := f.stay()
			return fireIf(in == "" || out == "", "新预订缺少到店或离店日期。", "A new booking needs arrival and departure.")
		}},
		{name: "new.rooms", level: Hard, events: on, check: func(f Facts) verdict {
			ok := slices.ContainsFunc(f.roomItems(), func(it RoomItem) bool { return it.RoomTypeCode != "" })
			return fireIf(!ok, "新预订缺少房型。", "A new booking needs a room line with a room type.")
		}},
		{name: "new.name", level: Hard, events: on, check: func(f Facts) verdict {
			v := f.proposal().values
			return fireIf(v["guest_name"] == "" && v["group_name"] == "", "新预订缺少客人或团队名称。", "A new booking needs a guest's or group's name.")
		}},
		{name: "new.same_reference", level: Review, events: on, check: func(f Facts) verdict {
			return fireIf(len(f.SameReference) > 0, "已有订单使用相同的外部单号 "+f.proposal().values["external_reference"]+"："+keysOf(f.SameReference),
				"An order has the same external reference "+f.proposal().values["external_reference"]+": "+keysOf(f.SameReference))
		}},
		{name: "new.same_stay", level: Review, data: true, events: on, check: func(f Facts) verdict {
			if f.proposal().values["account_code"] == "" {
				return unchecked("同一客户的重复预订（没有客户代码）。", "other bookings of the same account (none is given).")
			}
			return fireIf(len(f.SameStay) > 0, "同一客户、同一姓名、日期重叠的订单已存在："+keysOf(f.SameStay),
				"An order of the same account and name overlaps these dates: "+keysOf(f.SameStay))
		}},
		{name: "new.block_closed", level: Review, events: on, check: func(f Facts) verdict {
			return fireIf(f.Block != nil && !f.Block.Live(), "所属团队或配额已关闭。", "The block it belongs to is closed.")
		}},
		{name: "new.outside_block", level: Review, data: true, events: on, check: func(f Facts) verdict {
			in, out := f.stay()
			if f.Block != nil && undated(f.Block) {
				return noBlockDates()
			}
			return fireIf(f.Block != nil && outside(in, out, f.Block), "日期超出配额的 "+span(f.Block)+"。", "The dates lie outside the block's "+span(f.Block)+".")
		}},
		{name: "new.past_release", level: Review, data: true, events: on, check: pastRelease},
	}
}

func keysOf(list []Record) string {
	var out []string
	for _, r := range list {
		k := r.Key()
		if k == "" {
			k = r.Name()
		}
		out = append(out, k)
	}
	return strings.Join(out, ", ")
}

// span is nil-safe: sentences are built before a rule knows whether it fires.
func span(r *Record) string {
	if r == nil {
		return ""
	}
	return r.ArrivalDate + " – " + r.DepartureDate
}

func undated(block *Record) bool { return block.ArrivalDate == "" || block.DepartureDate == "" }

func noBlockDates() verdict {
	return unchecked("是否在团队日期之内（团队没有起止日期）。", "whether it lies within the block (the block has no dates).")
}

func outside(in, out string, block *Record) bool {
	return (in != "" && block.ArrivalDate != "" && in < block.ArrivalDate) || (out != "" && block.DepartureDate != "" && out > block.DepartureDate)
}

func pastRelease(f Facts) verdict {
	if f.Block == nil || f.Block.BookingType != Allotment {
		return pass()
	}
	in, _ := f.stay()
	days := f.Settings.ReleaseDays
	if f.Block.ReleaseDays != nil {
		days = *f.Block.ReleaseDays
	} else if days == 0 {
		return unchecked("配额释放期（配额没有释放天数）。", "the release period (the allotment states none).")
	}
	release := addDays(in, -days)
	return fireIf(release != "" && f.BusinessDate > release, "已过配额释放日 "+release+"。", "The allotment was released on "+release+".")
}

// closedStates can no longer be changed.
var closedStates = []string{StatusCancelled, StatusCheckedOut, StatusNoShow, StatusRejected}

func updateRules() []rule {
	on := []EventType{UpdateBooking}
	return []rule{
		{name: "update.order_closed", level: Hard, events: on, blocks: "update", check: func(f Facts) verdict {
			return fireIf(f.Target != nil && slices.Contains(closedStates, f.Target.Status), "订单状态为 "+statusOf(f)+"，不能修改。", "The order is "+statusOf(f)+" and cannot be changed.")
		}},
		{name: "update.order_pending", level: Hard, events: on, blocks: "update", check: func(f Facts) verdict {
			return fireIf(statusOf(f) == StatusPending, "订单尚待确认，请先处理新预订卡。", "The order is not confirmed yet. Decide its new-booking card first.")
		}},
		{name: "update.empty", level: Hard, events: on, check: func(f Facts) verdict {
			return fireIf(!f.speaks(), "来信没有给出任何要修改的内容。", "The mail names nothing to change.")
		}},
		{name: "update.already_so", level: Hard, events: on, check: func(f Facts) verdict {
			return fireIf(f.Target != nil && f.speaks() && f.Event.After.Scope != ScopeMember && len(f.Event.TraceItems)+len(f.Event.After.RemovedGuests) == 0 && !f.changes(),
				"订单已经是来信要求的样子，无需修改。", "The order already says all this; there is nothing to change.")
		}},
		{name: "update.in_house", level: Review, events: on, check: func(f Facts) verdict {
			return fireIf(statusOf(f) == StatusInHouse, "客人在店：到店日期已固定，只能改离店日期；请核对房态与付款。", "The guest is in house: arrival is fixed, departure may move. Check availability and payment.")
		}},
		{name: "update.in_house_arrival", level: Hard, events: on, check: func(f Facts) verdict {
			in := f.proposal().values["arrival_date"]
			return fireIf(statusOf(f) == StatusInHouse && in != "" && in != f.Target.ArrivalDate, "客人已在店，到店日期不能修改。", "The guest is in house; arrival cannot move.")
		}},
		{name: "update.after_cutoff", level: Review, data: true, events: on, check: func(f Facts) verdict {
			if f.Target == nil || f.Target.BookingType == FIT || (f.proposal().rooms == nil && !datesChange(f)) {
				return pass()
			}
			if f.Target.CutoffDate == "" {
				return unchecked("截止日期（订单没有截止日）。", "the cut-off (the order has none).")
			}
			return fireIf(f.BusinessDate > f.Target.CutoffDate, "已过截止日 "+f.Target.CutoffDate+"。", "The cut-off "+f.Target.CutoffDate+" has passed.")
		}},
		{name: "update.increase_not_elastic", level: Review, events: on, check: increase},
		{name: "update.other_person", level: Review, events: on, check: func(f Facts) verdict {
			name := f.proposal().values["guest_name"]
			return fireIf(f.Target != nil && name != "" && f.Event.After.Scope != ScopeMember && otherPerson(f.Target.GuestName, name), "姓名改动较大，可能是另一位客人。", "The new name may be another person.")
		}},
		{name: "update.member_outside_block", level: Review, data: true, events: on, check: func(f Facts) verdict {
			in, out := f.stay()
			if f.Target != nil && f.Event.After.Scope == ScopeMember && undated(f.Target) {
				return noBlockDates()
			}
			return fireIf(f.Target != nil && f.Event.After.Scope == ScopeMember && outside(in, out, f.Target),
				"个别客人的日期超出团队的 "+span(f.Target)+"，请单独处理。", "One guest's night lies outside the block's "+span(f.Target)+"; decide it apart.")
		}},
	}
}

func statusOf(f Facts) string {
	if f.Target == nil {
		return ""
	}
	return f.Target.Status
}

// speaks reports whether an update names anything at all.
func (f Facts) speaks() bool {
	p := f.proposal()
	return len(p.values)+len(p.extra)+len(f.Event.TraceItems)+len(f.Event.After.RemovedGuests) > 0 || p.rooms != nil
}

// changes reports whether the proposal would change the target.
func (f Facts) changes() bool {
	r := f.Target.clone()
	return f.proposal().apply(&r)
}

func increase(f Facts) verdict {
	if f.Target == nil || f.Target.BookingType == FIT || f.Target.Elastic || f.Event.After.Scope == ScopeMember {
		return pass()
	}
	for _, it := range f.proposal().rooms {
		had := 0
		if l := lineOf(f.Target.Rooms, it.RoomTypeCode); l != nil {
			had = l.RoomCount
		}
		if it.RoomCount != nil && *it.RoomCount > had {
			return fire("房型 "+it.RoomTypeCode+" 增加到 "+itoa(*it.RoomCount)+" 间，而该团队不可自动扩大。", "More "+it.RoomTypeCode+" ("+itoa(*it.RoomCount)+") on a block that is not elastic.")
		}
	}
	return pass()
}

// otherPerson guesses: a spelling fix keeps all but a few letters. When in doubt
// a person decides.
func otherPerson(before, after string) bool {
	a, b := letters(before), letters(after)
	return before != "" && editDistance(a, b) > 2
}

func letters(s string) []rune {
	var out []rune
	for _, r := range strings.ToUpper(norm.NFKC.String(s)) {
		if unicode.IsLetter(r) {
			out = append(out, r)
		}
	}
	return out
}

func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
