package order

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// ruleCode is a rule's name as a stable code: "cancel.in_house" is CANCEL_IN_HOUSE.
func ruleCode(name string) string { return strings.ToUpper(strings.ReplaceAll(name, ".", "_")) }

func anyRules() []rule {
	return []rule{
		{name: "event.type_known", level: Hard, check: func(f Facts) verdict {
			return fireIf(!f.Event.Type.Known(), "事件类型不在契约之内，只能驳回此卡。", "The event type is not one of the contract's; this card can only be rejected.")
		}},
		{name: "event.order_ref_context", level: Hard, check: func(f Facts) verdict {
			return fireIf(f.Origin.ContextMissing, "order_ref 在 order_contexts 中没有对应项。", "order_ref has no entry in order_contexts.")
		}},
		{name: "event.attachment_of_mail", level: Hard, check: foreignAttachment},
		{name: "event.contract", level: Review, check: func(f Facts) verdict {
			var at []string
			for _, v := range f.Violations {
				at = append(at, v.Path)
			}
			return fireIf(len(at) > 0, "事件不符合契约："+strings.Join(at, "、"), "The event breaks the contract at "+strings.Join(at, ", ")+".")
		}},
		{name: "order.changed_since_shown", level: Hard, check: func(f Facts) verdict {
			return fireIf(f.Target != nil && f.SeenVersion != 0 && f.SeenVersion != f.Target.Version,
				"订单在页面显示之后已被修改，请重新核对差异后再确认。", "The order changed after it was shown. Look at the new difference, then confirm.")
		}},
		{name: "order.field_moved", level: Review, check: func(f Facts) verdict {
			zh, en := labelled(f.Moved)
			return fireIf(len(f.Moved) > 0, "来信之后订单的这些内容已被改动："+zh+"。", "These facts of the order changed since the mail came: "+en+".")
		}},
		{name: "sender.domain_new", level: Review, check: func(f Facts) verdict {
			return fireIf(f.Origin.SenderDomainNew, "发件人域名首次出现在此会话中。", "The sender's domain is new in this conversation.")
		}},
		{name: "sender.look_alike", level: Review, check: func(f Facts) verdict {
			return fireIf(f.Origin.SenderLookAlike, "发件人域名与会话中的已知域名相似，可能是仿冒。", "The sender's domain looks like a known one of this conversation; it may be forged.")
		}},
		{name: "order.other_open_cards", level: Warn, check: func(f Facts) verdict {
			return fireIf(f.OtherCards > 0, "同一订单还有 "+itoa(f.OtherCards)+" 张未完成的任务卡。", "The order has "+itoa(f.OtherCards)+" other open card(s).")
		}},
	}
}

func foreignAttachment(f Facts) verdict {
	var foreign []string
	for _, id := range f.Event.AttachmentIDs {
		if !slices.Contains(f.Origin.KnownAttachments, id) {
			foreign = append(foreign, id)
		}
	}
	list := strings.Join(foreign, ", ")
	return fireIf(len(foreign) > 0, "附件不属于这封邮件："+list, "These attachments are not of this mail: "+list)
}

func targetRules() []rule {
	return []rule{
		{name: "target.missing", level: Review, check: func(f Facts) verdict {
			if f.Target != nil || len(f.Matches) > 0 || (f.Event.Type == NewBooking && (f.Event.Target.LocatorValue == "" || f.Block != nil)) {
				return pass()
			}
			if f.Event.Target.LocatorValue == "" {
				return fire("来信没有给出订单号，请指定目标订单。", "The mail gives no key. Choose the order it means.")
			}
			return fire("没有找到订单 "+f.Event.Target.LocatorValue+"。", "No order has the key "+f.Event.Target.LocatorValue+".")
		}},
		{name: "target.ambiguous", level: Review, check: func(f Facts) verdict {
			return fireIf(f.Target == nil && f.Block == nil && len(f.Matches) > 0, "订单号对应多个订单，请选择其中一个。", "The key leads to several orders. Choose one.")
		}},
		{name: "target.key_only_quoted", level: Review, check: func(f Facts) verdict {
			return fireIf(f.Origin.KeyOnlyQuoted, "订单号只出现在引用的历史邮件中，不在新正文里。", "The key stands only in quoted history, not in the new text.")
		}},
	}
}

