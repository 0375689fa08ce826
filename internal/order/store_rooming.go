package order

import (
	"context"
	"encoding/json"
	"slices"

	"thhotel/internal/database"
)

// sheetRow is what was read of one attachment, once and for all.
type sheetRow struct {
	ID, HotelID, MessageID, AttachmentID, Name string
	Sole                                       bool // the only table of its mail
	Content                                    string
	CreatedAt                                  database.Time
}

func (sheetRow) TableName() string { return "order_rooming_sheet" }

// sheets returns what was read for an event that names these attachments; one that
// names none means the mail's only table.
func (s store) sheets(ctx context.Context, hotelID, messageID string, ids []string) ([]RoomingSheet, error) {
	var rows []sheetRow
	err := s.conn(ctx).Where("hotel_id = ? AND message_id = ?", hotelID, messageID).Order("created_at, id").Find(&rows).Error
	if err != nil {
		return nil, wrap("read rooming sheets", err)
	}
	var out []RoomingSheet
	for _, r := range rows {
		if len(ids) == 0 && !r.Sole || len(ids) > 0 && !slices.Contains(ids, r.AttachmentID) {
			continue
		}
		var sheet RoomingSheet
		if err := json.Unmarshal([]byte(r.Content), &sheet); err != nil {
			return nil, wrap("decode rooming sheet", err)
		}
		out = append(out, sheet)
	}
	return out, nil
}

// putSheet keeps the first reading: whoever comes second read the same bytes.
func (s store) putSheet(ctx context.Context, row sheetRow) error {
	err := s.insert(ctx, &row)
	if database.IsDuplicate(err) {
		return nil
	}
	return err
}

func (s store) sheetIDs(ctx context.Context, hotelID, messageID string) ([]string, error) {
	var ids []string
	err := s.conn(ctx).Model(&sheetRow{}).Where("hotel_id = ? AND message_id = ?", hotelID, messageID).Pluck("attachment_id", &ids).Error
	return ids, wrap("read rooming sheets", err)
}
