package order

import (
	"context"
	"encoding/json"
	"math/big"
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
	Percent json.Number `json:"percent"`
	Amount  string      `json:"amount"`
}

// due is what an order asks for: its deposit terms for a deposit, else the rest.
func (r Record) due(kind string, paid int64) (int64, bool) {
	if kind != "DEPOSIT" {
		if t := r.total(); t != nil {
			return *t - paid, true
		}
		return 0, false
	}
	var d deposit
	if json.Unmarshal(r.Extra["deposit"], &d) != nil {
		return 0, false
	}
	if minor, ok := minorUnits(d.Amount, r.Currency); ok {
		return minor, true
	}
	percent, ok := new(big.Rat).SetString(d.Percent.String())
	t := r.total()
	if t == nil || !ok || len(d.Percent) > 8 {
		return 0, false
	}
	return roundRat(percent.Mul(percent, big.NewRat(*t, 100))), true
}

// roundRat rounds half up; sums are never negative here.
func roundRat(x *big.Rat) int64 {
	twice := new(big.Int).Add(new(big.Int).Mul(x.Num(), big.NewInt(2)), x.Denom())
	return twice.Div(twice, new(big.Int).Mul(x.Denom(), big.NewInt(2))).Int64()
}

// dueAmounts is what is due now, followed by what was due before each change of
// the order, newest first: a remittance often answers an older state.
func (s *Service) dueAmounts(ctx context.Context, in setting, r Record, kind string, payments []PaymentLine) ([]DueAmount, error) {
	paid := confirmedSum(payments, r.Currency)
	minor, ok := r.due(kind, paid)
	if !ok {
		return nil, nil
	}
	out := []DueAmount{{Minor: minor, Currency: r.Currency}}
	history, err := s.store.changes(ctx, in.hotel.ID, r.ID)
	if err != nil {
		return nil, err
	}
	state := r.clone()
	for _, c := range history {
		if state.undo(c.BeforeJSON) != nil { // a row that holds no fields
			continue
		}
		old, ok := state.due(kind, paid)
		if ok && state.Status != StatusPending && old != out[len(out)-1].Minor {
			out = append(out, DueAmount{Minor: old, Currency: r.Currency, Until: c.CreatedAt.In(in.hotel.Location()).Format(time.DateOnly)})
		}
	}
	return out, nil
}

func confirmedSum(payments []PaymentLine, currency string) int64 {
	sum := int64(0)
	for _, p := range payments {
		if p.Status == PaymentConfirmed && p.Currency == currency {
			sum += p.AmountMinor
		}
	}
	return sum
}
