package order

import (
	"context"
	"encoding/json"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// place resolves a new card's target, creates the pending order of a NEW_BOOKING,
// judges it and fills in what lists show.
func (s *Service) place(ctx context.Context, by access.Caller, in setting, row *cardRow, broken bool) error {
	j, err := s.judge(ctx, in, row, nil, 0)
	if err != nil {
		return err
	}
	if j.event.Type == NewBooking {
		if err := s.createPending(ctx, by, in, &j); err != nil {
			return err
		}
	}
	s.show(&j, broken)
	row.DueAt = database.At(row.CreatedAt.Add(s.allowance(in, &j)))
	return nil
}

// show copies onto the row what lists show and search, and its review flag.
func (s *Service) show(j *judged, broken bool) {
	row, e := j.row, j.event
	about := j.facts.Target
	if about == nil {
		about = j.pending
	}
	if about == nil {
		about = &Record{GuestName: e.GuestName, ArrivalDate: e.ArrivalDate, DepartureDate: e.DepartureDate, AccountCode: row.AccountCode}
	}
	if j.facts.Target != nil {
		row.OrderID = j.facts.Target.ID
		if row.BaseVersion == 0 {
			row.BaseJSON, row.BaseVersion = toJSON(j.facts.Target), j.facts.Target.Version
		}
	}
	row.GuestName = cut(orElse(about.Name(), e.GuestName), 200)
	row.ArrivalDate, row.DepartureDate, row.CutoffDate = dateOrNone(about.ArrivalDate), dateOrNone(about.DepartureDate), dateOrNone(about.CutoffDate)
	row.AccountCode = orElse(row.AccountCode, about.AccountCode)
	row.OrderKey = cut(orElse(e.Target.LocatorValue, about.Key()), 80)
	row.SearchText = cut(fold(row.OrderKey, searchText(*about), e.GuestName, row.AccountCode, e.After.Fields["external_reference"],
		e.After.Fields["guest_name"], e.After.Fields["alternate_name"], row.SenderName, row.SenderEmail, row.Subject), 1500)
	flags := append(fired(j.results, Hard), fired(j.results, Review)...)
	row.Flags = toJSON(flags)
	row.Review = broken || e.ManualReview || j.facts.Origin.ContextReview || len(flags) > 0
	if row.Status == CardPending || row.Status == CardNeedsReview {
		row.Status = idleStatus(row.Review)
	}
}

// createPending makes the order that a NEW_BOOKING proposes: visible at once,
// binding only when a person confirms it.
func (s *Service) createPending(ctx context.Context, by access.Caller, in setting, j *judged) error {
	now := s.clock.Now()
	r := Record{ID: s.clock.NewID(), HotelID: in.hotel.ID, BookingType: orElse(j.event.Target.BookingType, FIT), Status: StatusPending,
		Currency: in.hotel.Currency, SourceMessageID: j.row.MessageID, Version: 1, CreatedAt: now, UpdatedAt: now}
	if j.facts.Block != nil {
		r.BlockOrderID = j.facts.Block.ID
		r.Currency = orElse(j.facts.Block.Currency, r.Currency)
	}
	j.facts.proposal().apply(&r)
	if err := s.store.createOrder(ctx, r); err != nil {
		return err
	}
	j.row.OrderID, j.pending = r.ID, &r
	return s.record(ctx, by, change{action: "CREATED", after: r, cardID: j.row.ID, zh: "由来信建立，待确认", en: "created from a mail, to be confirmed"})
}

// rejectPending rejects the order that a NEW_BOOKING card had created, if it is
// still only pending.
func (s *Service) rejectPending(ctx context.Context, by access.Caller, row *cardRow, why string) error {
	if row.EventType != string(NewBooking) || row.OrderID == "" {
		return nil
	}
	r, err := s.store.order(ctx, row.HotelID, row.OrderID)
	if err != nil || r.Status != StatusPending {
		return err
	}
	after := r.clone()
	after.Status = StatusRejected
	_, err = s.saveOrder(ctx, by, change{action: "REJECTED", before: r, after: after, cardID: row.ID, reason: why, zh: "预订被驳回", en: "the booking was rejected"})
	return err
}

// rejudge runs the rules again for the open cards that an order's change concerns,
// and links cards that were waiting for its key.
func (s *Service) rejudge(ctx context.Context, in setting, r Record) error {
	rows, err := s.store.waitingFor(ctx, r)
	if err != nil {
		return err
	}
	for i := range rows {
		j, err := s.judge(ctx, in, &rows[i], rows[i].corrections(), 0)
		if err != nil {
			return err
		}

		s.show(&j, rows[i].broken())
		if err := s.store.refreshCard(ctx, rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// change is one step of an order's history.
type change struct {
	action        string
	before, after Record // before.ID is "" for a new order
	extra         map[string]any
	cardID        string
	reason        string
	zh, en        string
}

// saveOrder writes the next version of an order with its history row.
func (s *Service) saveOrder(ctx context.Context, by access.Caller, c change) (Record, error) {
	c.after.Version, c.after.UpdatedAt = c.before.Version+1, s.clock.Now()
	if err := s.store.updateOrder(ctx, c.after, !slices.EqualFunc(c.before.Rooms, c.after.Rooms, sameLine)); err != nil {
		return c.after, err
	}
	return c.after, s.record(ctx, by, c)
}

func sameLine(a, b RoomLine) bool {
	return a.RoomTypeCode == b.RoomTypeCode && a.RoomCount == b.RoomCount && sameRate(a.RateMinor, b.RateMinor)
}

func (s *Service) record(ctx context.Context, by access.Caller, c change) error {
	before, after := changedFields(c.before, c.after)
	for k, v := range c.extra {
		after[k] = json.RawMessage(toJSON(v))
	}
	row := changeRow{ID: s.clock.NewID(), HotelID: c.after.HotelID, OrderID: c.after.ID, OrderVersion: c.after.Version, CardID: c.cardID,
		Action: c.action, BeforeJSON: toJSON(before), AfterJSON: toJSON(after), Reason: c.reason, Summary: c.zh, SummaryEn: c.en,
		ByID: by.SubjectID, ByName: by.Name, CreatedAt: database.At(s.clock.Now())}
	return s.store.insert(ctx, &row)
}

// changedFields are the fields that differ, by their contract names. A new order
// has no before.
func changedFields(a, b Record) (before, after map[string]json.RawMessage) {
	before, after = map[string]json.RawMessage{}, object(json.RawMessage(toJSON(b)))
	if a.ID != "" {
		before = object(json.RawMessage(toJSON(a)))
	}
	for _, k := range []string{"order_id", "version", "created_at", "updated_at"} {
		delete(before, k)
		delete(after, k)
	}
	for _, k := range sortedKeys(after) {
		if old, ok := before[k]; ok && sameJSON(old, after[k]) {
			delete(before, k)
			delete(after, k)
		}
	}
	return before, after
}
