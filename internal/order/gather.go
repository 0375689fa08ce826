package order

import (
	"context"
	"encoding/json"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/platform"
)

// setting is what a call needs to know of the hotel.
type setting struct {
	hotel platform.Hotel
	codes platform.CodeLists
}

func (s *Service) setting(ctx context.Context, by access.Caller) (setting, error) {
	h, err := s.platform.Hotel(ctx, by)
	if err != nil {
		return setting{}, err
	}
	codes, err := s.platform.CodeLists(ctx, by)
	return setting{hotel: h, codes: codes}, err
}

// home is setting without the code lists, for calls that judge nothing.
func (s *Service) home(ctx context.Context, by access.Caller) (setting, error) {
	h, err := s.platform.Hotel(ctx, by)
	return setting{hotel: h}, err
}

// judged is a card with everything known about it now.
type judged struct {
	row     *cardRow
	agent   Event
	event   Event // corrections applied
	facts   Facts
	pending *Record
	home    string // the hotel's currency
	results []RuleResult
}

// judge reads what the rules need and runs them. seen is the order version a
// person saw, 0 when nobody did.
func (s *Service) judge(ctx context.Context, in setting, row *cardRow, corrections Corrections, seen int64) (judged, error) {
	j := judged{row: row, home: in.hotel.Currency}
	j.agent, _ = ParseEvent(json.RawMessage(row.EventJSON))
	event, violations := ParseEvent(overlay(json.RawMessage(row.EventJSON), corrections))
	j.event = event
	j.facts = Facts{Event: event, Account: row.AccountCode, BusinessDate: in.hotel.BusinessDate, Codes: in.codes, Settings: s.set,
		Origin: row.origin(), Violations: violations, SeenVersion: seen}
	if corrections["locator_value"] != nil || row.Pinned {
		j.facts.Origin.KeyOnlyQuoted = false // a person gave the key
	}
	if err := s.findTarget(ctx, in, &j); err != nil {
		return j, err
	}
	if err := s.findRest(ctx, in, &j); err != nil {
		return j, err
	}
	j.results = Judge(j.facts)
	return j, nil
}

// findTarget resolves the order the event means, afresh: it may have come into
// being, or been cancelled, since the mail came.
func (s *Service) findTarget(ctx context.Context, in setting, j *judged) error {
	f := &j.facts
	if j.event.Type == NewBooking {
		return s.findBlock(ctx, in, j)
	}
	if j.row.Pinned && j.row.OrderID != "" {
		r, err := s.store.order(ctx, in.hotel.ID, j.row.OrderID)
		if err != nil {
			return err
		}
		f.Target = &r
		return nil
	}
	target, matches, err := s.resolve(ctx, in.hotel.ID, j.event.Target)
	f.Target, f.Matches = target, matches
	return err
}

func (s *Service) findBlock(ctx context.Context, in setting, j *judged) error {
	if j.row.OrderID != "" {
		r, err := s.store.order(ctx, in.hotel.ID, j.row.OrderID)
		if err != nil {
			return err
		}
		j.pending = &r
	}
	block, matches, err := s.resolve(ctx, in.hotel.ID, j.event.Target)
	j.facts.Block, j.facts.Matches = block, matches
	return err
}

// resolve finds the one order a key means: the only live one, else the only one.
func (s *Service) resolve(ctx context.Context, hotelID string, t Target) (*Record, []Record, error) {
	all, err := s.store.byKey(ctx, hotelID, t.LocatorType, t.LocatorValue, maxMatches)
	if err != nil {
		return nil, nil, err
	}
	live := slices.DeleteFunc(slices.Clone(all), func(r Record) bool { return !r.Live() })
	if len(all) == maxMatches && len(live) < 2 { // a live one may lie beyond many old ones
		if live, err = s.store.liveByKey(ctx, hotelID, t.LocatorType, t.LocatorValue, maxMatches); err != nil {
			return nil, nil, err
		}
	}
	switch {
	case len(live) == 1:
		return &live[0], nil, nil
	case len(live) > 1:
		return nil, live, nil
	case len(all) == 1:
		return &all[0], nil, nil
	}
	return nil, all, nil
}

