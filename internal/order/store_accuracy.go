package order

import (
	"context"
	"time"

	"thhotel/internal/database"
)

// outcome is what a card came to; read without the heavy columns.
type outcome struct {
	EventType, Outcome, ReasonCode, Corrections string
	CreatedAt, DecidedAt                        database.Time
}

// outcomes reads cards opened in [from, to). is_open is named so that the index
// on it and created_at serves; cards that a later package replaced do not count,
// nor do those that people opened.
func (s store) outcomes(ctx context.Context, hotelID string, from, to time.Time) ([]outcome, error) {
	var out []outcome
	err := s.conn(ctx).Model(&cardRow{}).Select("event_type, outcome, reason_code, corrections, created_at, decided_at").
		Where("hotel_id = ? AND is_open IN ? AND created_at >= ? AND created_at < ? AND status <> ? AND batch_id <> ?", hotelID, []bool{true, false},
			database.At(from), database.At(to), CardSuperseded, "").
		Order("created_at DESC").Limit(100_000).Find(&out).Error
	return out, wrap("read outcomes", err)
}
