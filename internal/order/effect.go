package order

import "strings"

// effect says in one sentence what confirming does, or, once it is done, did.
func (j *judged) effect(done bool) (zh, en string) {
	name := j.subjectName()
	t := tense(done)
	switch j.event.Type {
	case NewBooking:
		in, out := j.facts.stay()
		n := itoa(rooms(j.facts.roomItems()))
		return t.did() + "确认新预订：" + name + "，" + in + " 至 " + out + "，" + n + " 间房。",
			t.pick("Confirms", "Confirmed") + " a new booking: " + name + ", " + in + " to " + out + ", " + n + " room(s)."
	case CancelBooking:
		if statusOf(j.facts) == StatusCancelled {
			return "订单 " + name + " 早已取消，" + t.pick("不会改动", "没有改动") + "订单。",
				"Order " + name + t.pick(" is", " was") + " cancelled already; nothing " + t.pick("changes", "changed") + " on it."
		}
		return t.did() + "取消订单 " + name + "。", t.pick("Cancels", "Cancelled") + " order " + name + "."
	case Payment:
		p := j.facts.payment()
		return t.did() + "在订单 " + name + " 登记" + paymentWord(p.Kind).zh + " " + p.Currency + " " + p.Amount + "（待财务确认）。",
			t.pick("Records", "Recorded") + " an advised " + paymentWord(p.Kind).en + " of " + p.Currency + " " + p.Amount + " on order " + name + "; finance confirms it later."
	case RoomingList:
		return j.roomingEffect(name, t)
	case Trace:
		n := itoa(len(j.event.TraceItems))
		return t.did() + "在订单 " + name + " 添加 " + n + " 条备注。", t.pick("Adds ", "Added ") + n + " trace(s) to order " + name + "."
	case UpdateBooking:
		return j.updateEffect(name, t)
	case attachVoucher: // no card has it
	}
	return "无法执行。", "Nothing can be done with this card."
}

// tense is true for what has been done.
type tense bool

func (t tense) pick(now, past string) string {
	if t {
		return past
	}
	return now
}

// did begins a Chinese sentence about what has been done.
func (t tense) did() string { return t.pick("", "已") }

func paymentWord(kind string) label {
	if kind == KindRefund {
		return label{"退款", "refund"}
	}
	return label{"来款通知", "payment"}
}

func (j *judged) subjectName() string {
	if t := j.facts.Target; t != nil {
		return strings.TrimSpace(t.Key() + " " + t.Name())
	}
	if j.event.Type == NewBooking {
		v := j.facts.proposal().values
		return orElse(v["group_name"], v["guest_name"])
	}
	return strings.TrimSpace(j.event.Target.LocatorValue + " " + j.event.GuestName)
}

func rooms(items []RoomItem) int {
	n := 0
	for _, it := range items {
		if it.RoomCount != nil {
			n += *it.RoomCount
		}
	}
	return n
}

func (j *judged) roomingEffect(name string, t tense) (zh, en string) {
	if n := len(j.facts.rows()); n > 0 {
		return t.did() + "把 " + itoa(n) + " 行住客名单写入 " + name + "。", t.pick("Puts", "Put") + " a rooming list of " + itoa(n) + " row(s) on " + name + "."
	}
	return t.did() + "把住客名单附件挂到 " + name + "，并记下不符之处。",
		t.pick("Attaches", "Attached") + " the rooming list to " + name + " and " + t.pick("notes", "noted") + " its exceptions."
}

func (j *judged) updateEffect(name string, t tense) (zh, en string) {
	if j.event.After.Scope == ScopeMember {
		return t.did() + "在 " + name + " 记录 " + j.event.GuestName + " 的个别变更；团队本身不变。",
			t.pick("Notes", "Noted") + " the change for " + j.event.GuestName + " on " + name + "; the block itself " + t.pick("stays", "stayed") + "."
	}
	var parts, partsEN []string
	for _, l := range j.steps() {
		parts, partsEN = append(parts, l.zh), append(partsEN, l.en)
	}
	if len(parts) == 0 {
		return "订单 " + name + " 没有变化。", "Nothing " + t.pick("changes", "changed") + " on order " + name + "."
	}
	return t.did() + "修改订单 " + name + "：" + strings.Join(parts, "，") + "。", t.pick("Changes", "Changed") + " order " + name + ": " + strings.Join(partsEN, ", ") + "."
}

// steps lists everything that confirming an update does to the order.
func (j *judged) steps() []label {
	var out []label
	for _, d := range j.fieldDiffs() {
		if d.State == FieldChange || d.State == FieldMoved {
			out = append(out, step(d.Field, d.Now, d.Proposed))
		}
	}
	for _, d := range j.roomDiffs(setting{}) {
		if d.State == FieldChange && d.Proposed != nil {
			now := 0
			if d.Now != nil {
				now = *d.Now
			}
			s := itoa(now) + " → " + itoa(*d.Proposed)
			out = append(out, label{d.RoomTypeCode + " " + s + " 间", d.RoomTypeCode + " rooms " + s})
		}
	}
	if gone := j.event.After.RemovedGuests; len(gone) > 0 {
		zh, en := labels("removed_guests")
		out = append(out, label{zh + " " + strings.Join(gone, "、"), en + " " + strings.Join(gone, "; ")})
	}
	if n := len(j.event.TraceItems); n > 0 {
		out = append(out, label{"添加 " + itoa(n) + " 条备注", itoa(n) + " trace(s) added"})
	}
	return out
}
