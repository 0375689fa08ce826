package order_test

import (
	"encoding/json"
	"slices"
	"testing"

	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// ruleCase makes facts in which the rule fires, from facts in which it does not.
type ruleCase struct {
	rule  string
	from  string // key of baseFacts
	spoil func(*order.Facts)
	// unchecked: the case is one where data is missing, so the rule only says so.
	unchecked bool
}

const (
	newRaw = `{"order_ref":"O","event_type":"NEW_BOOKING","target_order":{"booking_type":"FIT","locator_type":null,"locator_value":null},"manual_review":false,
		"arrival_date":"2027-01-20","departure_date":"2027-01-23","rate_code":"BARBB","guest_name":"WANG, XIAOMING","room_items":[{"room_type_code":"DLXK","room_count":1}],"after":{"adults":2}}`
	pickRaw = `{"order_ref":"O","event_type":"NEW_BOOKING","target_order":{"booking_type":"ALLOTMENT","locator_type":"GROUP_CODE","locator_value":"SUNWAL27"},"manual_review":false,
		"arrival_date":"2027-01-20","departure_date":"2027-01-23","guest_name":"MEYER, ANNA","room_items":[{"room_type_code":"DLXK","room_count":1}],"after":{"adults":2}}`
	updateRaw = `{"order_ref":"O","event_type":"UPDATE_BOOKING","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"G1"},"manual_review":false,
		"after":{"departure_date":"2027-02-12","room_items":[{"room_type_code":"DLXK","room_count":5}]}}`
	cancelRaw = `{"order_ref":"O","event_type":"CANCEL_BOOKING","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"G1"},"manual_review":false,"after":{"cancellation_reason":"x"}}`
	listRaw   = `{"order_ref":"O","event_type":"ROOMING_LIST","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"G1"},"manual_review":false,
		"after":{"rooming_list":{"entries":[{"row":1,"guest_name":"Berg, Ola","room_type_code":"DLXK"}]}}}`
	payRaw = `{"order_ref":"O","event_type":"PAYMENT","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"G1"},"manual_review":false,
		"after":{"payment":{"kind":"DEPOSIT","amount":"100.00","currency":"THB","bank_reference":"R1"}}}`
	traceRaw = `{"order_ref":"O","event_type":"TRACE_RESERVATION_NOTES","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"G1"},"manual_review":false,
		"trace_items":[{"trace_type":"TRACE","department_code":"FO","trace_date":"2027-02-11","trace_text":"High floor"}]}`
)

// facts are in order: no rule fires on them but those that only state.
func facts(raw string) order.Facts {
	e, violations := order.ParseEvent(json.RawMessage(raw))
	f := order.Facts{Event: e, Violations: violations, Account: "ACME", BusinessDate: "2026-11-30", Settings: order.DefaultSettings(), Codes: platform.CodeLists{
		RoomTypes:   []platform.RoomType{{Code: "DLXK", Capacity: 2}, {Code: "DLXT", Capacity: 2}, {Code: "ODD"}},
		RateCodes:   []platform.Code{{Code: "BARBB"}},
		Departments: []platform.Code{{Code: "FO"}},
		Accounts:    []platform.Code{{Code: "ACME"}},
	}}
	if raw == newRaw {
		return f
	}
	days, nights := 7, 1
	g := &order.Record{ID: "g", BookingType: order.Group, GroupCode: "G1", GroupName: "Choir", Status: order.StatusConfirmed, ArrivalDate: "2027-02-10",
		DepartureDate: "2027-02-13", CutoffDate: "2027-01-11", Rooms: []order.RoomLine{{RoomTypeCode: "DLXK", RoomCount: 6}}, Version: 3, Currency: "THB",
		Policy: order.Policy{Days: &days, Nights: &nights}}
	adults := 4
	g.Adults = &adults
	if raw == pickRaw {
		release := 14
		f.Block = &order.Record{ID: "b", BookingType: order.Allotment, Status: order.StatusConfirmed, ArrivalDate: "2026-12-20", DepartureDate: "2027-03-31", ReleaseDays: &release}
		return f
	}
	f.Target = g
	if raw == payRaw {
		f.Due = []order.DueAmount{{Minor: 10000, Currency: "THB"}}
	}
	return f
}

func TestRules(t *testing.T) {
	covered := map[string]bool{"voucher.order_closed": true} // no card has it: see TestAllowed
	said := map[string]bool{}
	for _, c := range ruleCases() {
		covered[c.rule] = true
		name := c.rule
		if c.unchecked {
			name += "/unchecked"
			said[c.rule] = true
		}
		t.Run(name, func(t *testing.T) {
			f := facts(c.from)
			if r := order.Judge(f); len(r) > 0 {
				t.Fatalf("rules fire on facts that are in order: %+v", r)
			}
			c.spoil(&f)
			i := slices.IndexFunc(order.Judge(f), func(r order.RuleResult) bool { return r.Name == c.rule })
			if i < 0 {
				t.Fatalf("%s does not fire; fired: %+v", c.rule, order.Judge(f))
			}
			r := order.Judge(f)[i]
			want := order.RuleNames()[c.rule]
			if c.unchecked {
				want = order.Warn
			}
			if r.Level != want || r.Unchecked != c.unchecked || r.Text == "" || r.TextEN == "" {
				t.Errorf("result = %+v, want level %s, unchecked %v and both languages", r, want, c.unchecked)
			}
		})
	}
	for _, r := range order.RuleTable() {
		if !covered[r.Name] {
			t.Errorf("rule %s has no case", r.Name)
		}
		if r.Data != said[r.Name] {
			t.Errorf("rule %s: says \"not checked\" by its table %v, by its cases %v", r.Name, r.Data, said[r.Name])
		}
	}
}