func codeRules() []rule {
	return []rule{
		{name: "codes.room_type", level: Hard, data: true, check: unknownRoomType},
		{name: "codes.rate_code", level: Hard, data: true, check: unknownRateCode},
		{name: "codes.account", level: Review, data: true, events: []EventType{NewBooking, UpdateBooking}, check: unknownAccount},
		{name: "codes.length", level: Hard, check: tooLong},
	}
}

// speaksOf collects the room types and the rate code an event would write or names.
func (f Facts) roomItems() []RoomItem {
	if f.Event.After.RoomItems != nil {
		return f.Event.After.RoomItems
	}
	return f.Event.RoomItems
}

func unknownRoomType(f Facts) verdict {
	var unknown []string
	asked := false
	for _, it := range f.roomItems() {
		if it.RoomTypeCode == "" {
			continue
		}
		asked = true
		if known, loaded := f.Codes.HasRoomType(it.RoomTypeCode); loaded && !known {
			unknown = append(unknown, it.RoomTypeCode)
		}
	}
	if asked && len(f.Codes.RoomTypes) == 0 {
		return unchecked("房型代码（未载入房型清单）。", "room types (no list is loaded).")
	}
	list := strings.Join(unknown, ", ")
	return fireIf(len(unknown) > 0, "房型代码不存在："+list, "Unknown room type: "+list)
}

func unknownRateCode(f Facts) verdict {
	code := f.proposal().values["rate_code"]
	if code == "" {
		code = f.Event.RateCode
	}
	if code == "" {
		return pass()
	}
	known, loaded := f.Codes.HasRateCode(code)
	if !loaded {
		return unchecked("房价代码（未载入房价代码清单）。", "the rate code (no list is loaded).")
	}
	return fireIf(!known, "房价代码不存在："+code, "Unknown rate code: "+code)
}

func unknownAccount(f Facts) verdict {
	code := f.proposal().values["account_code"]
	if code == "" {
		return pass()
	}
	known, loaded := f.Codes.HasAccount(code)
	if !loaded {
		return unchecked("客户代码（未载入客户清单）。", "the account (no list is loaded).")
	}
	return fireIf(!known, "客户代码不在清单中："+code, "The account is not on the list: "+code)
}

func tooLong(f Facts) verdict {
	var long []string
	check := func(what, value string, most int) {
		if utf8.RuneCountInString(value) > most {
			long = append(long, what)
		}
	}
	check("locator_value", f.Event.Target.LocatorValue, locatorMax(f.Event.Target.LocatorType))
	p := f.proposal()
	for _, field := range fields() {
		if field.max > 0 {
			check(field.name, p.values[field.name], field.max)
		}
	}
	for _, it := range f.roomItems() {
		check("room_type_code", it.RoomTypeCode, 20)
	}
	for _, t := range f.Event.TraceItems {
		check("department_code", t.DepartmentCode, 20)
	}
	if pay := f.Event.After.Payment; pay != nil {
		check("bank_reference", pay.BankReference, 80)
		check("proforma_number", pay.ProformaNumber, 80)
	}
	zh, en := labelled(slices.Compact(long))
	return fireIf(len(long) > 0, "超过 OPERA 允许的长度："+zh+"。", "Longer than OPERA allows: "+en+".")
}

// locatorMax is 20 characters for a block code, 80 for OPERA's ids.
func locatorMax(locator string) int {
	if locator == ByGroupCode {
		return 20
	}
	return 80
}

func (f Facts) proposal() proposal { return proposed(f.Event, f.Account) }
