package database_test

import (
	"context"
	"slices"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// TestRows: lists in arguments are written out, the transaction in ctx is used,
// and whoever listens hears every query.
func TestRows(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ctx := context.Background()
		for _, stmt := range []string{"CREATE TABLE listed (id INTEGER PRIMARY KEY, note VARCHAR(20))",
			"INSERT INTO listed (id, note) VALUES (1,'a'),(2,'b'),(3,'c'),(4,'a')"} {
			if _, err := db.Writer().ExecContext(ctx, stmt); err != nil {
				t.Fatal(err)
			}
		}
		read := func(ctx context.Context, text string, args ...any) (out []int) {
			t.Helper()
			rows, err := db.Rows(ctx, text, args...)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var id int
				if err := rows.Scan(&id); err != nil {
					t.Fatal(err)
				}
				out = append(out, id)
			}
			if err := rows.Err(); err != nil {
				t.Fatal(err)
			}
			return out
		}
		var heard []string
		stop := db.Listen(func(text string, _ []any) { heard = append(heard, text) })
		const query = "SELECT id FROM listed WHERE id > ? AND note IN ? AND id < ? ORDER BY id"
		for want, list := range map[string][]string{"1 4": {"a"}, "2 3": {"c", "b"}, "": {}} {
			if got := read(ctx, query, 0, list, 9); words(got) != want {
				t.Errorf("%v finds %v, want %s", list, got, want)
			}
		}
		stop()
		if len(heard) != 3 || !slices.Contains(heard, "SELECT id FROM listed WHERE id > ? AND note IN (?,?) AND id < ? ORDER BY id") {
			t.Errorf("heard %q", heard)
		}
		err := db.InTx(ctx, func(ctx context.Context) error {
			if err := db.Conn(ctx).Exec("INSERT INTO listed (id, note) VALUES (5, 'a')").Error; err != nil {
				return err
			}
			if got := read(ctx, query, 1, []string{"a"}, 9); words(got) != "4 5" {
				t.Errorf("in its transaction: %v", got)
			}
			return nil
		})
		if err != nil || len(heard) != 3 {
			t.Errorf("%v; heard %d after the stop", err, len(heard)-3)
		}
	})
}

func words(ids []int) string {
	out := ""
	for i, id := range ids {
		if i > 0 {
			out += " "
		}
		out += string(rune('0' + id))
	}
	return out
}
