package order

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// OpenFromPackage turns an accepted package into tasks and cards, inside the
// caller's transaction. Untouched cards of an earlier revision are superseded;
// events that repeat a card somebody has touched are marked ALREADY_HANDLED.
// The answers are in the order of the events.
func (s *Service) OpenFromPackage(ctx context.Context, by access.Caller, p PackageParams) ([]OpenedCard, error) {
	if err := by.Require(access.TaskResultSubmit); err != nil {
		return nil, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return nil, err
	}
	var opened []OpenedCard
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		opened = nil
		touched, err := s.supersede(ctx, by, in, p.Source.MessageID)
		if err != nil {
			return err
		}
		if err := s.wake(ctx, by, in, p.Source); err != nil {
			return err
		}
		o := opening{s: s, by: by, in: in, p: p, touched: touched, tasks: map[string]string{}, now: s.clock.Now()}
		for _, e := range p.Events {
			card, err := o.open(ctx, e)
			if err != nil {
				return err
			}
			opened = append(opened, card)
		}
		return nil
	})
	return opened, err
}

// supersede closes what an earlier revision of the mail opened and nobody
// touched, and returns the cards that somebody did.
func (s *Service) supersede(ctx context.Context, by access.Caller, in setting, messageID string) ([]cardRow, error) {
	rows, err := s.store.cardsOfMessage(ctx, in.hotel.ID, messageID)
	if err != nil {
		return nil, err
	}
	var touched []cardRow
	for i := range rows {
		if rows[i].Touched || !rows[i].IsOpen {
			touched = append(touched, rows[i])
			continue
		}
		gone, err := s.store.changeIfSame(ctx, &rows[i], map[string]any{"status": CardSuperseded, "is_open": false})
		if err != nil {
			return nil, err
		}
		if !gone { // a person touched it at this very moment
			now, err := s.store.card(ctx, in.hotel.ID, rows[i].ID)
			if err != nil {
				return nil, err
			}
			if now.Status != CardSuperseded {
				touched = append(touched, now)
			}
			continue
		}
		if err := s.rejectPending(ctx, by, &rows[i], "superseded by a later package of the same mail"); err != nil {
			return nil, err
		}
	}
	return touched, s.store.supersedeNotices(ctx, in.hotel.ID, messageID)
}

// opening is one package being opened.
type opening struct {
	s       *Service
	by      access.Caller
	in      setting
	p       PackageParams
	touched []cardRow
	tasks   map[string]string // order_ref to task id
	now     time.Time
}

func (o *opening) open(ctx context.Context, e ProposedEvent) (OpenedCard, error) {
	row := o.row(e)
	taskID, err := o.task(ctx, e.Event.OrderRef, row.AccountCode)
	if err != nil {
		return OpenedCard{}, err
	}
	row.TaskID = taskID
	if i := slices.IndexFunc(o.touched, func(t cardRow) bool { return t.EventHash == row.EventHash }); i >= 0 {
		o.repeat(&row, o.touched[i])
		o.touched = slices.Delete(o.touched, i, i+1) // one touched card answers one event
	} else if err := o.s.place(ctx, o.by, o.in, &row, len(e.ContractErrors) > 0); err != nil {
		return OpenedCard{}, err
	}
	if err := o.s.store.insert(ctx, &row); err != nil {
		return OpenedCard{}, err
	}
	return OpenedCard{OrderID: row.OrderID, CardID: row.ID, TransitionID: row.TransitionID}, nil
}

// repeat closes a new card that says what a touched one says already.
func (o *opening) repeat(row *cardRow, earlier cardRow) {
	row.Status, row.IsOpen, row.Mark = CardSuperseded, false, MarkAlreadyHandled
	row.RepeatOf, row.OrderID, row.DueAt = earlier.ID, earlier.OrderID, earlier.DueAt
	row.OrderKey, row.GuestName, row.ArrivalDate, row.DepartureDate = earlier.OrderKey, earlier.GuestName, earlier.ArrivalDate, earlier.DepartureDate
}

func (o *opening) task(ctx context.Context, ref, account string) (string, error) {
	if id, ok := o.tasks[ref]; ok {
		return id, nil
	}
	row := taskRow{ID: o.s.clock.NewID(), HotelID: o.in.hotel.ID, BatchID: o.p.BatchID, MessageID: o.p.Source.MessageID,
		OrderRef: cut(ref, 120), AccountCode: account, CreatedAt: database.At(o.now)}
	o.tasks[ref] = row.ID
	return row.ID, o.s.store.insert(ctx, &row)
}

func (o *opening) row(e ProposedEvent) cardRow {
	row := newCard(o.s.clock.NewID(), o.in.hotel.ID, o.p.Source, e.Event, o.now)
	row.BatchID, row.TransitionID = o.p.BatchID, e.TransitionID
	context, known := o.context(e.Event.OrderRef)
	row.AccountCode = cut(key(context.AccountCode), 80)
	origin := originOf(e.Event, o.p.Facts)
	origin.ContextMissing, origin.ContextReview = !known, context.ManualReview
	row.Origin, row.ContractErrors = toJSON(origin), toJSON(e.ContractErrors)
	return row
}

func (o *opening) context(ref string) (Context, bool) {
	i := slices.IndexFunc(o.p.Contexts, func(c Context) bool { return c.OrderRef == ref })
	if i < 0 {
		return Context{}, false
	}
	return o.p.Contexts[i], true
}

// newCard fills what does not depend on any order.
func newCard(id, hotelID string, src Source, e Event, now time.Time) cardRow {
	return cardRow{
		ID: id, HotelID: hotelID, MessageID: src.MessageID, ExternalMessageID: cut(src.ExternalMessageID, 255),
		ExternalConversationID: cut(src.ExternalConversationID, 255), ReceivedAt: database.At(src.ReceivedAt), Subject: cut(src.Subject, 500),
		SenderName: cut(src.SenderName, 200), SenderEmail: cut(src.SenderEmail, 255), EventType: cut(string(e.Type), 40),
		BookingType: cut(e.Target.BookingType, 16), LocatorType: cut(e.Target.LocatorType, 24), LocatorValue: cut(e.Target.LocatorValue, 80),
		IsOpen: true, Status: CardPending, EventJSON: strings.ToValidUTF8(string(e.Raw), "\uFFFD"), EventHash: hashJSON(e.Raw), Corrections: "null", Ticks: "null",
		Notes: "null", Flags: "null", BaseJSON: "null", Origin: "{}", ContractErrors: "null", Version: 1,
		CreatedAt: database.At(now), UpdatedAt: database.At(now),
	}
}

// hashJSON is the same for the same JSON however it is spaced or ordered.
func hashJSON(raw json.RawMessage) string {
	var v any
	canonical := []byte(raw)
	if json.Unmarshal(raw, &v) == nil {
		canonical = []byte(toJSON(v))
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:])
}
