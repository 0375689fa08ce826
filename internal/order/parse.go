package order

import (
	"encoding/json"
	"slices"
	"strings"

	"thhotel/internal/fault"
)

// Violation codes of an event.
const (
	codeType     = "TYPE"     // wrong JSON type
	codeRequired = "REQUIRED" // missing
	codeValue    = "VALUE"    // right type, impossible value
)

// ParseEvent reads one message_event leniently: nothing is lost (Raw), and every
// place that breaks the contract is a violation with a pointer inside the event.
// It never fails: a card must exist for anything the agent said.
func ParseEvent(raw json.RawMessage) (Event, []fault.Violation) {
	p := &parser{}
	o, ok := p.object("", raw)
	e := Event{Raw: raw}
	if !ok {
		p.add("", codeType, "an object")
		return e, p.found
	}
	for _, key := range []string{"order_ref", "event_type", "target_order", "manual_review"} {
		if _, ok := o[key]; !ok {
			p.add("/"+key, codeRequired, "is required")
		}
	}
	p.head(&e, o)
	e.RoomItems = p.rooms("/room_items", o["room_items"])
	e.TraceItems = p.traces(o["trace_items"])
	e.AttachmentIDs = p.texts("/attachment_ids", o["attachment_ids"])
	e.After = p.after(o["after"])
	return e, p.found
}

// parser collects violations while it reads.
type parser struct{ found []fault.Violation }

func (p *parser) add(path, code, message string) {
	p.found = append(p.found, fault.Violation{Path: path, Code: code, Message: message})
}

func (p *parser) head(e *Event, o map[string]json.RawMessage) {
	e.OrderRef = p.text("/order_ref", o["order_ref"])
	e.Type = p.eventType(o["event_type"])
	e.Target = p.target(o["target_order"])
	e.ManualReview = p.yes("/manual_review", o["manual_review"])
	e.ArrivalDate = p.date("/arrival_date", o["arrival_date"])
	e.DepartureDate = p.date("/departure_date", o["departure_date"])
	e.RateCode = key(p.text("/rate_code", o["rate_code"]))
	e.BookingScenario = key(p.text("/booking_scenario", o["booking_scenario"]))
	e.GuestName = p.text("/guest_name", o["guest_name"])
}

// eventType accepts a known type in any case, but says when it was not written
// as the contract does: the card is then useful and still in review.
func (p *parser) eventType(raw json.RawMessage) EventType {
	given := p.text("/event_type", raw)
	t := EventType(key(given))
	if !t.Known() || given != string(t) {
		p.add("/event_type", codeValue, "one of NEW_BOOKING, UPDATE_BOOKING, CANCEL_BOOKING, TRACE_RESERVATION_NOTES, ROOMING_LIST, PAYMENT")
	}
	return t
}

func (p *parser) target(raw json.RawMessage) Target {
	if isNull(raw) {
		return Target{}
	}
	o, ok := p.object("/target_order", raw)
	if !ok {
		return Target{}
	}
	t := Target{
		BookingType:  p.oneOf("/target_order/booking_type", o["booking_type"], Group, Allotment, FIT),
		LocatorType:  p.oneOf("/target_order/locator_type", o["locator_type"], ByGroupCode, ByConfirmation, ByReservationNo),
		LocatorValue: key(p.text("/target_order/locator_value", o["locator_value"])),
	}
	if (t.LocatorType == "") != (t.LocatorValue == "") {
		p.add("/target_order", codeValue, "locator_type and locator_value are both given or both null")
	}
	return t
}

func (p *parser) oneOf(path string, raw json.RawMessage, allowed ...string) string {
	given := p.text(path, raw)
	v := key(given)
	if v != "" && (!slices.Contains(allowed, v) || given != v) {
		p.add(path, codeValue, "null or one of "+strings.Join(allowed, ", "))
	}
	return v
}

func (p *parser) rooms(path string, raw json.RawMessage) []RoomItem {
	var out []RoomItem
	for i, o := range p.objects(path, raw) {
		at := path + "/" + itoa(i)
		out = append(out, RoomItem{
			RoomTypeCode: key(p.text(at+"/room_type_code", o["room_type_code"])),
			RoomCount:    p.count(at+"/room_count", o["room_count"], 1),
			Rate:         p.text(at+"/rate", o["rate"]),
		})
	}
	return out
}

func (p *parser) traces(raw json.RawMessage) []TraceItem {
	var out []TraceItem
	for i, o := range p.objects("/trace_items", raw) {
		at := "/trace_items/" + itoa(i)
		t := TraceItem{
			Type:           p.oneOf(at+"/trace_type", o["trace_type"], "TRACE", "NOTE"),
			DepartmentCode: key(p.text(at+"/department_code", o["department_code"])),
			Date:           p.date(at+"/trace_date", o["trace_date"]),
			Time:           p.clockTime(at+"/trace_time", o["trace_time"]),
			Text:           p.text(at+"/trace_text", o["trace_text"]),
		}
		if t.Type == "" {
			t.Type = "TRACE"
		}
		out = append(out, t)
	}
	return out
}

