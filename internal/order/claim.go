package order

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
)

// act runs one staff action on a card in a transaction, with its audit row.
func (s *Service) act(ctx context.Context, by access.Caller, tool, cardID string, do func(context.Context, setting, *cardRow) error) (_ CardBrief, err error) {
	defer s.refusal(ctx, by, tool, "card", cardID, &err)
	if err := by.Require(access.CardDecide); err != nil {
		return CardBrief{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return CardBrief{}, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		row, err := s.store.card(ctx, in.hotel.ID, cardID)
		if err != nil {
			return err
		}
		if err := do(ctx, in, &row); err != nil {
			return err
		}
		return s.note(ctx, by, tool, "card", cardID)
	})
	if err != nil {
		return CardBrief{}, err
	}
	row, err := s.store.card(ctx, in.hotel.ID, cardID)
	return row.brief(), err
}

// note writes the audit row of a staff action into the transaction of the action.
func (s *Service) note(ctx context.Context, by access.Caller, tool, kind, id string) error {
	e := audit.FromCaller(by)
	e.Tool, e.Owner, e.Risk, e.Status, e.ResourceType, e.ResourceID = tool, "order", "write", audit.Succeeded, kind, id
	return wrap("audit "+tool, s.audit.Append(ctx, e))
}

// heldByOther reports who else holds the card now, if anybody.
func (s *Service) heldByOther(row *cardRow, by access.Caller) bool {
	return row.Status == CardClaimed && row.OwnerID != by.SubjectID && row.LeaseUntil.After(s.clock.Now())
}

// closed reports a card that no longer takes actions.
func closed(row *cardRow) error {
	if row.IsOpen {
		return nil
	}
	return errDecided(row.Status, row.DecidedName)
}

// Claim takes the card's lock. Whoever holds it already renews it; an expired
// lock is free; TakeOver takes a held one and needs the permission for that.
func (s *Service) Claim(ctx context.Context, by access.Caller, p ClaimParams) (CardBrief, error) {
	return s.act(ctx, by, "card.claim", p.CardID, func(ctx context.Context, _ setting, row *cardRow) error {
		if err := closed(row); err != nil {
			return err
		}
		if s.heldByOther(row, by) {
			if !p.TakeOver {
				return errClaimed(row.OwnerName)
			}
			if err := by.Require(access.CardTakeOver); err != nil {
				return err
			}
		}
		columns := s.lease(by)
		s.resume(row, columns)
		err := s.store.changeCard(ctx, row, columns)
		return s.explainLostRace(ctx, err, row, by)
	})
}

// explainLostRace tells who was faster instead of "stale".
func (s *Service) explainLostRace(ctx context.Context, err error, row *cardRow, by access.Caller) error {
	if err == nil {
		return nil
	}
	if now, e := s.store.card(ctx, row.HotelID, row.ID); e == nil && s.heldByOther(&now, by) {
		return errClaimed(now.OwnerName)
	}
	return err
}

func (s *Service) lease(by access.Caller) map[string]any { return s.leaseFor(by.SubjectID, by.Name) }

// Renew keeps the lock while the page is open. It is not audited: nothing changes hands.
func (s *Service) Renew(ctx context.Context, by access.Caller, cardID string) (CardBrief, error) {
	if err := by.Require(access.CardDecide); err != nil {
		return CardBrief{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return CardBrief{}, err
	}
	var row cardRow
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if row, err = s.store.card(ctx, in.hotel.ID, cardID); err != nil {
			return err
		}
		if err := s.mustHold(&row, by); err != nil {
			return err
		}
		row.LeaseUntil = database.At(s.clock.Now().Add(time.Duration(s.set.LeaseMinutes) * time.Minute))
		return s.store.renew(ctx, row)
	})
	return row.brief(), err
}

// mustHold refuses unless the caller's lock is still theirs: an expired one that
// nobody took counts.
func (s *Service) mustHold(row *cardRow, by access.Caller) error {
	if err := closed(row); err != nil {
		return err
	}
	if s.heldByOther(row, by) {
		return errClaimed(row.OwnerName)
	}
	if row.Status != CardClaimed || row.OwnerID != by.SubjectID {
		return refuse(CodeCardNotClaimed, "请先认领此任务卡。", "Claim the card first.")
	}
	return nil
}

// Release gives the lock back.
func (s *Service) Release(ctx context.Context, by access.Caller, cardID string) (CardBrief, error) {
	return s.act(ctx, by, "card.release", cardID, func(ctx context.Context, _ setting, row *cardRow) error {
		if err := s.mustHold(row, by); err != nil {
			return err
		}
		return s.store.changeCard(ctx, row, map[string]any{"status": idleStatus(row.Review), "owner_id": "", "owner_name": "", "lease_until": database.Time{}})
	})
}

// usable refuses a closed card, one that another person holds, and a version
// that is not the newest. A free card may be used without claiming it first.
func (s *Service) usable(row *cardRow, by access.Caller, version int64) error {
	if err := closed(row); err != nil {
		return err
	}
	if s.heldByOther(row, by) {
		return errClaimed(row.OwnerName)
	}
	if version != row.Version {
		return errCardStale(row.Version)
	}
	return nil
}

