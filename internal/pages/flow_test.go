package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"thhotel/internal/order"
)

func (d *desk) look(id string) order.CardView {
	d.t.Helper()
	v, err := d.Order.Card(context.Background(), d.by, id)
	must(d.t, err)
	return v
}

// yes is the confirm form as the page draws it, with every box ticked.
func (d *desk) yes(id string, more url.Values) url.Values {
	c := d.look(id)
	f := url.Values{"version": {fmt.Sprint(c.Version)}, "order_version": {fmt.Sprint(c.OrderVersion)}}
	for _, r := range c.Rules {
		if r.Level == order.Review {
			f.Add("tick", r.Name)
		}
	}
	for k, v := range more {
		f[k] = v
	}
	return f
}

func TestClaimIsOnePersons(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	anna, ben, somsak := d.as("anna"), d.as("ben"), d.as("somsak")
	if a := anna.post("/tasks/"+id+"/claim", nil); a.Status != http.StatusOK || !strings.Contains(a.Body, "Claimed: the card is yours.") {
		t.Fatalf("claim: %d at %s", a.Status, a.Path)
	}
	a := ben.post("/tasks/"+id+"/claim", nil)
	if a.Status != http.StatusConflict || !strings.Contains(a.Body, "Anna") {
		t.Errorf("second claim: %d", a.Status)
	}
	if a := ben.get("/tasks/" + id); strings.Contains(a.Body, "take_over") || !strings.Contains(a.Body, "Anna") {
		t.Error("an agent is offered to take over, or not told who has the card")
	}
	if a := somsak.get("/tasks/" + id); !strings.Contains(a.Body, "take_over") {
		t.Error("a supervisor is not offered to take over")
	}
	if a := somsak.post("/tasks/"+id+"/claim", url.Values{"take_over": {"1"}}); a.Status != http.StatusOK {
		t.Errorf("take over: %d", a.Status)
	}
	if a := anna.post("/tasks/"+id+"/renew", nil); a.Status != http.StatusConflict {
		t.Errorf("renewing a lost claim: %d", a.Status)
	}
}

func TestReleaseAndLease(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	anna, ben := d.as("anna"), d.as("ben")
	anna.post("/tasks/"+id+"/claim", nil)
	d.pass(10 * time.Minute)
	if a := anna.post("/tasks/"+id+"/renew", nil); a.Status != http.StatusOK || a.Body != "yours until 12:25" {
		t.Errorf("renew: %d", a.Status)
	}
	d.pass(10 * time.Minute)
	if a := ben.post("/tasks/"+id+"/claim", nil); a.Status != http.StatusConflict {
		t.Errorf("claim while renewed: %d", a.Status)
	}
	anna.post("/tasks/"+id+"/release", nil)
	if a := ben.post("/tasks/"+id+"/claim", nil); a.Status != http.StatusOK {
		t.Errorf("claim after release: %d", a.Status)
	}
}

func TestEditAndConfirm(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.UpdateBooking, "4032198").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	form := url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "f.departure_date": {"2027-01-25"}}
	if a := anna.post("/tasks/"+id+"/edit", form); a.Status != http.StatusOK || !strings.Contains(a.Body, "2027-01-25") || !strings.Contains(a.Body, "Corrected by staff") {
		t.Fatalf("edit: %d at %s", a.Status, a.Path)
	}
	ask := anna.get("/tasks/" + id + "/confirm")
	if !strings.Contains(ask.Body, `id="dialog-body"`) || !strings.Contains(ask.Body, d.look(id).EffectEN) {
		t.Error("the dialog does not state the effect")
	}
	if a := anna.post("/tasks/"+id+"/confirm", d.yes(id, nil)); a.Status != http.StatusOK || a.Path != "/tasks/"+id {
		t.Fatalf("confirm: %d at %s\n%s", a.Status, a.Path, a.Body)
	}
	c := d.look(id)
	if c.Status != order.CardConfirmed || c.Decision == nil || c.Decision.ByName != "Anna" {
		t.Fatalf("card %s, decision %+v", c.Status, c.Decision)
	}
	page := anna.get("/orders/" + c.OrderID)
	for _, want := range []string{"2027-01-25", "2027-01-23", "Anna"} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the order's page lacks %q", want)
		}
	}
}

