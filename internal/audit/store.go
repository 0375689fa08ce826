package audit

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"thhotel/internal/database"
)

// insertOne is the statement of a row that joins a transaction.
var insertOne = insertSQL(1)

func (l *Log) insert(ctx context.Context, r *row) error {
	if err := l.db.Conn(ctx).Exec(insertOne, r.args()...).Error; err != nil {
		return fmt.Errorf("write audit row: %w", err)
	}
	return nil
}

// query reads whole rows; tail is what follows FROM audit_event.
func (l *Log) query(ctx context.Context, tail string, args ...any) ([]row, error) {
	rows, err := l.db.Conn(ctx).Raw("SELECT "+columnList+", seq, prev_hash, hash FROM audit_event "+tail, args...).Rows()
	if err != nil {
		return nil, fmt.Errorf("read audit rows: %w", err)
	}
	defer rows.Close()
	var out []row
	for rows.Next() {
		var r row
		if err := rows.Scan(r.fields()...); err != nil {
			return nil, fmt.Errorf("read audit row: %w", err)
		}
		out = append(out, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read audit rows: %w", err)
	}
	return out, nil
}

// head is the end of the chain.
type head struct {
	Seq  int64
	Hash string
}

// readHead returns the end of the chain; it is zero before the first seal.
func (l *Log) readHead(ctx context.Context) (head, error) {
	var h head
	err := database.ScanRow(l.db.Conn(ctx).Raw("SELECT head_seq, head_hash FROM audit_chain WHERE id = 1"), &h.Seq, &h.Hash)
	if err != nil && !database.IsNotFound(err) {
		return head{}, fmt.Errorf("read the end of the audit chain: %w", err)
	}
	return h, nil
}

// takeLease makes this log the one that seals, if no other is, or in any case
// when it seizes.
func (l *Log) takeLease(ctx context.Context, now time.Time, seize bool) (taken bool, err error) {
	err = l.db.InTx(ctx, func(ctx context.Context) error {
		taken = false
		until := now.Add(leaseFor).UnixMicro()
		over := now.UnixMicro()
		if seize {
			over = math.MaxInt64
		}
		res := l.db.Conn(ctx).Exec("UPDATE audit_chain SET owner = ?, held_until = ? WHERE id = 1 AND (owner = ? OR held_until < ?)",
			l.owner, until, l.owner, over)
		if res.Error != nil || res.RowsAffected == 1 {
			taken = res.Error == nil
			return res.Error
		}
		if h, err := l.count(ctx, "SELECT COUNT(*) FROM audit_chain"); err != nil || h > 0 {
			return err
		}
		err := l.db.Conn(ctx).Exec("INSERT INTO audit_chain (id, owner, held_until, head_seq, head_hash) VALUES (1, ?, ?, 0, '')", l.owner, until).Error
		taken = err == nil
		if database.IsDuplicate(err) { // another was first
			return nil
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("audit sealing lease: %w", err)
	}
	return taken, nil
}

// release gives an own lease back, so that the next sealer need not wait for its end.
func (l *Log) release(ctx context.Context) error {
	return l.freeLease(ctx, "owner = ?")
}

// ReleaseAbandoned frees the lease of another process. For the start of the only
// server of a database, where whoever held it is dead.
func (l *Log) ReleaseAbandoned(ctx context.Context) error {
	return l.freeLease(ctx, "owner <> ?")
}

func (l *Log) freeLease(ctx context.Context, whose string) error {
	err := l.db.InTx(ctx, func(ctx context.Context) error {
		return l.db.Conn(ctx).Exec("UPDATE audit_chain SET held_until = 0 WHERE id = 1 AND "+whose, l.owner).Error
	})
	if err != nil {
		return fmt.Errorf("free the audit sealing lease: %w", err)
	}
	return nil
}

// unsealed counts the rows that wait for the sealer; oldest is zero when none does.
func (l *Log) unsealed(ctx context.Context) (n int64, oldest time.Time, err error) {
	var at int64
	err = database.ScanRow(l.db.Conn(ctx).Raw("SELECT COUNT(*), COALESCE(MIN(at), 0) FROM audit_event WHERE seq IS NULL"), &n, &at)
	if err != nil {
		return 0, oldest, fmt.Errorf("count unsealed audit rows: %w", err)
	}
	if n > 0 {
		oldest = time.UnixMicro(at).UTC()
	}
	return n, oldest, nil
}

func (l *Log) count(ctx context.Context, query string, args ...any) (n int64, err error) {
	if err := database.ScanRow(l.db.Conn(ctx).Raw(query, args...), &n); err != nil {
		return 0, fmt.Errorf("count audit rows: %w", err)
	}
	return n, nil
}

// storeSeals writes the seals of consecutive rows and moves the end of the
// chain, unless somebody else moved it: then nothing is changed.
func (l *Log) storeSeals(ctx context.Context, from head, sealed []row) error {
	query, args := sealSQLite(sealed)
	if l.db.Driver == database.MySQL {
		query, args = sealMySQL(sealed)
	}
	res := l.db.Conn(ctx).Exec(query, args...)
	if res.Error != nil {
		return fmt.Errorf("store audit seals: %w", res.Error)
	}
	if res.RowsAffected != int64(len(sealed)) {
		return errLostLease
	}
	last := sealed[len(sealed)-1]
	res = l.db.Conn(ctx).Exec("UPDATE audit_chain SET head_seq = ?, head_hash = ? WHERE id = 1 AND owner = ? AND head_seq = ?",
		*last.seq, last.hash, l.owner, from.Seq)
	if res.Error != nil {
		return fmt.Errorf("move the end of the audit chain: %w", res.Error)
	}
	if res.RowsAffected != 1 {
		return errLostLease
	}
	return nil
}

func sealSQLite(sealed []row) (string, []any) {
	args := make([]any, 0, 4*len(sealed))
	for _, r := range sealed {
		args = append(args, r.id, *r.seq, r.prevHash, r.hash)
	}
	values := strings.TrimSuffix(strings.Repeat("(?,?,?,?),", len(sealed)), ",")
	return "UPDATE audit_event SET seq = v.column2, prev_hash = v.column3, hash = v.column4 FROM (VALUES " + values +
		") AS v WHERE audit_event.id = v.column1 AND audit_event.seq IS NULL", args
}

// sealMySQL finds each row's values by its position in the list: MySQL has no
// UPDATE … FROM (VALUES …) that it shares with MariaDB, and IN finds rows by key.
func sealMySQL(sealed []row) (string, []any) {
	list := strings.TrimSuffix(strings.Repeat("?,", len(sealed)), ",")
	var ids, prevs, hashes []any
	for _, r := range sealed {
		ids, prevs, hashes = append(ids, r.id), append(prevs, r.prevHash), append(hashes, r.hash)
	}
	field := "FIELD(id, " + list + ")"
	args := append([]any{*sealed[0].seq - 1}, ids...)
	args = append(append(args, ids...), prevs...)
	args = append(append(args, ids...), hashes...)
	args = append(args, ids...)
	return "UPDATE audit_event SET seq = ? + " + field + ", prev_hash = ELT(" + field + ", " + list + "), hash = ELT(" + field + ", " + list +
		") WHERE id IN (" + list + ") AND seq IS NULL", args
}
