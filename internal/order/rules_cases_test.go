package order_test

import (
	"encoding/json"
	"slices"

	"thhotel/internal/fault"
	"thhotel/internal/order"
)

// status puts the target in a state.
func status(s string) func(*order.Facts) { return target(func(r *order.Record) { r.Status = s }) }

func target(do func(*order.Record)) func(*order.Facts) {
	return func(f *order.Facts) { do(f.Target) }
}

func noTarget(f *order.Facts) { f.Target = nil }

// with reads the event again with one thing replaced.
func with(base, old, replacement string) func(*order.Facts) {
	return func(f *order.Facts) {
		f.Event, f.Violations = order.ParseEvent(json.RawMessage(replaced(base, old, replacement)))
	}
}

func ruleCases() []ruleCase {
	return slices.Concat(anyCases(), stayCases(), bookingCases(), listCases(), moneyAndTraceCases())
}

func anyCases() []ruleCase {
	return []ruleCase{
		{rule: "event.type_known", from: traceRaw, spoil: func(f *order.Facts) { f.Event.Type = "SING" }},
		{rule: "event.order_ref_context", from: traceRaw, spoil: func(f *order.Facts) { f.Origin.ContextMissing = true }},
		{rule: "event.attachment_of_mail", from: traceRaw, spoil: func(f *order.Facts) { f.Event.AttachmentIDs = []string{"other"} }},
		{rule: "event.contract", from: traceRaw, spoil: func(f *order.Facts) { f.Violations = []fault.Violation{{Path: "/x"}} }},
		{rule: "order.changed_since_shown", from: updateRaw, spoil: func(f *order.Facts) { f.SeenVersion = 2 }},
		{rule: "order.field_moved", from: updateRaw, spoil: func(f *order.Facts) { f.Moved = []string{"adults"} }},
		{rule: "sender.domain_new", from: payRaw, spoil: func(f *order.Facts) { f.Origin.SenderDomainNew = true }},
		{rule: "sender.look_alike", from: payRaw, spoil: func(f *order.Facts) { f.Origin.SenderLookAlike = true }},
		{rule: "order.other_open_cards", from: payRaw, spoil: func(f *order.Facts) { f.OtherCards = 1 }},
		{rule: "target.missing", from: updateRaw, spoil: noTarget},
		{rule: "target.missing", from: pickRaw, spoil: func(f *order.Facts) { f.Block = nil }},
		{rule: "target.ambiguous", from: updateRaw, spoil: func(f *order.Facts) { f.Matches, f.Target = []order.Record{{}, {}}, nil }},
		{rule: "target.key_only_quoted", from: updateRaw, spoil: func(f *order.Facts) { f.Origin.KeyOnlyQuoted = true }},
		{rule: "codes.room_type", from: newRaw, spoil: with(newRaw, "DLXK", "NOPE")},
		{rule: "codes.room_type", from: newRaw, unchecked: true, spoil: func(f *order.Facts) { f.Codes.RoomTypes = nil }},
		{rule: "codes.rate_code", from: newRaw, spoil: with(newRaw, "BARBB", "NOPE")},
		{rule: "codes.rate_code", from: newRaw, unchecked: true, spoil: func(f *order.Facts) { f.Codes.RateCodes = nil }},
		{rule: "codes.account", from: newRaw, spoil: func(f *order.Facts) { f.Account = "NOBODY" }},
		{rule: "codes.account", from: newRaw, unchecked: true, spoil: func(f *order.Facts) { f.Codes.Accounts = nil }},
		{rule: "codes.length", from: updateRaw, spoil: func(f *order.Facts) { f.Event.Target.LocatorValue = "A23456789012345678901" }},
	}
}

