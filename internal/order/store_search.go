package order

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"thhotel/internal/database"
)

func (k searchKind) table() string {
	if k == searchCards {
		return "order_card"
	}
	return "order_record"
}

// searchPlace is how far the index has come. A hotel that has none yet starts at the
// beginning.
type searchPlace struct {
	at database.Time
	id string
}

func (s store) searchPlace(ctx context.Context, kind searchKind, hotelID string) (p searchPlace, there bool, err error) {
	p.at = database.At(time.UnixMicro(1))
	err = s.each(ctx, "read search state", "SELECT indexed_at, row_id FROM order_search_state WHERE hotel_id = ? AND kind = ?", []any{hotelID, kind},
		func(rows *sql.Rows) error {
			there = true
			return rows.Scan(&p.at, &p.id)
		})
	return p, there, err
}

// indexSome takes in the next rows that changed before until. Two replicas may do
// the same at once: the same words are added twice, which changes nothing.
func (s store) indexSome(ctx context.Context, kind searchKind, hotelID string, until database.Time) (n int, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		n = 0
		from, there, err := s.searchPlace(ctx, kind, hotelID)
		if err != nil {
			return err
		}
		to := from
		var found [][2]string // token, row
		query := "SELECT id, search_text, updated_at FROM " + kind.table() +
			" WHERE hotel_id = ? AND updated_at >= ? AND (updated_at > ? OR id > ?) AND updated_at < ? ORDER BY updated_at, id LIMIT ?"
		err = s.each(ctx, "read what changed", query, []any{hotelID, from.at, from.at, from.id, until, indexBatch}, func(r *sql.Rows) error {
			var text string
			if err := r.Scan(&to.id, &text, &to.at); err != nil {
				return err
			}
			for _, t := range tokens(text) {
				found = append(found, [2]string{t, to.id})
			}
			n++
			return nil
		})
		if err != nil || n == 0 {
			return err
		}
		if err := s.addTokens(ctx, kind, found); err != nil {
			return err
		}
		return s.movePlace(ctx, kind, hotelID, to, there)
	})
	return n, err
}

// addTokens writes what is not there yet, in the order of the table, so that
// neighbours come together.
func (s store) addTokens(ctx context.Context, kind searchKind, found [][2]string) error {
	verb := "INSERT OR IGNORE"
	if s.db.Driver == database.MySQL {
		verb = "INSERT IGNORE"
	}
	slices.SortFunc(found, func(a, b [2]string) int { return cmp.Or(strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1])) })
	for part := range slices.Chunk(found, 500) {
		args := make([]any, 0, 3*len(part))
		for _, f := range part {
			args = append(args, kind, f[0], f[1])
		}
		query := verb + " INTO order_search (kind, token, row_id) VALUES (?,?,?)" + strings.Repeat(",(?,?,?)", len(part)-1)
		if err := s.conn(ctx).Exec(query, args...).Error; err != nil {
			return wrap("index words", err)
		}
	}
	return nil
}

func (s store) movePlace(ctx context.Context, kind searchKind, hotelID string, to searchPlace, there bool) error {
	if there {
		return wrap("move search state", s.conn(ctx).Exec("UPDATE order_search_state SET indexed_at = ?, row_id = ? WHERE hotel_id = ? AND kind = ?",
			to.at, to.id, hotelID, kind).Error)
	}
	err := s.conn(ctx).Exec("INSERT INTO order_search_state (hotel_id, kind, indexed_at, row_id) VALUES (?, ?, ?, ?)", hotelID, kind, to.at, to.id).Error
	if database.IsDuplicate(err) { // another replica was first
		return nil
	}
	return wrap("begin search state", err)
}

// countToken counts rows with a word that begins so, up to most.
func (s store) countToken(ctx context.Context, kind searchKind, prefix string, most int) (n int, err error) {
	const query = "SELECT COUNT(*) FROM (SELECT 1 FROM order_search WHERE kind = ? AND token >= ? AND token < ? LIMIT ?) AS some"
	err = s.each(ctx, "count words", query, []any{kind, prefix, after(prefix), most}, func(rows *sql.Rows) error { return rows.Scan(&n) })
	return n, err
}

func (s store) tokenRows(ctx context.Context, kind searchKind, prefix string) (out []string, err error) {
	const query = "SELECT DISTINCT row_id FROM order_search WHERE kind = ? AND token >= ? AND token < ?"
	err = s.each(ctx, "look words up", query, []any{kind, prefix, after(prefix)}, scanID(&out))
	return out, err
}

// notIndexed scans what changed after the index came by.
func (s store) notIndexed(ctx context.Context, kind searchKind, hotelID, text string) (out []string, err error) {
	from, _, err := s.searchPlace(ctx, kind, hotelID)
	if err != nil {
		return nil, err
	}
	query := "SELECT id FROM " + kind.table() + " WHERE hotel_id = ? AND updated_at >= ? AND search_text LIKE ? ESCAPE '!' ORDER BY updated_at LIMIT ?"
	err = s.each(ctx, "search what changed", query, []any{hotelID, from.at, like(text), searchCap + 1}, scanID(&out))
	return out, err
}

func scanID(into *[]string) func(*sql.Rows) error {
	return func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		*into = append(*into, id)
		return err
	}
}

// apply narrows a query over the kind's table. Its other conditions must not offer
// the engine an index of their own.
func (n narrowing) apply(q *gorm.DB) *gorm.DB {
	if !n.only {
		return q
	}
	return q.Where("id IN ?", n.ids)
}
