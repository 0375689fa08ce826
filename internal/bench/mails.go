package bench

import (
	"fmt"
	"strings"
)

// event is one template mail and the event that its package proposes.
type event struct {
	subject, body string
	json          string // the members that make one event type different
}

// events are what a reservations desk gets: a change, a cancellation, wishes, money.
func events() []event {
	return []event{
		{"Amendment", "Please change the booking to two Superior King rooms and note 3 adults.", `"event_type":"UPDATE_BOOKING","manual_review":false,
"room_items":[{"room_type_code":"SUPK","room_count":2}],"after":{"room_items":[{"room_type_code":"SUPK","room_count":2}],"adults":3},"trace_items":[]`},
		{"Cancellation", "Please cancel this booking; the visa has been delayed. Could you waive the one-night charge?", `"event_type":"CANCEL_BOOKING","manual_review":true,
"room_items":[],"after":{"status":"CANCELLED","cancellation_reason":"Visa delayed","review_reason":"waiver asked"},"trace_items":[]`},
		{"Requests", "A quiet room on a high floor please, and flowers in the room on arrival.", `"event_type":"TRACE_RESERVATION_NOTES","manual_review":false,
"room_items":[],"after":{},"trace_items":[{"trace_type":"NOTE","department_code":"FO","trace_date":"` + markArrival + `","trace_time":null,"trace_text":"High floor, quiet"},
{"trace_type":"TRACE","department_code":"HSK","trace_date":"` + markArrival + `","trace_time":null,"trace_text":"Flowers in the room on arrival day"}]`},
		{"Payment advice", "We have transferred the deposit of THB 6,400.00, bank reference " + markReference + ".", `"event_type":"PAYMENT","manual_review":false,
"room_items":[],"after":{"payment":{"kind":"DEPOSIT","amount":"6400.00","currency":"THB","method":"BANK_TRANSFER","value_date":"` + markArrival + `",
"bank_reference":"` + markReference + `","proforma_number":"TH-PF-1"}},"trace_items":[]`},
	}
}

func subject(i int) string { return "Re: " + markConfirmation + " - " + events()[i].subject }

func body(i int) string {
	return "Dear reservations,\n\nthis is about " + markGuest + ", confirmation number " + markConfirmation + ", arriving " + markArrival +
		" and leaving " + markDeparture + ".\n\n" + events()[i].body + "\n\nKind regards\nGrace Okafor\nTravel Desk, Harbour & Finch Engineering\n" +
		strings.Repeat("-- \nThis message may hold confidential information and is meant for its addressee alone.\n", 4)
}

func rawMail(i int) string {
	return "From: Grace Okafor <g.okafor@harbourfinch.example>\nTo: reservations@thhotel.example\nSubject: " + subject(i) +
		"\nDate: Thu, 26 Nov 2026 16:48:30 +0000\nMessage-ID: " + mailHeaderID(markMail+fmt.Sprint(i)) +
		"\nMIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\nContent-Transfer-Encoding: 7bit\n\n" + body(i)
}

// packageOf is the V4 package for template mail i, tokens and all.
func packageOf(i int) string {
	return fmt.Sprintf(`{"route_code":null,"source_message":{"source_message_id":%q,"conversation_id":%q,"subject":%q,"sender":"g.okafor@harbourfinch.example",
"sent_at":"2026-11-26T16:48:30+00:00","body":%q,"body_content_type":"text/plain","attachments":[]},
"order_contexts":[{"order_ref":"ORD-1","basic_information":{"account_code":"HARBFIN","manual_review":false}}],
"message_events":[{"order_ref":"ORD-1","target_order":{"booking_type":"FIT","locator_type":"CONFIRMATION_NUMBER","locator_value":%q},
"arrival_date":%q,"departure_date":%q,"rate_code":null,"booking_scenario":null,"guest_name":%q,"attachment_ids":[],%s}]}`,
		markMail+fmt.Sprint(i), markConversation+fmt.Sprint(i), subject(i), body(i), markConfirmation, markArrival, markDeparture, markGuest, events()[i].json)
}