// maxMatches is the most orders looked at under one key.
const maxMatches = 50

func (s *Service) findRest(ctx context.Context, in setting, j *judged) error {
	steps := []func(context.Context, setting, *judged) error{s.findOthers, s.findDuplicates, s.findMoney, s.findNames, s.findSheets}
	for _, step := range steps {
		if err := step(ctx, in, j); err != nil {
			return err
		}
	}
	if b := j.row.base(); b != nil && j.facts.Target != nil && b.ID == j.facts.Target.ID {
		j.facts.Moved = moved(j.facts.proposal(), *b, *j.facts.Target)
	}
	return nil
}

// moved names the proposed fields whose value changed since the mail, to
// something else than what the mail wants.
func moved(p proposal, then, now Record) []string {
	var out []string
	for _, f := range fields() {
		want, ok := p.values[f.name]
		if ok && f.get(&then) != f.get(&now) && f.get(&now) != want {
			out = append(out, f.name)
		}
	}
	after := now.clone()
	if p.rooms != nil && !sameRooms(then.Rooms, now.Rooms) && applyRooms(&after, p.rooms) {
		out = append(out, "room_items")
	}
	return out
}

func (j *judged) orderID() string {
	if j.facts.Target != nil {
		return j.facts.Target.ID
	}
	return j.row.OrderID
}

func (s *Service) findOthers(ctx context.Context, in setting, j *judged) error {
	rows, err := s.otherCards(ctx, in, j)
	j.facts.OtherCards = len(rows)
	return err
}

func (s *Service) otherCards(ctx context.Context, in setting, j *judged) ([]cardRow, error) {
	if j.orderID() == "" {
		return nil, nil
	}
	rows, err := s.store.openCardsOf(ctx, in.hotel.ID, []string{j.orderID()})
	return slices.DeleteFunc(rows, func(r cardRow) bool { return r.ID == j.row.ID }), err
}

func (s *Service) findDuplicates(ctx context.Context, in setting, j *judged) error {
	if j.event.Type != NewBooking {
		return nil
	}
	v := j.facts.proposal().values
	var err error
	if j.facts.SameReference, err = s.store.sameReference(ctx, in.hotel.ID, v["external_reference"], j.row.OrderID); err != nil {
		return err
	}
	name := orElse(v["group_name"], v["guest_name"])
	j.facts.SameStay, err = s.store.sameStay(ctx, in.hotel.ID, v["account_code"], name, v["arrival_date"], v["departure_date"], j.row.OrderID)
	return err
}

func (s *Service) findMoney(ctx context.Context, in setting, j *judged) error {
	t := j.facts.Target
	if t == nil || (j.event.Type != Payment && j.event.Type != CancelBooking) {
		return nil
	}
	var err error
	if j.facts.Payments, err = s.store.payments(ctx, "order_id = ? AND +hotel_id = ?", t.ID, in.hotel.ID); err != nil || j.event.Type != Payment {
		return err
	}
	pay := j.facts.payment()
	if pay.BankReference != "" {
		if j.facts.SameBankRef, err = s.store.payments(ctx, "hotel_id = ? AND bank_reference = ?", in.hotel.ID, cut(pay.BankReference, 120)); err != nil {
			return err
		}
	}
	if j.facts.BankAccounts, err = s.store.bankAccounts(ctx, in.hotel.ID, t.AccountCode); err != nil {
		return err
	}
	j.facts.Due, j.facts.DueMissing, err = s.dueAmounts(ctx, in, *t, pay.Kind, j.facts.Payments)
	return err
}

func (s *Service) findNames(ctx context.Context, in setting, j *judged) error {
	t := j.facts.Target
	if t == nil || (j.event.Type != RoomingList && j.event.Type != CancelBooking) {
		return nil
	}
	var err error
	if j.facts.Listed, err = s.store.rooming(ctx, t.ID, "LISTED"); err != nil || t.BookingType == FIT {
		return err
	}
	j.facts.PickedUp, err = s.store.pickedUp(ctx, in.hotel.ID, t.ID)
	return err
}
