package order

import (
	"context"
	"errors"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// confirmation is one confirm under way.
type confirmation struct {
	s      *Service
	by     access.Caller
	in     setting
	p      ConfirmParams
	judged judged
}

// Confirm does what the card says, once: the order as the person saw it, every
// refusing rule silent, every rule that asks answered. Order, history, card and
// audit commit together. The same person's same confirm answers the same again.
func (s *Service) Confirm(ctx context.Context, by access.Caller, p ConfirmParams) (_ ConfirmResult, err error) {
	defer s.refusal(ctx, by, "card.confirm", "card", p.CardID, &err)
	if err := by.Require(access.CardDecide); err != nil {
		return ConfirmResult{}, err
	}
	if err := p.Corrections.check(); err != nil {
		return ConfirmResult{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return ConfirmResult{}, err
	}
	if err := s.readForConfirm(ctx, by, in, p); err != nil {
		return ConfirmResult{}, err
	}
	result, err := s.confirmOnce(ctx, by, in, p)
	if errors.Is(err, database.ErrOutcomeUnknown) { // the card knows: done, or still open and done now
		result, err = s.confirmOnce(ctx, by, in, p)
	}
	if fault.Code(err) == CodeCardStale { // lost a race: perhaps against oneself
		if row, e := s.store.card(ctx, in.hotel.ID, p.CardID); e == nil && !row.IsOpen {
			return s.alreadyDone(ctx, by, in, &row, p)
		}
	}
	return result, err
}

func (s *Service) confirmOnce(ctx context.Context, by access.Caller, in setting, p ConfirmParams) (ConfirmResult, error) {
	var result ConfirmResult
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		row, err := s.store.card(ctx, in.hotel.ID, p.CardID)
		if err != nil {
			return err
		}
		if !row.IsOpen {
			result, err = s.alreadyDone(ctx, by, in, &row, p)
			return err
		}
		if err := s.notSeen(&row, by, p.Version, "version"); err != nil && !s.heldByOther(&row, by) {
			return err
		}
		if err := s.usable(&row, by, p.Version); err != nil {
			return err
		}
		c := &confirmation{s: s, by: by, in: in, p: p}
		result, err = c.run(ctx, &row)
		return err
	})
	return result, err
}

// alreadyDone answers a confirm of a closed card: the same result for the same
// person's same click, a conflict for anybody else.
func (s *Service) alreadyDone(ctx context.Context, by access.Caller, in setting, row *cardRow, p ConfirmParams) (ConfirmResult, error) {
	if row.Outcome != CardConfirmed || row.DecidedBy != by.SubjectID || row.DecidedFrom != p.Version {
		return ConfirmResult{}, errDecided(row.Status, row.DecidedName)
	}
	r, err := s.store.order(ctx, in.hotel.ID, row.OrderID)
	return ConfirmResult{CardID: row.ID, OrderID: row.OrderID, CardVersion: row.Version, OrderVersion: r.Version, Repeated: true}, err
}

func (c *confirmation) run(ctx context.Context, row *cardRow) (ConfirmResult, error) {
	if err := c.s.pin(ctx, c.in, row, c.p.TargetOrderID); err != nil {
		return ConfirmResult{}, err
	}
	corrections := row.corrections().merge(c.p.Corrections)
	j, err := c.s.judge(ctx, c.in, row, corrections, c.p.OrderVersion)
	if err != nil {
		return ConfirmResult{}, err
	}
	if err := j.acceptable(c.p.Corrections); err != nil {
		return ConfirmResult{}, err
	}
	if j.event.Type == CancelBooking { // the person's own reason; the dialog offers the mail's
		j.event.After.CancelReason = c.p.given()
	}
	c.judged = j
	if err := c.allowed(); err != nil {
		return ConfirmResult{}, err
	}
	// The card first: whoever loses a race stops here, before any order is written.
	if err := c.close(ctx, row, corrections); err != nil {
		return ConfirmResult{}, err
	}
	after, err := c.apply(ctx)
	if err != nil {
		return ConfirmResult{}, err
	}
	if err := c.s.store.showClosed(ctx, row.ID, after); err != nil {
		return ConfirmResult{}, err
	}
	if err := c.s.rejudge(ctx, c.in, after); err != nil {
		return ConfirmResult{}, err
	}
	err = c.s.note(ctx, c.by, "card.confirm", "card", row.ID)
	return ConfirmResult{CardID: row.ID, OrderID: after.ID, CardVersion: row.Version, OrderVersion: after.Version}, err
}

