package order_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

func TestCancelAsksForTheReasonFirst(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
	v := w.card(id)
	if !slices.Contains(v.Needs, "reason") || v.Event.After.CancelReason == "" {
		t.Fatalf("needs %v with the mail's reason %q; a person states theirs all the same", v.Needs, v.Event.After.CancelReason)
	}
	p := yes(v)
	p.Reason = "Visa refused"
	p.SecondStep = false
	_, err := w.orders.Confirm(ctx, w.malee, p)
	w.wantCode(err, order.CodeSecondStep)
	p.SecondStep = true
	_, err = w.orders.Confirm(ctx, w.malee, p)
	must(t, err)
	v = w.card(id)
	if v.Review || v.Flags != nil || v.Status != order.CardConfirmed || v.SecondStep || v.CanConfirm || v.Needs != nil {
		t.Errorf("a decided card still asks: %+v", v)
	}
	if !strings.HasPrefix(v.EffectZH, "已取消订单") || !strings.HasPrefix(v.EffectEN, "Cancelled order") {
		t.Errorf("effect of a decided card = %q / %q", v.EffectZH, v.EffectEN)
	}
	if _, ok := rule(v, "cancel.penalty_window"); !ok {
		t.Errorf("rules = %+v, want those of the decision", v.Rules)
	}
	history, err := w.orders.History(ctx, w.malee, v.OrderID)
	must(t, err)
	if h := history[0]; h.Summary != v.EffectZH || h.SummaryE != v.EffectEN || h.Reason != "Visa refused" {
		t.Errorf("history = %+v", h)
	}
	if r := w.detail(v.OrderID).Record; r.CancellationReason != "Visa refused" {
		t.Errorf("reason on the order = %q", r.CancellationReason)
	}
}

// Cancelling what is cancelled shows that it changes nothing, and changes nothing.
func TestCancelTwiceIsANoOp(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("12-wholesaler-sheet-three-orders.v4.json")[1].CardID
		v := w.card(id)
		if v.SecondStep || v.Needs != nil || !strings.Contains(v.EffectZH, "早已取消，不会改动") {
			t.Errorf("no-op asks for %v, second step %v: %s", v.Needs, v.SecondStep, v.EffectZH)
		}
		before, err := w.orders.History(ctx, w.malee, v.Target.ID)
		must(t, err)
		p := yes(v)
		p.SecondStep = false
		r, err := w.orders.Confirm(ctx, w.malee, p)
		must(t, err)
		after, err := w.orders.History(ctx, w.malee, v.Target.ID)
		must(t, err)
		if len(after) != len(before) || r.OrderVersion != v.Target.Version {
			t.Errorf("history %d → %d rows, version %d → %d", len(before), len(after), v.Target.Version, r.OrderVersion)
		}
		if v = w.card(id); v.Status != order.CardConfirmed || !strings.Contains(v.EffectZH, "没有改动") || !strings.Contains(v.EffectEN, "was cancelled already") {
			t.Errorf("card = %s %q %q", v.Status, v.EffectZH, v.EffectEN)
		}
		again, err := w.orders.Confirm(ctx, w.malee, p)
		must(t, err)
		if !again.Repeated {
			t.Error("the same click again is no repeat")
		}
	})
}

func TestRejectedAndReplacedCardsSpeakOfThePast(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	first := w.submitFile("04-fit-new-chinese-gbk.v4.json")[0].CardID
	second := w.submitFile("04-fit-new-chinese-gbk.v4.json")[0].CardID
	v := w.card(second)
	_, err := w.orders.Reject(ctx, w.malee, order.RejectParams{CardID: second, Version: v.Version, ReasonCode: "duplicate"})
	must(t, err)
	if v = w.card(first); !strings.Contains(v.EffectZH, "取代") || v.Rules != nil {
		t.Errorf("replaced card: %q, rules %v", v.EffectZH, v.Rules)
	}
	if v = w.card(second); !strings.HasPrefix(v.EffectZH, "已驳回（重复）") || !strings.HasPrefix(v.EffectEN, "Rejected (duplicate)") {
		t.Errorf("rejected card: %q %q", v.EffectZH, v.EffectEN)
	}
}

