package order_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

func TestKey(t *testing.T) {
	for given, want := range map[string]string{
		" nordic0227\t": "NORDIC0227", "ｎｏｒｄｉｃ０２２７": "NORDIC0227", "　4032198　": "4032198", "0040321": "0040321",
		"nor\u200bdic\u00ad0227": "NORDIC0227", "sun  wal\u00a0 27": "SUN WAL 27", "团体２７ａ": "团体27A", "\ufeff": "", "ﾃｽﾄ": "テスト", "a_b%": "A_B%",
	} {
		if got := order.Key(given); got != want {
			t.Errorf("Key(%q) = %q, want %q", given, got, want)
		}
		if again := order.Key(want); again != want {
			t.Errorf("Key(%q) = %q is not stable", want, again)
		}
	}
}

// One order, however its key is written; and no other for a key that only looks so.
func TestResolveHoweverWritten(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		must(t, w.orders.LoadOrders(ctx, w.system, []order.Record{
			{BookingType: order.Group, GroupCode: "春节团27a", GroupName: "Spring", ArrivalDate: "2027-02-01", DepartureDate: "2027-02-03"},
			{BookingType: order.FIT, ConfirmationNumber: "0077", ReservationNo: "r 77", GuestName: "ZERO, A", ArrivalDate: "2027-03-01", DepartureDate: "2027-03-02"},
			{BookingType: order.FIT, ConfirmationNumber: "77", GuestName: "SEVEN, B", ArrivalDate: "2027-03-01", DepartureDate: "2027-03-02"},
		}))
		for _, c := range []struct{ locator, value, name string }{
			{order.ByGroupCode, "春节团２７Ａ", "Spring"}, {order.ByGroupCode, "  春节团27a ", "Spring"}, {order.ByGroupCode, "春节团", ""},
			{order.ByConfirmation, "００７７", "ZERO, A"}, {order.ByConfirmation, "77", "SEVEN, B"}, {order.ByConfirmation, "00077", ""}, {order.ByConfirmation, "7%", ""},
			{order.ByReservationNo, "Ｒ　77", "ZERO, A"}, {order.ByReservationNo, "0077", ""}, {order.ByGroupCode, "0077", ""},
		} {
			p := w.pack("09-trace-thai-tis620.v4.json")
			o := map[string]json.RawMessage{}
			decode(t, p.Events[0], &o)
			target, err := json.Marshal(map[string]string{"booking_type": "FIT", "locator_type": c.locator, "locator_value": c.value})
			must(t, err)
			o["target_order"] = target
			p.Events[0], err = json.Marshal(o)
			must(t, err)
			v := w.card(w.submit(p)[0].CardID)
			got := ""
			if v.Target != nil {
				got = v.Target.Name()
			}
			_, missing := rule(v, "target.missing")
			if got != c.name || missing != (c.name == "") {
				t.Errorf("%s %q leads to %q, want %q (rules %+v)", c.locator, c.value, got, c.name, v.Rules)
			}
		}
	})
}

// The live order counts, also behind very many old ones under the same code.
func TestResolveBeyondOldOnes(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		list := []order.Record{{BookingType: order.Group, GroupCode: "YEARLY", GroupName: "Live", ArrivalDate: "2026-12-20", DepartureDate: "2026-12-22"}}
		for i := range 60 {
			list = append(list, order.Record{BookingType: order.Group, GroupCode: "YEARLY", GroupName: "Old", Status: order.StatusCancelled,
				ArrivalDate: fmt.Sprintf("2027-01-%02d", i%28+1), DepartureDate: "2027-02-01", GuestName: fmt.Sprintf("N%d", i)})
		}
		must(t, w.orders.LoadOrders(ctx, w.system, list))
		found, err := w.orders.FindByKeys(ctx, w.agent, order.Keys{GroupCode: "yearly"}, 50)
		must(t, err)
		if len(found.Records) != 50 || !found.Truncated || len(found.Live) != 1 || found.Live[0].GroupName != "Live" {
			t.Errorf("%d records, truncated %v, live %+v", len(found.Records), found.Truncated, found.Live)
		}
		p := w.pack("09-trace-thai-tis620.v4.json")
		p.Events[0] = json.RawMessage(replaced(string(p.Events[0]), `"720933"`, `"YEARLY"`))
		p.Events[0] = json.RawMessage(replaced(string(p.Events[0]), `"RESERVATION_NO"`, `"GROUP_CODE"`))
		if v := w.card(w.submit(p)[0].CardID); v.Target == nil || v.Target.GroupName != "Live" {
			t.Errorf("target = %+v, matches %d", v.Target, len(v.Matches))
		}
	})
}