// Edit saves a person's corrections beside the agent's values.
func (s *Service) Edit(ctx context.Context, by access.Caller, p EditParams) (CardBrief, error) {
	if err := p.Corrections.check(); err != nil {
		return CardBrief{}, err
	}
	return s.act(ctx, by, "card.edit", p.CardID, func(ctx context.Context, in setting, row *cardRow) error {
		if err := s.usable(row, by, p.Version); err != nil {
			return err
		}
		if err := s.pin(ctx, in, row, p.TargetOrderID); err != nil {
			return err
		}
		all := row.corrections().merge(p.Corrections)
		j, err := s.judge(ctx, in, row, all, 0)
		if err != nil {
			return err
		}
		if err := j.acceptable(p.Corrections); err != nil {
			return err
		}
		columns := s.lease(by)
		s.resume(row, columns)
		columns["corrections"], columns["pinned"], columns["order_id"] = toJSON(all), row.Pinned, row.OrderID
		if err := s.store.changeCard(ctx, row, columns); err != nil {
			return err
		}
		s.show(&j, row.broken())
		return s.store.refreshCard(ctx, *row)
	})
}

// broken reports whether the agent's event broke the contract.
func (r *cardRow) broken() bool {
	var list []json.RawMessage
	_ = json.Unmarshal([]byte(r.ContractErrors), &list) // our own JSON
	return len(list) > 0
}

// pin makes a person's choice of order the card's target.
func (s *Service) pin(ctx context.Context, in setting, row *cardRow, orderID string) error {
	if orderID == "" || row.EventType == string(NewBooking) {
		return nil
	}
	if _, err := s.store.order(ctx, in.hotel.ID, orderID); err != nil {
		return err
	}
	if row.OrderID != orderID {
		row.BaseJSON, row.BaseVersion = "null", 0
	}
	row.OrderID, row.Pinned = orderID, true
	return nil
}

// AskSender parks the card until the sender has answered; its clock stands still.
func (s *Service) AskSender(ctx context.Context, by access.Caller, p AskParams) (CardBrief, error) {
	return s.act(ctx, by, "card.ask_sender", p.CardID, func(ctx context.Context, _ setting, row *cardRow) error {
		if err := s.usable(row, by, p.Version); err != nil {
			return err
		}
		now := s.clock.Now()
		if !p.Until.After(now) {
			return invalid("/until", "等待截止时间必须在将来。", "a moment in the future")
		}
		columns := map[string]any{"status": CardWaiting, "touched": true, "owner_id": cut(by.SubjectID, 64), "owner_name": cut(by.Name, 200),
			"lease_until": database.Time{}, "notes": row.withNote(by, p.Text, now)}
		s.pause(row, columns, p.Until)
		return s.store.changeCard(ctx, row, columns)
	})
}

// Note leaves a remark on a card, open or closed.
func (s *Service) Note(ctx context.Context, by access.Caller, cardID, text string) (CardNote, error) {
	if text = strings.TrimSpace(text); text == "" || len(text) > 4000 {
		return CardNote{}, invalid("/text", "备注不能为空，且不超过 4000 字节。", "1 to 4000 bytes")
	}
	n := CardNote{Text: text, ByID: by.SubjectID, ByName: by.Name, At: s.clock.Now()}
	_, err := s.act(ctx, by, "card.note", cardID, func(ctx context.Context, _ setting, row *cardRow) error {
		return s.store.changeCard(ctx, row, map[string]any{"touched": true, "notes": row.withNote(by, text, n.At)})
	})
	return n, err
}

func (r *cardRow) withNote(by access.Caller, text string, at time.Time) string {
	var notes []CardNote
	_ = json.Unmarshal([]byte(r.Notes), &notes) // our own JSON
	if text = strings.TrimSpace(text); text != "" {
		notes = append(notes, CardNote{Text: cut(text, 4000), ByID: by.SubjectID, ByName: by.Name, At: at})
	}
	return toJSON(notes)
}

// Reject closes the card without touching any order but the pending one it made.
func (s *Service) Reject(ctx context.Context, by access.Caller, p RejectParams) (CardBrief, error) {
	if !slices.Contains(RejectReasons(), p.ReasonCode) {
		return CardBrief{}, refuse(CodeReasonUnknown, "请选择驳回原因。", "Choose a reason for rejecting: "+strings.Join(RejectReasons(), ", ")+".")
	}
	return s.act(ctx, by, "card.reject", p.CardID, func(ctx context.Context, _ setting, row *cardRow) error {
		if row.Outcome == CardRejected && row.DecidedBy == by.SubjectID && row.DecidedFrom == p.Version {
			return nil // the same person's same click
		}
		if err := s.usable(row, by, p.Version); err != nil {
			return err
		}
		columns := s.decided(by, row, CardRejected)
		columns["reason_code"], columns["reason"] = p.ReasonCode, cut(p.Text, 4000)
		if err := s.store.changeCard(ctx, row, columns); err != nil {
			return err
		}
		return s.rejectPending(ctx, by, row, strings.TrimSpace(p.ReasonCode+" "+p.Text))
	})
}

// decided are the columns that close a card.
func (s *Service) decided(by access.Caller, row *cardRow, outcome string) map[string]any {
	return map[string]any{"status": outcome, "outcome": outcome, "is_open": false, "review": false, "touched": true, "owner_id": cut(by.SubjectID, 64),
		"owner_name": cut(by.Name, 200), "lease_until": database.Time{}, "decided_by": cut(by.SubjectID, 64), "decided_name": cut(by.Name, 200),
		"decided_at": database.At(s.clock.Now()), "decided_from": row.Version, "waiting_until": database.Time{}, "paused_at": database.Time{}}
}
