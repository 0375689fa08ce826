package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/mail"
)

// Locate finds a message by the source's id, wherever in the hotel it came from.
func (s *Service) Locate(ctx context.Context, by access.Caller, externalMessageID string) (Message, error) {
	if err := requireAny(by, access.ConversationRead, access.TaskResultSubmit); err != nil {
		return Message{}, err
	}
	rows, err := s.store.byExternal(ctx, place{hotel: by.HotelID}, strings.TrimSpace(externalMessageID))
	if err != nil {
		return Message{}, fmt.Errorf("locate message: %w", err)
	}
	switch len(rows) {
	case 0:
		return Message{}, ErrNotFound
	case 1:
		return s.whole(ctx, rows[0])
	}
	return Message{}, ErrAmbiguousSource
}

// Get returns a message by our id. Another hotel's is not found.
func (s *Service) Get(ctx context.Context, by access.Caller, id string) (Message, error) {
	if err := requireAny(by, access.ConversationRead, access.TaskResultSubmit); err != nil {
		return Message{}, err
	}
	row, err := s.store.get(ctx, by.HotelID, id)
	if err != nil {
		return Message{}, err
	}
	return s.whole(ctx, row)
}

// GetMany returns those of the messages that exist, by our id.
func (s *Service) GetMany(ctx context.Context, by access.Caller, ids []string) (map[string]Message, error) {
	if err := requireAny(by, access.ConversationRead, access.TaskResultSubmit); err != nil {
		return nil, err
	}
	out := map[string]Message{}
	for part := range slices.Chunk(ids, 200) {
		rows, err := s.store.many(ctx, by.HotelID, part)
		if err != nil {
			return nil, fmt.Errorf("get messages: %w", err)
		}
		messages, err := s.messages(ctx, rows)
		if err != nil {
			return nil, err
		}
		for _, m := range messages {
			out[m.ID] = m
		}
	}
	return out, nil
}

// List returns the hotel's messages, newest first, and the cursor of the next
// page. A page of a search looks through a bounded number of messages: it may
// hold few or none and still have a next one.
func (s *Service) List(ctx context.Context, by access.Caller, p ListParams) ([]Message, string, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return nil, "", err
	}
	after, err := readCursor(p.Cursor)
	if err != nil {
		return nil, "", err
	}
	p.Provider, p.Channel = source(p.Provider, ""), source(p.Channel, "")
	limit := pageSize(p.Limit)
	p.bodies = by.Can(access.MessageBodyRead) // finding by a body tells of it
	floor, bounded := messageRow{}, false
	if len(wanted(p.Search)) > 0 && p.ConversationID == "" {
		if floor, bounded, err = s.store.floor(ctx, by.HotelID, p, after, s.window); err != nil {
			return nil, "", err
		}
	}
	rows, err := s.store.list(ctx, by.HotelID, p, after, floor, limit+1)
	if err != nil {
		return nil, "", err
	}
	rows, next := page(rows, limit)
	if next == "" && bounded {
		next = floor.cursor() // older messages were not looked at yet
	}
	messages, err := s.messages(ctx, rows)
	return messages, next, err
}

// page cuts the extra row that told of a next page.
func page(rows []messageRow, limit int) ([]messageRow, string) {
	if len(rows) <= limit {
		return rows, ""
	}
	return rows[:limit], rows[limit-1].cursor()
}

func (s *Service) whole(ctx context.Context, row messageRow) (Message, error) {
	messages, err := s.messages(ctx, []messageRow{row})
	if err != nil {
		return Message{}, err
	}
	return messages[0], nil
}

// messages turns rows of one hotel into messages with their attachments.
func (s *Service) messages(ctx context.Context, rows []messageRow) ([]Message, error) {
	out := make([]Message, 0, len(rows))
	if len(rows) == 0 {
		return out, nil
	}
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	files, err := s.store.attachments(ctx, rows[0].HotelID, ids)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		m := r.message()
		m.Attachments = files[r.ID]
		out = append(out, m)
	}
	return out, nil
}

// maxShown is how many bytes of text, and of HTML, one answer gives of a message.
const maxShown = 64 << 10

// ReadBody returns a message with its body, after the reading was recorded. why
// says what for, in a few words.
func (s *Service) ReadBody(ctx context.Context, by access.Caller, id, why string) (Message, Body, error) {
	if err := by.Require(access.MessageBodyRead); err != nil {
		return Message{}, Body{}, err
	}
	row, err := s.store.get(ctx, by.HotelID, id)
	if err != nil {
		return Message{}, Body{}, err
	}
	m, err := s.whole(ctx, row)
	if err != nil {
		return Message{}, Body{}, err
	}
	bodies, err := s.store.bodies(ctx, by.HotelID, []string{id}, maxBody)
	if err != nil {
		return Message{}, Body{}, err
	}
	if err := s.recordAccess(ctx, by, accessBody, why, "", id); err != nil {
		return Message{}, Body{}, err
	}
	return m, m.body(bodies[id], maxBody), nil
}

// body cuts what was read to limit bytes of each form.
func (m Message) body(r bodyRow, limit int) Body {
	b := Body{Text: cut(r.TextBody, limit), HTML: cutHTML(r.HTMLBody, limit), RenderMode: m.RenderMode}
	b.Truncated = r.TextBytes > len(b.Text) || r.HTMLBytes > limit || slices.Contains(m.Flags, FlagTruncated)
	b.Fresh, b.Quoted = mail.SplitQuoted(b.Text)
	return b
}

// Facts tells rules about a message. No person and no assistant reads the text
// through it, so it leaves no access record, and it may join a transaction.
func (s *Service) Facts(ctx context.Context, by access.Caller, id string) (Facts, error) {
	if err := requireAny(by, access.ConversationRead, access.TaskResultSubmit); err != nil {
		return Facts{}, err
	}
	row, err := s.store.get(ctx, by.HotelID, id)
	if err != nil {
		return Facts{}, err
	}
	m, err := s.whole(ctx, row)
	if err != nil {
		return Facts{}, err
	}
	bodies, err := s.store.bodies(ctx, by.HotelID, []string{id}, maxBody)
	if err != nil {
		return Facts{}, err
	}
	f := Facts{MessageID: m.ID, ConversationID: m.ConversationID, Subject: m.Subject, SenderEmail: m.SenderEmail, Flags: m.Flags,
		SenderDomainNew: slices.Contains(m.Flags, FlagDomainNew), SenderLookAlike: slices.Contains(m.Flags, FlagLookAlike)}
	f.FreshText, f.QuotedText = mail.SplitQuoted(bodies[id].TextBody)
	for _, a := range m.Attachments {
		f.AttachmentIDs = append(f.AttachmentIDs, a.ID)
	}
	return f, nil
}
