package order

import (
	"context"
	"slices"
	"time"

	"thhotel/internal/database"
)

// outcome is what a card came to; read without the heavy columns.
type outcome struct {
	EventType, Outcome, ReasonCode, Corrections string
	CreatedAt, DecidedAt                        database.Time
}

func (s store) outcomes(ctx context.Context, hotelID string, since time.Time) ([]outcome, error) {
	var out []outcome
	err := s.conn(ctx).Model(&cardRow{}).Select("event_type, outcome, reason_code, corrections, created_at, decided_at").
		Where("hotel_id = ? AND created_at >= ? AND status <> ?", hotelID, database.At(since), CardSuperseded).
		Order("created_at DESC").Limit(100_000).Find(&out).Error
	return out, wrap("read outcomes", err)
}

func figures(outcomes []outcome) []Figures {
	out := make([]Figures, 0, len(EventTypes()))
	for _, t := range EventTypes() {
		f := Figures{EventType: t, RejectReasons: map[string]int{}}
		var took []time.Duration
		for _, o := range outcomes {
			if o.EventType != string(t) {
				continue
			}
			f.Cards++
			switch o.Outcome {
			case CardConfirmed:
				f.Confirmed++
				took = append(took, o.DecidedAt.Sub(o.CreatedAt.Time))
				if o.edited() {
					f.Edited++
				}
			case CardRejected:
				f.Rejected++
				f.RejectReasons[o.ReasonCode]++
			}
		}
		if len(took) > 0 {
			slices.Sort(took)
			f.MedianToConfirm = took[len(took)/2]
		}
		out = append(out, f)
	}
	return out
}

// edited: a person put values of their own over the agent's.
func (o outcome) edited() bool {
	return o.Corrections != "null" && o.Corrections != "{}" && o.Corrections != ""
}
