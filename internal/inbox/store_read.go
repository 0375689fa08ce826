package inbox

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"thhotel/internal/database"
)

// Page sizes.
const (
	defaultPage = 50
	maxPage     = 200
)

func pageSize(limit int) int {
	if limit <= 0 {
		return defaultPage
	}
	return min(limit, maxPage)
}

// heads reads messages by the columns of their row type: "*" would drag every
// body along.
func (s store) heads(ctx context.Context) *gorm.DB {
	return s.db.Conn(ctx).Session(&gorm.Session{QueryFields: true})
}

// get returns one message of the hotel.
func (s store) get(ctx context.Context, hotel, id string) (messageRow, error) {
	var row messageRow
	err := s.heads(ctx).Where("hotel_id = ? AND id = ?", hotel, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, ErrNotFound
	}
	return row, err
}

func (s store) many(ctx context.Context, hotel string, ids []string) ([]messageRow, error) {
	var rows []messageRow
	err := s.heads(ctx).Where("+hotel_id = ? AND id IN ?", hotel, ids).Find(&rows).Error
	return rows, err
}

// byExternal finds a source's id in every place of the hotel, or in one.
func (s store) byExternal(ctx context.Context, at place, external string) ([]messageRow, error) {
	var rows []messageRow
	err := s.somewhere(ctx, at).Where("external_hash = ?", hashOf(external)).Order("provider, channel").Limit(3).Find(&rows).Error
	return rows, err
}

// somewhere narrows to the hotel and, where they are named, provider and channel.
func (s store) somewhere(ctx context.Context, at place) *gorm.DB {
	q := s.heads(ctx).Where("hotel_id = ?", at.hotel)
	if at.provider != "" {
		q = q.Where("provider = ?", at.provider)
	}
	if at.channel != "" {
		q = q.Where("channel = ?", at.channel)
	}
	return q
}

// found is a conversation in its place.
type found struct {
	Provider, Channel, ConversationID string
}

// conversations lists where a conversation of this id lives. Any Message-ID of a
// thread stands for it too, since a late ancestor may have renamed the thread.
func (s store) conversations(ctx context.Context, at place, conversation string) ([]found, error) {
	var out, more []found
	err := s.somewhere(ctx, at).Model(&messageRow{}).Distinct("provider", "channel", "conversation_id").
		Where("conversation_hash = ?", hashOf(conversation)).Order("provider, channel").Limit(3).Find(&out).Error
	if err != nil || len(out) > 0 {
		return out, err
	}
	err = s.somewhere(ctx, at).Model(&threadRow{}).Distinct("provider", "channel", "conversation_id").
		Where("reference_hash = ?", hashOf(conversation)).Order("provider, channel").Limit(3).Find(&more).Error
	return more, err
}

// conversation returns one page, in the order of receipt, and the total.
func (s store) conversation(ctx context.Context, at place, id string, after cursor, limit int) ([]messageRow, int, error) {
	var total int64
	if err := s.at(ctx, at).Model(&messageRow{}).Where("conversation_hash = ?", hashOf(id)).Count(&total).Error; err != nil {
		return nil, 0, fmt.Errorf("count conversation: %w", err)
	}
	q := s.at(ctx, at).Where("conversation_hash = ?", hashOf(id))
	if after.id != "" {
		q = q.Where("received_at >= ? AND (received_at > ? OR id > ?)", after.at, after.at, after.id) // the first part is what an index serves
	}
	var rows []messageRow
	if err := q.Order("received_at, id").Limit(limit).Find(&rows).Error; err != nil {
		return nil, 0, fmt.Errorf("list conversation: %w", err)
	}
	return rows, int(total), nil
}

// list returns the hotel's messages, newest first, down to a floor if there is one.
func (s store) list(ctx context.Context, hotel string, p ListParams, after cursor, floor messageRow, limit int) ([]messageRow, error) {
	q := s.somewhere(ctx, place{hotel, p.Provider, p.Channel})
	if p.ConversationID != "" {
		q = q.Where("conversation_hash = ?", hashOf(p.ConversationID))
	}
	if p.Flag != "" {
		q = q.Where("flags LIKE ? ESCAPE '!'", `%"`+likeEscaper.Replace(p.Flag)+`"%`)
	}
	q = matching(between(q, p, after), wanted(p.Search), p.bodies)
	if floor.ID != "" {
		q = down(q, floor)
	}
	var rows []messageRow
	if err := q.Order("received_at DESC, id DESC").Limit(limit).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("list messages: %w", err)
	}
	return rows, nil
}

var likeEscaper = strings.NewReplacer("!", "!!", "%", "!%", "_", "!_")

// bodyRow is the part of a message that is read apart.
type bodyRow struct {
	ID                   string
	TextBody, HTMLBody   string
	TextBytes, HTMLBytes int
}

// bodies returns a little more than limit characters of each body, so that a
// longer one is seen to be longer, with the true sizes.
func (s store) bodies(ctx context.Context, hotel string, ids []string, limit int) (map[string]bodyRow, error) {
	var rows []bodyRow
	err := s.db.Conn(ctx).Model(&messageRow{}).Where("+hotel_id = ? AND id IN ?", hotel, ids).
		Select("id, SUBSTR(text_body, 1, ?) AS text_body, SUBSTR(html_body, 1, ?) AS html_body, "+
			"OCTET_LENGTH(text_body) AS text_bytes, OCTET_LENGTH(html_body) AS html_bytes", limit+1, limit+1).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read bodies: %w", err)
	}
	out := map[string]bodyRow{}
	for _, r := range rows {
		out[r.ID] = r
	}
	return out, nil
}

// attachments returns the files of these messages, in order, by message.
func (s store) attachments(ctx context.Context, hotel string, ids []string) (map[string][]Attachment, error) {
	out := map[string][]Attachment{}
	for part := range slices.Chunk(ids, 100) {
		var rows []attachmentRow
		err := s.db.Conn(ctx).Where("+hotel_id = ? AND message_id IN ?", hotel, part).Order("message_id, position").Find(&rows).Error
		if err != nil {
			return nil, fmt.Errorf("list attachments: %w", err)
		}
		for _, r := range rows {
			out[r.MessageID] = append(out[r.MessageID], r.attachment())
		}
	}
	return out, nil
}

func (s store) attachment(ctx context.Context, hotel, message, id string) (attachmentRow, error) {
	var row attachmentRow
	err := s.db.Conn(ctx).Where("+hotel_id = ? AND message_id = ? AND attachment_id = ?", hotel, message, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, ErrAttachment
	}
	return row, err
}

// accesses lists who read a message, oldest first.
func (s store) accesses(ctx context.Context, hotel, message string, after string, limit int) ([]accessRow, error) {
	var rows []accessRow
	q := s.db.Conn(ctx).Where("hotel_id = ? AND message_id = ?", hotel, message)
	if after != "" {
		q = q.Where(clause.Gt{Column: "id", Value: after})
	}
	err := q.Order("id").Limit(limit).Find(&rows).Error
	return rows, err
}

// cursor is the last message of a page.
type cursor struct {
	at int64
	id string
}

func (r messageRow) cursor() string {
	at := r.ReceivedAt.UnixMicro()
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(at, 36) + "." + r.ID))
}

func readCursor(s string) (cursor, error) {
	if s == "" {
		return cursor{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	at, id, ok := strings.Cut(string(b), ".")
	n, numErr := strconv.ParseInt(at, 36, 64)
	if err != nil || !ok || numErr != nil || len(id) != 36 {
		return cursor{}, ErrCursor
	}
	return cursor{at: n, id: id}, nil
}
