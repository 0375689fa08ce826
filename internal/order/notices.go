package order

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
)

// OpenNotice records a mail that became no card, inside the caller's
// transaction. What an earlier revision opened and nobody touched is superseded.
func (s *Service) OpenNotice(ctx context.Context, by access.Caller, p NoticeParams) (string, error) {
	if err := by.Require(access.TaskResultSubmit); err != nil {
		return "", err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return "", err
	}
	now := database.At(s.clock.Now())
	row := noticeRow{ID: s.clock.NewID(), HotelID: in.hotel.ID, BatchID: p.BatchID, TransitionID: p.TransitionID, MessageID: p.Source.MessageID,
		ExternalMessageID: cut(p.Source.ExternalMessageID, 255), ExternalConversationID: cut(p.Source.ExternalConversationID, 255),
		ReceivedAt: database.At(p.Source.ReceivedAt), Subject: cut(p.Source.Subject, 500), SenderName: cut(p.Source.SenderName, 200),
		SenderEmail: cut(p.Source.SenderEmail, 255), RouteCode: cut(p.RouteCode, 8), Reasons: toJSON(p.reasons()), Status: NoticeOpen,
		Version: 1, CreatedAt: now, UpdatedAt: now}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.supersede(ctx, by, in, p.Source.MessageID); err != nil {
			return err
		}
		return s.store.insert(ctx, &row)
	})
	return row.ID, err
}

// reasons are the given ones, and what the inbox found out about the sender.
func (p NoticeParams) reasons() []string {
	out := slices.Concat(p.Reasons, p.Facts.Flags)
	if p.Facts.SenderDomainNew {
		out = append(out, inbox.FlagDomainNew)
	}
	if p.Facts.SenderLookAlike {
		out = append(out, inbox.FlagLookAlike)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Notices returns a page of notices, newest first.
func (s *Service) Notices(ctx context.Context, by access.Caller, p NoticeListParams) (NoticePage, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return NoticePage{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return NoticePage{}, err
	}
	c, more, err := readCursor(p.Cursor, "notices")
	if err != nil {
		return NoticePage{}, err
	}
	limit := pageSize(p.Limit)
	rows, err := s.store.notices(ctx, in.hotel.ID, p, c, more, limit+1)
	if err != nil {
		return NoticePage{}, err
	}
	page := NoticePage{}
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		page.NextCursor = cursor{Sort: "notices", Num: last.CreatedAt.UnixMicro(), ID: last.ID}.String()
	}
	for _, r := range rows {
		page.Notices = append(page.Notices, r.notice())
	}
	return page, nil
}

// AcknowledgeNotice closes a notice. Acknowledging one's own again is no error;
// one that became a task or was superseded is a conflict.
func (s *Service) AcknowledgeNotice(ctx context.Context, by access.Caller, id, text string) (_ Notice, err error) {
	defer s.refusal(ctx, by, "notice.acknowledge", "notice", id, &err)
	if err := by.Require(access.NoticeHandle); err != nil {
		return Notice{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return Notice{}, err
	}
	var row noticeRow
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.acknowledgeOne(ctx, by, in, id, text); err != nil {
			return err
		}
		row, err = s.store.notice(ctx, in.hotel.ID, id)
		return err
	})
	return row.notice(), err
}

// AcknowledgeNotices closes several notices at once. One that somebody else has
// handled meanwhile does not stop the others; it is told.
func (s *Service) AcknowledgeNotices(ctx context.Context, by access.Caller, p AcknowledgeParams) (_ Acknowledged, err error) {
	defer s.refusal(ctx, by, "notice.acknowledge", "notice", "", &err)
	if err := by.Require(access.NoticeHandle); err != nil {
		return Acknowledged{}, err
	}
	if len(p.IDs) == 0 || len(p.IDs) > maxPage {
		return Acknowledged{}, invalid("/ids", "请选择 1 到 200 条通知。", "1 to 200 notices")
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return Acknowledged{}, err
	}
	var out Acknowledged
	ids := slices.Compact(slices.Sorted(slices.Values(p.IDs))) // in one order: two who do the same do not lock each other out
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		out = Acknowledged{}
		for _, id := range ids {
			err := s.acknowledgeOne(ctx, by, in, id, p.Text)
			f := (*fault.Error)(nil)
			switch {
			case err == nil:
				out.Done = append(out.Done, id)
			case errors.As(err, &f) && (f.Kind == fault.Conflict || f.Kind == fault.NotFound):
				out.Skipped = append(out.Skipped, SkippedNotice{ID: id, Code: f.Code, Text: f.Text, TextEN: f.TextEN})
			default:
				return err
			}
		}
		return nil
	})
	return out, err
}

func (s *Service) acknowledgeOne(ctx context.Context, by access.Caller, in setting, id, text string) error {
	row, err := s.store.notice(ctx, in.hotel.ID, id)
	if err != nil || row.Status == NoticeAcknowledged {
		return err
	}
	if err := s.handle(ctx, by, &row, NoticeAcknowledged, text, ""); err != nil {
		return err
	}
	return s.note(ctx, by, "notice.acknowledge", "notice", id)
}

// handle moves an open notice to what became of it.
func (s *Service) handle(ctx context.Context, by access.Caller, row *noticeRow, status, text, cardID string) error {
	if row.Status != NoticeOpen {
		return fault.New(fault.Conflict, CodeNoticeHandled, "通知已处理（"+row.Status+"，"+row.HandledBy+"）；请刷新列表。",
			"The notice has been handled ("+row.Status+", "+row.HandledBy+"). Reload the list.")
	}
	row.Status, row.HandledBy, row.HandledText, row.CardID = status, cut(by.Name, 200), cut(text, 4000), cardID
	row.HandledAt, row.UpdatedAt = database.At(s.clock.Now()), database.At(s.clock.Now())
	return s.store.updateNotice(ctx, row)
}