// The grid: a changed count and a price become corrections, what was left alone does not.
func TestEditRoomsTracesAndGaps(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	id := d.card(order.NewBooking, "").ID
	for _, c := range d.all(order.NewBooking) {
		if c.GuestName == "Nordic Choir Tour 2027" {
			id = c.ID
		}
	}
	anna.post("/tasks/"+id+"/claim", nil)
	form := url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "f.adults": {"34"}, "f.cutoff_date": {"2027-01-10"},
		"room.code": {"DLXT", "DLXK", "SUPT", "exek"}, "room.count": {"11", "4", "0", "1"}, "room.rate": {"2500.00", "", "", ""}}
	if a := anna.post("/tasks/"+id+"/edit", form); a.Status != http.StatusOK {
		t.Fatalf("edit: %d\n%s", a.Status, a.Body)
	}
	c := d.look(id)
	got := ""
	for _, r := range c.Event.RoomItems {
		got += fmt.Sprintf("%s %d %s; ", r.RoomTypeCode, *r.RoomCount, r.Rate)
	}
	if want := "DLXT 11 2500.00; DLXK 4 ; EXEK 1 ; "; got != want {
		t.Errorf("rooms %q, want %q", got, want)
	}
	if _, touched := c.Corrections["adults"]; touched || len(c.Corrections) != 3 {
		t.Errorf("corrections %v", c.Corrections)
	}
	form = url.Values{"version": {fmt.Sprint(c.Version)}, "room.code": {"DLXT"}, "room.count": {"many"}, "room.rate": {""}}
	if a := anna.post("/tasks/"+id+"/edit", form); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Body, "whole number") {
		t.Errorf("a count that is no number: %d", a.Status)
	}
}

// A cancellation asks twice; the first yes changes nothing.
func TestCancelTakesTwoSteps(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.CancelBooking, "4032077").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	form := d.yes(id, url.Values{"reason": {"Visa delayed"}, "cancellation_number": {"C-77120"}})
	first := anna.post("/tasks/"+id+"/confirm", form)
	if first.Status != http.StatusOK || !strings.Contains(first.Body, `name="second" value="1"`) || !strings.Contains(first.Body, "Visa delayed") {
		t.Fatalf("first step: %d at %s", first.Status, first.Path)
	}
	if c := d.look(id); !c.Open() {
		t.Fatalf("the first step decided: %s", c.Status)
	}
	form.Set("second", "1")
	if a := anna.post("/tasks/"+id+"/confirm", form); a.Path != "/tasks/"+id || a.Status != http.StatusOK {
		t.Fatalf("second step: %d at %s\n%s", a.Status, a.Path, a.Body)
	}
	c := d.look(id)
	r, err := d.Order.Get(context.Background(), d.by, c.OrderID)
	must(t, err)
	if c.Status != order.CardConfirmed || r.Status != order.StatusCancelled || r.CancellationNumber != "C-77120" {
		t.Errorf("card %s, order %s, number %q", c.Status, r.Status, r.CancellationNumber)
	}
	if a := anna.post("/tasks/"+id+"/confirm", form); a.Status != http.StatusOK {
		t.Errorf("a second click: %d", a.Status)
	}
}

// Without its ticks a confirm is refused, on the card, with the rule's name.
func TestConfirmNeedsTicks(t *testing.T) {
	d := newDesk(t)
	var id string
	for _, kind := range order.EventTypes() {
		for _, c := range d.all(kind) {
			if v := d.look(c.ID); v.CanConfirm && len(d.yes(c.ID, nil)["tick"]) > 0 {
				id = c.ID
			}
		}
	}
	if id == "" {
		t.Fatal("no card with an R rule")
	}
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	form := d.yes(id, url.Values{"reason": {"x"}, "second": {"1"}, "group_code": {"G1"}, "confirmation_number": {"777"}})
	form.Del("tick")
	a := anna.post("/tasks/"+id+"/confirm", form)
	if a.Status < 400 || a.Status >= 500 || !strings.Contains(a.Body, `role="alert"`) {
		t.Errorf("confirm without ticks: %d", a.Status)
	}
	if c := d.look(id); !c.Open() {
		t.Errorf("card is %s", c.Status)
	}
}

// H rules take the button away and say why.
func TestHardRulesDisableConfirm(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	for _, kind := range order.EventTypes() {
		for _, c := range d.all(kind) {
			v := d.look(c.ID)
			if v.CanConfirm {
				continue
			}
			anna.post("/tasks/"+c.ID+"/claim", nil)
			a := anna.get("/tasks/" + c.ID)
			if strings.Contains(a.Body, c.ID+"/confirm") || !strings.Contains(a.Body, "disabled") || !strings.Contains(a.Body, `class="level H"`) {
				t.Errorf("%s %s: confirm is offered, or no reason given", kind, c.Key)
			}
			return
		}
	}
	t.Fatal("no card with an H rule among the demo's")
}

