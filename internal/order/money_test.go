package order_test

import (
	"encoding/json"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// pay opens a payment card like mail 08's with parts of it replaced.
func (w *world) pay(pairs ...string) order.CardView {
	w.t.Helper()
	p := w.pack("08-payment-deposit-nordic0227.v4.json")
	raw := string(p.Events[0])
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(raw, pairs[i]) {
			w.t.Fatalf("%q is not in the event", pairs[i])
		}
		raw = strings.Replace(raw, pairs[i], pairs[i+1], 1)
	}
	p.Events[0] = json.RawMessage(raw)
	return w.card(w.submit(p)[0].CardID)
}

func (w *world) says(v order.CardView, name, zh, en string) {
	w.t.Helper()
	r, ok := rule(v, name)
	if !ok || !strings.Contains(r.Text, zh) || !strings.Contains(r.TextEN, en) {
		w.t.Errorf("%s says %q / %q, want %q / %q", name, r.Text, r.TextEN, zh, en)
	}
}

// Before rates are known, the card says truly what is missing.
func TestSumDueSaysWhatIsMissing(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	id := w.confirm(w.submitFile("01-group-new-nordic-choir.v4.json")[0].CardID, func(p *order.ConfirmParams) { p.GroupCode = "NORDIC0227" }).OrderID
	v := w.pay()
	w.says(v, "payment.sum_due", "未检查：应付金额：定金约定为房费的 20%，但房型 DLXT、DLXK、SUPT 还没有房价", "the deposit is 20 % of the total, but no rate is known for DLXT, DLXK, SUPT")
	if r, _ := rule(v, "payment.sum_due"); r.Level != order.Warn || !r.Unchecked {
		t.Errorf("level %s", r.Level)
	}
	w.says(w.pay(`"DEPOSIT"`, `"FULL"`), "payment.sum_due", "房型 DLXT、DLXK、SUPT 还没有房价", "no rate is known")
	r := w.detail(id).Record
	_, err := w.orders.Correct(ctx, w.boss, order.CorrectParams{OrderID: id, Version: r.Version, Reason: "contract", Changes: order.Corrections{
		"deposit": json.RawMessage(`{"amount":"25440.00","due_date":"2026-12-07"}`)}})
	must(t, err)
	if _, fires := rule(w.pay(), "payment.sum_due"); fires { // a stated sum needs no rates
		t.Error("25,440.00 is the stated deposit")
	}
	if l := w.detail(id).Ledger; l.DepositMinor == nil || *l.DepositMinor != 2544000 || l.DepositDate != "2026-12-07" || l.TotalMinor != nil || l.Missing.EN == "" || l.BalanceMinor != nil {
		t.Errorf("ledger = %+v", l)
	}
}

// Deposits in parts, too little, too much, twice, in other money, and back again.
func TestPayments(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		nordic := w.nordic()
		v := w.pay(`"25440.00"`, `"10000.00"`, "FT26331-77120", "ft26331 １")
		w.says(v, "payment.sum_due", "少 THB 15440.00", "THB 15440.00 less")
		w.confirm(v.ID, nil)
		if d := w.detail(nordic); d.PaidMinor != 0 || d.Ledger.AdvisedMinor != 1000000 || *d.Ledger.BalanceMinor != 12720000 {
			t.Errorf("evidence moved the balance: %+v", d.Ledger)
		}
		v = w.pay(`"25440.00"`, `"15440.00"`, "FT26331-77120", "FT-2")
		w.says(v, "payment.sum_due", "另有 THB 10000.00 已通知、财务未确认", "another THB 10000.00 was advised")
		_, err := w.orders.ConfirmPayment(ctx, w.finance, w.detail(nordic).Payments[0].ID)
		must(t, err)
		if v = w.card(v.ID); len(v.Rules) > 0 { // 15,440 is the rest of the deposit now
			for _, r := range v.Rules {
				if r.Name != "order.other_open_cards" {
					t.Errorf("the rest of the deposit: %+v", r)
				}
			}
		}
		w.says(w.pay("FT26331-77120", "FT26331 1"), "payment.reference_seen", "THB 10000.00", "THB 10000.00 2026-11-27")
		w.says(w.pay(`"25440.00"`, `"20000.00"`), "payment.sum_due", "多 THB 4560.00", "THB 4560.00 more")
		w.says(w.pay(`"THB"`, `"EUR"`), "payment.other_currency", "EUR 与订单币种不同（THB）", "The payment is in EUR, the order in THB.")
		w.says(w.pay(`"DEPOSIT"`, `"REFUND"`), "payment.refund", "退款超过订单上财务已确认的 THB 10000.00", "more than the THB 10000.00")
		v = w.pay(`"DEPOSIT"`, `"REFUND"`, `"25440.00"`, `"4000.00"`, "FT26331-77120", "FT-R")
		if !strings.Contains(v.EffectZH, "登记退款 THB 4000.00") {
			t.Errorf("effect = %s", v.EffectZH)
		}
		w.confirm(v.ID, nil)
		_, err = w.orders.ConfirmPayment(ctx, w.finance, w.detail(nordic).Payments[1].ID)
		must(t, err)
		l := w.detail(nordic).Ledger
		if l.PaidMinor != 600000 || l.RefundMinor != 400000 || *l.BalanceMinor != 12120000 || len(l.Lines) != 2 || l.Lines[0].PaidMinor != 1000000 || l.Lines[1].PaidMinor != 600000 {
			t.Errorf("ledger = %+v", l)
		}
		w.checkAccounts()
	})
}

