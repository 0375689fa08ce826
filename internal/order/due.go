package order

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"time"
)

// total is rooms x nights x rate; nil when a rate is missing.
func (r Record) total() *int64 {
	n := int64(nights(r.ArrivalDate, r.DepartureDate))
	if len(r.Rooms) == 0 || n == 0 {
		return nil
	}
	sum := int64(0)
	for _, l := range r.Rooms {
		if l.RateMinor == nil {
			return nil
		}
		sum += *l.RateMinor * int64(l.RoomCount) * n
	}
	return &sum
}

// deposit is what the order says of it: {"percent":20} or {"amount":"5000.00"}.
type deposit struct {
	Percent  json.Number `json:"percent"`
	Amount   string      `json:"amount"`
	Currency string      `json:"currency"`
	DueDate  string      `json:"due_date"`
}

func (r Record) deposit() (deposit, bool) {
	var d deposit
	ok := !isNull(r.Extra["deposit"]) && json.Unmarshal(r.Extra["deposit"], &d) == nil
	return d, ok && (d.Amount != "" || d.Percent != "")
}

// due is what an order asks for: its deposit for a deposit, else all of it; less
// what finance has confirmed. It says what is missing where it cannot tell.
func (r Record) due(kind string, paid int64) (DueAmount, Missing, bool) {
	t := r.total()
	if kind != KindDeposit {
		if t == nil {
			return DueAmount{}, r.noTotal(), false
		}
		return DueAmount{Minor: *t - paid, Currency: r.Currency}, Missing{}, true
	}
	d, ok := r.deposit()
	if !ok {
		return DueAmount{}, Missing{"订单没有定金约定", "the order has no deposit terms"}, false
	}
	asked, ok := d.sum(r.Currency, t)
	if !ok {
		m := r.noTotal()
		return DueAmount{}, Missing{"定金约定为房费的 " + d.Percent.String() + "%，但" + m.ZH, "the deposit is " + d.Percent.String() + " % of the total, but " + m.EN}, false
	}
	if asked.Currency == r.Currency {
		asked.Minor = max(asked.Minor-paid, 0)
	}
	return asked, Missing{}, true
}

func (d deposit) sum(currency string, total *int64) (DueAmount, bool) {
	in := orElse(d.Currency, currency)
	if minor, ok := minorUnits(d.Amount, in); ok {
		return DueAmount{Minor: minor, Currency: in}, true
	}
	percent, ok := new(big.Rat).SetString(d.Percent.String())
	if total == nil || !ok || len(d.Percent) > 8 {
		return DueAmount{}, false
	}
	return DueAmount{Minor: roundRat(percent.Mul(percent, big.NewRat(*total, 100))), Currency: currency}, true
}

// noTotal says why the price of the stay is not known.
func (r Record) noTotal() Missing {
	var without []string
	for _, l := range r.Rooms {
		if l.RateMinor == nil {
			without = append(without, l.RoomTypeCode)
		}
	}
	switch {
	case len(r.Rooms) == 0:
		return Missing{"订单没有房型明细", "the order has no rooms"}
	case nights(r.ArrivalDate, r.DepartureDate) <= 0:
		return Missing{"订单没有入住晚数", "the order has no nights"}
	}
	return Missing{"房型 " + strings.Join(without, "、") + " 还没有房价", "no rate is known for " + strings.Join(without, ", ")}
}

// roundRat rounds half up; sums are never negative here.
func roundRat(x *big.Rat) int64 {
	twice := new(big.Int).Add(new(big.Int).Mul(x.Num(), big.NewInt(2)), x.Denom())
	return twice.Div(twice, new(big.Int).Mul(x.Denom(), big.NewInt(2))).Int64()
}

// dueAmounts is what is due now, followed by what was due before each change of
// the order, newest first: a remittance often answers an older state.
func (s *Service) dueAmounts(ctx context.Context, in setting, r Record, kind string, payments []PaymentLine) ([]DueAmount, Missing, error) {
	paid := confirmedSum(payments, r.Currency)
	now, missing, ok := r.due(kind, paid)
	if !ok {
		return nil, missing, nil
	}
	out := []DueAmount{now}
	history, err := s.store.changes(ctx, in.hotel.ID, r.ID)
	if err != nil {
		return nil, Missing{}, err
	}
	state := r.clone()
	for _, c := range history {
		if state.undo(c.BeforeJSON) != nil { // a row that holds no fields
			continue
		}
		old, _, ok := state.due(kind, paid)
		if ok && state.Status != StatusPending && old.Minor != out[len(out)-1].Minor {
			old.Until = c.CreatedAt.In(in.hotel.Location()).Format(time.DateOnly)
			out = append(out, old)
		}
	}
	return out, Missing{}, nil
}

// confirmedSum is what finance has seen come in, less what it has paid back.
func confirmedSum(payments []PaymentLine, currency string) int64 {
	sum := int64(0)
	for _, p := range payments {
		switch {
		case p.Status != PaymentConfirmed || p.Currency != currency:
		case p.Kind == KindRefund:
			sum -= p.AmountMinor
		default:
			sum += p.AmountMinor
		}
	}
	return sum
}