// metaKeys of after speak about the mail, not about the order.
var metaKeys = []string{"review_reason", "scope", "status", "cancellation_reason", "penalty_waiver_requested",
	"cancellation_number_requested", "date_candidates", "removed_guests", "room_items", "payment", "rooming_list", "discrepancies"}

func (p *parser) after(raw json.RawMessage) After {
	a := After{Raw: raw}
	if isNull(raw) {
		return a
	}
	o, ok := p.object("/after", raw)
	if !ok {
		return a
	}
	a.Scope = key(p.text("/after/scope", o["scope"]))
	a.ReviewReason = p.text("/after/review_reason", o["review_reason"])
	a.CancelReason = p.text("/after/cancellation_reason", o["cancellation_reason"])
	a.RemovedGuests = p.texts("/after/removed_guests", o["removed_guests"])
	a.RoomItems = p.rooms("/after/room_items", o["room_items"])
	a.Payment = p.payment(o["payment"])
	a.RoomingList = p.roomingList(o["rooming_list"])
	for i, d := range p.objects("/after/discrepancies", o["discrepancies"]) {
		a.Discrepancies = append(a.Discrepancies, p.discrepancy("/after/discrepancies/"+itoa(i), d))
	}
	p.facts(&a, o)
	return a
}

func (p *parser) discrepancy(at string, o map[string]json.RawMessage) Discrepancy {
	d := Discrepancy{GuestName: p.text(at+"/guest_name", o["guest_name"]), Issue: p.text(at+"/issue", o["issue"])}
	if n := p.count(at+"/row", o["row"], 0); n != nil {
		d.Row = *n
	}
	return d
}

// facts sorts the remaining keys into order fields and extra facts.
func (p *parser) facts(a *After, o map[string]json.RawMessage) {
	for k, raw := range o {
		if slices.Contains(metaKeys, k) || isNull(raw) {
			continue
		}
		f, ok := fieldNamed(k)
		if !ok {
			if a.Extra == nil {
				a.Extra = map[string]json.RawMessage{}
			}
			a.Extra[k] = raw
			continue
		}
		if v, ok := p.field("/after/"+k, f, raw); ok {
			if a.Fields == nil {
				a.Fields = map[string]string{}
			}
			a.Fields[k] = v
		}
	}
	slices.SortFunc(p.found, func(x, y fault.Violation) int { return strings.Compare(x.Path, y.Path) })
}

func (p *parser) field(path string, f field, raw json.RawMessage) (string, bool) {
	switch f.kind {
	case kindInt:
		n := p.count(path, raw, 0)
		if n == nil {
			return "", false
		}
		return itoa(*n), true
	case kindDate:
		v := p.date(path, raw)
		return v, v != ""
	case kindKey:
		v := key(p.text(path, raw))
		return v, v != ""
	case kindText:
	}
	v := p.text(path, raw)
	return v, v != ""
}

func (p *parser) payment(raw json.RawMessage) *PaymentItem {
	if isNull(raw) {
		return nil
	}
	o, ok := p.object("/after/payment", raw)
	if !ok {
		return nil
	}
	at := "/after/payment/"
	account := p.text(at+"bank_account", o["bank_account"])
	if account == "" {
		account = p.text(at+"beneficiary_account", o["beneficiary_account"])
	}
	return &PaymentItem{
		Kind: key(p.text(at+"kind", o["kind"])), Amount: p.decimal(at+"amount", o["amount"]), Currency: key(p.text(at+"currency", o["currency"])),
		Method: key(p.text(at+"method", o["method"])), ValueDate: p.date(at+"value_date", o["value_date"]),
		BankReference: key(p.text(at+"bank_reference", o["bank_reference"])), ProformaNumber: p.text(at+"proforma_number", o["proforma_number"]),
		BankAccount: key(account),
	}
}

func (p *parser) roomingList(raw json.RawMessage) *RoomingSummary {
	if isNull(raw) {
		return nil
	}
	o, ok := p.object("/after/rooming_list", raw)
	if !ok {
		return nil
	}
	at := "/after/rooming_list/"
	l := &RoomingSummary{
		Version: p.text(at+"version", o["version"]), Mode: p.oneOf(at+"mode", o["mode"], "REPLACE", "ADD"),
		Rows: p.count(at+"rows", o["rows"], 0), Rooms: p.count(at+"rooms", o["rooms"], 0),
		Adults: p.count(at+"adults", o["adults"], 0), Children: p.count(at+"children", o["children"], 0),
	}
	for i, r := range p.objects(at+"entries", o["entries"]) {
		l.Entries = append(l.Entries, p.roomingRow(at+"entries/"+itoa(i), r))
	}
	return l
}

func (p *parser) roomingRow(at string, o map[string]json.RawMessage) RoomingRow {
	r := RoomingRow{
		GuestName: p.text(at+"/guest_name", o["guest_name"]), SharingWith: p.text(at+"/sharing_with", o["sharing_with"]),
		RoomTypeCode: key(p.text(at+"/room_type_code", o["room_type_code"])), Remark: p.text(at+"/remark", o["remark"]),
		ArrivalDate: p.date(at+"/arrival_date", o["arrival_date"]), DepartureDate: p.date(at+"/departure_date", o["departure_date"]),
	}
	if n := p.count(at+"/row", o["row"], 0); n != nil {
		r.Row = *n
	}
	return r
}