func (w *world) checkAccounts() {
	w.t.Helper()
	named := func(account, reference string) order.CardView {
		return w.pay(`"method"`, `"bank_account": "`+account+`", "method"`, "FT26331-77120", reference)
	}
	first := named("KBANK 111", "A1")
	w.says(first, "payment.bank_details_changed", "未检查：账户 KBANK 111 是否变更", "not checked: whether the account KBANK 111 is a new one")
	w.confirm(first.ID, nil)
	if _, fires := rule(named("kbank 111", "A2"), "payment.bank_details_changed"); fires {
		w.t.Error("the same account is no change")
	}
	w.says(named("SCB 222", "A3"), "payment.bank_details_changed", "SCB 222 与该客户以往款项的账户（KBANK 111）不同", "earlier payments of this customer named KBANK 111")
}

func TestTraces(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.nordic()                                                                           // FNB, 2027-02-10
		w.confirm(w.submitFile("09-trace-thai-tis620.v4.json")[0].CardID, nil)               // four, one an allergy or the like
		w.confirm(w.submitFile("05-fit-update-trace-chinese.v4.json")[0].CardID, onYuntu(w)) // none of its own
		all, err := w.orders.Traces(ctx, w.malee, order.TraceParams{From: "2026-01-01", To: "2028-01-01"})
		must(t, err)
		if len(all.Traces) < 5 {
			t.Fatalf("traces = %+v", all.Traces)
		}
		for i, tr := range all.Traces {
			if tr.OrderKey == "" || tr.OrderName == "" || tr.OrderStatus == "" || i > 0 && all.Traces[i-1].Date+all.Traces[i-1].Time > tr.Date+tr.Time {
				t.Errorf("trace %d = %+v", i, tr)
			}
		}
		var paged []string
		p := order.TraceParams{From: "2026-01-01", To: "2028-01-01", Limit: 2}
		for {
			page, err := w.orders.Traces(ctx, w.malee, p)
			must(t, err)
			for _, tr := range page.Traces {
				paged = append(paged, tr.ID)
			}
			if p.Cursor = page.NextCursor; p.Cursor == "" || len(paged) > len(all.Traces) {
				break
			}
		}
		if len(paged) != len(all.Traces) || paged[len(paged)-1] != all.Traces[len(paged)-1].ID {
			t.Errorf("paged %d of %d", len(paged), len(all.Traces))
		}
		dinner, err := w.orders.Traces(ctx, w.malee, order.TraceParams{Department: "fnb", From: "2027-02-10"})
		must(t, err)
		if len(dinner.Traces) != 1 || dinner.To != "2027-02-10" || dinner.Traces[0].OrderKey != "NORDIC0227" || dinner.Traces[0].OutsideStay {
			t.Errorf("dinner = %+v", dinner)
		}
		special, err := w.orders.Traces(ctx, w.malee, order.TraceParams{Flag: "allergy", From: "2026-12-01", To: "2026-12-31"})
		must(t, err)
		if len(special.Traces) == 0 || special.Traces[0].Flag != "ALLERGY" {
			t.Errorf("special needs = %+v", special.Traces)
		}
		for _, p := range []order.TraceParams{{From: "2026-02-30"}, {From: "2026-12-02", To: "2026-12-01"}} {
			_, err := w.orders.Traces(ctx, w.malee, p)
			w.wantCode(err, order.CodeInput)
		}
		_, err = w.orders.Traces(ctx, w.caller(access.Service, "bus", access.RoleMailBus), order.TraceParams{})
		w.wantCode(err, access.CodePermission)
	})
}

// onYuntu brings the order of mail 05 into being first and looks again.
func onYuntu(w *world) func(*order.ConfirmParams) {
	w.yuntu()
	return func(p *order.ConfirmParams) { *p = yes(w.card(p.CardID)) }
}