func TestRejectNeedsAReason(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Payment, "").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	form := url.Values{"version": {fmt.Sprint(d.look(id).Version)}}
	if a := anna.post("/tasks/"+id+"/reject", form); a.Status < 400 || a.Status >= 500 {
		t.Errorf("reject without reason: %d", a.Status)
	}
	form.Set("reason_code", "duplicate")
	form.Set("text", "same as yesterday")
	if a := anna.post("/tasks/"+id+"/reject", form); a.Status != http.StatusOK || !strings.Contains(a.Body, "same as yesterday") {
		t.Errorf("reject: %d", a.Status)
	}
	if c := d.look(id); c.Status != order.CardRejected || c.Decision.ReasonCode != "duplicate" {
		t.Errorf("card %s %+v", c.Status, c.Decision)
	}
}

// Whoever comes late sees the card as it is now, not a lost update.
func TestStaleConfirmShowsTheNewState(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.UpdateBooking, "4032198").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	old := d.yes(id, nil)
	anna.post("/tasks/"+id+"/edit", url.Values{"version": old["version"], "f.departure_date": {"2027-01-26"}})
	a := anna.post("/tasks/"+id+"/confirm", old)
	if a.Status != http.StatusConflict || !strings.Contains(a.Body, `role="alert"`) || !strings.Contains(a.Body, "2027-01-26") {
		t.Errorf("stale confirm: %d", a.Status)
	}
	if c := d.look(id); !c.Open() {
		t.Errorf("card is %s", c.Status)
	}
}

func TestAskNoteAndNotices(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	id := d.card(order.RoomingList, "").ID
	anna.post("/tasks/"+id+"/claim", nil)
	if a := anna.post("/tasks/"+id+"/note", url.Values{"text": {"row 13 <b>leaves</b> later"}}); !strings.Contains(a.Body, "row 13 &lt;b&gt;leaves&lt;/b&gt; later") {
		t.Error("the note is not shown, or not escaped")
	}
	form := url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "date": {"2026-12-02"}, "time": {"17:00"}, "text": {"which night?"}}
	if a := anna.post("/tasks/"+id+"/ask", form); a.Status != http.StatusOK {
		t.Errorf("ask: %d", a.Status)
	}
	if c := d.look(id); c.Status != order.CardWaiting || !c.WaitingUntil.Equal(time.Date(2026, 12, 2, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("card %s until %v", c.Status, c.WaitingUntil)
	}
	page, err := d.Order.Notices(context.Background(), d.by, order.NoticeListParams{})
	must(t, err)
	form = url.Values{}
	for _, n := range page.Notices {
		form.Add("id", n.ID)
	}
	if a := anna.post("/notices", form); a.Status != http.StatusOK || !strings.Contains(a.Body, "Acknowledged.") {
		t.Errorf("acknowledge: %d", a.Status)
	}
	if left, err := d.Order.Notices(context.Background(), d.by, order.NoticeListParams{}); err != nil || len(left.Notices) != 0 {
		t.Errorf("%d notices left, %v", len(left.Notices), err)
	}
}

// all lists the open cards of a type.
func (d *desk) all(kind order.EventType) []order.CardBrief {
	d.t.Helper()
	page, err := d.Order.Queue(context.Background(), d.by, order.QueueParams{View: order.ViewOpen, EventType: kind})
	must(d.t, err)
	return page.Cards
}

// The queue answers a poll with nothing until something has changed.
func TestQueueIsLive(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	body := anna.get("/tasks").Body
	_, rest, ok := strings.Cut(body, `id="live" data-live="`)
	if !ok {
		t.Fatal("no live part")
	}
	live, _, _ := strings.Cut(rest, `"`)
	live = strings.ReplaceAll(live, "&amp;", "&")
	poll := func() int {
		return anna.do(http.MethodGet, live, nil, map[string]string{"X-Requested-With": "live"}).Status
	}
	if got := poll(); got != http.StatusNoContent {
		t.Errorf("nothing changed: %d", got)
	}
	d.pass(time.Second)
	d.as("ben").post("/tasks/"+d.card(order.Trace, "720933").ID+"/claim", nil)
	if got := poll(); got != http.StatusOK {
		t.Errorf("after a claim: %d", got)
	}
}
