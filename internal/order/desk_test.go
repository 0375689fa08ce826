package order_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func TestHandOver(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		staff := func(name string, role access.Role) access.Caller {
			t.Helper()
			m, err := w.house.CreateStaff(ctx, w.system, platform.StaffParams{Username: name, Password: "correct horse battery staple 7", Role: role, Name: name})
			must(t, err)
			c := w.caller(access.Staff, name, role)
			c.SubjectID = m.ID
			return c
		}
		somchai, viewer := staff("somchai", access.RoleAgent), staff("viewer", access.RoleViewer)
		id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
		give := func(by access.Caller, to string, version int64) (order.CardBrief, error) {
			return w.orders.HandOver(ctx, by, order.HandOverParams{CardID: id, Version: version, ToUserID: to, Note: "you know the company"})
		}
		_, err := give(w.malee, somchai.SubjectID, w.card(id).Version)
		w.wantCode(err, order.CodeCardNotClaimed)
		c, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: id})
		must(t, err)
		_, err = give(w.nok, somchai.SubjectID, c.Version)
		w.wantCode(err, order.CodeCardClaimed)
		_, err = give(w.malee, viewer.SubjectID, c.Version) // may not decide
		w.wantCode(err, order.CodeInput)
		_, err = give(w.malee, "nobody", c.Version)
		w.wantCode(err, order.CodeInput)
		_, err = give(viewer, somchai.SubjectID, c.Version)
		w.wantCode(err, access.CodePermission)
		_, err = give(w.malee, somchai.SubjectID, c.Version-1)
		w.wantCode(err, order.CodeCardStale)
		given, err := give(w.malee, somchai.SubjectID, c.Version)
		must(t, err)
		if given.OwnerID != somchai.SubjectID || given.OwnerName != "somchai" || !given.LeaseUntil.Equal(w.now.Add(15*time.Minute)) {
			t.Errorf("card after hand-over = %+v", given)
		}
		again, err := give(w.malee, somchai.SubjectID, c.Version) // the same click
		must(t, err)
		if notes := w.card(id).Notes; again.Version != given.Version || len(notes) != 1 || notes[0].ByName != "malee" {
			t.Errorf("version %d then %d, notes %+v", given.Version, again.Version, notes)
		}
		mine, err := w.orders.Queue(ctx, somchai, order.QueueParams{View: order.ViewMine})
		must(t, err)
		if len(mine.Cards) != 1 {
			t.Errorf("the colleague's cards = %+v", mine.Cards)
		}
		_, err = give(w.boss, somchai.SubjectID, given.Version-2)
		w.wantCode(err, order.CodeCardStale)
		w.confirmAs(somchai, id)
		_, err = give(w.boss, somchai.SubjectID, w.card(id).Version)
		w.wantCode(err, order.CodeCardDecided)
	})
}

func (w *world) confirmAs(by access.Caller, id string) {
	w.t.Helper()
	_, err := w.orders.Confirm(ctx, by, yes(w.card(id)))
	must(w.t, err)
}

// Whoever follows the feed learns of every change, decisions included, and of
// those that another transaction stamped a moment ago.
func TestChangesSince(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		start, err := w.orders.ChangesSince(ctx, w.malee, "", 0)
		must(t, err)
		w.now = w.now.Add(time.Minute)
		w.fill()
		notice := w.notice("agentbus-ext-0010", order.RouteNothingToDo)
		seen := map[string]bool{}
		cursor, parts := start.Cursor, 0
		for {
			c, err := w.orders.ChangesSince(ctx, w.malee, cursor, 4)
			must(t, err)
			for _, card := range c.Cards {
				seen[card.ID] = true
			}
			for _, n := range c.Notices {
				seen[n.ID] = true
			}
			parts++
			if cursor = c.Cursor; !c.More || parts > 20 {
				break
			}
		}
		if len(seen) != 16 || parts != 4 || !seen[notice] {
			t.Errorf("%d changes in %d parts", len(seen), parts)
		}
		w.now = w.now.Add(time.Minute)
		quiet, err := w.orders.ChangesSince(ctx, w.malee, cursor, 0)
		must(t, err)
		id := w.queue(order.QueueParams{Search: "4032077"})[0].ID
		w.confirm(id, nil)
		after, err := w.orders.ChangesSince(ctx, w.malee, quiet.Cursor, 0)
		must(t, err)
		fresh := slices.DeleteFunc(after.Cards, func(c order.CardBrief) bool { return c.UpdatedAt.Before(w.now) })
		if len(fresh) != 1 || fresh[0].ID != id || fresh[0].Status != order.CardConfirmed || fresh[0].Open() {
			t.Errorf("after the decision = %+v", fresh)
		}
		_, err = w.orders.ChangesSince(ctx, w.malee, "nonsense", 0)
		w.wantCode(err, order.CodeCursor)
	})
}

