package inbox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"thhotel/internal/access"
)

// maxAnswer is how many bytes of JSON string the bodies of one page may take, so
// that the whole answer stays below 1 MiB.
const maxAnswer = 850 << 10

// batch is how many bodies are read from the database at a time.
const batch = 8

// Conversation returns a page of a conversation without bodies.
func (s *Service) Conversation(ctx context.Context, by access.Caller, p ConversationParams) (Conversation, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return Conversation{}, err
	}
	c, rows, err := s.pageOf(ctx, by, p)
	if err != nil {
		return Conversation{}, err
	}
	c.Messages, err = s.messages(ctx, rows)
	return c, err
}

// ReadConversation returns a page of a conversation with bodies, in the same
// order. Every body is recorded as read before any is returned. A page ends
// early where its bodies would grow too large for one answer.
func (s *Service) ReadConversation(ctx context.Context, by access.Caller, p ConversationParams) (Conversation, []Body, error) {
	if err := by.Require(access.MessageBodyRead); err != nil {
		return Conversation{}, nil, err
	}
	c, rows, err := s.pageOf(ctx, by, p)
	if err != nil {
		return Conversation{}, nil, err
	}
	bodies, err := s.fitting(ctx, by.HotelID, rows)
	if err != nil {
		return Conversation{}, nil, err
	}
	if len(bodies) < len(rows) {
		rows = rows[:len(bodies)]
		c.NextCursor = rows[len(rows)-1].cursor()
	}
	if c.Messages, err = s.messages(ctx, rows); err != nil {
		return Conversation{}, nil, err
	}
	ids := make([]string, 0, len(rows))
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	if err := s.recordAccess(ctx, by, accessBody, "conversation "+c.ConversationID, "", ids...); err != nil {
		return Conversation{}, nil, err
	}
	return c, bodies, nil
}

// fitting returns the bodies of the first rows that fit one answer: at least one.
func (s *Service) fitting(ctx context.Context, hotel string, rows []messageRow) ([]Body, error) {
	var out []Body
	room := maxAnswer
	for part := range slices.Chunk(rows, batch) {
		ids := make([]string, 0, len(part))
		for _, r := range part {
			ids = append(ids, r.ID)
		}
		raw, err := s.store.bodies(ctx, hotel, ids, maxShown)
		if err != nil {
			return nil, err
		}
		for _, r := range part {
			b := r.message().body(raw[r.ID], maxShown)
			room -= jsonSize(b.Text) + jsonSize(b.HTML) + jsonSize(r.Subject) + headRoom
			if room < 0 && len(out) > 0 {
				return out, nil
			}
			out = append(out, b)
		}
	}
	return out, nil
}

// headRoom is what a message takes in an answer besides subject and bodies.
const headRoom = 1200

// jsonSize is the length of s as a JSON string with HTML characters escaped, the
// longest form an encoder makes of it.
func jsonSize(s string) int {
	n := 2
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
			n += 2
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == 0x7f || r == '\u2028' || r == '\u2029':
			n += 6
		case r < 0x80:
			n++
		case r < 0x800:
			n += 2
		case r < 0x10000:
			n += 3
		default:
			n += 4
		}
	}
	return n
}

// pageOf resolves a conversation and reads one page of it.
func (s *Service) pageOf(ctx context.Context, by access.Caller, p ConversationParams) (Conversation, []messageRow, error) {
	after, err := readCursor(p.Cursor)
	if err != nil {
		return Conversation{}, nil, err
	}
	if p.HotelID != "" && p.HotelID != by.HotelID {
		return Conversation{}, nil, ErrHotel
	}
	c, err := s.resolve(ctx, by.HotelID, p)
	if err != nil {
		return Conversation{}, nil, err
	}
	limit := pageSize(p.Limit)
	rows, total, err := s.store.conversation(ctx, place{by.HotelID, c.Provider, c.Channel}, c.ConversationID, after, limit+1)
	if err != nil {
		return Conversation{}, nil, err
	}
	rows, c.NextCursor = page(rows, limit)
	c.Total = total
	return c, rows, nil
}

// resolve finds the conversation in the place that is meant: the one that was
// named or the defaults; if nothing was named and nothing is there, the only
// other place that has it.
func (s *Service) resolve(ctx context.Context, hotel string, p ConversationParams) (Conversation, error) {
	key, anchor := strings.TrimSpace(p.ConversationID), strings.TrimSpace(p.ExternalMessageID)
	if key == "" && anchor == "" {
		return Conversation{}, ErrAnchor
	}
	at := place{hotel, source(p.Provider, DefaultProvider), source(p.Channel, DefaultChannel)}
	hits, err := s.lookUp(ctx, at, key, anchor)
	if err != nil {
		return Conversation{}, err
	}
	open := strings.TrimSpace(p.Provider) == "" && strings.TrimSpace(p.Channel) == ""
	resolved := len(hits) == 0 && open
	if resolved {
		if hits, err = s.lookUp(ctx, place{hotel: hotel}, key, anchor); err != nil {
			return Conversation{}, err
		}
	}
	switch len(hits) {
	case 0:
		if key != "" { // a conversation nobody has written in yet is empty, not wrong
			return Conversation{Provider: at.provider, Channel: at.channel, ConversationID: key}, nil
		}
		return Conversation{}, ErrNotFound
	case 1:
		return Conversation{Provider: hits[0].Provider, Channel: hits[0].Channel, ConversationID: hits[0].ConversationID, Resolved: resolved}, nil
	}
	return Conversation{}, ErrAmbiguous
}

// lookUp finds by the conversation's id or, without one, by a message of it.
func (s *Service) lookUp(ctx context.Context, at place, key, anchor string) ([]found, error) {
	if key != "" {
		hits, err := s.store.conversations(ctx, at, key)
		if err != nil {
			return nil, fmt.Errorf("find conversation: %w", err)
		}
		return hits, nil
	}
	rows, err := s.store.byExternal(ctx, at, anchor)
	if err != nil {
		return nil, fmt.Errorf("find anchor: %w", err)
	}
	hits := make([]found, 0, len(rows))
	for _, r := range rows {
		hits = append(hits, found{r.Provider, r.Channel, r.ConversationID})
	}
	return hits, nil
}
