package order_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// demoCase is one event of the demo's mails: what its card says before anybody
// confirms it, as the demo's table tells.
type demoCase struct {
	file      string
	event     int
	before    func(*world) // orders that other mails bring about
	status    string
	fired     []string // H and R rules, exactly
	shown     []string // W rules that must be among the results
	diff      map[string]string
	rooms     map[string][2]int
	roomState map[string]string
	target    string // key of the order it means, "" for none
}

func demoCases() []demoCase {
	nordic := func(w *world) { w.nordic() }
	yuntu := func(w *world) { w.yuntu() }
	return []demoCase{
		{file: "01-group-new-nordic-choir", status: order.CardPending, diff: map[string]string{
			"group_name": order.FieldChange, "cutoff_date": order.FieldChange, "deposit": order.FieldChange, "rooming_list_due_date": order.FieldChange}},
		{file: "02-rooming-list-nordic0227", before: nordic, status: order.CardNeedsReview, target: "NORDIC0227",
			fired: []string{"rooming.outside_dates", "rooming.discrepancies"}, shown: []string{"trace.sensitive"}},
		{file: "03-group-update-nordic0227", before: nordic, status: order.CardNeedsReview, target: "NORDIC0227", // the context asks for review
			diff: map[string]string{"adults": order.FieldChange}, rooms: map[string][2]int{"DLXT": {12, 10}, "DLXK": {4, 4}, "SUPT": {2, 2}}, shown: []string{"order.other_open_cards"}},
		{file: "03-group-update-nordic0227", event: 1, before: nordic, status: order.CardNeedsReview, target: "NORDIC0227",
			fired: []string{"update.member_outside_block"}, diff: map[string]string{"departure_date": order.FieldMember},
			roomState: map[string]string{"DLXK": order.FieldMember}},
		{file: "04-fit-new-chinese-gbk", status: order.CardPending, shown: []string{"rooms.capacity"}, diff: map[string]string{"external_reference": order.FieldChange}},
		{file: "05-fit-update-trace-chinese", before: yuntu, status: order.CardPending, target: "4032198", diff: map[string]string{
			"guest_name": order.FieldChange, "departure_date": order.FieldChange, "arrival_date": order.FieldNotInIt}},
		{file: "05-fit-update-trace-chinese", event: 1, before: yuntu, status: order.CardPending, target: "4032198", shown: []string{"trace.sensitive"}},
		{file: "06-fit-cancel-4032077", status: order.CardNeedsReview, target: "4032077", fired: []string{"cancel.penalty_window"}},
		{file: "07-ambiguous-same-as-last-time", status: order.CardNeedsReview, fired: []string{"new.dates", "new.rooms"}},
		{file: "07-ambiguous-same-as-last-time", event: 1, status: order.CardNeedsReview, fired: []string{"target.missing", "update.empty"}},
		{file: "08-payment-deposit-nordic0227", before: nordic, status: order.CardPending, target: "NORDIC0227"},
		{file: "08-payment-deposit-nordic0227", before: reduced, status: order.CardNeedsReview, target: "NORDIC0227", fired: []string{"payment.sum_due"}},
		{file: "09-trace-thai-tis620", status: order.CardPending, target: "4032150", shown: []string{"trace.sensitive"}},
		{file: "12-wholesaler-sheet-three-orders", status: order.CardPending, diff: map[string]string{"net_rate": order.FieldChange}},
		{file: "12-wholesaler-sheet-three-orders", event: 1, status: order.CardNeedsReview, target: "4031990", shown: []string{"cancel.already_cancelled"}},
		{file: "12-wholesaler-sheet-three-orders", event: 2, status: order.CardNeedsReview, target: "4032001", fired: []string{"update.in_house"},
			diff: map[string]string{"departure_date": order.FieldChange, "arrival_date": order.FieldNotInIt}},
	}
}

// reduced is the Nordic block after mail 03's reduction has been confirmed.
func reduced(w *world) {
	w.nordic()
	w.confirm(w.submitFile("03-group-update-nordic0227.v4.json")[0].CardID, nil)
}