func TestExports(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.fill()
		var got, want []string
		must(t, w.orders.ExportCards(ctx, w.malee, order.QueueParams{Sort: "arrival", EventType: order.UpdateBooking}, func(c order.CardBrief) error {
			got = append(got, c.ID)
			return nil
		}))
		for _, c := range w.queue(order.QueueParams{Sort: "arrival", EventType: order.UpdateBooking}) {
			want = append(want, c.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" || len(got) == 0 {
			t.Errorf("export (-queue +export):\n%s", diff)
		}
		n, full := 0, errors.New("disk full")
		if err := w.orders.ExportOrders(ctx, w.malee, order.SearchParams{}, func(order.Record) error { n++; return full }); !errors.Is(err, full) || n != 1 {
			t.Errorf("after the writer's first error: %d rows, %v", n, err)
		}
		must(t, w.orders.ExportOrders(ctx, w.malee, order.SearchParams{}, func(order.Record) error { n++; return nil }))
		if n != 10 {
			t.Errorf("%d orders", n-1)
		}
		entries, _, err := w.audit.List(ctx, audit.Filter{HotelID: w.hotel.ID, Limit: 100})
		must(t, err)
		exports := slices.DeleteFunc(entries, func(e audit.Entry) bool { return e.Tool != "queue.export" && e.Tool != "order.export" })
		if len(exports) != 3 {
			t.Errorf("%d audit rows of exports", len(exports))
		}
		err = w.orders.ExportCards(ctx, w.caller(access.Service, "bus", access.RoleMailBus), order.QueueParams{}, nil)
		w.wantCode(err, access.CodePermission)
	})
}

func TestAccuracyOver(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		today := w.now.In(w.hotel.Location()).Format(time.DateOnly)
		w.fill()
		w.now = w.now.Add(3 * time.Hour)
		trace := w.queue(order.QueueParams{Search: "720933"})[0].ID
		w.confirm(trace, nil)
		update := w.queue(order.QueueParams{Search: "4032001"})[0].ID
		must(t, w.edit(update, "departure_date", "2026-12-19"))
		w.confirm(update, nil)
		cancel := w.queue(order.QueueParams{Search: "4032077"})[0]
		_, err := w.orders.Reject(ctx, w.malee, order.RejectParams{CardID: cancel.ID, Version: cancel.Version, ReasonCode: "hostile"})
		must(t, err)
		r, err := w.orders.AccuracyOver(ctx, w.boss, order.AccuracyParams{})
		must(t, err)
		if len(r.Days) != 30 || r.To < today {
			t.Errorf("%d days %s to %s", len(r.Days), r.From, r.To)
		}
		i := slices.IndexFunc(r.Days, func(d order.DayFigures) bool { return d.Date == today })
		if diff := cmp.Diff(order.DayFigures{Date: today, Opened: 15, Confirmed: 2, Edited: 1, Rejected: 1}, r.Days[i]); diff != "" {
			t.Errorf("day (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(map[string]int{"hostile": 1}, r.Reasons) + cmp.Diff(map[string]int{"departure_date": 1}, r.Fields); diff != "" {
			t.Error(diff)
		}
		for _, f := range r.ByType {
			if f.EventType == order.Trace && (f.MedianToConfirm != 3*time.Hour || f.P90ToConfirm != 3*time.Hour || f.Confirmed != 1) {
				t.Errorf("figures = %+v", f)
			}
		}
		for _, p := range []order.AccuracyParams{{From: "2026-13-01"}, {To: "soon"}, {From: "2026-12-02", To: "2026-12-01"}, {From: "2024-01-01", To: "2026-01-01"}} {
			_, err := w.orders.AccuracyOver(ctx, w.boss, p)
			w.wantCode(err, order.CodeInput)
		}
		_, err = w.orders.AccuracyOver(ctx, w.malee, order.AccuracyParams{})
		w.wantCode(err, access.CodePermission)
	})
}

func TestAcknowledgeNotices(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ten, eleven := w.notice("agentbus-ext-0010", order.RouteNothingToDo), w.notice("agentbus-ext-0011", order.RouteUnsafe)
		_, err := w.orders.OpenManual(ctx, w.malee, order.ManualParams{NoticeID: eleven, EventType: order.Trace, Text: "call"})
		must(t, err)
		for range 2 { // twice the same click
			got, err := w.orders.AcknowledgeNotices(ctx, w.malee, order.AcknowledgeParams{IDs: []string{eleven, "gone", ten, ten}, Text: "seen"})
			must(t, err)
			if len(got.Done) != 1 || got.Done[0] != ten || len(got.Skipped) != 2 {
				t.Fatalf("acknowledged = %+v", got)
			}
			for _, s := range got.Skipped {
				if s.Code != map[string]string{eleven: order.CodeNoticeHandled, "gone": order.CodeNoticeNotFound}[s.ID] || s.Text == "" {
					t.Errorf("skipped = %+v", s)
				}
			}
		}
		_, err = w.orders.AcknowledgeNotices(ctx, w.malee, order.AcknowledgeParams{})
		w.wantCode(err, order.CodeInput)
		_, err = w.orders.AcknowledgeNotices(ctx, w.finance, order.AcknowledgeParams{IDs: []string{ten}})
		w.wantCode(err, access.CodePermission)
	})
}
