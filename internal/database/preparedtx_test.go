package database_test

import (
	"context"
	"errors"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// TestPreparedTransactions: a statement that comes again is kept prepared, and
// transactions behave as before: they see their own writes, go on after a
// duplicate, roll back, and survive a change of the schema.
func TestPreparedTransactions(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ctx := context.Background()
		exec := func(sql string) {
			t.Helper()
			if _, err := db.Writer().ExecContext(ctx, sql); err != nil {
				t.Fatal(err)
			}
		}
		exec("CREATE TABLE kept (id INTEGER PRIMARY KEY, note VARCHAR(20))")
		add := func(id int, fail error) error {
			return db.InTx(ctx, func(ctx context.Context) error {
				if err := db.Conn(ctx).Exec("INSERT INTO kept (id, note) VALUES (?, ?)", id, "x").Error; err != nil && !database.IsDuplicate(err) {
					return err
				}
				var n int64
				if err := db.Conn(ctx).Raw("SELECT COUNT(*) FROM kept WHERE id = ?", id).Scan(&n).Error; err != nil || n != 1 {
					t.Errorf("a transaction sees %d of its rows: %v", n, err)
				}
				return fail
			})
		}
		for id := range 6 {
			if err := add(id, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := add(3, nil); err != nil {
			t.Errorf("after a duplicate: %v", err)
		}
		stop := errors.New("stop")
		if err := add(9, stop); !errors.Is(err, stop) {
			t.Errorf("a failure became %v", err)
		}
		exec("ALTER TABLE kept ADD COLUMN more INTEGER")
		if err := add(10, nil); err != nil {
			t.Errorf("after a change of the schema: %v", err)
		}
		var all int64
		if err := db.Conn(ctx).Raw("SELECT COUNT(*) FROM kept").Scan(&all).Error; err != nil || all != 7 {
			t.Errorf("%d rows stayed, want 7: %v", all, err)
		}
		if n := database.Kept(db, "INSERT INTO kept (id, note) VALUES (?, ?)"); !n {
			t.Error("the statement that came nine times is not kept")
		}
	})
}