func TestDemoCards(t *testing.T) {
	for _, c := range demoCases() {
		t.Run(c.file+"/"+string(rune('0'+c.event)), func(t *testing.T) {
			w := newWorld(t, testkit.DB(t))
			if c.before != nil {
				c.before(w)
			}
			v := w.card(w.submitFile(c.file + ".v4.json")[c.event].CardID)
			c.check(t, v)
		})
	}
}

func (c demoCase) check(t *testing.T, v order.CardView) {
	t.Helper()
	if v.Status != c.status {
		t.Errorf("status = %s, want %s (rules %v)", v.Status, c.status, v.Rules)
	}
	var fired, warned []string
	for _, r := range v.Rules {
		if r.Level == order.Warn {
			warned = append(warned, r.Name)
		} else {
			fired = append(fired, r.Name)
		}
	}
	if diff := cmp.Diff(c.fired, fired); diff != "" {
		t.Errorf("H and R rules (-want +got):\n%s", diff)
	}
	for _, name := range c.shown {
		if !slices.Contains(warned, name) {
			t.Errorf("W rules %v do not name %s", warned, name)
		}
	}
	target := ""
	if v.Target != nil {
		target = v.Target.Key()
	}
	if target != c.target {
		t.Errorf("target = %q, want %q", target, c.target)
	}
	c.checkDiff(t, v)
}

func (c demoCase) checkDiff(t *testing.T, v order.CardView) {
	t.Helper()
	states := map[string]string{}
	for _, f := range v.Fields {
		states[f.Field] = f.State
	}
	for field, want := range c.diff {
		if states[field] != want {
			t.Errorf("diff of %s = %q, want %q (%+v)", field, states[field], want, v.Fields)
		}
	}
	for _, line := range v.Rooms {
		if want := c.roomState[line.RoomTypeCode]; want != "" && line.State != want {
			t.Errorf("room line %s: state %s, want %s", line.RoomTypeCode, line.State, want)
		}
	}
	for code, want := range c.rooms {
		i := slices.IndexFunc(v.Rooms, func(r order.RoomDiff) bool { return r.RoomTypeCode == code })
		if i < 0 || v.Rooms[i].Now == nil || v.Rooms[i].Proposed == nil {
			t.Fatalf("no room line %s in %+v", code, v.Rooms)
		}
		if got := [2]int{*v.Rooms[i].Now, *v.Rooms[i].Proposed}; got != want {
			t.Errorf("rooms of %s = %v, want %v", code, got, want)
		}
	}
}

// The whole demo, mail by mail, as the table's last column tells.
func TestDemoAfterConfirm(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		nordic, yuntu := w.nordic(), w.yuntu()
		w.checkNordicNew(nordic)
		w.confirm(w.submitFile("02-rooming-list-nordic0227.v4.json")[0].CardID, nil)
		three := w.submitFile("03-group-update-nordic0227.v4.json")
		w.confirm(three[0].CardID, nil)
		w.confirm(three[1].CardID, nil)
		five := w.submitFile("05-fit-update-trace-chinese.v4.json")
		w.confirm(five[0].CardID, nil)
		w.confirm(five[1].CardID, nil)
		w.confirm(w.submitFile("08-payment-deposit-nordic0227.v4.json")[0].CardID, nil)
		w.checkNordicLater(nordic)
		y := w.detail(yuntu)
		if y.Record.GuestName != "WANG, XIAOMIN" || y.Record.DepartureDate != "2027-01-24" || y.Record.AlternateName != "王晓敏" || len(y.Traces) != 4 {
			t.Errorf("order 4032198 = %+v with %d traces", y.Record, len(y.Traces))
		}
		w.checkOthers()
	})
}

func (w *world) checkNordicNew(id string) {
	w.t.Helper()
	v := w.detail(id)
	r := v.Record
	if r.Status != order.StatusTentative || r.GroupCode != "NORDIC0227" || r.RoomCount() != 18 || r.CutoffDate != "2027-01-11" || len(v.Traces) != 1 {
		w.t.Errorf("new group = %+v", r)
	}
	if v.TotalMinor == nil || *v.TotalMinor != 12720000 {
		w.t.Errorf("total = %v, want 127,200.00", v.TotalMinor)
	}
}