func TestKeysAgree(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		meyer := w.confirm(w.submitFile("12-wholesaler-sheet-three-orders.v4.json")[0].CardID, func(p *order.ConfirmParams) { p.ConfirmationNumber = "4032300" })
		if w.detail(meyer.OrderID).Block == nil {
			t.Fatal("no pick-up")
		}
		for _, c := range []struct {
			keys  order.Keys
			agree bool
		}{
			{order.Keys{ConfirmationNumber: "4032077", ReservationNo: "720871"}, true},
			{order.Keys{ConfirmationNumber: "4032077", ReservationNo: "720933"}, false},
			{order.Keys{GroupCode: "sunwal27", ConfirmationNumber: "4032300"}, true}, // a reservation of the block
			{order.Keys{GroupCode: "sunwal27", ConfirmationNumber: "4032077"}, false},
			{order.Keys{GroupCode: "NOTHING", ConfirmationNumber: "4032077"}, true}, // leads nowhere: another warning says so
			{order.Keys{GroupCode: "sunwal27"}, true},
		} {
			f, err := w.orders.FindByKeys(ctx, w.agent, c.keys, 0)
			must(t, err)
			if f.Agree != c.agree {
				t.Errorf("%+v agree = %v, want %v", c.keys, f.Agree, c.agree)
			}
		}
	})
}

// A key counts where it stands as a word of its own, in any width.
func TestKeyInQuotedHistoryOnly(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.yuntu()
	base := w.pack("05-fit-update-trace-chinese.v4.json") // 4032198 stands in the new text and in the quote
	for key, want := range map[string]bool{"4032198": false, "403219": false, "YT-88213": false} {
		p := base
		p.Events = []json.RawMessage{json.RawMessage(replaced(string(base.Events[0]), `"4032198"`, `"`+key+`"`))}
		v := w.card(w.submit(p)[0].CardID)
		if _, quoted := rule(v, "target.key_only_quoted"); quoted != want {
			t.Errorf("%s: only quoted %v, want %v", key, quoted, want)
		}
	}
}

// Duplicates are found by the agent's own number and by account, name and dates,
// however the name is written, and shown side by side.
func TestDuplicates(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		stay := func(name, account, reference, in, out, status string) order.Record {
			return order.Record{BookingType: order.FIT, ConfirmationNumber: "C" + in + out + reference, GuestName: name, AccountCode: account, ExternalReference: reference,
				ArrivalDate: in, DepartureDate: out, Status: status}
		}
		must(t, w.orders.LoadOrders(ctx, w.system, []order.Record{
			stay("Xiaoming Wang Mr", "yuntu", "", "2027-01-22", "2027-01-25", ""),               // same name and account, overlapping
			stay("ＷＡＮＧ，ＸＩＡＯＭＩＮＧ", "YUNTU", "", "2027-01-19", "2027-01-21", "TENTATIVE"),         // full-width
			stay("WANG, XIAOMING", "YUNTU", "", "2027-01-23", "2027-01-25", ""),                 // begins as the other ends
			stay("WANG, XIAOMING", "OTHER", "", "2027-01-20", "2027-01-23", ""),                 // another account
			stay("WANG, XIAOMING", "YUNTU", "", "2027-01-21", "2027-01-22", "CANCELLED"),        // cancelled
			stay("SOMEBODY, ELSE", "OTHER", "ｙｔ-88213", "2027-05-01", "2027-05-02", "DEFINITE"), // the same reference
		}))
		v := w.card(w.submitFile("04-fit-new-chinese-gbk.v4.json")[0].CardID)
		_, reference := rule(v, "new.same_reference")
		_, same := rule(v, "new.same_stay")
		if !reference || !same || len(v.Duplicates) != 3 {
			t.Errorf("reference %v, stay %v, duplicates %+v", reference, same, v.Duplicates)
		}
	})
}