// What a person types is checked when it is saved, field by field.
func TestCorrectionsAreCheckedWhenSaved(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.yuntu()
	update := w.submitFile("05-fit-update-trace-chinese.v4.json")[0].CardID
	booking := w.submitFile("01-group-new-nordic-choir.v4.json")[0].CardID
	trace := w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID
	pay := w.submitFile("08-payment-deposit-nordic0227.v4.json")[0].CardID
	for _, c := range []struct {
		card, field, value, path string
	}{
		{update, "departure_date", `"2026-13-45"`, "/corrections/departure_date"},
		{update, "departure_date", `"2027-02-30"`, "/corrections/departure_date"},
		{update, "departure_date", `"2027-01-19"`, "/corrections/departure_date"}, // before arrival
		{update, "adults", `"two"`, "/corrections/adults"},
		{update, "rate_code", `"NOPE"`, "/corrections/rate_code"},
		{update, "account_code", `"A CODE THAT IS TOO LONG"`, "/corrections/account_code"},
		{update, "locator_type", `"PHONE"`, "/corrections/locator_type"},
		{booking, "arrival_date", `"10 FEB 2027"`, "/corrections/arrival_date"},
		{booking, "rooming_list_due_date", `"2027-02-31"`, "/corrections/rooming_list_due_date"},
		{booking, "rates", `{"DLXT":"2,400"}`, "/corrections/rates/DLXT"},
		{booking, "rates", `"2400"`, "/corrections/rates"},
		{booking, "room_items", `[{"room_type_code":"DLXT","room_count":-1}]`, "/corrections/room_items/0/room_count"},
		{booking, "room_items", `[{"room_type_code":"NOPE","room_count":1}]`, "/corrections/room_items"},
		{trace, "trace_items", `[{"trace_type":"TRACE","trace_date":"2026-12-32","trace_text":"x"}]`, "/corrections/trace_items/0/trace_date"},
		{trace, "trace_items", `[{"trace_type":"TRACE","trace_text":" "}]`, "/corrections/trace_items"},
		{pay, "payment", `{"amount":"-5","currency":"THB"}`, "/corrections/payment"},
		{pay, "payment", `{"amount":"5","currency":"THB","value_date":"2026-11-31"}`, "/corrections/payment/value_date"},
	} {
		v := w.card(c.card)
		_, err := w.orders.Edit(ctx, w.malee, order.EditParams{CardID: c.card, Version: v.Version, Corrections: order.Corrections{c.field: []byte(c.value)}})
		f := fault.As(err)
		if err == nil || f.Code != order.CodeCorrection || len(f.Fields) != 1 || f.Fields[0].Path != c.path || f.Text == "" || f.TextEN == "" {
			t.Errorf("%s = %s: %v %+v, want a fault at %s", c.field, c.value, err, f, c.path)
		}
		if now := w.card(c.card); now.Version != v.Version || len(now.Corrections) != 0 {
			t.Errorf("%s: a refused correction was saved", c.field)
		}
	}
	v := w.card(update)
	p := yes(v)
	p.Corrections = order.Corrections{"departure_date": order.CorrectText("2026-13-45")}
	_, err := w.orders.Confirm(ctx, w.malee, p)
	w.wantCode(err, order.CodeCorrection)
	must(t, w.edit(update, "departure_date", "2027-01-26"))
	must(t, w.edit(update, "departure_date", "")) // taking a value back is no fault
}

func (w *world) edit(id, field, value string) error {
	w.t.Helper()
	_, err := w.orders.Edit(ctx, w.malee, order.EditParams{CardID: id, Version: w.card(id).Version, Corrections: order.Corrections{field: order.CorrectText(value)}})
	return err
}

// The clock stands still while the sender is asked, and the queue is sorted right meanwhile.
func TestClock(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("08-payment-deposit-nordic0227.v4.json")[0].CardID
		due := w.card(id).DueAt // in 24 hours
		ask := func(until time.Duration) order.CardBrief {
			t.Helper()
			c, err := w.orders.AskSender(ctx, w.malee, order.AskParams{CardID: id, Version: w.card(id).Version, Until: w.now.Add(until), Text: "?"})
			must(t, err)
			return c
		}
		want := func(c order.CardBrief, state string, left time.Duration, dueAt time.Time) {
			t.Helper()
			if s, l := c.Clock(w.now); s != state || l != left || !c.DueAt.Equal(dueAt) {
				t.Errorf("clock = %s %v, due %v; want %s %v, due %v", s, l, c.DueAt, state, left, dueAt)
			}
		}
		w.now = w.now.Add(4 * time.Hour)
		want(ask(10*time.Hour), order.ClockPaused, 20*time.Hour, due.Add(10*time.Hour))
		w.now = w.now.Add(time.Hour)
		want(w.card(id).CardBrief, order.ClockPaused, 20*time.Hour, due.Add(10*time.Hour))
		want(ask(2*time.Hour), order.ClockPaused, 20*time.Hour, due.Add(3*time.Hour)) // asked anew: waits less long
		w.now = w.now.Add(3 * time.Hour)                                              // the wait is over, nobody has looked
		want(w.card(id).CardBrief, order.ClockRunning, 19*time.Hour, due.Add(3*time.Hour))
		ask(9 * time.Hour)
		w.now = w.now.Add(2 * time.Hour)
		w.submitFile("03-group-update-nordic0227.v4.json") // a mail of the conversation
		c := w.card(id)
		want(c.CardBrief, order.ClockRunning, 19*time.Hour, due.Add(5*time.Hour))
		if c.Status != order.CardNeedsReview || len(c.Notes) != 4 {
			t.Errorf("card after the conversation went on = %s with notes %+v", c.Status, c.Notes)
		}
		w.now = w.now.Add(20 * time.Hour)
		want(w.card(id).CardBrief, order.ClockOverdue, -time.Hour, due.Add(5*time.Hour))
	})
}