func stayCases() []ruleCase {
	return []ruleCase{
		{rule: "dates.real", from: newRaw, spoil: with(newRaw, "2027-01-23", "2027-02-30")},
		{rule: "dates.real", from: listRaw, spoil: func(f *order.Facts) { f.Event.After.RoomingList.Entries[0].ArrivalDate = "2027-02-31" }},
		{rule: "dates.real", from: payRaw, spoil: with(payRaw, `"bank_reference"`, `"value_date":"2026-11-31","bank_reference"`)},
		{rule: "dates.arrival_before_departure", from: listRaw, spoil: func(f *order.Facts) {
			e := &f.Event.After.RoomingList.Entries[0]
			e.ArrivalDate, e.DepartureDate = "2027-02-12", "2027-02-11"
		}},
		{rule: "dates.arrival_before_departure", from: newRaw, spoil: with(newRaw, "2027-01-23", "2027-01-20")},
		{rule: "dates.arrival_past", from: newRaw, spoil: with(newRaw, "2027-01-20", "2026-11-29")},
		{rule: "dates.long_stay", from: newRaw, spoil: with(newRaw, "2027-01-23", "2027-02-20")},
		{rule: "dates.far_ahead", from: newRaw, spoil: func(f *order.Facts) { f.BusinessDate = "2025-01-01" }},
		{rule: "rooms.count", from: newRaw, spoil: with(newRaw, `"room_count":1`, `"room_count":0`)},
		{rule: "rooms.one_line_per_type", from: newRaw, spoil: with(newRaw, `[{"room_type_code":"DLXK","room_count":1}]`, `[{"room_type_code":"DLXK","room_count":1},{"room_type_code":"DLXK","room_count":1}]`)},
		{rule: "rooms.capacity", from: newRaw, spoil: with(newRaw, `"adults":2`, `"adults":3`)},
		{rule: "rooms.capacity", from: newRaw, unchecked: true, spoil: with(newRaw, `"adults":2`, `"children":0`)},
		{rule: "rooms.capacity", from: newRaw, unchecked: true, spoil: with(newRaw, "DLXK", "ODD")},
		{rule: "rooms.many_as_fit", from: newRaw, spoil: with(newRaw, `"room_count":1`, `"room_count":10`)},
		{rule: "rooms.few_as_group", from: updateRaw, spoil: with(updateRaw, `"room_count":5`, `"room_count":4`)},
		{rule: "new.dates", from: newRaw, spoil: with(newRaw, `"2027-01-23"`, `null`)},
		{rule: "new.rooms", from: newRaw, spoil: with(newRaw, `"DLXK"`, `null`)},
		{rule: "new.name", from: newRaw, spoil: with(newRaw, `"WANG, XIAOMING"`, `null`)},
		{rule: "new.same_reference", from: newRaw, spoil: func(f *order.Facts) { f.SameReference = []order.Record{{}} }},
		{rule: "new.same_stay", from: newRaw, spoil: func(f *order.Facts) { f.SameStay = []order.Record{{}} }},
		{rule: "new.same_stay", from: newRaw, unchecked: true, spoil: func(f *order.Facts) { f.Account = "" }},
		{rule: "rooms.many_as_fit", from: newRaw, spoil: func(f *order.Facts) { // no booking type is made a FIT order
			with(newRaw, `"room_count":1`, `"room_count":10`)(f)
			f.Event.Target.BookingType = ""
		}},
		{rule: "new.block_closed", from: pickRaw, spoil: func(f *order.Facts) { f.Block.Status = order.StatusCancelled }},
		{rule: "new.outside_block", from: pickRaw, spoil: func(f *order.Facts) { f.Block.DepartureDate = "2027-01-22" }},
		{rule: "new.outside_block", from: pickRaw, unchecked: true, spoil: func(f *order.Facts) { f.Block.ArrivalDate = "" }},
		{rule: "new.past_release", from: pickRaw, spoil: func(f *order.Facts) { f.BusinessDate = "2027-01-07" }},
		{rule: "new.past_release", from: pickRaw, unchecked: true, spoil: func(f *order.Facts) { f.Block.ReleaseDays = nil }},
	}
}

