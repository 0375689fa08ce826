package order_test

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

var ctx = context.Background()

func TestClaim(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
		c, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: id})
		must(t, err)
		if c.Status != order.CardClaimed || c.OwnerName != "malee" || !c.LeaseUntil.Equal(w.now.Add(15*time.Minute)) {
			t.Fatalf("claimed card = %+v", c)
		}
		_, err = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: id})
		w.wantCode(err, order.CodeCardClaimed)
		if owner := fault.As(err).Details["owner"]; owner != "malee" {
			t.Errorf("the refusal names %v, want malee", owner)
		}
		_, err = w.orders.Reject(ctx, w.nok, order.RejectParams{CardID: id, Version: c.Version, ReasonCode: "hostile"})
		w.wantCode(err, order.CodeCardClaimed)
		_, err = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: id, TakeOver: true})
		w.wantCode(err, access.CodePermission)
		c, err = w.orders.Claim(ctx, w.boss, order.ClaimParams{CardID: id, TakeOver: true})
		must(t, err)
		if c.OwnerName != "boss" {
			t.Errorf("owner after take-over = %s", c.OwnerName)
		}
		_, err = w.orders.Renew(ctx, w.malee, id)
		w.wantCode(err, order.CodeCardClaimed)
		w.now = w.now.Add(10 * time.Minute)
		c, err = w.orders.Renew(ctx, w.boss, id)
		must(t, err)
		if !c.LeaseUntil.Equal(w.now.Add(15 * time.Minute)) {
			t.Errorf("renewed until %v", c.LeaseUntil)
		}
		w.now = w.now.Add(16 * time.Minute)
		_, err = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: id})
		must(t, err) // expired
		c, err = w.orders.Release(ctx, w.nok, id)
		must(t, err)
		if c.Status != order.CardNeedsReview || c.OwnerName != "" {
			t.Errorf("released card = %+v", c)
		}
		_, err = w.orders.Release(ctx, w.nok, id)
		w.wantCode(err, order.CodeCardNotClaimed)
	})
}

func TestConfirmAsks(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
	for _, c := range []struct {
		name   string
		by     access.Caller
		change func(*order.ConfirmParams)
		code   string
	}{
		{"viewer", w.caller(access.Staff, "eve", access.RoleViewer), nil, access.CodePermission},
		{"no tick", w.malee, func(p *order.ConfirmParams) { p.Ticks = nil }, order.CodeTickRequired},
		{"one step", w.malee, func(p *order.ConfirmParams) { p.SecondStep = false }, order.CodeSecondStep},
		{"old card", w.malee, func(p *order.ConfirmParams) { p.Version -= 2 }, order.CodeCardStale},
		{"old order", w.malee, func(p *order.ConfirmParams) { p.OrderVersion -= 2 }, order.CodeOrderStale},
		{"no order seen, not claimed", w.malee, func(p *order.ConfirmParams) { p.OrderVersion = 0 }, order.CodeCardNotClaimed},
		{"nothing seen, not claimed", w.malee, func(p *order.ConfirmParams) { *p = order.ConfirmParams{CardID: p.CardID} }, order.CodeCardNotClaimed},
		{"reason taken away", w.malee, func(p *order.ConfirmParams) { p.Reason = " " }, order.CodeReasonRequired},
		{"reason taken away, first step", w.malee, func(p *order.ConfirmParams) { p.Reason, p.SecondStep = "", false }, order.CodeReasonRequired},
		{"unknown correction", w.malee, func(p *order.ConfirmParams) {
			p.Corrections = order.Corrections{"Departure!": order.CorrectText("x")}
		}, order.CodeCorrection},
		{"no such card", w.malee, func(p *order.ConfirmParams) { p.CardID = "x" }, order.CodeCardNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := w.card(id)
			p := yes(v)
			if c.change != nil {
				c.change(&p)
			}
			_, err := w.orders.Confirm(ctx, c.by, p)
			if fault.Code(err) != c.code {
				t.Errorf("error = %v, want %s", err, c.code)
			}
			if now := w.card(id); now.Version != v.Version || now.Target.Version != v.Target.Version {
				t.Error("a refused confirm changed something")
			}
		})
	}
	seven := w.submitFile("07-ambiguous-same-as-last-time.v4.json")
	_, err := w.orders.Confirm(ctx, w.malee, yes(w.card(seven[0].CardID)))
	w.wantCode(err, order.CodeRuleRefuses)
	_, err = w.orders.Confirm(ctx, w.malee, yes(w.card(seven[1].CardID)))
	w.wantCode(err, order.CodeTargetRequired)
	_, err = w.orders.Confirm(ctx, w.malee, yes(w.card(w.submitFile("01-group-new-nordic-choir.v4.json")[0].CardID)))
	w.wantCode(err, order.CodeKeyRequired)
}