func (r noticeRow) notice() Notice {
	n := Notice{ID: r.ID, BatchID: r.BatchID, TransitionID: r.TransitionID, MessageID: r.MessageID, ExternalMessageID: r.ExternalMessageID,
		ExternalConversationID: r.ExternalConversationID, RouteCode: r.RouteCode, Subject: r.Subject, SenderName: r.SenderName,
		SenderEmail: r.SenderEmail, Status: r.Status, HandledBy: r.HandledBy, HandledAt: r.HandledAt.Time, Text: r.HandledText, CardID: r.CardID,
		ReceivedAt: r.ReceivedAt.Time, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time, Version: r.Version}
	_ = json.Unmarshal([]byte(r.Reasons), &n.Reasons) // our own JSON
	return n
}

// OpenManual opens a card by hand, from an order or from a notice; it returns the
// card's id. Its proposal is empty until a person fills it in.
func (s *Service) OpenManual(ctx context.Context, by access.Caller, p ManualParams) (_ string, err error) {
	defer s.refusal(ctx, by, "card.open_manual", "card", "", &err)
	if err := by.Require(access.CardDecide); err != nil {
		return "", err
	}
	if !p.EventType.Known() {
		return "", invalid("/event_type", "请选择事件类型。", "one of the contract's event types")
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return "", err
	}
	cardID := ""
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		m := manual{s: s, by: by, in: in, p: p}
		cardID, err = m.open(ctx)
		return err
	})
	return cardID, err
}

// manual is one card being opened by hand.
type manual struct {
	s      *Service
	by     access.Caller
	in     setting
	p      ManualParams
	source Source
	notice *noticeRow
	target *Record
}

func (m *manual) open(ctx context.Context) (string, error) {
	if err := m.load(ctx); err != nil {
		return "", err
	}
	event, _ := ParseEvent(m.event())
	now := m.s.clock.Now()
	row := newCard(m.s.clock.NewID(), m.in.hotel.ID, m.source, event, now)
	row.Touched, row.Origin, row.Notes = true, toJSON(Origin{Manual: true}), row.withNote(m.by, m.p.Text, now)
	task := taskRow{ID: m.s.clock.NewID(), HotelID: m.in.hotel.ID, MessageID: m.source.MessageID, OrderRef: "MANUAL", CreatedAt: database.At(now)}
	row.TaskID = task.ID
	if m.target != nil {
		row.AccountCode, row.OrderID, row.Pinned = m.target.AccountCode, m.target.ID, event.Type != NewBooking
	}
	if event.Type == NewBooking {
		row.OrderID = ""
	}
	if err := m.s.place(ctx, m.by, m.in, &row, false); err != nil {
		return "", err
	}
	if err := m.s.store.insert(ctx, &task); err != nil {
		return "", err
	}
	if err := m.s.store.insert(ctx, &row); err != nil {
		return "", err
	}
	if m.notice != nil {
		if err := m.s.handle(ctx, m.by, m.notice, NoticeTask, m.p.Text, row.ID); err != nil {
			return "", err
		}
	}
	return row.ID, m.s.note(ctx, m.by, "card.open_manual", "card", row.ID)
}

func (m *manual) load(ctx context.Context) error {
	if m.p.NoticeID != "" {
		if err := m.by.Require(access.NoticeHandle); err != nil {
			return err
		}
		n, err := m.s.store.notice(ctx, m.in.hotel.ID, m.p.NoticeID)
		if err != nil {
			return err
		}
		m.notice = &n
		m.source = Source{MessageID: n.MessageID, ExternalMessageID: n.ExternalMessageID, ExternalConversationID: n.ExternalConversationID,
			Subject: n.Subject, SenderName: n.SenderName, SenderEmail: n.SenderEmail, ReceivedAt: n.ReceivedAt.Time}
	}
	if m.p.OrderID != "" {
		r, err := m.s.store.order(ctx, m.in.hotel.ID, m.p.OrderID)
		if err != nil {
			return err
		}
		m.target = &r
	}
	return nil
}

// event is the given one, or an empty one of the type, pointing at the order.
func (m *manual) event() json.RawMessage {
	o := object(m.p.Event)
	o["event_type"] = CorrectText(string(m.p.EventType))
	if o["order_ref"] == nil {
		o["order_ref"] = CorrectText("MANUAL")
	}
	if o["manual_review"] == nil {
		o["manual_review"] = json.RawMessage("false")
	}
	if o["target_order"] == nil {
		o["target_order"] = json.RawMessage(toJSON(m.targetOrder()))
	}
	if text := strings.TrimSpace(m.p.Text); m.p.EventType == Trace && text != "" && o["trace_items"] == nil {
		o["trace_items"] = json.RawMessage(toJSON([]TraceItem{{Type: "NOTE", Text: text}}))
	}
	return json.RawMessage(toJSON(o))
}

func (m *manual) targetOrder() map[string]any {
	t := map[string]any{"booking_type": nil, "locator_type": nil, "locator_value": nil}
	if m.target == nil || m.p.EventType == NewBooking {
		return t
	}
	t["booking_type"] = m.target.BookingType
	for _, k := range []struct{ locator, value string }{{ByConfirmation, m.target.ConfirmationNumber}, {ByReservationNo, m.target.ReservationNo}, {ByGroupCode, m.target.GroupCode}} {
		if k.value != "" {
			t["locator_type"], t["locator_value"] = k.locator, k.value
		}
	}
	return t
}
