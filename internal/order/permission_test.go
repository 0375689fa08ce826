package order_test

import (
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// Every use case refuses a caller whose role does not grant it, before it looks at anything.
func TestDenied(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	o := w.orders
	nobody := w.caller(access.Service, "nobody", access.Role("none"))
	for name, call := range map[string]func(access.Caller) error{
		"OpenFromPackage": func(by access.Caller) error { _, err := o.OpenFromPackage(ctx, by, order.PackageParams{}); return err },
		"OpenNotice":      func(by access.Caller) error { _, err := o.OpenNotice(ctx, by, order.NoticeParams{}); return err },
		"Case":            func(by access.Caller) error { _, err := o.Case(ctx, by, "", order.Keys{}, 1); return err },
		"OnOrder":         func(by access.Caller) error { _, _, err := o.OnOrder(ctx, by, "", "no-such"); return err },
		"FindByKeys":      func(by access.Caller) error { _, err := o.FindByKeys(ctx, by, order.Keys{}, 1); return err },
		"Get":             func(by access.Caller) error { _, err := o.Get(ctx, by, "x"); return err },
		"OpenCards":       func(by access.Caller) error { _, err := o.OpenCards(ctx, by, nil); return err },
		"OpenCardsByKeys": func(by access.Caller) error { _, err := o.OpenCardsByKeys(ctx, by, order.Keys{}); return err },
		"CardsOfMessages": func(by access.Caller) error { _, err := o.CardsOfMessages(ctx, by, nil, "", 1); return err },
		"Card":            func(by access.Caller) error { _, err := o.Card(ctx, by, "x"); return err },
		"Queue":           func(by access.Caller) error { _, err := o.Queue(ctx, by, order.QueueParams{}); return err },
		"Counts":          func(by access.Caller) error { _, err := o.Counts(ctx, by); return err },
		"LatestChange":    func(by access.Caller) error { _, err := o.LatestChange(ctx, by); return err },
		"Claim":           func(by access.Caller) error { _, err := o.Claim(ctx, by, order.ClaimParams{}); return err },
		"Renew":           func(by access.Caller) error { _, err := o.Renew(ctx, by, "x"); return err },
		"Release":         func(by access.Caller) error { _, err := o.Release(ctx, by, "x"); return err },
		"Edit":            func(by access.Caller) error { _, err := o.Edit(ctx, by, order.EditParams{}); return err },
		"Confirm":         func(by access.Caller) error { _, err := o.Confirm(ctx, by, order.ConfirmParams{}); return err },
		"Reject": func(by access.Caller) error {
			_, err := o.Reject(ctx, by, order.RejectParams{ReasonCode: "hostile"})
			return err
		},
		"AskSender":         func(by access.Caller) error { _, err := o.AskSender(ctx, by, order.AskParams{}); return err },
		"Note":              func(by access.Caller) error { _, err := o.Note(ctx, by, "x", "text"); return err },
		"OpenManual":        func(by access.Caller) error { _, err := o.OpenManual(ctx, by, order.ManualParams{}); return err },
		"Correct":           func(by access.Caller) error { _, err := o.Correct(ctx, by, order.CorrectParams{}); return err },
		"ConfirmPayment":    func(by access.Caller) error { _, err := o.ConfirmPayment(ctx, by, "x"); return err },
		"Search":            func(by access.Caller) error { _, err := o.Search(ctx, by, order.SearchParams{}); return err },
		"Detail":            func(by access.Caller) error { _, err := o.Detail(ctx, by, "x"); return err },
		"History":           func(by access.Caller) error { _, err := o.History(ctx, by, "x"); return err },
		"Notices":           func(by access.Caller) error { _, err := o.Notices(ctx, by, order.NoticeListParams{}); return err },
		"AcknowledgeNotice": func(by access.Caller) error { _, err := o.AcknowledgeNotice(ctx, by, "x", ""); return err },
		"LoadOrders":        func(by access.Caller) error { return o.LoadOrders(ctx, by, nil) },
		"UpsertProjections": func(by access.Caller) error { _, err := o.UpsertProjections(ctx, by, nil); return err },
		"OperaWords":        func(by access.Caller) error { _, err := o.OperaWords(ctx, by, nil); return err },
		"ImportProjections": func(by access.Caller) error {
			_, err := o.ImportProjections(ctx, by, nil, order.ImportOptions{})
			return err
		},
		"ReadRoomingLists": func(by access.Caller) error { return o.ReadRoomingLists(ctx, by, "x", nil) },
		"HasProjection":    func(by access.Caller) error { _, err := o.HasProjection(ctx, by, nil); return err },
		"IndexSearch":      func(by access.Caller) error { _, err := o.IndexSearch(ctx, by); return err },
		"Accuracy":         func(by access.Caller) error { _, err := o.Accuracy(ctx, by, time.Time{}); return err },
	} {
		if err := call(nobody); fault.As(err).Kind != fault.Forbidden {
			t.Errorf("%s by nobody: %v, want forbidden", name, err)
		}
		scoped := w.boss
		scoped.Scopes = []string{}
		if err := call(scoped); fault.As(err).Kind != fault.Forbidden {
			t.Errorf("%s without a scope: %v, want forbidden", name, err)
		}
	}
}

func TestNotFound(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	o := w.orders
	for code, call := range map[string]func() error{
		order.CodeOrderNotFound:   func() error { _, err := o.Get(ctx, w.malee, "x"); return err },
		order.CodeCardNotFound:    func() error { _, err := o.Claim(ctx, w.malee, order.ClaimParams{CardID: "x"}); return err },
		order.CodeNoticeNotFound:  func() error { _, err := o.AcknowledgeNotice(ctx, w.malee, "x", ""); return err },
		order.CodePaymentNotFound: func() error { _, err := o.ConfirmPayment(ctx, w.finance, "x"); return err },
	} {
		w.wantCode(call(), code)
	}
	stranger := w.malee
	stranger.HotelID = "another"
	if _, err := o.Queue(ctx, stranger, order.QueueParams{}); fault.Code(err) != "HOTEL_MISMATCH" {
		t.Errorf("another hotel's caller: %v", err)
	}
}

func TestCorrect(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	found, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{ReservationNo: "720933"}, 1)
	must(t, err)
	r := found.Records[0]
	for name, c := range map[string]struct {
		change func(*order.CorrectParams)
		code   string
	}{
		"no reason": {func(p *order.CorrectParams) { p.Reason = " " }, order.CodeReasonRequired},
		"stale":     {func(p *order.CorrectParams) { p.Version++ }, order.CodeOrderStale},
		"no change": {func(p *order.CorrectParams) { p.Changes = order.Corrections{"rate_code": order.CorrectText("BARBB")} }, order.CodeInput},
		"bad date": {func(p *order.CorrectParams) {
			p.Changes = order.Corrections{"arrival_date": order.CorrectText("2026-02-30")}
		}, order.CodeCorrection},
		"wrong order": {func(p *order.CorrectParams) {
			p.Changes = order.Corrections{"arrival_date": order.CorrectText("2026-12-09")}
		}, order.CodeRuleRefuses},
		"bad status": {func(p *order.CorrectParams) { p.Changes = order.Corrections{"status": order.CorrectText("SLEEPING")} }, order.CodeInput},
		"long code": {func(p *order.CorrectParams) {
			p.Changes = order.Corrections{"group_code": order.CorrectText("A23456789012345678901")}
		}, order.CodeInput},
	} {
		p := order.CorrectParams{OrderID: r.ID, Version: r.Version, Reason: "phone call", Changes: order.Corrections{"status": order.CorrectText("IN_HOUSE")}}
		c.change(&p)
		_, err := w.orders.Correct(ctx, w.boss, p)
		if fault.Code(err) != c.code {
			t.Errorf("%s: %v, want %s", name, err, c.code)
		}
	}
	after, err := w.orders.Correct(ctx, w.boss, order.CorrectParams{OrderID: r.ID, Version: r.Version, Reason: "arrived",
		Changes: order.Corrections{"status": order.CorrectText("IN_HOUSE"), "guest_name": order.CorrectText("SRISUK, K."), "meal_plan": order.CorrectText("HB")}})
	must(t, err)
	if after.Status != order.StatusInHouse || after.GuestName != "SRISUK, K." || string(after.Extra["meal_plan"]) != `"HB"` || after.Version != r.Version+1 {
		t.Errorf("corrected = %+v", after)
	}
	history, err := w.orders.History(ctx, w.malee, r.ID)
	must(t, err)
	if h := history[0]; h.Action != "CORRECTED" || h.Reason != "arrived" || h.ByName != "boss" || string(h.Before) == "{}" {
		t.Errorf("history = %+v", h)
	}
}
