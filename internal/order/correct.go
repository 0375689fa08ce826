package order

import (
	"encoding/json"
	"slices"
	"strconv"

	"thhotel/internal/fault"
)

// topLevel are the corrections that belong to the event itself in every event.
var topLevel = []string{"trace_items", "attachment_ids"}

// newTopLevel belong to the event itself in a NEW_BOOKING, and to after elsewhere.
var newTopLevel = []string{"arrival_date", "departure_date", "rate_code", "booking_scenario", "guest_name", "room_items"}

var targetKeys = []string{"booking_type", "locator_type", "locator_value"}

// afterKeys are corrections that are no order field and stand in after.
var afterKeys = []string{"room_items", "payment", "rooming_list", "cancellation_reason", "removed_guests", "scope", "discrepancies"}

// merge lays later corrections over earlier ones.
func (c Corrections) merge(more Corrections) Corrections {
	out := Corrections{}
	for k, v := range c {
		out[k] = v
	}
	for k, v := range more {
		out[k] = v
	}
	return out
}

// overlay writes a person's values into a copy of the agent's event, so that one
// reader, one set of rules and one writer serve both.
func overlay(raw json.RawMessage, c Corrections) json.RawMessage {
	if len(c) == 0 {
		return raw
	}
	o := object(raw)
	after, target := object(o["after"]), object(o["target_order"])
	isNew := key(unquote(o["event_type"])) == string(NewBooking)
	for _, k := range sortedKeys(c) {
		v := coerce(k, c[k])
		switch {
		case k == "rates":
		case slices.Contains(targetKeys, k):
			target[k] = v
		case slices.Contains(topLevel, k), isNew && slices.Contains(newTopLevel, k):
			o[k] = v
			delete(after, k)
		default:
			after[k] = v
		}
	}
	o["after"], o["target_order"] = json.RawMessage(toJSON(after)), json.RawMessage(toJSON(target))
	withRates(o, c["rates"])
	return json.RawMessage(toJSON(o))
}

func object(raw json.RawMessage) map[string]json.RawMessage {
	o := map[string]json.RawMessage{}
	if !isNull(raw) && json.Unmarshal(raw, &o) != nil {
		return map[string]json.RawMessage{}
	}
	return o
}

func unquote(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// coerce lets a form's text stand for a number where the field is one.
func coerce(k string, v json.RawMessage) json.RawMessage {
	f, ok := fieldNamed(k)
	if !ok || f.kind != kindInt {
		return v
	}
	if n, err := strconv.Atoi(unquote(v)); err == nil {
		return json.RawMessage(strconv.Itoa(n))
	}
	return v
}

// withRates puts {"DLXT":"2400.00"} on the room lines, wherever they stand.
func withRates(o map[string]json.RawMessage, rates json.RawMessage) {
	var byType map[string]string
	if isNull(rates) || json.Unmarshal(rates, &byType) != nil {
		return
	}
	after := object(o["after"])
	inAfter := !isNull(after["room_items"])
	raw := o["room_items"]
	if inAfter {
		raw = after["room_items"]
	}
	var items []map[string]json.RawMessage
	if isNull(raw) || json.Unmarshal(raw, &items) != nil {
		return
	}
	for _, it := range items {
		if r, ok := byType[key(unquote(it["room_type_code"]))]; ok && it != nil {
			it["rate"] = CorrectText(r)
		}
	}
	if inAfter {
		after["room_items"] = json.RawMessage(toJSON(items))
		o["after"] = json.RawMessage(toJSON(after))
		return
	}
	o["room_items"] = json.RawMessage(toJSON(items))
}

// check refuses corrections of names that nothing would read: a typing error
// must not look like a change.
func (c Corrections) check() error {
	known := slices.Concat(topLevel, newTopLevel, targetKeys, afterKeys, []string{"rates"})
	for _, k := range sortedKeys(c) {
		_, isField := fieldNamed(k)
		if !isField && !slices.Contains(known, k) && !extraKey(k) {
			return fault.New(fault.Invalid, CodeCorrection, "不认识的更正字段："+k, "No such field to correct: "+k+".").
				At(fault.Violation{Path: "/corrections/" + k, Message: "unknown field"})
		}
		if !json.Valid(c[k]) {
			return fault.New(fault.Invalid, CodeCorrection, "更正内容不是合法 JSON："+k, "The correction of "+k+" is not valid JSON.").
				At(fault.Violation{Path: "/corrections/" + k, Message: "JSON"})
		}
	}
	return nil
}

// extraKey allows the facts that have no column: a short plain word.
func extraKey(k string) bool {
	if k == "" || len(k) > 40 || slices.Contains(metaKeys, k) {
		return false
	}
	for _, r := range k {
		if r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return true
}
