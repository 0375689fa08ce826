package audit

import (
	"context"
	"fmt"
	"time"

	"thhotel/internal/database"
)

// pruneBatch is how many rows one transaction deletes: writers are not held up long.
const pruneBatch = 1000

// readCheckpoint returns the last row that Prune removed; it is zero when there was none.
func (l *Log) readCheckpoint(ctx context.Context) (head, error) {
	var h head
	err := database.ScanRow(l.db.Conn(ctx).Raw("SELECT seq, hash FROM audit_checkpoint ORDER BY seq DESC LIMIT 1"), &h.Seq, &h.Hash)
	if err != nil && !database.IsNotFound(err) {
		return head{}, fmt.Errorf("read the audit checkpoint: %w", err)
	}
	return h, nil
}

func (l *Log) insertCheckpoint(ctx context.Context, to head, p Pruned, now time.Time) error {
	err := l.db.Conn(ctx).Exec("INSERT INTO audit_checkpoint (seq, hash, row_count, file_sha256, created_at) VALUES (?, ?, ?, ?, ?)",
		to.Seq, to.Hash, p.Rows, p.SHA256, now.UnixMicro()).Error
	if database.IsDuplicate(err) {
		return errRace
	}
	if err != nil {
		return fmt.Errorf("write the audit checkpoint: %w", err)
	}
	return nil
}

// lastBefore is the place before the first row that is not older than before,
// or the chain's end.
func (l *Log) lastBefore(ctx context.Context, after int64, before time.Time) (int64, error) {
	end, err := l.readHead(ctx)
	if err != nil {
		return 0, err
	}
	next, err := l.count(ctx, "SELECT COALESCE(MIN(seq), 0) FROM audit_event WHERE seq > ? AND at >= ?", after, before.UnixMicro())
	if err != nil || next == 0 || next > end.Seq {
		return end.Seq, err
	}
	return next - 1, nil
}

// removeUpTo deletes the sealed rows up to a place, batch by batch.
func (l *Log) removeUpTo(ctx context.Context, last int64) error {
	first, err := l.count(ctx, "SELECT COALESCE(MIN(seq), 0) FROM audit_event WHERE seq <= ?", last)
	if err != nil || first == 0 {
		return err
	}
	for at := first; at <= last; at += pruneBatch {
		err := l.db.InTx(ctx, func(ctx context.Context) error {
			return l.db.Conn(ctx).Exec("DELETE FROM audit_event WHERE seq >= ? AND seq <= ?", at, min(at+pruneBatch-1, last)).Error
		})
		if err != nil {
			return fmt.Errorf("remove audit rows: %w", err)
		}
	}
	return nil
}
