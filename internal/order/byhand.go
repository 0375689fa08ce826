package order

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// byHandKeys are fields that only a person may set, besides what mails speak of.
var byHandKeys = []string{"status", "group_code", "confirmation_number", "reservation_no", "cancellation_number", "elastic", "cancellation_policy"}

// Correct changes an order by hand, with a reason. It goes through the same field
// table as cards and leaves the same history.
func (s *Service) Correct(ctx context.Context, by access.Caller, p CorrectParams) (_ Record, err error) {
	defer s.refusal(ctx, by, "order.correct", "order", p.OrderID, &err)
	if err := by.Require(access.OrderCorrect); err != nil {
		return Record{}, err
	}
	if strings.TrimSpace(p.Reason) == "" {
		return Record{}, refuse(CodeReasonRequired, "更正订单必须填写原因。", "Correcting an order needs a reason.")
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return Record{}, err
	}
	var after Record
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		before, err := s.store.order(ctx, in.hotel.ID, p.OrderID)
		if err != nil {
			return err
		}
		if before.Version != p.Version {
			return errOrderStale(before.Version)
		}
		if after, err = s.corrected(in, before, p.Changes); err != nil {
			return err
		}
		after, err = s.saveOrder(ctx, by, change{action: "CORRECTED", before: before, after: after, reason: p.Reason, zh: "人工更正", en: "corrected by hand"})
		if err != nil {
			return err
		}
		if err := s.rejudge(ctx, in, after); err != nil {
			return err
		}
		return s.note(ctx, by, "order.correct", "order", p.OrderID)
	})
	return after, err
}

// corrected is the order with the changes, checked by the rules that make sense
// without a mail: dates, rooms, codes and lengths.
func (s *Service) corrected(in setting, before Record, changes Corrections) (Record, error) {
	after := before.clone()
	rest := Corrections{}
	for k, v := range changes {
		if slices.Contains(byHandKeys, k) {
			if err := setByHand(&after, k, v); err != nil {
				return after, err
			}
			continue
		}
		rest[k] = v
	}
	if err := rest.check(); err != nil {
		return after, err
	}
	raw := overlay(json.RawMessage(`{"order_ref":"MANUAL","event_type":"UPDATE_BOOKING","target_order":{},"manual_review":false}`), rest)
	event, violations := ParseEvent(raw)
	if len(violations) > 0 {
		return after, fault.New(fault.Invalid, CodeCorrection, "更正内容不合要求，请按 violations 修正。", "The correction is not acceptable. Correct what violations names.").At(violations...)
	}
	f := Facts{Event: event, Target: &before, BusinessDate: in.hotel.BusinessDate, Codes: in.codes, Settings: s.set}
	for _, r := range slices.Concat(codeRules(), dateRules(), roomRules()) {
		if v := r.check(f); r.level == Hard && v.fired && !v.unchecked {
			return after, refuse(CodeRuleRefuses, v.zh, v.en).With(map[string]any{"rules": []string{r.name}})
		}
	}
	changed := f.proposal().apply(&after)
	if !changed && len(rest) == len(changes) {
		return after, refuse(CodeInput, "没有任何改动。", "Nothing would change.")
	}
	return after, nil
}

var statuses = []string{StatusTentative, StatusConfirmed, StatusInHouse, StatusCheckedOut, StatusCancelled, StatusNoShow}

func setByHand(r *Record, k string, v json.RawMessage) error {
	text := strings.TrimSpace(unquote(v))
	switch k {
	case "status":
		if !slices.Contains(statuses, key(text)) {
			return invalid("/changes/status", "订单状态无效。", "one of "+strings.Join(statuses, ", "))
		}
		r.Status = key(text)
	case "elastic":
		r.Elastic = text == "true" || string(v) == "true"
	case "cancellation_policy":
		r.Policy = ParsePolicy(text)
	default:
		return setKey(r, k, key(text))
	}
	return nil
}

func setKey(r *Record, k, v string) error {
	at, most := &r.GroupCode, 20
	switch k {
	case "confirmation_number":
		at, most = &r.ConfirmationNumber, 80
	case "reservation_no":
		at, most = &r.ReservationNo, 80
	case "cancellation_number":
		at, most = &r.CancellationNumber, 80
	}
	if len([]rune(v)) > most {
		return invalid("/changes/"+k, "超过 OPERA 允许的长度。", "at most "+itoa(most)+" characters")
	}
	*at = v
	return nil
}

// ConfirmPayment is finance's word that advised money has arrived: it moves the balance.
func (s *Service) ConfirmPayment(ctx context.Context, by access.Caller, paymentID string) (_ PaymentLine, err error) {
	defer s.refusal(ctx, by, "payment.confirm", "payment", paymentID, &err)
	if err := by.Require(access.PaymentConfirm); err != nil {
		return PaymentLine{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return PaymentLine{}, err
	}
	var row paymentRow
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if row, err = s.store.payment(ctx, in.hotel.ID, paymentID); err != nil {
			return err
		}
		if row.Status == PaymentConfirmed {
			return fault.New(fault.Conflict, CodePaymentDone, "该款项已由 "+row.ConfirmedBy+" 确认。", "The payment has been confirmed by "+row.ConfirmedBy+".")
		}
		row.Status, row.ConfirmedBy, row.ConfirmedAt = PaymentConfirmed, cut(by.Name, 200), database.At(s.clock.Now())
		if err := s.store.confirmPayment(ctx, &row); err != nil {
			return err
		}
		r, err := s.store.order(ctx, in.hotel.ID, row.OrderID)
		if err != nil {
			return err
		}
		money := FormatMoney(row.AmountMinor, row.Currency)
		_, err = s.saveOrder(ctx, by, change{action: "PAYMENT_CONFIRMED", before: r, after: r.clone(), extra: map[string]any{"payment": row.line()},
			cardID: row.CardID, zh: "财务确认到账 " + money, en: "finance confirmed " + money})
		if err != nil {
			return err
		}
		return s.note(ctx, by, "payment.confirm", "payment", paymentID)
	})
	return row.line(), err
}
