package order

import (
	"slices"
	"strings"
)

func paymentRules() []rule {
	on := []EventType{Payment}
	return []rule{
		{name: "payment.target", level: Hard, events: on, check: func(f Facts) verdict {
			return fireIf(f.Target == nil, "款项必须对应一个订单。", "A payment needs the order it is for.")
		}},
		{name: "payment.currency", level: Hard, events: on, check: func(f Facts) verdict {
			_, ok := currencyScale(f.payment().Currency)
			return fireIf(!ok, "币种不是 ISO 4217 代码。", "The currency is no ISO 4217 code.")
		}},
		{name: "payment.amount", level: Hard, events: on, check: func(f Facts) verdict {
			minor, ok := f.paid()
			_, known := currencyScale(f.payment().Currency)
			return fireIf(known && (!ok || minor <= 0), "金额必须是大于零的十进制数。", "The amount must be a decimal greater than zero.")
		}},
		{name: "payment.order_closed", level: Review, events: on, check: func(f Facts) verdict {
			return fireIf(f.Target != nil && slices.Contains([]string{StatusCancelled, StatusRejected, StatusNoShow}, f.Target.Status),
				"订单状态为 "+statusOf(f)+"。", "The order is "+statusOf(f)+".")
		}},
		{name: "payment.reference_seen", level: Review, events: on, check: func(f Facts) verdict {
			return fireIf(len(f.SameBankRef) > 0, "银行流水号 "+f.payment().BankReference+" 已登记过。", "The bank reference "+f.payment().BankReference+" has been recorded before.")
		}},
		{name: "payment.sum_due", level: Review, events: on, check: sumDue},
		{name: "payment.bank_details_changed", level: Review, events: on, check: func(f Facts) verdict {
			acc := f.payment().BankAccount
			strange := acc != "" && len(f.BankAccounts) > 0 && !slices.Contains(f.BankAccounts, acc)
			return fireIf(f.Origin.BankDetailsChanged || strange, "来信涉及更改的银行账户信息，可能是欺诈；请用已知电话核实。", "The mail speaks of changed bank details. This may be fraud: call a number you already know.")
		}},
	}
}

func (f Facts) payment() PaymentItem {
	if f.Event.After.Payment == nil {
		return PaymentItem{}
	}
	return *f.Event.After.Payment
}

func (f Facts) paid() (int64, bool) { return minorUnits(f.payment().Amount, f.payment().Currency) }

// sumDue compares with what the order asks for; when the amount is what it asked
// for before a change, both sums are shown.
func sumDue(f Facts) verdict {
	minor, ok := f.paid()
	if f.Target == nil || !ok {
		return pass()
	}
	if len(f.Due) == 0 {
		return unchecked("应付金额（订单没有房价或定金约定）。", "the sum due (the order has no rates or no deposit terms).")
	}
	now := f.Due[0]
	if now.Currency != f.payment().Currency {
		return unchecked("应付金额（币种不同："+now.Currency+"）。", "the sum due (it is in "+now.Currency+").")
	}
	if now.Minor == minor {
		return pass()
	}
	paid, due := FormatMoney(minor, now.Currency), FormatMoney(now.Minor, now.Currency)
	for _, old := range f.Due[1:] {
		if old.Minor == minor && old.Currency == now.Currency {
			return fire("金额 "+paid+" 等于改动（"+old.Until+"）之前的应付额；现在应付 "+due+"。", "The amount "+paid+" is what was due before the change of "+old.Until+"; now "+due+" is due.")
		}
	}
	return fire("金额 "+paid+"，应付 "+due+"。", "The amount is "+paid+", due is "+due+".")
}

func traceRules() []rule {
	return []rule{
		{name: "trace.target", level: Hard, events: []EventType{Trace}, check: func(f Facts) verdict {
			return fireIf(f.Target == nil, "备注必须对应一个订单。", "A trace needs the order it is for.")
		}},
		{name: "trace.text", level: Hard, check: func(f Facts) verdict {
			empty := slices.ContainsFunc(f.Event.TraceItems, func(t TraceItem) bool { return t.Text == "" })
			none := f.Event.Type == Trace && len(f.Event.TraceItems) == 0
			return fireIf(empty || none, "备注内容为空。", "A trace has no text.")
		}},
		{name: "trace.date", level: Hard, check: func(f Facts) verdict {
			bad := slices.ContainsFunc(f.Event.TraceItems, func(t TraceItem) bool { return t.Date != "" && !realDate(t.Date) })
			return fireIf(bad, "备注日期不存在。", "A trace's date is no real date.")
		}},
		{name: "trace.order_closed", level: Review, events: []EventType{Trace}, check: func(f Facts) verdict {
			return fireIf(f.Target != nil && !f.Target.Live(), "订单状态为 "+statusOf(f)+"。", "The order is "+statusOf(f)+".")
		}},
		{name: "trace.outside_stay", level: Review, check: traceOutside},
		{name: "trace.department", level: Review, check: unknownDepartment},
		{name: "trace.sensitive", level: Warn, check: func(f Facts) verdict {
			var flags []string
			for _, t := range f.Event.TraceItems {
				if flag := sensitivity(t.Text); flag != "" && !slices.Contains(flags, flag) {
					flags = append(flags, flag)
				}
			}
			return fireIf(len(flags) > 0, "涉及过敏或无障碍需求："+strings.Join(flags, "、"), "Allergy or accessibility need: "+strings.Join(flags, ", "))
		}},
	}
}

func traceOutside(f Facts) verdict {
	in, out := f.stay()
	if in == "" || out == "" {
		return pass()
	}
	for _, t := range f.Event.TraceItems {
		if realDate(t.Date) && (t.Date < in || t.Date > out) {
			return fire("备注日期 "+t.Date+" 不在入住期间 "+in+" – "+out+"。", "The trace date "+t.Date+" lies outside the stay "+in+" – "+out+".")
		}
	}
	return pass()
}

func unknownDepartment(f Facts) verdict {
	var unknown []string
	for _, t := range f.Event.TraceItems {
		if t.DepartmentCode == "" {
			continue
		}
		known, loaded := f.Codes.HasDepartment(t.DepartmentCode)
		if !loaded {
			return unchecked("部门代码（未载入部门清单）。", "departments (no list is loaded).")
		}
		if !known {
			unknown = append(unknown, t.DepartmentCode)
		}
	}
	list := strings.Join(unknown, ", ")
	return fireIf(len(unknown) > 0, "部门代码不存在："+list, "Unknown department: "+list)
}

// Words that mark a trace nobody may overlook, in the languages mails come in.
var (
	allergyWords = []string{"allerg", "anaphyl", "coeliac", "celiac", "过敏", "過敏", "แพ้"}
	accessWords  = []string{"wheelchair", "disab", "accessib", "mobility", "knee", "crutch", "blind", "deaf", "轮椅", "無障礙", "无障碍", "残疾", "รถเข็น", "พิการ"}
)

func sensitivity(text string) string {
	t := strings.ToLower(text)
	has := func(w string) bool { return strings.Contains(t, w) }
	if slices.ContainsFunc(allergyWords, has) {
		return "ALLERGY"
	}
	if slices.ContainsFunc(accessWords, has) {
		return "ACCESSIBILITY"
	}
	return ""
}
