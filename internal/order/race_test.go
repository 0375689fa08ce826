package order_test

import (
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// A later package of the mail arrives at the very moment a person confirms: the
// card is either confirmed, and the new one repeats it, or superseded, and the
// person is told. Never both, and the package is never refused.
func TestConfirmWhileSuperseded(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		for range 6 {
			first := w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID
			if w.card(first).Status == order.CardSuperseded { // it repeats one that was confirmed in an earlier round
				break
			}
			v := w.card(first)
			var second string
			var err error
			var both sync.WaitGroup
			both.Go(func() { _, err = w.orders.Confirm(ctx, w.malee, yes(v)) })
			both.Go(func() { second = w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID })
			both.Wait()
			a, b := w.card(first), w.card(second)
			switch {
			case err == nil && a.Status == order.CardConfirmed && b.Mark == order.MarkAlreadyHandled && b.RepeatOf == first:
			case fault.As(err).Kind == fault.Conflict && a.Status == order.CardSuperseded && b.Open():
			default:
				t.Fatalf("confirm: %v; first %s, second %s %q", err, a.Status, b.Status, b.Mark)
			}
		}
	})
}

// Ten people claim at once: one has it, the others are told who.
func TestClaimRace(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
		people := []access.Caller{w.malee, w.nok, w.boss, w.finance}
		errs := make([]error, len(people))
		var all sync.WaitGroup
		for i, by := range people {
			all.Go(func() { _, errs[i] = w.orders.Claim(ctx, by, order.ClaimParams{CardID: id}) })
		}
		all.Wait()
		owner := w.card(id).OwnerName
		for i, err := range errs {
			switch {
			case people[i].Name == owner && err == nil:
			case people[i].Name != owner && fault.Code(err) == order.CodeCardClaimed && fault.As(err).Details["owner"] == owner:
			default:
				t.Errorf("%s, while %s holds it: %v", people[i].Name, owner, err)
			}
		}
	})
}

// Two supervisors take over at once, while the holder's confirm is under way: one
// of the three wins, and what they were told fits.
func TestTakeOverRace(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID
		_, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: id})
		must(t, err)
		v := w.card(id)
		other := w.caller(access.Staff, "chief", access.RoleSupervisor)
		var confirmed error
		took := make([]error, 2)
		var all sync.WaitGroup
		all.Go(func() { _, confirmed = w.orders.Confirm(ctx, w.malee, yes(v)) })
		for i, by := range []access.Caller{w.boss, other} {
			all.Go(func() { _, took[i] = w.orders.Claim(ctx, by, order.ClaimParams{CardID: id, TakeOver: true}) })
		}
		all.Wait()
		now := w.card(id)
		if confirmed == nil {
			if now.Status != order.CardConfirmed || len(w.detail(v.Target.ID).Traces) != 4 {
				t.Errorf("confirmed, but the card is %s", now.Status)
			}
			return
		}
		if fault.As(confirmed).Kind != fault.Conflict || now.Status != order.CardClaimed || now.OwnerName == "malee" {
			t.Errorf("not confirmed: %v; the card is %s of %s", confirmed, now.Status, now.OwnerName)
		}
		if took[0] != nil && took[1] != nil {
			t.Errorf("nobody took over: %v", took)
		}
	})
}

// A lock that ran out is free: the second person confirms, the first is told.
func TestExpiredLockGivesWay(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID
		_, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: id})
		must(t, err)
		held := w.card(id)
		_, err = w.orders.Confirm(ctx, w.nok, yes(held))
		w.wantCode(err, order.CodeCardClaimed)
		w.now = w.now.Add(15 * time.Minute)
		_, err = w.orders.Confirm(ctx, w.nok, yes(held))
		must(t, err)
		_, err = w.orders.Confirm(ctx, w.malee, yes(held))
		w.wantCode(err, order.CodeCardDecided)
		if by := fault.As(err).Details["decided_by"]; by != "nok" {
			t.Errorf("decided by %v, want nok", by)
		}
		_, err = w.orders.Renew(ctx, w.malee, id)
		w.wantCode(err, order.CodeCardDecided)
	})
}

// The same person in two tabs: an edit in one makes the other's confirm stale.
func TestTwoTabs(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.yuntu()
	id := w.submitFile("05-fit-update-trace-chinese.v4.json")[0].CardID
	old := w.card(id)
	must(t, w.edit(id, "departure_date", "2027-01-26"))
	_, err := w.orders.Confirm(ctx, w.malee, yes(old))
	w.wantCode(err, order.CodeCardStale)
	_, err = w.orders.Reject(ctx, w.malee, order.RejectParams{CardID: id, Version: old.Version, ReasonCode: "duplicate"})
	w.wantCode(err, order.CodeCardStale)
	r := w.confirm(id, nil)
	if got := w.detail(r.OrderID).Record.DepartureDate; got != "2027-01-26" {
		t.Errorf("departure = %s", got)
	}
}