// Two people and two tabs press at once: one confirm happens.
func TestConfirmRace(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID
		v := w.card(id)
		who := []access.Caller{w.malee, w.malee, w.nok, w.malee, w.nok}
		results, errs := make([]order.ConfirmResult, len(who)), make([]error, len(who))
		var all sync.WaitGroup
		for i, by := range who {
			all.Go(func() { results[i], errs[i] = w.orders.Confirm(ctx, by, yes(v)) })
		}
		all.Wait()
		first, winner := 0, ""
		for i, err := range errs {
			if err == nil && !results[i].Repeated {
				first++
				winner = who[i].Name
			}
		}
		if first != 1 {
			t.Fatalf("%d confirms happened, want 1: %v", first, errs)
		}
		for i, err := range errs {
			if who[i].Name == winner && err != nil {
				t.Errorf("the same person's repeat: %v, want the same result", err)
			}
			if who[i].Name != winner && fault.As(err).Kind != fault.Conflict {
				t.Errorf("the other person's confirm: %v, want a conflict", err)
			}
		}
		if d := w.detail(v.Target.ID); len(d.Traces) != 4 || d.Record.Version != v.Target.Version+1 {
			t.Errorf("order has %d traces at version %d", len(d.Traces), d.Record.Version)
		}
		entries, _, err := w.audit.List(ctx, audit.Filter{HotelID: w.hotel.ID, Limit: 100})
		must(t, err)
		n := 0
		for _, e := range entries {
			if e.Tool == "card.confirm" && e.Status == audit.Succeeded {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d audit rows of card.confirm, want 1", n)
		}
	})
}

func TestStaleCardIsDiffedAgain(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	yuntu := w.yuntu()
	id := w.submitFile("05-fit-update-trace-chinese.v4.json")[0].CardID
	before := w.card(id)
	r := w.detail(yuntu).Record
	_, err := w.orders.Correct(ctx, w.boss, order.CorrectParams{OrderID: yuntu, Version: r.Version, Reason: "phone call",
		Changes: order.Corrections{"departure_date": order.CorrectText("2027-01-25")}})
	must(t, err)
	_, err = w.orders.Confirm(ctx, w.malee, yes(before))
	w.wantCode(err, order.CodeOrderStale)
	v := w.card(id)
	if _, ok := rule(v, "order.field_moved"); !ok {
		t.Errorf("rules = %+v, want order.field_moved", v.Rules)
	}
	for _, f := range v.Fields {
		if f.Field == "departure_date" && (f.State != order.FieldMoved || f.Now != "2027-01-25" || f.AtMail != "2027-01-23" || f.Proposed != "2027-01-24") {
			t.Errorf("diff = %+v", f)
		}
	}
	if v.Status != order.CardNeedsReview {
		t.Errorf("status = %s after the order moved", v.Status)
	}
	_, err = w.orders.Confirm(ctx, w.malee, yes(v))
	must(t, err)
}