func bookingCases() []ruleCase {
	return []ruleCase{
		{rule: "update.order_closed", from: updateRaw, spoil: status(order.StatusCancelled)},
		{rule: "update.order_closed", from: updateRaw, spoil: status(order.StatusNoShow)},
		{rule: "update.order_pending", from: updateRaw, spoil: status(order.StatusPending)},
		{rule: "update.empty", from: updateRaw, spoil: func(f *order.Facts) { f.Event.After = order.After{} }},
		{rule: "update.already_so", from: updateRaw, spoil: target(func(r *order.Record) { r.DepartureDate, r.Rooms[0].RoomCount = "2027-02-12", 5 })},
		{rule: "update.in_house", from: updateRaw, spoil: status(order.StatusInHouse)},
		{rule: "update.in_house_arrival", from: updateRaw, spoil: func(f *order.Facts) {
			f.Target.Status = order.StatusInHouse
			f.Event.After.Fields["arrival_date"] = "2027-02-09"
		}},
		{rule: "update.after_cutoff", from: updateRaw, spoil: func(f *order.Facts) { f.BusinessDate = "2027-01-12" }},
		{rule: "update.after_cutoff", from: updateRaw, unchecked: true, spoil: target(func(r *order.Record) { r.CutoffDate = "" })},
		{rule: "update.increase_not_elastic", from: updateRaw, spoil: with(updateRaw, `"room_count":5`, `"room_count":7`)},
		{rule: "update.other_person", from: updateRaw, spoil: func(f *order.Facts) {
			f.Target.GuestName, f.Event.After.Fields["guest_name"] = "WANG, XIAOMING", "MEYER, ANNA"
		}},
		{rule: "update.member_outside_block", from: updateRaw, spoil: with(updateRaw, `"departure_date":"2027-02-12"`, `"scope":"GROUP_MEMBER","departure_date":"2027-02-14"`)},
		{rule: "update.member_outside_block", from: updateRaw, unchecked: true, spoil: func(f *order.Facts) {
			f.Event.After.Scope, f.Target.ArrivalDate = order.ScopeMember, ""
		}},
		{rule: "cancel.in_house", from: cancelRaw, spoil: status(order.StatusInHouse)},
		{rule: "cancel.order_closed", from: cancelRaw, spoil: status(order.StatusCheckedOut)},
		{rule: "cancel.order_pending", from: cancelRaw, spoil: status(order.StatusPending)},
		{rule: "cancel.already_cancelled", from: cancelRaw, spoil: status(order.StatusCancelled)},
		{rule: "cancel.penalty_window", from: cancelRaw, spoil: func(f *order.Facts) { f.BusinessDate = "2027-02-04" }},
		{rule: "cancel.penalty_window", from: cancelRaw, unchecked: true, spoil: target(func(r *order.Record) { r.Policy = order.Policy{} })},
		{rule: "cancel.deposit_held", from: cancelRaw, spoil: func(f *order.Facts) { f.Payments = []order.PaymentLine{{}} }},
		{rule: "cancel.names_picked_up", from: cancelRaw, spoil: func(f *order.Facts) { f.PickedUp = 1 }},
	}
}

func listCases() []ruleCase {
	return []ruleCase{
		{rule: "rooming.no_group", from: listRaw, spoil: target(func(r *order.Record) { r.BookingType = order.FIT })},
		{rule: "rooming.status", from: listRaw, spoil: status(order.StatusCancelled)},
		{rule: "rooming.rows_against_block", from: listRaw, spoil: target(func(r *order.Record) { r.Rooms = nil })},
		{rule: "rooming.rows_against_block", from: listRaw, unchecked: true, spoil: func(f *order.Facts) { f.Event.After.RoomingList = nil }},
		{rule: "rooming.outside_dates", from: listRaw, spoil: func(f *order.Facts) { f.Event.After.RoomingList.Entries[0].DepartureDate = "2027-02-14" }},
		{rule: "rooming.outside_dates", from: listRaw, unchecked: true, spoil: target(func(r *order.Record) { r.DepartureDate = "" })},
		{rule: "rooming.duplicate_names", from: listRaw, unchecked: true, spoil: func(f *order.Facts) { f.Event.After.RoomingList = nil }},
		{rule: "rooming.first_names", from: listRaw, unchecked: true, spoil: func(f *order.Facts) { f.Event.After.RoomingList = nil }},
		{rule: "rooming.rows_against_block", from: listRaw, spoil: func(f *order.Facts) { // two in a room need one room, also when only one row says so
			l := f.Event.After.RoomingList
			for _, n := range []string{"Aal, Bo", "Cox, Di", "Dahl, Eva", "Ek, Finn", "Falk, Gry", "Gran, Hans"} {
				l.Entries = append(l.Entries, order.RoomingRow{GuestName: n, RoomTypeCode: "DLXK"})
			}
		}},
		{rule: "rooming.discrepancies", from: listRaw, spoil: func(f *order.Facts) { f.Event.After.Discrepancies = []order.Discrepancy{{Row: 13}} }},
		{rule: "rooming.duplicate_names", from: listRaw, spoil: func(f *order.Facts) {
			l := f.Event.After.RoomingList
			l.Entries = append(l.Entries, l.Entries[0])
		}},
		{rule: "rooming.first_names", from: listRaw, spoil: func(f *order.Facts) { f.Event.After.RoomingList.Entries[0].GuestName = "Berg" }},
		{rule: "rooming.unread_rows", from: listRaw, spoil: func(f *order.Facts) { f.Lines = []order.RoomingLine{{State: order.RowUnread, Text: "12 | ?"}} }},
		{rule: "rooming.unread_rows", from: listRaw, spoil: func(f *order.Facts) { f.Sheets = []order.RoomingSheet{{Truncated: true}} }},
		{rule: "rooming.doubtful_rows", from: listRaw, spoil: func(f *order.Facts) {
			f.Lines = []order.RoomingLine{{State: order.RowCheck, Notes: []order.RoomingNote{{Code: order.NoteDate, Text: "x", TextEN: "x"}}}}
		}},
		{rule: "rooming.rooms_without_names", from: listRaw, spoil: func(f *order.Facts) { f.Lines = []order.RoomingLine{{State: order.RowOK}} }},
		{rule: "rooming.replaces", from: listRaw, spoil: func(f *order.Facts) { f.Listed = []order.RoomingEntry{{}} }},
	}
}

