package order

// Ledger is an order's money in its own currency. What the sender said was paid is
// evidence (Advised) and moves nothing until finance confirms it.
type Ledger struct {
	Currency     string       `json:"currency"`
	TotalMinor   *int64       `json:"total_minor"` // of the stay; nil while a rate is missing
	Missing      Missing      `json:"-"`           // why the total is not known
	DepositMinor *int64       `json:"deposit_minor"`
	DepositDate  string       `json:"deposit_due_date"`
	AdvisedMinor int64        `json:"advised_minor"`
	PaidMinor    int64        `json:"paid_minor"`     // confirmed, less refunds
	RefundMinor  int64        `json:"refunded_minor"` // confirmed refunds
	BalanceMinor *int64       `json:"balance_minor"`  // total less paid; below zero when too much was paid
	Lines        []LedgerLine `json:"lines"`
}

// LedgerLine is a payment with what had been paid after it. A line in another
// currency, or not confirmed, moves nothing.
type LedgerLine struct {
	PaymentLine
	Counts    bool  `json:"counts"`
	PaidMinor int64 `json:"paid_minor"`
}

func ledgerOf(r Record, payments []PaymentLine) Ledger {
	l := Ledger{Currency: r.Currency, TotalMinor: r.total()}
	if l.TotalMinor == nil {
		l.Missing = r.noTotal()
	}
	if d, ok := r.deposit(); ok {
		l.DepositDate = d.DueDate
		if sum, known := d.sum(r.Currency, l.TotalMinor); known && sum.Currency == r.Currency {
			l.DepositMinor = &sum.Minor
		}
	}
	for _, p := range payments {
		line := LedgerLine{PaymentLine: p, Counts: p.Status == PaymentConfirmed && p.Currency == r.Currency}
		switch {
		case line.Counts && p.Kind == KindRefund:
			l.PaidMinor -= p.AmountMinor
			l.RefundMinor += p.AmountMinor
		case line.Counts:
			l.PaidMinor += p.AmountMinor
		case p.Status == PaymentAdvised && p.Currency == r.Currency && p.Kind != KindRefund:
			l.AdvisedMinor += p.AmountMinor
		}
		line.PaidMinor = l.PaidMinor
		l.Lines = append(l.Lines, line)
	}
	if l.TotalMinor != nil {
		balance := *l.TotalMinor - l.PaidMinor
		l.BalanceMinor = &balance
	}
	return l
}
