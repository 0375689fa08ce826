package intake

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"thhotel/internal/fault"
	"thhotel/internal/order"
)

// Lengths, after OPERA's field limits.
const (
	maxCode     = 20   // group, room type, rate, department and account codes
	maxKey      = 50   // confirmation and reservation numbers
	maxRef      = 80   // the sender's own numbers
	maxName     = 200  // guests and groups
	maxText     = 2000 // traces, reasons
	maxOrderRef = 64
	maxCount    = 9999
)

var (
	clockTime = matches(regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`), CodeTimeInvalid, "必须是 24 小时制 HH:MM", "must be HH:MM on a 24-hour clock")
	amount    = matches(regexp.MustCompile(`^\d{1,12}(\.\d{1,3})?$`), CodeAmountInvalid, "必须是十进制字符串，例如 \"25440.00\"，不带符号与千分位", "must be a decimal string such as \"25440.00\", without sign or separators")
	currency  = matches(regexp.MustCompile(`^[A-Z]{3}$`), CodeCurrencyInvalid, "必须是 ISO 4217 三位大写币种代码", "must be an ISO 4217 code of three capitals")
)

var (
	code = nullable(upTo(maxCode))
	ref  = nullable(upTo(maxRef))
	name = nullable(upTo(maxName))
	note = nullable(upTo(maxText))
	day  = nullable(date)
)

// roomItems are proposed room lines. A null count means the mail gives none.
var roomItems = list(object(open,
	must("room_type_code", code),
	must("room_count", nullable(whole(1))),
	may("rate", nullable(amount)),
))

var traceItems = list(object(open,
	must("trace_type", oneOf("TRACE", "NOTE")),
	may("department_code", code),
	may("trace_date", day),
	may("trace_time", nullable(clockTime)),
	must("trace_text", both(filled, upTo(maxText))),
))

// after names the known fields of what is to be true afterwards; others are kept.
var after = object(open,
	may("guest_name", name), may("group_name", name), may("alternate_name", name),
	may("arrival_date", day), may("departure_date", day),
	may("cutoff_date", day), may("rooming_list_due_date", day),
	may("rate_code", code), may("external_reference", ref), may("account_code", code),
	may("adults", nullable(whole(0))), may("children", nullable(whole(0))),
	may("room_items", roomItems),
	may("additional_guests", list(upTo(maxName))), may("removed_guests", list(upTo(maxName))),
	may("scope", nullable(text)), may("billing", nullable(text)), may("meal_plan", nullable(text)),
	may("status", nullable(text)), may("review_reason", note), may("cancellation_reason", note),
	may("penalty_waiver_requested", nullable(boolean)), may("cancellation_number_requested", nullable(boolean)),
	may("deposit", nullable(object(open,
		may("percent", nullable(number)), may("amount", nullable(amount)), may("currency", nullable(currency)), may("due_date", day)))),
	may("net_rate", nullable(object(open, must("amount", amount), must("currency", currency), may("per", nullable(text))))),
	may("payment", nullable(object(open,
		must("amount", amount), must("currency", currency),
		may("kind", nullable(text)), may("method", nullable(text)), may("value_date", day),
		may("bank_reference", ref), may("proforma_number", ref), may("bank_account", ref)))),
	may("rooming_list", nullable(object(open,
		may("version", ref), may("mode", nullable(oneOf("REPLACE", "ADD"))),
		may("rows", nullable(whole(0))), may("rooms", nullable(whole(0))),
		may("adults", nullable(whole(0))), may("children", nullable(whole(0))), may("entries", list(roomingRow))))),
	may("discrepancies", list(object(open, may("row", nullable(whole(0))), may("guest_name", name), must("issue", filled)))),
	may("date_candidates", list(object(open, may("arrival_date", day), may("departure_date", day)))),
)

var roomingRow = object(open,
	must("guest_name", both(filled, upTo(maxName))),
	may("row", nullable(whole(0))), may("sharing_with", name), may("room_type_code", code),
	may("arrival_date", day), may("departure_date", day), may("remark", note))

var eventRule = object(open,
	must("order_ref", both(filled, upTo(maxOrderRef))),
	must("event_type", oneOf(eventTypes()...)),
	must("target_order", object(closed,
		must("booking_type", nullable(oneOf(order.Group, order.Allotment, order.FIT))),
		must("locator_type", nullable(oneOf(order.ByGroupCode, order.ByConfirmation, order.ByReservationNo))),
		must("locator_value", nullable(both(filled, upTo(maxKey)))))),
	must("manual_review", nullable(boolean)),
	may("arrival_date", day), may("departure_date", day),
	may("rate_code", code), may("booking_scenario", nullable(upTo(maxRef))), may("guest_name", name),
	may("room_items", roomItems),
	may("after", after),
	may("trace_items", traceItems),
	may("attachment_ids", list(filled)),
)

var contextRule = object(closed,
	must("order_ref", both(filled, upTo(maxOrderRef))),
	must("basic_information", object(closed,
		must("account_code", code),
		must("manual_review", nullable(boolean)))),
)

func eventTypes() []string {
	var out []string
	for _, t := range order.EventTypes() {
		out = append(out, string(t))
	}
	return out
}

// contexts is what order_contexts says, and what is wrong with it per order_ref.
type contexts struct {
	refs     []string // in order, once each
	problems map[string][]fault.Violation
	loose    []fault.Violation // wrong places that belong to no order_ref
}

func readContexts(items []any) contexts {
	out := contexts{problems: map[string][]fault.Violation{}}
	for i, item := range items {
		c, at := &checker{}, "/order_contexts/"+strconv.Itoa(i)
		contextRule(c, at, item)
		obj, _ := item.(map[string]any)
		ref := textOf(obj, "order_ref")
		switch {
		case ref == "":
			out.loose = append(out.loose, c.problems...)
			continue
		case slices.Contains(out.refs, ref):
			c.add(at+"/order_ref", CodeOrderRefDuplicate, "order_ref 在 order_contexts 中只能出现一次", "an order_ref may appear once in order_contexts")
		default:
			out.refs = append(out.refs, ref)
		}
		out.problems[ref] = append(out.problems[ref], c.problems...)
	}
	return out
}

// checkEvent finds every place where one event breaks the contract.
func checkEvent(at string, item any, ctx contexts, attachments []string) []fault.Violation {
	c := &checker{}
	eventRule(c, at, item)
	obj, _ := item.(map[string]any)
	if obj == nil {
		return c.problems
	}
	ref := textOf(obj, "order_ref")
	if ref != "" && !slices.Contains(ctx.refs, ref) {
		c.add(at+"/order_ref", CodeOrderRefUnknown, "order_contexts 中没有这个 order_ref", "order_contexts has no such order_ref")
	}
	checkLocator(c, at+"/target_order", obj["target_order"])
	checkDates(c, at, obj)
	if a, ok := obj["after"].(map[string]any); ok {
		checkDates(c, at+"/after", a)
	}
	checkNeeds(c, at, obj)
	checkAttachments(c, at+"/attachment_ids", obj["attachment_ids"], attachments)
	return append(c.problems, ctx.problems[ref]...)
}

// checkLocator: type and value come together; and a group code is shorter than other keys.
func checkLocator(c *checker, at string, v any) {
	target, _ := v.(map[string]any)
	kind, value := textOf(target, "locator_type"), textOf(target, "locator_value")
	switch {
	case kind != "" && value == "":
		c.add(at+"/locator_value", CodeLocatorIncomplete, "有 locator_type 时必须给出 locator_value；没有 key 时两者都填 null",
			"locator_type needs a locator_value; both are null when there is no key")
	case kind == "" && value != "":
		c.add(at+"/locator_type", CodeLocatorIncomplete, "有 locator_value 时必须给出 locator_type；没有 key 时两者都填 null",
			"locator_value needs a locator_type; both are null when there is no key")
	case kind == order.ByGroupCode:
		upTo(maxCode)(c, at+"/locator_value", value)
	}
}

func checkDates(c *checker, at string, obj map[string]any) {
	from, to := textOf(obj, "arrival_date"), textOf(obj, "departure_date")
	probe := &checker{}
	date(probe, "", from)
	date(probe, "", to)
	if len(probe.problems) == 0 && from >= to {
		c.add(at+"/departure_date", CodeDateOrder, "离店日期必须晚于到店日期", "departure must be after arrival")
	}
}

// checkNeeds asks for what an event type is nothing without.
func checkNeeds(c *checker, at string, obj map[string]any) {
	switch order.EventType(textOf(obj, "event_type")) {
	case order.Payment:
		a, _ := obj["after"].(map[string]any)
		if a["payment"] == nil {
			c.add(at+"/after/payment", CodeFieldRequired, "PAYMENT 必须在 after.payment 给出金额与币种", "PAYMENT needs after.payment with amount and currency")
		}
	case order.Trace:
		if items, _ := obj["trace_items"].([]any); len(items) == 0 {
			c.add(at+"/trace_items", CodeItemsRequired, "TRACE_RESERVATION_NOTES 至少要有一条 trace_items", "TRACE_RESERVATION_NOTES needs at least one of trace_items")
		}
	default: // what the others lack is a rule's affair: people may fill it in
	}
}

func checkAttachments(c *checker, at string, v any, known []string) {
	ids, _ := v.([]any)
	for i, id := range ids {
		if s, ok := id.(string); ok && strings.TrimSpace(s) != "" && !slices.Contains(known, strings.TrimSpace(s)) {
			c.add(at+"/"+strconv.Itoa(i), CodeAttachmentUnknown, "不是这封邮件的附件 ID", "this is no attachment of the message")
		}
	}
}

// textOf is a field's trimmed text, "" when it is no text.
func textOf(obj map[string]any, field string) string {
	s, _ := obj[field].(string)
	return strings.TrimSpace(s)
}

// merge adds what the typed reader found at places not named yet: a complaint
// about a field and one about a part of it are the same complaint.
func merge(have, more []fault.Violation) []fault.Violation {
	named := places{}
	for _, v := range have {
		named.add(v.Path)
	}
	words := map[string]string{"TYPE": CodeFieldType, "REQUIRED": CodeFieldRequired, "VALUE": CodeValueNotAllowed}
	for _, v := range more {
		if named.touch(v.Path) {
			continue
		}
		if c, ok := words[v.Code]; ok {
			v.Code = c
		}
		have = append(have, v)
	}
	return have
}

// places remembers JSON pointers: true for one that was named, false for one
// that only leads to it. An event may be wrong in very many places, so it is a map.
type places map[string]bool

func (p places) add(path string) {
	p[path] = true
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if _, known := p[path[:i]]; !known {
			p[path[:i]] = false
		}
	}
}

// touch reports whether path, a part of it, or what it is a part of was named.
func (p places) touch(path string) bool {
	if _, ok := p[path]; ok {
		return true
	}
	for i := strings.LastIndexByte(path, '/'); i > 0; i = strings.LastIndexByte(path[:i], '/') {
		if p[path[:i]] {
			return true
		}
	}
	return false
}

// bounded keeps an answer within its size whatever an event looks like: of very
// many complaints the first are told and the rest counted. The event itself is
// kept whole.
func bounded(list []fault.Violation, at string, events int) []fault.Violation {
	most := max(4, 2000/max(events, 1))
	if len(list) <= most {
		return list
	}
	more := strconv.Itoa(len(list) - most + 1)
	return append(slices.Clone(list[:most-1]), violation(at, CodeMoreErrors, "另有 "+more+" 处问题未列出", more+" more problems are not listed"))
}

// unused lists the order_refs that no event names.
func (x contexts) unused(events []any) []string {
	left := map[string]bool{}
	for _, r := range x.refs {
		left[r] = true
	}
	for _, e := range events {
		obj, _ := e.(map[string]any)
		delete(left, textOf(obj, "order_ref"))
	}
	return slices.Sorted(maps.Keys(left))
}
