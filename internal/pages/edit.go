package pages

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"thhotel/internal/order"
)

// edit saves what a person typed over the agent's values. Only what differs
// from the form as it was drawn becomes a correction.
func edit(v *visit) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	card, err := v.s.o.Order.Card(ctx, v.By, id)
	if err != nil {
		return err
	}
	fixes, err := corrections(card, v.c.PostForm, v.c.PostFormArray)
	if err != nil {
		return v.refuseOnCard(id, err)
	}
	p := order.EditParams{CardID: id, Version: version(v.c.PostForm("version")), Corrections: fixes, TargetOrderID: v.c.PostForm("target")}
	if len(fixes) == 0 && p.TargetOrderID == "" {
		v.c.Redirect(303, "/tasks/"+id)
		return nil
	}
	if _, err := v.s.o.Order.Edit(ctx, v.By, p); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.edited")
}

func corrections(card order.CardView, one func(string) string, many func(string) []string) (order.Corrections, error) {
	out := order.Corrections{}
	for _, f := range editable(card) {
		if got := many("f." + f.Field); len(got) == 1 && strings.TrimSpace(got[0]) != f.Proposed {
			out[f.Field] = order.CorrectText(strings.TrimSpace(got[0]))
		}
	}
	target := card.Event.Target
	for name, was := range map[string]string{"locator_type": target.LocatorType, "locator_value": target.LocatorValue, "booking_type": target.BookingType} {
		if got := many("t." + name); len(got) == 1 && strings.TrimSpace(got[0]) != was {
			out[name] = order.CorrectText(strings.TrimSpace(got[0]))
		}
	}
	for _, add := range []func() error{
		func() error { return roomCorrections(out, card, many) },
		func() error { return traceCorrections(out, card, many) },
		func() error { return paymentCorrections(out, card, one, many) },
	} {
		if err := add(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// blanks are fields that a person may have to fill where the mail left a gap.
var blanks = []string{"group_name", "guest_name", "arrival_date", "departure_date", "rate_code", "account_code", "external_reference", "adults", "children", "cutoff_date"}

// editable lists the fields of the edit form: those of the difference, then the
// usual ones that nobody has spoken of.
func editable(card order.CardView) []order.FieldDiff {
	if card.EventType != order.NewBooking && card.EventType != order.UpdateBooking {
		return card.Fields
	}
	out := slices.Clone(card.Fields)
	for _, name := range blanks {
		if !slices.ContainsFunc(out, func(f order.FieldDiff) bool { return f.Field == name }) {
			out = append(out, order.FieldDiff{Field: name, State: order.FieldNotInIt})
		}
	}
	return out
}

// roomCorrections compares the grid with what the form shows; a line without a
// count is a line the mail does not speak of.
func roomCorrections(out order.Corrections, card order.CardView, many func(string) []string) error {
	codes, counts, rates := many("room.code"), many("room.count"), many("room.rate")
	if len(codes) == 0 || len(codes) != len(counts) || len(codes) != len(rates) {
		return nil
	}
	var items, was []order.RoomItem
	priced := map[string]string{}
	for i, code := range codes {
		code = strings.ToUpper(strings.TrimSpace(code))
		if code == "" || strings.TrimSpace(counts[i]) == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(counts[i]))
		if err != nil {
			return errCount(code)
		}
		if n == 0 { // no rooms of a type is no line of it
			continue
		}
		items = append(items, order.RoomItem{RoomTypeCode: code, RoomCount: &n})
		if rate := amount(rates[i]); rate != amount(rateOf(card, code)) {
			priced[code] = rate
		}
	}
	for _, r := range card.Rooms {
		if r.Proposed != nil && *r.Proposed != 0 {
			was = append(was, order.RoomItem{RoomTypeCode: r.RoomTypeCode, RoomCount: r.Proposed})
		}
	}
	if !slices.EqualFunc(items, was, sameRoom) {
		if err := put(out, "room_items", items); err != nil {
			return err
		}
	}
	if len(priced) > 0 {
		return put(out, "rates", priced)
	}
	return nil
}

func sameRoom(a, b order.RoomItem) bool {
	return a.RoomTypeCode == b.RoomTypeCode && number(a.RoomCount) == number(b.RoomCount)
}

func rateOf(card order.CardView, code string) string {
	for _, r := range card.Rooms {
		if r.RoomTypeCode == code {
			return r.Rate
		}
	}
	return ""
}

// amount is a price without the currency that stands before it.
func amount(price string) string {
	words := strings.Fields(price)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

func traceCorrections(out order.Corrections, card order.CardView, many func(string) []string) error {
	texts := many("trace.text")
	kinds, depts, dates, times := many("trace.type"), many("trace.dept"), many("trace.date"), many("trace.time")
	if len(texts) == 0 || len(kinds) != len(texts) || len(depts) != len(texts) || len(dates) != len(texts) || len(times) != len(texts) {
		return nil
	}
	var items []order.TraceItem
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue // an emptied line is taken away
		}
		items = append(items, order.TraceItem{Type: kinds[i], DepartmentCode: strings.ToUpper(strings.TrimSpace(depts[i])), Date: dates[i], Time: times[i], Text: lines(text)})
	}
	if slices.EqualFunc(items, card.Traces, func(a, b order.TraceItem) bool {
		b.Text = lines(b.Text)
		return a == b
	}) {
		return nil
	}
	return put(out, "trace_items", items)
}

// lines undoes what a text area does to line ends and edges.
func lines(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

func paymentCorrections(out order.Corrections, card order.CardView, one func(string) string, many func(string) []string) error {
	if card.Payment == nil || len(many("pay.amount")) == 0 {
		return nil
	}
	p := *card.Payment
	for name, field := range map[string]*string{"amount": &p.Amount, "currency": &p.Currency, "value_date": &p.ValueDate, "bank_reference": &p.BankReference} {
		*field = strings.TrimSpace(one("pay." + name))
	}
	if p == *card.Payment {
		return nil
	}
	return put(out, "payment", p)
}

func put(out order.Corrections, name string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	out[name] = b
	return nil
}