func (w *world) checkNordicLater(id string) {
	w.t.Helper()
	v := w.detail(id)
	if v.Record.RoomCount() != 16 || *v.Record.Adults != 30 || v.Record.DepartureDate != "2027-02-13" {
		w.t.Errorf("block after mail 03 = %+v", v.Record)
	}
	if len(v.Vouchers) != 2 || v.Vouchers[0].AttachmentID != "att-0002-1" || len(v.Vouchers[0].Discrepancies) != 1 || *v.Vouchers[0].Summary.Rows != 18 {
		w.t.Errorf("vouchers = %+v", v.Vouchers)
	}
	if len(v.Payments) != 1 || v.Payments[0].Status != order.PaymentAdvised || v.Payments[0].AmountMinor != 2544000 || v.PaidMinor != 0 {
		w.t.Errorf("payments = %+v", v.Payments)
	}
	if len(v.Traces) != 4 || !strings.Contains(v.Traces[3].Text, "Lindqvist, Erik: 离店日期 departure 2027-02-14") || v.Traces[1].Flag != "ALLERGY" {
		w.t.Errorf("traces = %+v", v.Traces)
	}
	_, err := w.orders.ConfirmPayment(context.Background(), w.malee, v.Payments[0].ID)
	w.wantCode(err, "permission_denied")
	_, err = w.orders.ConfirmPayment(context.Background(), w.finance, v.Payments[0].ID)
	must(w.t, err)
	_, err = w.orders.ConfirmPayment(context.Background(), w.finance, v.Payments[0].ID)
	w.wantCode(err, order.CodePaymentDone)
	if v = w.detail(id); v.PaidMinor != 2544000 {
		w.t.Errorf("paid = %d after finance's word", v.PaidMinor)
	}
	history, err := w.orders.History(context.Background(), w.malee, id)
	must(w.t, err)
	var actions []string
	for _, c := range history {
		actions = append(actions, c.Action)
	}
	want := []string{"PAYMENT_CONFIRMED", "PAYMENT", "UPDATE_BOOKING", "UPDATE_BOOKING", "ROOMING_LIST", "NEW_BOOKING", "CREATED"}
	if diff := cmp.Diff(want, actions); diff != "" {
		w.t.Errorf("history (-want +got):\n%s", diff)
	}
}

func (w *world) checkOthers() {
	w.t.Helper()
	six := w.confirm(w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID, func(p *order.ConfirmParams) { p.CancellationNumber, p.Reason = "C-77", "Visa refused" })
	if r := w.detail(six.OrderID).Record; r.Status != order.StatusCancelled || r.CancellationNumber != "C-77" || r.CancellationReason != "Visa refused" {
		w.t.Errorf("cancelled order = %+v", r)
	}
	nine := w.confirm(w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID, nil)
	if v := w.detail(nine.OrderID); len(v.Traces) != 4 || v.Record.ArrivalDate != "2026-12-05" {
		w.t.Errorf("order 720933 = %+v with traces %+v", v.Record, v.Traces)
	}
	twelve := w.submitFile("12-wholesaler-sheet-three-orders.v4.json")
	meyer := w.confirm(twelve[0].CardID, func(p *order.ConfirmParams) { p.ConfirmationNumber = "4032300" })
	if v := w.detail(meyer.OrderID); v.Block == nil || v.Block.GroupCode != "SUNWAL27" || v.Record.GroupCode != "" || v.Record.Status != order.StatusConfirmed {
		w.t.Errorf("pick-up = %+v", v.Record)
	}
	rossi := w.confirm(twelve[1].CardID, nil)
	if r := w.detail(rossi.OrderID).Record; r.Status != order.StatusCancelled || r.CancellationReason != "" {
		w.t.Errorf("no-op cancel = %+v", r)
	}
	dubois := w.confirm(twelve[2].CardID, nil)
	if r := w.detail(dubois.OrderID).Record; r.DepartureDate != "2026-12-18" || r.ArrivalDate != "2026-11-28" || r.Status != order.StatusInHouse {
		w.t.Errorf("in house = %+v", r)
	}
}