func TestCorrectionsAreKept(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	yuntu := w.yuntu()
	id := w.submitFile("05-fit-update-trace-chinese.v4.json")[0].CardID
	c, err := w.orders.Edit(ctx, w.malee, order.EditParams{CardID: id, Version: w.card(id).Version, Corrections: order.Corrections{
		"departure_date": order.CorrectText("2027-01-26"), "adults": order.CorrectText("3")}})
	must(t, err)
	if c.Status != order.CardClaimed {
		t.Errorf("status after edit = %s", c.Status)
	}
	w.confirm(id, nil)
	v := w.card(id)
	if r := w.detail(yuntu).Record; r.DepartureDate != "2027-01-26" || r.Adults == nil || *r.Adults != 3 || r.GuestName != "WANG, XIAOMIN" {
		t.Errorf("order = %+v", r)
	}
	if v.AgentEvent.After.Fields["departure_date"] != "2027-01-24" || string(v.Corrections["departure_date"]) != `"2027-01-26"` || v.Decision.ByName != "malee" {
		t.Errorf("card keeps %+v, %v by %+v", v.AgentEvent.After.Fields, v.Corrections, v.Decision)
	}
	figures, err := w.orders.Accuracy(ctx, w.boss, w.now.Add(-time.Hour))
	must(t, err)
	for _, f := range figures {
		if f.EventType == order.UpdateBooking && (f.Cards != 1 || f.Confirmed != 1 || f.Edited != 1) {
			t.Errorf("figures = %+v", f)
		}
	}
}

func TestRejectAndAsk(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		opened := w.submitFile("04-fit-new-chinese-gbk.v4.json")[0]
		if r := w.detail(opened.OrderID).Record; r.Status != order.StatusPending || r.Name() != "WANG, XIAOMING" || r.RoomCount() != 2 {
			t.Fatalf("pending order = %+v", r)
		}
		v := w.card(opened.CardID)
		asked, err := w.orders.AskSender(ctx, w.malee, order.AskParams{CardID: v.ID, Version: v.Version, Until: w.now.Add(48 * time.Hour), Text: "which date?"})
		must(t, err)
		if asked.Status != order.CardWaiting {
			t.Errorf("status = %s", asked.Status)
		}
		w.now = w.now.Add(5 * time.Hour)
		c, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: v.ID})
		must(t, err)
		if waited := w.queue(order.QueueParams{View: order.ViewUnclaimed}); len(waited) != 0 {
			t.Errorf("a claimed card stands among the unclaimed: %+v", waited)
		}
		if want := v.DueAt.Add(5 * time.Hour); !c.DueAt.Equal(want) {
			t.Errorf("due at %v after 5 h of waiting, want %v", c.DueAt, want)
		}
		_, err = w.orders.Reject(ctx, w.malee, order.RejectParams{CardID: v.ID, Version: c.Version, ReasonCode: "because"})
		w.wantCode(err, order.CodeReasonUnknown)
		_, err = w.orders.Reject(ctx, w.malee, order.RejectParams{CardID: v.ID, Version: c.Version, ReasonCode: "duplicate", Text: "sent twice"})
		must(t, err)
		if r := w.detail(opened.OrderID).Record; r.Status != order.StatusRejected {
			t.Errorf("order after reject = %s", r.Status)
		}
		_, err = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: v.ID})
		w.wantCode(err, order.CodeCardDecided)
		n, err := w.orders.Note(ctx, w.nok, v.ID, "seen")
		must(t, err)
		if notes := w.card(v.ID).Notes; len(notes) != 2 || notes[1].Text != n.Text {
			t.Errorf("notes = %+v", notes)
		}
	})
}

func TestCancelNeedsNoGuess(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	tom := w.submitFile("07-ambiguous-same-as-last-time.v4.json")[1].CardID
	target, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{ReservationNo: "720933"}, 0)
	must(t, err)
	_, err = w.orders.Edit(ctx, w.malee, order.EditParams{CardID: tom, Version: w.card(tom).Version, TargetOrderID: target.Records[0].ID,
		Corrections: order.Corrections{"adults": json.RawMessage("2")}})
	must(t, err)
	if v := w.card(tom); v.Target == nil || v.Target.ReservationNo != "720933" || !v.CanConfirm {
		t.Fatalf("card after a person chose the order: target %+v, rules %+v", v.Target, v.Rules)
	}
	w.confirm(tom, nil)
	if r := w.detail(target.Records[0].ID).Record; r.Adults == nil || *r.Adults != 2 {
		t.Errorf("order = %+v", r)
	}
}
