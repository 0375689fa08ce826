package database_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"

	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

func TestStmt(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ctx := context.Background()
		one := db.Stmt("SELECT id, held_until FROM schema_lock WHERE id = ?")
		read := func(ctx context.Context) (n int64, rows int, err error) {
			err = one.Each(ctx, func(r *sql.Rows) error {
				var id int
				rows++
				return r.Scan(&id, &n)
			}, 1)
			return n, rows, err
		}
		var all sync.WaitGroup
		for range 8 { // the first use is prepared once, whoever comes first
			all.Go(func() {
				if _, rows, err := read(ctx); rows != 1 || err != nil {
					t.Errorf("%d rows, %v", rows, err)
				}
			})
		}
		all.Wait()
		err := db.InTx(ctx, func(ctx context.Context) error {
			if err := db.Conn(ctx).Exec("UPDATE schema_lock SET held_until = 42 WHERE id = 1").Error; err != nil {
				return err
			}
			if n, _, err := read(ctx); n != 42 || err != nil {
				t.Errorf("a transaction does not see its own write: %d, %v", n, err)
			}
			return errors.New("undo")
		})
		if n, _, _ := read(ctx); n == 42 || err == nil {
			t.Errorf("%d, %v", n, err)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if _, _, err := read(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("after the call ended: %v", err)
		}
	})
}

// TestLongReadEnds: a read ends with its call, although nobody waits for the context.
func TestLongReadEnds(t *testing.T) {
	db := testkit.DB(t)
	const forever = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c WHERE x < ?"
	for name, ask := range map[string]func(context.Context) error{
		"statement": func(ctx context.Context) error {
			return db.Stmt(forever).Each(ctx, func(*sql.Rows) error { return nil }, -1)
		},
		"GORM": func(ctx context.Context) error {
			var n int64
			return database.ScanRow(db.Conn(ctx).Raw(forever, -1), &n)
		},
	} {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		if err := ask(ctx); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, sqlite3.INTERRUPT) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
}
