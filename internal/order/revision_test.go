package order_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

func TestRevision(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		first := w.submitFile("12-wholesaler-sheet-three-orders.v4.json")
		_, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: first[1].CardID})
		must(t, err)
		p := w.pack("12-wholesaler-sheet-three-orders.v4.json")
		p.Events[2] = bytes.Replace(p.Events[2], []byte("2026-12-18"), []byte("2026-12-19"), 1)
		second := w.submit(p)
		for i, want := range []struct{ before, after, mark string }{
			{order.CardSuperseded, order.CardPending, ""},
			{order.CardClaimed, order.CardSuperseded, order.MarkAlreadyHandled},
			{order.CardSuperseded, order.CardNeedsReview, ""},
		} {
			a, b := w.card(first[i].CardID), w.card(second[i].CardID)
			if a.Status != want.before || b.Status != want.after || b.Mark != want.mark {
				t.Errorf("event %d: %s then %s %q, want %+v", i, a.Status, b.Status, b.Mark, want)
			}
		}
		if b := w.card(second[1].CardID); b.RepeatOf != first[1].CardID {
			t.Errorf("repeat of %q, want %q", b.RepeatOf, first[1].CardID)
		}
		if r := w.detail(first[0].OrderID).Record; r.Status != order.StatusRejected {
			t.Errorf("pending order of the superseded card = %s", r.Status)
		}
		if _, dup := rule(w.card(second[0].CardID), "new.same_reference"); dup {
			t.Error("the superseded order counts as a duplicate")
		}
	})
}

// A confirmed NEW_BOOKING that a later package repeats makes no second order.
func TestRevisionAfterConfirm(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	yuntu := w.yuntu()
	again := w.submitFile("04-fit-new-chinese-gbk.v4.json")[0]
	if again.OrderID != yuntu {
		t.Errorf("order = %s, want the first one", again.OrderID)
	}
	page, err := w.orders.Search(ctx, w.malee, order.SearchParams{Text: "yt-88213"})
	must(t, err)
	if len(page.Orders) != 1 {
		t.Errorf("%d orders have the reference, want 1", len(page.Orders))
	}
}

// A card whose order does not exist yet finds it once it does.
func TestLateTarget(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := w.submitFile("08-payment-deposit-nordic0227.v4.json")[0].CardID
	if v := w.card(id); v.Target != nil || v.CanConfirm || v.Status != order.CardNeedsReview {
		t.Fatalf("card before the order exists = %s %+v", v.Status, v.Target)
	}
	nordic := w.nordic()
	v := w.card(id)
	if v.Target == nil || v.OrderID != nordic || v.Status != order.CardPending || v.CutoffDate != "2027-01-11" {
		t.Errorf("card after = %s, order %q, cut-off %q, rules %+v", v.Status, v.OrderID, v.CutoffDate, v.Rules)
	}
	open, err := w.orders.OpenCards(ctx, w.agent, []string{nordic})
	must(t, err)
	if len(open) != 1 || open[0].ID != id {
		t.Errorf("open cards of the order = %+v", open)
	}
}

func TestResolveSeveral(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	block := func(status, arrival, departure string) order.Record {
		return order.Record{BookingType: order.Group, GroupCode: "nordic0227", GroupName: "Choir", Status: status, ArrivalDate: arrival, DepartureDate: departure}
	}
	must(t, w.orders.LoadOrders(ctx, w.system, []order.Record{block("CHECKED_OUT", "2025-02-10", "2025-02-13"), block("DEFINITE", "2027-02-10", "2027-02-13")}))
	id := w.submitFile("03-group-update-nordic0227.v4.json")[0].CardID
	if v := w.card(id); v.Target == nil || v.Target.ArrivalDate != "2027-02-10" || v.Target.Status != order.StatusConfirmed {
		t.Fatalf("target = %+v, want the live block", v.Target)
	}
	must(t, w.orders.LoadOrders(ctx, w.system, []order.Record{block("TENTATIVE", "2028-02-10", "2028-02-13")}))
	v := w.card(id)
	if _, ok := rule(v, "target.ambiguous"); !ok || v.Target != nil || len(v.Matches) != 2 || v.CanConfirm {
		t.Errorf("two live blocks: target %+v, %d matches, rules %+v", v.Target, len(v.Matches), v.Rules)
	}
	found, err := w.orders.FindByKeys(ctx, w.agent, order.Keys{GroupCode: " Nordic0227", ConfirmationNumber: "4032077"}, 2)
	must(t, err)
	if len(found.Records) != 2 || !found.Truncated || found.Records[0].ArrivalDate != "2028-02-10" || len(found.PerKey["group_code"]) != 3 || len(found.PerKey["confirmation_number"]) != 1 {
		t.Errorf("found = %+v", found)
	}
}

func TestBrokenEventsBecomeCards(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	p := w.pack("04-fit-new-chinese-gbk.v4.json")
	base := string(p.Events[0])
	p.Events = nil
	for _, c := range [][2]string{
		{`"NEW_BOOKING"`, `"new_booking"`}, {`"NEW_BOOKING"`, `"DANCE"`}, {`"NEW_BOOKING"`, `17`}, {`"2027-01-23"`, `"2027-01-20"`}, {`"room_count": 1`, `"room_count": 0`},
		{`"ORD-1"`, `"ORD-9"`}, {`"attachment_ids": []`, `"attachment_ids": ["att-0002-1"]`}, {`"2027-01-20"`, `"20 January 2027 or so"`}, {`"WHSBB"`, `"A RATE CODE THAT IS FAR TOO LONG FOR OPERA"`},
	} {
		p.Events = append(p.Events, json.RawMessage(replaced(base, c[0], c[1])))
	}
	p.Events = append(p.Events, json.RawMessage(`[]`))
	for i, o := range w.submit(p) {
		v := w.card(o.CardID)
		if v.Status != order.CardNeedsReview || len(v.Rules) == 0 {
			t.Errorf("event %d: status %s, rules %+v", i, v.Status, v.Rules)
		}
		if string(v.AgentEvent.Raw) != string(p.Events[i]) {
			t.Errorf("event %d: what the agent said is not kept", i)
		}
		if i > 0 && v.CanConfirm { // lower case alone is a question, not a refusal
			t.Errorf("event %d can be confirmed: %+v", i, v.Rules)
		}
	}
}
