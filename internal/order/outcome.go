package order

import (
	"context"
	"encoding/json"
	"strings"

	"thhotel/internal/access"
)

// findings are what a decided card keeps of the moment it was decided: the order
// has moved on since, and judging it again would tell another story.
type findings struct {
	Rules    []RuleResult `json:"rules"`
	EffectZH string       `json:"effect"`
	EffectEN string       `json:"effect_en"`
}

// settle turns the view of a closed card to the past: nothing is left to do or to warn of.
func (v *CardView) settle(row *cardRow) {
	if row.IsOpen {
		return
	}
	var kept findings
	if row.Findings != nil {
		_ = json.Unmarshal([]byte(*row.Findings), &kept) // our own JSON
	}
	v.Rules, v.EffectZH, v.EffectEN = kept.Rules, kept.EffectZH, kept.EffectEN
	v.CanConfirm, v.SecondStep, v.Needs = false, false, nil
	if v.EffectZH == "" {
		v.EffectZH, v.EffectEN = row.ended()
	}
}

// ended says how a card ended that did nothing to a booking.
func (r *cardRow) ended() (zh, en string) {
	switch {
	case r.Status == CardConfirmed: // decided before its effect was kept
		return "已确认；所做的改动见订单历史。", "Confirmed; the order's history says what changed."
	case r.Status == CardRejected:
		l := rejectLabels[r.ReasonCode]
		return "已驳回（" + orElse(l.zh, r.ReasonCode) + "），没有改动订单。", "Rejected (" + orElse(l.en, r.ReasonCode) + "); no order was changed."
	case r.Mark == MarkAlreadyHandled:
		return "与一张已有人处理的任务卡相同，没有改动订单。", "Repeats a card that somebody has handled; no order was changed."
	}
	return "已被同一邮件的新数据包取代，没有改动订单。", "Replaced by a later package of the same mail; no order was changed."
}

var rejectLabels = map[string]label{
	"duplicate": {"重复", "duplicate"}, "wrong_target": {"目标订单不对", "wrong order"}, "not_a_request": {"不是请求", "not a request"},
	"already_done": {"已经办妥", "already done"}, "hostile": {"可疑或恶意", "hostile"}, "insufficient": {"信息不足", "not enough said"},
}

// notSeen refuses a decision that names no version: the person cannot have looked
// at what they decide. Who has not claimed the card is told to begin there.
func (s *Service) notSeen(row *cardRow, by access.Caller, version int64, field string) error {
	if version != 0 {
		return nil
	}
	if row.Status != CardClaimed || row.OwnerID != by.SubjectID {
		return refuse(CodeCardNotClaimed, "请先认领此任务卡，核对之后再确认。", "Claim the card first, look at it, then confirm.")
	}
	return invalid("/"+field, "缺少页面上显示的版本号；请刷新任务卡后再确认。", "the version that was shown; reload the card, then confirm")
}

// alreadyCancelled is a cancel that found its order cancelled already: the order
// and its history stay as they are.
func (c *confirmation) alreadyCancelled(ctx context.Context, r Record) (Record, error) {
	number := key(c.p.CancellationNumber)
	if number == "" || r.CancellationNumber != "" {
		return r, nil
	}
	r.CancellationNumber = number
	return c.saveAs(ctx, r, nil, label{"订单早已取消；补记取消号 " + number + "。", "The order was cancelled already; its cancellation number " + number + " was added."})
}

// given is the person's own reason, without what nobody sees.
func (p ConfirmParams) given() string { return strings.TrimSpace(p.Reason) }
