package order_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/order"
)

func TestParseEventReportsEveryPlace(t *testing.T) {
	e, violations := order.ParseEvent(json.RawMessage(`{"event_type":"new_booking","target_order":{"booking_type":"MOTEL","locator_type":"GROUP_CODE","locator_value":null},
		"manual_review":"yes","arrival_date":"2027-02-30","room_items":[{"room_type_code":7,"room_count":"2"},5],
		"after":{"adults":"three","payment":[],"rooming_list":{"rows":-1},"mood":"good"},"trace_items":[{"trace_time":"25:00"}],"attachment_ids":[1]}`))
	var at []string
	for _, v := range violations {
		at = append(at, v.Path)
	}
	want := []string{"/after/adults", "/after/payment", "/after/rooming_list/rows", "/arrival_date", "/attachment_ids/0", "/event_type", "/manual_review", "/order_ref",
		"/room_items/0/room_count", "/room_items/0/room_type_code", "/room_items/1", "/target_order", "/target_order/booking_type", "/trace_items/0/trace_time"}
	if diff := cmp.Diff(want, at); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
	if e.Type != order.NewBooking || !e.ManualReview || len(e.RoomItems) != 2 || string(e.After.Extra["mood"]) != `"good"` {
		t.Errorf("event = %+v", e)
	}
}

// Whatever an agent writes becomes an event, and the rules can judge it.
func FuzzParseEvent(f *testing.F) {
	for _, raw := range []string{newRaw, pickRaw, updateRaw, cancelRaw, listRaw, payRaw, traceRaw, "[]", "{", `{"after":{"room_items":[null]}}`} {
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		e, violations := order.ParseEvent(json.RawMessage(raw))
		with := facts(updateRaw)
		with.Event, with.Violations = e, violations
		order.Judge(with)
		with.Target = nil
		order.Judge(with)
		if !json.Valid([]byte(raw)) && len(violations) == 0 {
			t.Errorf("no violation in %s", strings.ToValidUTF8(raw, "?"))
		}
	})
}