// allowed checks what a person must have done before anything is written.
func (c *confirmation) allowed() error {
	j := &c.judged
	if j.event.Type.Known() && j.event.Type != NewBooking && j.facts.Target == nil {
		return refuse(CodeTargetRequired, "请先指定目标订单。", "Choose the order this card is for.").With(map[string]any{"matches": len(j.facts.Matches)})
	}
	if t := j.subject(); t != nil && t.Version != c.p.OrderVersion {
		if err := c.s.notSeen(j.row, c.by, c.p.OrderVersion, "order_version"); err != nil {
			return err
		}
		return errOrderStale(t.Version)
	}
	if hard := fired(j.results, Hard); len(hard) > 0 {
		return c.refused(hard)
	}
	var open []string
	for _, name := range fired(j.results, Review) {
		if !slices.Contains(c.p.Ticks, name) {
			open = append(open, name)
		}
	}
	if len(open) > 0 {
		return refuse(CodeTickRequired, "以下规则需要逐条确认："+strings.Join(open, ", "), "These rules need your explicit yes: "+strings.Join(open, ", ")+".").
			With(map[string]any{"rules": open})
	}
	if err := c.keysGiven(); err != nil {
		return err
	}
	if j.secondStep() && !c.p.SecondStep {
		zh, en := j.effect(false)
		return refuse(CodeSecondStep, "请再次确认："+zh, "Confirm once more: "+en)
	}
	return nil
}

// refused names every rule that says no, with its sentence.
func (c *confirmation) refused(hard []string) error {
	var zh, en []string
	for _, r := range c.judged.results {
		if r.Level == Hard {
			zh, en = append(zh, r.Text), append(en, r.TextEN)
		}
	}
	return refuse(CodeRuleRefuses, strings.Join(zh, " "), strings.Join(en, " ")).With(map[string]any{"rules": hard})
}

// keysGiven asks for what only OPERA or a person can give.
func (c *confirmation) keysGiven() error {
	j := &c.judged
	switch j.event.Type {
	case NewBooking:
		return c.operaKey()
	case CancelBooking:
		if c.p.given() == "" && statusOf(j.facts) != StatusCancelled {
			return fault.New(fault.Unprocessable, CodeReasonRequired, "取消必须填写原因。", "Cancelling needs a reason.").
				At(fault.Violation{Path: "/reason", Code: CodeReasonRequired, Message: "a reason for cancelling"})
		}
	case UpdateBooking, Trace, RoomingList, Payment, attachVoucher: // ask for nothing
	}
	for name, v := range map[string]string{"cancellation_number": c.p.CancellationNumber, "reservation_no": c.p.ReservationNo} {
		if len([]rune(v)) > 80 {
			return invalid("/"+name, "超过 80 个字符。", "at most 80 characters")
		}
	}
	return nil
}

func (c *confirmation) operaKey() error {
	most, given, what := 80, key(c.p.ConfirmationNumber), "confirmation_number"
	if c.judged.byGroupCode() {
		most, given, what = 20, key(c.p.GroupCode), "group_code"
	}
	switch {
	case given == "":
		zh, en := labels(what)
		return refuse(CodeKeyRequired, "请填写 OPERA 给出的"+zh+"。", "Enter the "+en+" that OPERA gave.").With(map[string]any{"field": what})
	case len([]rune(given)) > most, len([]rune(key(c.p.ReservationNo))) > 80:
		return invalid("/"+what, "超过 OPERA 允许的长度（"+itoa(most)+"）。", "at most "+itoa(most)+" characters")
	}
	return nil
}

// close decides the card, keeping the agent's values, the corrections and the person.
func (c *confirmation) close(ctx context.Context, row *cardRow, corrections Corrections) error {
	columns := c.s.decided(c.by, row, CardConfirmed)
	ticks := []string{}
	ticks = append(ticks, fired(c.judged.results, Review)...) // all of them were ticked
	columns["ticks"], columns["corrections"], columns["reason"] = toJSON(ticks), toJSON(corrections), cut(c.p.Reason, 4000)
	columns["pinned"], columns["flags"] = row.Pinned, "null"
	zh, en := c.judged.effect(true)
	columns["findings"] = toJSON(findings{Rules: c.judged.results, EffectZH: zh, EffectEN: en})
	if t := c.judged.facts.Target; t != nil {
		row.OrderID = t.ID
	}
	columns["order_id"] = row.OrderID
	return c.s.store.changeCard(ctx, row, columns)
}
