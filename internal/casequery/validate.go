package casequery

import (
	"slices"
	"strings"

	"thhotel/internal/agent"
	"thhotel/internal/order"
)

// The actions of target_object_validation.
const (
	actCreate  = "create"
	actUpdate  = "update"
	actCancel  = "cancel"
	actVoucher = "attach_voucher"
)

// validate decides what may be proposed for the orders that the keys matched.
func validate(p CaseContextParams, found order.Found, businessDate, lang string) TargetValidation {
	records, live := found.Records, found.Live
	j := &judgement{lang: lang, reasons: []Reason{}, may: map[string]bool{actCreate: true, actUpdate: true, actCancel: true, actVoucher: true}}
	if p.evidenceOnly() {
		j.refuse(ReasonEvidenceOnly, "该 key 只来自历史线程，只能作证据；请从当前邮件正文取得 key，或以 manual_review=true 提交并把 locator 填 null。",
			"This key comes from quoted history and is evidence only. Take the key from the current text, or submit with manual_review=true and null locators.",
			actCreate, actUpdate, actCancel)
	}
	if slices.ContainsFunc(live, func(r order.Record) bool { return r.BookingType != order.Allotment }) {
		j.refuse(ReasonExists, "该 key 已有有效订单，请更新已有订单而不是新建。",
			"A live order has this key already. Update it instead of creating another.", actCreate)
	}
	switch {
	case len(records) == 0:
		j.refuse(ReasonNotFound, "没有订单匹配该 key；请核对 key，确属新订单时用 NEW_BOOKING。",
			"No order has this key. Check it; use NEW_BOOKING when the order is new.", actUpdate, actCancel, actVoucher)
	case len(live) > 1:
		j.refuse(ReasonAmbiguous, "该 key 匹配多个有效订单，不能确定目标；请补充更具体的 key（确认号），或以 manual_review=true 提交。",
			"Several live orders have this key. Add a more specific key such as the confirmation number, or submit with manual_review=true.",
			actUpdate, actCancel, actVoucher)
	case len(live) == 1:
		j.follow(live[0], businessDate)
	default:
		for _, r := range records {
			j.follow(r, businessDate)
		}
	}
	return TargetValidation{CanCreate: j.may[actCreate], CanUpdate: j.may[actUpdate], CanCancel: j.may[actCancel],
		CanAttachVoucher: j.may[actVoucher], Reasons: j.reasons}
}

// evidenceOnly reports whether the caller says that the key stands in quoted
// history. The list of sources is open, so words that mean the same count too.
func (p CaseContextParams) evidenceOnly() bool {
	source := strings.ToLower(p.TargetKeySource)
	return p.EvidenceOnly || slices.ContainsFunc([]string{"thread", "quot", "history"}, func(w string) bool { return strings.Contains(source, w) })
}

// judgement gathers refusals; one of them is enough to refuse an action.
type judgement struct {
	lang    string
	may     map[string]bool
	reasons []Reason
}

func (j *judgement) refuse(code, zh, en string, actions ...string) {
	for _, a := range actions {
		j.add(Reason{Action: a, Code: code, Message: speak(j.lang, zh, en)})
	}
}

func (j *judgement) add(r Reason) {
	j.may[r.Action] = false
	if !slices.Contains(j.reasons, r) {
		j.reasons = append(j.reasons, r)
	}
}

// follow takes over what the cards' rules say of one order.
func (j *judgement) follow(r order.Record, businessDate string) {
	a := order.Allowed(r, businessDate)
	for _, why := range a.Reasons {
		j.add(Reason{Action: why.Action, Code: why.Code, Message: speak(j.lang, why.Message, why.MessageEN)})
	}
	j.may[actUpdate] = j.may[actUpdate] && a.CanUpdate
	j.may[actCancel] = j.may[actCancel] && a.CanCancel
	j.may[actVoucher] = j.may[actVoucher] && a.CanAttachVoucher
}

// keyWarnings tells of keys that contradict each other, lead nowhere, or lead to
// more orders than fit.
func keyWarnings(f order.Found, lang string) []agent.Warning {
	out := []agent.Warning{}
	for _, key := range []string{"group_code", "confirmation_number", "reservation_no"} {
		found, given := f.PerKey[key]
		switch {
		case given && len(found) == 0 && len(f.Records) > 0:
			out = append(out, warning(lang, WarnKeyNotFound, key+" 没有匹配到任何订单，结果只来自其他 key。",
				key+" matched no order; the result comes from the other keys."))
		}
	}
	if !f.Agree {
		out = append(out, warning(lang, WarnKeysDisagree, "给出的 key 指向不同的订单；请核对 key 是否属于同一预订。",
			"The keys lead to different orders. Check whether they belong to one booking."))
	}
	if f.Truncated {
		out = append(out, warning(lang, WarnResultTruncated, "匹配的订单超过 50 个，只返回到店日期最新的 50 个；请补充更具体的 key。",
			"More than 50 orders match; only the 50 with the latest arrival are shown. Add a more specific key."))
	}
	return out
}
