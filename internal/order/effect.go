package order

import "strings"

// effect says in one sentence what confirming does.
func (j *judged) effect() (zh, en string) {
	name := j.subjectName()
	switch j.event.Type {
	case NewBooking:
		in, out := j.facts.stay()
		return "确认新预订：" + name + "，" + in + " 至 " + out + "，" + itoa(rooms(j.facts.roomItems())) + " 间房。",
			"Confirms a new booking: " + name + ", " + in + " to " + out + ", " + itoa(rooms(j.facts.roomItems())) + " room(s)."
	case CancelBooking:
		if statusOf(j.facts) == StatusCancelled {
			return "订单 " + name + " 早已取消，不会改动订单。", "Order " + name + " is cancelled already; nothing changes on it."
		}
		return "取消订单 " + name + "。", "Cancels order " + name + "."
	case Payment:
		p := j.facts.payment()
		return "在订单 " + name + " 登记来款通知 " + p.Currency + " " + p.Amount + "（待财务确认）。",
			"Records an advised payment of " + p.Currency + " " + p.Amount + " on order " + name + "; finance confirms it later."
	case RoomingList:
		return j.roomingEffect(name)
	case Trace:
		n := itoa(len(j.event.TraceItems))
		return "在订单 " + name + " 添加 " + n + " 条备注。", "Adds " + n + " trace(s) to order " + name + "."
	case UpdateBooking:
		return j.updateEffect(name)
	case attachVoucher: // no card has it
	}
	return "无法执行。", "Nothing can be done with this card."
}

func (j *judged) subjectName() string {
	if t := j.facts.Target; t != nil {
		return strings.TrimSpace(t.Key() + " " + t.Name())
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

func (j *judged) roomingEffect(name string) (zh, en string) {
	if n := len(j.facts.rows()); n > 0 {
		return "把 " + itoa(n) + " 行住客名单写入 " + name + "。", "Puts a rooming list of " + itoa(n) + " row(s) on " + name + "."
	}
	return "把住客名单附件挂到 " + name + "，并记下不符之处。", "Attaches the rooming list to " + name + " and notes its exceptions."
}

func (j *judged) updateEffect(name string) (zh, en string) {
	if j.event.After.Scope == ScopeMember {
		return "在 " + name + " 记录 " + j.event.GuestName + " 的个别变更；团队本身不变。",
			"Notes the change for " + j.event.GuestName + " on " + name + "; the block itself stays."
	}
	var parts, partsEN []string
	for _, l := range j.steps() {
		parts, partsEN = append(parts, l.zh), append(partsEN, l.en)
	}
	if len(parts) == 0 {
		return "订单 " + name + " 没有变化。", "Nothing changes on order " + name + "."
	}
	return "修改订单 " + name + "：" + strings.Join(parts, "，") + "。", "Changes order " + name + ": " + strings.Join(partsEN, ", ") + "."
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
