package order

import (
	"context"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
)

// A card's clock: due_at is when it is due if nothing else happens. Asking the
// sender moves it on by the whole wait at once, so that a queue sorted by it is
// right at every moment; going on earlier gives the rest of the wait back, and a
// wait that has run out needs nobody to notice it.

// pause stops the clock until a moment.
func (s *Service) pause(row *cardRow, columns map[string]any, until time.Time) {
	now := s.clock.Now()
	due := s.dueWithoutWait(row, now)
	columns["due_at"] = database.At(due.Add(until.Sub(now)))
	columns["paused_at"], columns["waiting_until"] = database.At(now), database.At(until)
}

// resume ends a pause: the clock runs on with as much as it had left.
func (s *Service) resume(row *cardRow, columns map[string]any) {
	if row.PausedAt.IsZero() {
		return
	}
	columns["due_at"] = database.At(s.dueWithoutWait(row, s.clock.Now()))
	columns["paused_at"], columns["waiting_until"] = database.Time{}, database.Time{}
}

// dueWithoutWait is when the card is due if its wait ends now.
func (s *Service) dueWithoutWait(row *cardRow, now time.Time) time.Time {
	if row.PausedAt.IsZero() || !row.WaitingUntil.After(now) {
		return row.DueAt.Time
	}
	return row.DueAt.Add(-row.WaitingUntil.Sub(now))
}

// Clock states of a card.
const (
	ClockRunning = "RUNNING"
	ClockPaused  = "PAUSED" // the sender has been asked
	ClockOverdue = "OVERDUE"
	ClockStopped = "STOPPED" // decided
)

// Clock says how a card's clock stands, and how much time is left (less than
// zero when overdue). While it is paused the time left stands still.
func (c CardBrief) Clock(now time.Time) (state string, left time.Duration) {
	switch {
	case !c.Open():
		return ClockStopped, 0
	case c.Status == CardWaiting && c.WaitingUntil.After(now):
		return ClockPaused, c.DueAt.Sub(c.WaitingUntil)
	case c.DueAt.Before(now):
		return ClockOverdue, c.DueAt.Sub(now)
	}
	return ClockRunning, c.DueAt.Sub(now)
}

// allowance is how long people have, by the hotel's date and settings.
func (s *Service) allowance(in setting, j *judged) time.Duration {
	near := addDays(in.hotel.BusinessDate, s.set.UrgentDays)
	arrival := j.event.ArrivalDate
	if j.facts.Target != nil {
		arrival = j.facts.Target.ArrivalDate
	}
	urgent := j.event.Type == CancelBooking || j.event.Type == UpdateBooking
	switch {
	case urgent && arrival != "" && arrival <= near:
		return time.Duration(s.set.UrgentHours) * time.Hour
	case j.event.Type == NewBooking && j.event.Target.BookingType == Group:
		return time.Duration(s.set.GroupHours) * time.Hour
	}
	return time.Duration(s.set.Hours.of(j.event.Type, s.set.OtherHours)) * time.Hour
}

// HoursByEvent are due times of their own for event types; 0 takes Settings.OtherHours.
type HoursByEvent struct{ NewBooking, Update, Cancel, Trace, RoomingList, Payment int }

func (h HoursByEvent) of(t EventType, other int) int {
	hours := map[EventType]int{NewBooking: h.NewBooking, UpdateBooking: h.Update, CancelBooking: h.Cancel, Trace: h.Trace,
		RoomingList: h.RoomingList, Payment: h.Payment}[t]
	if hours == 0 {
		return other
	}
	return hours
}

// wake ends the wait of cards whose conversation has gone on: what the sender was
// asked may be answered now.
func (s *Service) wake(ctx context.Context, by access.Caller, in setting, src Source) error {
	if src.ExternalConversationID == "" {
		return nil
	}
	rows, err := s.store.waitingCards(ctx, in.hotel.ID, cut(src.ExternalConversationID, 255), src.MessageID)
	if err != nil {
		return err
	}
	now := s.clock.Now()
	for i := range rows {
		columns := map[string]any{"status": idleStatus(rows[i].Review),
			"notes": rows[i].withNote(by, "同一会话有新来信，等待结束。 A new mail in the conversation ended the wait.", now)}
		s.resume(&rows[i], columns)
		if _, err := s.store.changeIfSame(ctx, &rows[i], columns); err != nil {
			return err // somebody was faster: then nothing waits any more
		}
	}
	return nil
}
