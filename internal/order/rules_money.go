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
		{name: "payment.other_currency", level: Review, events: on, check: func(f Facts) verdict {
			paid := f.payment().Currency
			return fireIf(f.Target != nil && f.Target.Currency != "" && paid != "" && paid != f.Target.Currency, "款项币种 "+paid+" 与订单币种不同（"+currencyOf(f.Target)+"）。",
				"The payment is in "+paid+", the order in "+currencyOf(f.Target)+".")
		}},
		{name: "payment.reference_seen", level: Review, data: true, events: on, check: referenceSeen},
		{name: "payment.sum_due", level: Review, data: true, events: on, check: sumDue},
		{name: "payment.refund", level: Review, events: on, check: refund},
		{name: "payment.bank_details_changed", level: Review, data: true, events: on, check: bankDetails},
	}
}

func currencyOf(r *Record) string {
	if r == nil {
		return ""
	}
	return r.Currency
}

func referenceSeen(f Facts) verdict {
	ref := f.payment().BankReference
	if ref == "" {
		return unchecked("款项是否重复（来信没有银行流水号）。", "whether it was recorded before (the mail gives no bank reference).")
	}
	var seen []string
	for _, p := range f.SameBankRef {
		seen = append(seen, strings.TrimSpace(FormatMoney(p.AmountMinor, p.Currency)+" "+p.ValueDate))
	}
	list := strings.Join(seen, ", ")
	return fireIf(len(seen) > 0, "银行流水号 "+ref+" 已登记过："+list+"。", "The bank reference "+ref+" has been recorded before: "+list+".")
}

// refund is money that goes back; how much there is to give back is told.
func refund(f Facts) verdict {
	if f.payment().Kind != KindRefund || f.Target == nil {
		return pass()
	}
	held := confirmedSum(f.Payments, f.Target.Currency)
	sum := FormatMoney(held, f.Target.Currency)
	if minor, ok := f.paid(); ok && f.payment().Currency == f.Target.Currency && minor > held {
		return fire("退款超过订单上财务已确认的 "+sum+"。", "The refund is more than the "+sum+" that finance has confirmed on the order.")
	}
	return fire("这是退款（付出）；订单上财务已确认 "+sum+"。", "This is a refund, money out; finance has confirmed "+sum+" on the order.")
}

// bankDetails compares the account the mail names with those of the customer's
// earlier payments, and looks at the mail's own words; it says what it compared.
func bankDetails(f Facts) verdict {
	acc := f.payment().BankAccount
	known := strings.Join(f.BankAccounts, ", ")
	ask := "可能是欺诈，请用已知电话核实。"
	askEN := " This may be fraud: call a number you already know."
	switch {
	case acc != "" && len(f.BankAccounts) > 0 && !slices.Contains(f.BankAccounts, acc):
		return fire("来信的账户 "+acc+" 与该客户以往款项的账户（"+known+"）不同；"+ask, "The mail names the account "+acc+"; earlier payments of this customer named "+known+"."+askEN)
	case f.Origin.BankDetailsChanged:
		said := strings.Join(f.Origin.BankWords, "、")
		return fire("来信提到更改银行账户信息（“"+said+"”）；"+ask, "The mail speaks of changed bank details (\""+strings.Join(f.Origin.BankWords, ", ")+"\")."+askEN)
	case acc != "" && len(f.BankAccounts) == 0:
		return unchecked("账户 "+acc+" 是否变更（该客户以往款项没有账户可比较）。", "whether the account "+acc+" is a new one (no earlier payment of this customer names any).")
	}
	return pass()
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
	if f.Target == nil || !ok || f.payment().Kind == KindRefund {
		return pass()
	}
	if len(f.Due) == 0 {
		why := f.DueMissing
		return unchecked("应付金额："+orElse(why.ZH, "订单没有房价")+"。", "the sum due: "+orElse(why.EN, "the order has no rates")+".")
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
	rest := f.advised(now.Currency)
	if minor < now.Minor {
		short := FormatMoney(now.Minor-minor, now.Currency)
		return fire("金额 "+paid+"，应付 "+due+"，少 "+short+rest.zh+"。", "The amount is "+paid+", due is "+due+": "+short+" less"+rest.en+".")
	}
	more := FormatMoney(minor-now.Minor, now.Currency)
	return fire("金额 "+paid+"，应付 "+due+"，多 "+more+rest.zh+"。", "The amount is "+paid+", due is "+due+": "+more+" more"+rest.en+".")
}

// advised tells of money that was announced and that finance has not seen: it has
// not lowered what is due.
func (f Facts) advised(currency string) label {
	sum := int64(0)
	for _, p := range f.Payments {
		if p.Status == PaymentAdvised && p.Currency == currency && p.Kind != KindRefund {
			sum += p.AmountMinor
		}
	}
	if sum == 0 {
		return label{}
	}
	money := FormatMoney(sum, currency)
	return label{"（另有 " + money + " 已通知、财务未确认）", " (another " + money + " was advised and is not confirmed)"}
}
