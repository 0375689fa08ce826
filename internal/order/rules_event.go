package order

import (
	"slices"
	"strings"
)

func cancelRules() []rule {
	on := []EventType{CancelBooking}
	return []rule{
		{name: "cancel.in_house", level: Hard, events: on, blocks: "cancel", check: func(f Facts) verdict {
			return fireIf(statusOf(f) == StatusInHouse, "客人在店，不能取消；请办理提前离店。", "The guest is in house; cancelling is not possible. Use an early departure.")
		}},
		{name: "cancel.order_closed", level: Hard, events: on, blocks: "cancel", check: func(f Facts) verdict {
			closed := []string{StatusCheckedOut, StatusNoShow, StatusRejected}
			return fireIf(slices.Contains(closed, statusOf(f)), "订单状态为 "+statusOf(f)+"，不能取消。", "The order is "+statusOf(f)+" and cannot be cancelled.")
		}},
		{name: "cancel.order_pending", level: Hard, events: on, blocks: "cancel", check: func(f Facts) verdict {
			return fireIf(statusOf(f) == StatusPending, "订单尚待确认；请驳回其新预订卡。", "The order is not confirmed yet. Reject its new-booking card instead.")
		}},
		{name: "cancel.already_cancelled", level: Warn, events: on, blocks: "cancel", check: func(f Facts) verdict {
			return fireIf(statusOf(f) == StatusCancelled, "订单早已取消；确认此卡不会改动订单。", "The order is cancelled already; confirming changes nothing on it.")
		}},
		{name: "cancel.penalty_window", level: Review, events: on, check: penaltyWindow},
		{name: "cancel.deposit_held", level: Review, events: on, check: func(f Facts) verdict {
			n := len(f.Payments)
			return fireIf(n > 0, "订单上有 "+itoa(n)+" 笔款项，请决定退款或没收。", "The order holds "+itoa(n)+" payment(s). Decide what happens to the money.")
		}},
		{name: "cancel.names_picked_up", level: Review, events: on, check: func(f Facts) verdict {
			n := len(f.Listed) + f.PickedUp
			return fireIf(n > 0, "已有 "+itoa(n)+" 个名字或子预订。", itoa(n)+" name(s) or reservations are already picked up.")
		}},
	}
}

func penaltyWindow(f Facts) verdict {
	if f.Target == nil || !f.Target.Live() {
		return pass()
	}
	p := f.Target.Policy
	if p.Days == nil {
		return unchecked("取消罚则（订单没有结构化的取消政策）。", "the penalty window (the order has no structured cancellation policy).")
	}
	free := addDays(f.Target.ArrivalDate, -*p.Days)
	if free == "" || f.BusinessDate <= free {
		return pass()
	}
	due := "按政策收费"
	dueEN := "a charge is due"
	if p.Nights != nil {
		due, dueEN = "应收 "+itoa(*p.Nights)+" 晚", itoa(*p.Nights)+" night(s) due"
	}
	return fire("已过免费取消日 "+free+"："+due+"。减免由员工决定。", "Free cancellation ended on "+free+": "+dueEN+". A waiver is yours to decide.")
}

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
		{name: "rooming.rows_against_block", level: Review, events: on, check: rowsAgainstBlock},
		{name: "rooming.outside_dates", level: Review, events: on, check: rowsOutside},
		{name: "rooming.discrepancies", level: Review, events: on, check: func(f Facts) verdict {
			var list []string
			for _, d := range f.Event.After.Discrepancies {
				list = append(list, itoa(d.Row)+" "+d.GuestName+": "+d.Issue)
			}
			return fireIf(len(list) > 0, "名单中有不符的行："+strings.Join(list, "; "), "Rows at odds with the block: "+strings.Join(list, "; "))
		}},
		{name: "rooming.duplicate_names", level: Review, events: on, check: func(f Facts) verdict {
			twice := duplicateNames(f.rows())
			return fireIf(len(twice) > 0, "重复的姓名："+strings.Join(twice, "、"), "Names that stand twice: "+strings.Join(twice, "; "))
		}},
		{name: "rooming.first_names", level: Review, events: on, check: func(f Facts) verdict {
			var without []string
			for _, r := range f.rows() {
				if _, first, _ := strings.Cut(r.GuestName, ","); strings.TrimSpace(first) == "" {
					without = append(without, r.GuestName)
				}
			}
			return fireIf(len(without) > 0, "缺少名字（只有姓）："+strings.Join(without, "、"), "First names are missing: "+strings.Join(without, "; "))
		}},
		{name: "rooming.replaces", level: Review, events: on, check: func(f Facts) verdict {
			if len(f.Listed) == 0 {
				return pass()
			}
			if l := f.Event.After.RoomingList; l != nil && l.Mode == "ADD" {
				return fire("将在现有 "+itoa(len(f.Listed))+" 行名单之外追加。", "Adds to the "+itoa(len(f.Listed))+" rows already listed.")
			}
			return fire("将取代现有 "+itoa(len(f.Listed))+" 行名单。", "Replaces the "+itoa(len(f.Listed))+" rows already listed.")
		}},
	}
}