func moneyAndTraceCases() []ruleCase {
	return []ruleCase{
		{rule: "payment.target", from: payRaw, spoil: noTarget},
		{rule: "payment.currency", from: payRaw, spoil: with(payRaw, "THB", "BAHT")},
		{rule: "payment.amount", from: payRaw, spoil: with(payRaw, "100.00", "-1.00")},
		{rule: "payment.amount", from: payRaw, spoil: with(payRaw, "100.00", "1,00")},
		{rule: "payment.order_closed", from: payRaw, spoil: status(order.StatusCancelled)},
		{rule: "payment.reference_seen", from: payRaw, spoil: func(f *order.Facts) { f.SameBankRef = []order.PaymentLine{{}} }},
		{rule: "payment.reference_seen", from: payRaw, unchecked: true, spoil: with(payRaw, `,"bank_reference":"R1"`, ``)},
		{rule: "payment.other_currency", from: payRaw, spoil: with(payRaw, "THB", "EUR")},
		{rule: "payment.refund", from: payRaw, spoil: with(payRaw, "DEPOSIT", "REFUND")},
		{rule: "payment.sum_due", from: payRaw, unchecked: true, spoil: with(payRaw, "THB", "EUR")},
		{rule: "payment.bank_details_changed", from: payRaw, unchecked: true, spoil: func(f *order.Facts) { f.Event.After.Payment.BankAccount = "B" }},
		{rule: "payment.sum_due", from: payRaw, spoil: func(f *order.Facts) { f.Due[0].Minor = 9999 }},
		{rule: "payment.sum_due", from: payRaw, unchecked: true, spoil: func(f *order.Facts) { f.Due = nil }},
		{rule: "payment.bank_details_changed", from: payRaw, spoil: func(f *order.Facts) { f.Origin.BankDetailsChanged = true }},
		{rule: "payment.bank_details_changed", from: payRaw, spoil: func(f *order.Facts) {
			f.Event.After.Payment.BankAccount, f.BankAccounts = "B", []string{"A"}
		}},
		{rule: "trace.target", from: traceRaw, spoil: noTarget},
		{rule: "trace.text", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].Text = "" }},
		{rule: "trace.date", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].Date = "2027-02-30" }},
		{rule: "trace.order_closed", from: traceRaw, spoil: status(order.StatusCancelled)},
		{rule: "trace.outside_stay", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].Date = "2027-02-14" }},
		{rule: "trace.outside_stay", from: traceRaw, unchecked: true, spoil: target(func(r *order.Record) { r.ArrivalDate = "" })},
		{rule: "trace.department", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].DepartmentCode = "" }},
		{rule: "trace.department", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].DepartmentCode = "SPA" }},
		{rule: "trace.department", from: traceRaw, unchecked: true, spoil: func(f *order.Facts) { f.Codes.Departments = nil }},
		{rule: "trace.sensitive", from: traceRaw, spoil: func(f *order.Facts) { f.Event.TraceItems[0].Text = "对花生过敏" }},
	}
}
