package inbox

import (
	"context"
	"fmt"
	"time"

	"thhotel/internal/database"
)

func (s store) pulse(ctx context.Context, hotel string, since time.Time) (p Pulse, err error) {
	var last database.Time
	db := s.db.Conn(ctx)
	err = database.ScanRow(db.Raw("SELECT MAX(received_at) FROM platform_source_message_inbox WHERE hotel_id = ?", hotel), &last)
	if err == nil {
		err = database.ScanRow(db.Raw("SELECT COUNT(*) FROM (SELECT id FROM platform_source_message_inbox WHERE hotel_id = ? AND received_at >= ? LIMIT ?) AS some",
			hotel, database.At(since), PulseCap), &p.Day)
	}
	if err != nil {
		return p, fmt.Errorf("read the inbox's pulse: %w", err)
	}
	p.LastReceived = last.Time
	return p, nil
}