func (f Facts) rows() []RoomingRow {
	if f.Event.After.RoomingList == nil {
		return nil
	}
	return f.Event.After.RoomingList.Entries
}

func duplicateNames(rows []RoomingRow) []string {
	seen, twice := map[string]bool{}, []string{}
	for _, r := range rows {
		n := string(letters(r.GuestName))
		if n != "" && seen[n] && !slices.Contains(twice, r.GuestName) {
			twice = append(twice, r.GuestName)
		}
		seen[n] = true
	}
	return twice
}

// rowsAgainstBlock compares rooms per type and night where the package has the
// rows, else the counts it states, and says what it could not compare.
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
		return unchecked("名单逐行对照（数据包不含名单各行，请看附件）。", "the list row by row (the package carries no rows; see the attachment).")
	}
	return overBlock(f)
}

func overBlock(f Facts) verdict {
	need := map[string]int{} // type and night
	for _, r := range f.rows() {
		if r.SharingWith != "" && r.SharingWith < r.GuestName {
			continue // counted with the other guest of the room
		}
		in, out := orElse(r.ArrivalDate, f.Target.ArrivalDate), orElse(r.DepartureDate, f.Target.DepartureDate)
		for n := 0; n < min(nights(in, out), 366); n++ {
			need[r.RoomTypeCode+" "+addDays(in, n)]++
		}
	}
	for _, k := range sortedKeys(need) {
		code, _, _ := strings.Cut(k, " ")
		have := 0
		if l := lineOf(f.Target.Rooms, code); l != nil {
			have = l.RoomCount
		}
		if need[k] > have {
			return fire("名单在 "+k+" 需要 "+itoa(need[k])+" 间，团队只有 "+itoa(have)+" 间。", "The list needs "+itoa(need[k])+" rooms for "+k+", the block has "+itoa(have)+".")
		}
	}
	return pass()
}

func rowsOutside(f Facts) verdict {
	if f.Target == nil {
		return pass()
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
	return fireIf(len(out) > 0, "这些行的日期超出团队："+strings.Join(out, "; "), "Rows outside the block's dates: "+strings.Join(out, "; "))
}

func voucherRules() []rule {
	return []rule{{name: "voucher.order_closed", level: Hard, events: []EventType{attachVoucher}, blocks: "attach_voucher", check: func(f Facts) verdict {
		closed := []string{StatusCancelled, StatusRejected, StatusCheckedOut}
		return fireIf(slices.Contains(closed, statusOf(f)), "订单状态为 "+statusOf(f)+"，不能附加凭证。", "The order is "+statusOf(f)+"; no voucher can be attached.")
	}}}
}
