package order_test

import (
	"strings"
	"testing"

	"thhotel/internal/order"
)

// replaced is strings.Replace that must replace something.
func replaced(s, old, replacement string) string {
	if !strings.Contains(s, old) {
		panic("test: " + old + " is not in the text") //nolint:forbidigo // a broken test table
	}
	return strings.Replace(s, old, replacement, 1)
}

func TestAllowed(t *testing.T) {
	for _, c := range []struct {
		status                  string
		update, cancel, voucher bool
		codes                   string
	}{
		{order.StatusConfirmed, true, true, true, ""},
		{order.StatusTentative, true, true, true, ""},
		{order.StatusPending, false, false, true, "UPDATE_ORDER_PENDING CANCEL_ORDER_PENDING"},
		{order.StatusInHouse, true, false, true, "CANCEL_IN_HOUSE"},
		{order.StatusCheckedOut, false, false, false, "UPDATE_ORDER_CLOSED CANCEL_ORDER_CLOSED VOUCHER_ORDER_CLOSED"},
		{order.StatusCancelled, false, false, false, "UPDATE_ORDER_CLOSED CANCEL_ALREADY_CANCELLED VOUCHER_ORDER_CLOSED"},
		{order.StatusNoShow, false, false, true, "UPDATE_ORDER_CLOSED CANCEL_ORDER_CLOSED"},
		{order.StatusRejected, false, false, false, "UPDATE_ORDER_CLOSED CANCEL_ORDER_CLOSED VOUCHER_ORDER_CLOSED"},
	} {
		t.Run(c.status, func(t *testing.T) {
			a := order.Allowed(order.Record{Status: c.status}, "2026-11-30")
			if a.CanUpdate != c.update || a.CanCancel != c.cancel || a.CanAttachVoucher != c.voucher {
				t.Errorf("allowed = %+v", a)
			}
			var codes []string
			for _, r := range a.Reasons {
				codes = append(codes, r.Code)
			}
			if got := strings.Join(codes, " "); got != c.codes {
				t.Errorf("reasons = %q, want %q", got, c.codes)
			}
		})
	}
}

func TestParsePolicy(t *testing.T) {
	p := order.ParsePolicy("7 days before arrival, else 1 night")
	if p.Days == nil || *p.Days != 7 || p.Nights == nil || *p.Nights != 1 {
		t.Errorf("policy = %+v", p)
	}
	if p := order.ParsePolicy("non refundable"); p.Days != nil || p.Text == "" {
		t.Errorf("policy = %+v, want text only", p)
	}
}

func TestFormatMoney(t *testing.T) {
	for want, in := range map[string]struct {
		minor int64
		code  string
	}{"THB 25440.00": {2544000, "THB"}, "JPY 500": {500, "JPY"}, "KWD 1.005": {1005, "KWD"}, "EUR -0.05": {-5, "EUR"}} {
		if got := order.FormatMoney(in.minor, in.code); got != want {
			t.Errorf("FormatMoney(%d, %s) = %q, want %q", in.minor, in.code, got, want)
		}
	}
}
