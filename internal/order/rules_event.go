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
		{name: "cancel.penalty_window", level: Review, data: true, events: on, check: penaltyWindow},
		{name: "cancel.deposit_held", level: Review, events: on, check: func(f Facts) verdict {
			sums := moneyHeld(f.Payments)
			return fireIf(len(f.Payments) > 0, "订单上有款项（"+sums.zh+"），请决定退款或没收。", "The order holds money ("+sums.en+"). Decide what happens to it.")
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

// moneyHeld sums payments by currency and state.
func moneyHeld(list []PaymentLine) label {
	sums := map[string]int64{}
	for _, p := range list {
		if p.Kind == KindRefund {
			p.AmountMinor = -p.AmountMinor
		}
		sums[p.Currency+" "+p.Status] += p.AmountMinor
	}
	var zh, en []string
	for _, k := range sortedKeys(sums) {
		currency, state, _ := strings.Cut(k, " ")
		word := label{"已通知", "advised"}
		if state == PaymentConfirmed {
			word = label{"财务已确认", "confirmed"}
		}
		zh, en = append(zh, word.zh+" "+FormatMoney(sums[k], currency)), append(en, FormatMoney(sums[k], currency)+" "+word.en)
	}
	return label{strings.Join(zh, "，"), strings.Join(en, ", ")}
}

func voucherRules() []rule {
	return []rule{{name: "voucher.order_closed", level: Hard, events: []EventType{attachVoucher}, blocks: "attach_voucher", check: func(f Facts) verdict {
		closed := []string{StatusCancelled, StatusRejected, StatusCheckedOut}
		return fireIf(slices.Contains(closed, statusOf(f)), "订单状态为 "+statusOf(f)+"，不能附加凭证。", "The order is "+statusOf(f)+"; no voucher can be attached.")
	}}}
}
