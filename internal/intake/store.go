package intake

import (
	"context"
	"encoding/json"
	"fmt"

	"thhotel/internal/agent"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// batchRow is ai_transition_batch.
type batchRow struct {
	ID                string `gorm:"primaryKey"`
	HotelID           string
	MessageID         string
	ExternalMessageID string
	RouteCode         string
	Revision          int
	PackageSHA256     string `gorm:"column:package_sha256"`
	Package           string
	PackageSize       int
	Warnings          string
	EventCount        int
	ErrorCount        int
	SubmittedBy       string
	SubmittedByName   string
	RequestID         string
	TraceID           string
	CreatedAt         database.Time
}

// TableName names the table.
func (batchRow) TableName() string { return "ai_transition_batch" }

// transitionRow is ai_transition.
type transitionRow struct {
	ID                   string `gorm:"primaryKey"`
	HotelID              string
	BatchID              string
	Position             int
	OrderRef             string
	EventType            string
	OrderID              string
	CardID               string
	NoticeID             string
	Event                string
	AdapterContractError string
	CreatedAt            database.Time
}

// TableName names the table.
func (transitionRow) TableName() string { return "ai_transition" }

// store reads and writes the two tables of intake.
type store struct{ db *database.DB }

// byPackage finds the batch that already holds this package; ok is false for none.
func (s store) byPackage(ctx context.Context, hotelID, messageID, sum string) (row batchRow, ok bool, err error) {
	err = s.db.Conn(ctx).Omit("package").Where("+hotel_id = ? AND message_id = ? AND package_sha256 = ?", hotelID, messageID, sum).Take(&row).Error
	if database.IsNotFound(err) {
		return row, false, nil
	}
	return row, err == nil, err
}

// insertBatch gives the row the next revision of its message. Two packages for
// one mail at once meet at the unique keys: the later one looks again.
func (s store) insertBatch(ctx context.Context, row *batchRow) (isNew bool, err error) {
	for {
		err := s.db.Conn(ctx).Model(&batchRow{}).Where("message_id = ?", row.MessageID).
			Select("COALESCE(MAX(revision), 0) + 1").Scan(&row.Revision).Error
		if err != nil {
			return false, fmt.Errorf("next revision: %w", err)
		}
		err = s.db.Conn(ctx).Create(row).Error
		if err == nil {
			return true, nil
		}
		if !database.IsDuplicate(err) {
			return false, fmt.Errorf("insert batch: %w", err)
		}
		same, found, err := s.byPackage(ctx, row.HotelID, row.MessageID, row.PackageSHA256)
		if err != nil || found {
			*row = same
			return false, err
		}
	}
}

// newestRevision is the last revision of the mail that a batch is about.
func (s store) newestRevision(ctx context.Context, hotelID, batchID string) (int, error) {
	var newest int
	err := s.db.Conn(ctx).Model(&batchRow{}).Where("+hotel_id = ? AND message_id = (SELECT message_id FROM ai_transition_batch WHERE id = ? AND +hotel_id = ?)",
		hotelID, batchID, hotelID).Select("COALESCE(MAX(revision), 0)").Scan(&newest).Error
	if err != nil {
		return 0, fmt.Errorf("newest revision: %w", err)
	}
	return newest, nil
}

func (s store) insertTransitions(ctx context.Context, rows []transitionRow) error {
	for _, chunk := range chunks(rows, 100) {
		if err := s.db.Conn(ctx).Create(&chunk).Error; err != nil {
			return fmt.Errorf("insert transitions: %w", err)
		}
	}
	return nil
}

func (s store) transitions(ctx context.Context, batchID string) ([]Transition, error) {
	var rows []transitionRow
	if err := s.db.Conn(ctx).Where("batch_id = ?", batchID).Order("position").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read transitions: %w", err)
	}
	out := make([]Transition, 0, len(rows))
	for _, r := range rows {
		t := Transition{ID: r.ID, Position: r.Position, OrderRef: r.OrderRef, EventType: r.EventType,
			OrderID: r.OrderID, CardID: r.CardID, NoticeID: r.NoticeID, Event: r.Event}
		if err := json.Unmarshal([]byte(r.AdapterContractError), &t.ContractErrors); err != nil {
			return nil, fmt.Errorf("transition %s: %w", r.ID, err)
		}
		out = append(out, t)
	}
	return out, nil
}

// batch reads one batch with its package.
func (s store) batch(ctx context.Context, hotelID, id string) (batchRow, error) {
	var row batchRow
	err := s.db.Conn(ctx).Where("hotel_id = ? AND id = ?", hotelID, id).Take(&row).Error
	if database.IsNotFound(err) {
		return row, ErrBatchNotFound
	}
	return row, err
}

// batches lists newest first; ids are ordered by creation. The package itself,
// up to 10 MiB each, is not read.
func (s store) batches(ctx context.Context, hotelID string, p BatchesParams) ([]batchRow, error) {
	q := s.db.Conn(ctx).Omit("package").Where("hotel_id = ?", hotelID)
	if p.MessageID != "" {
		q = q.Where("message_id = ?", p.MessageID)
	}
	if p.ErrorsOnly {
		q = q.Where("error_count > 0")
	}
	if p.Cursor != "" {
		q = q.Where("id < ?", p.Cursor)
	}
	var rows []batchRow
	err := q.Order("id DESC").Limit(p.Limit + 1).Find(&rows).Error
	return rows, err
}

func (r batchRow) view() (Batch, error) {
	b := Batch{ID: r.ID, MessageID: r.MessageID, ExternalMessageID: r.ExternalMessageID, RouteCode: r.RouteCode,
		Revision: r.Revision, PackageSHA256: r.PackageSHA256, PackageSize: r.PackageSize, EventCount: r.EventCount,
		ErrorCount: r.ErrorCount, SubmittedBy: r.SubmittedBy, SubmittedByName: r.SubmittedByName,
		RequestID: r.RequestID, TraceID: r.TraceID, CreatedAt: r.CreatedAt.Time}
	var err error
	b.Warnings, err = r.warnings()
	return b, err
}

func (r batchRow) warnings() ([]agent.Warning, error) {
	var out []agent.Warning
	if err := json.Unmarshal([]byte(r.Warnings), &out); err != nil {
		return nil, fmt.Errorf("batch %s: %w", r.ID, err)
	}
	return out, nil
}

// encode makes the JSON of a list column: [] for none.
func encode[T agent.Warning | fault.Violation](list []T) (string, error) {
	if list == nil {
		list = []T{}
	}
	b, err := json.Marshal(list)
	return string(b), err
}

func chunks[T any](all []T, size int) [][]T {
	var out [][]T
	for len(all) > size {
		out, all = append(out, all[:size]), all[size:]
	}
	if len(all) > 0 {
		out = append(out, all)
	}
	return out
}
