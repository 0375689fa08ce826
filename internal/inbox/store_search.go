package inbox

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"thhotel/internal/database"
)

// textRow is the folded beginning of a message's body, read only by searches.
type textRow struct {
	MessageID string `gorm:"primaryKey"`
	HotelID   string
	Folded    string
}

// TableName implements GORM's Tabler.
func (textRow) TableName() string { return "inbox_text" }

func (s store) insertText(ctx context.Context, hotel, message, folded string) error {
	if err := s.db.Conn(ctx).Create(&textRow{MessageID: message, HotelID: hotel, Folded: folded}).Error; err != nil {
		return fmt.Errorf("store text: %w", err)
	}
	return nil
}

// matching narrows to messages that have every word, in the head or, where the
// caller may read bodies, in the body.
func matching(q *gorm.DB, words []string, bodies bool) *gorm.DB {
	for _, w := range words {
		like := "%" + likeEscaper.Replace(w) + "%"
		if !bodies {
			q = q.Where("search_text LIKE ? ESCAPE '!'", like)
			continue
		}
		q = q.Where("(search_text LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM inbox_text t WHERE t.message_id = platform_source_message_inbox.id AND t.folded LIKE ? ESCAPE '!'))", like, like)
	}
	return q
}

// floor is the last message that a page of a search looks at: window messages
// below after, within the dates asked for. ok is false where there are fewer.
func (s store) floor(ctx context.Context, hotel string, p ListParams, after cursor, window int) (row messageRow, ok bool, err error) {
	q := between(s.db.Conn(ctx).Select("id", "received_at").Where("hotel_id = ?", hotel), p, after)
	err = q.Order("received_at DESC, id DESC").Offset(window - 1).Limit(1).Take(&row).Error
	if database.IsNotFound(err) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("bound search: %w", err)
	}
	return row, true, nil
}

// between keeps to the dates that were asked for and to what follows a cursor.
func between(q *gorm.DB, p ListParams, after cursor) *gorm.DB {
	if !p.Since.IsZero() {
		q = q.Where("received_at >= ?", p.Since.UnixMicro())
	}
	if !p.Until.IsZero() {
		q = q.Where("received_at < ?", p.Until.UnixMicro())
	}
	if after.id != "" {
		q = q.Where("received_at <= ? AND (received_at < ? OR id < ?)", after.at, after.at, after.id)
	}
	return q
}

// down keeps to a floor, itself included.
func down(q *gorm.DB, floor messageRow) *gorm.DB {
	at := floor.ReceivedAt.UnixMicro()
	return q.Where("received_at >= ? AND (received_at > ? OR id >= ?)", at, at, floor.ID)
}

// copies are the other messages of the hotel with this Message-ID, oldest first.
func (s store) copies(ctx context.Context, hotel, id, header string) ([]messageRow, error) {
	if header == "" {
		return nil, nil
	}
	var rows []messageRow
	err := s.heads(ctx).Where("hotel_id = ? AND header_message_id = ? AND id <> ?", hotel, header, id).Order("id").Limit(maxCopies).Find(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("find copies: %w", err)
	}
	return rows, nil
}

// maxCopies bounds what one more copy of a mail causes.
const maxCopies = 50

// used says which of these blobs a message or an attachment of any hotel names.
func (s store) used(ctx context.Context, keys []string) (map[string]bool, error) {
	out := map[string]bool{}
	for column, model := range map[string]any{"raw_sha256": &messageRow{}, "sha256": &attachmentRow{}} {
		var found []string
		if err := s.db.Conn(ctx).Model(model).Distinct().Where(column+" IN ?", keys).Pluck(column, &found).Error; err != nil {
			return nil, fmt.Errorf("find used blobs: %w", err)
		}
		for _, k := range found {
			out[k] = true
		}
	}
	return out, nil
}
