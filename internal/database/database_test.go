package database_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
	"thhotel/migrations"
)

func TestMain(m *testing.M) { testkit.Main(m) }

func insert(ctx context.Context, db *database.DB, id string) error {
	return db.Conn(ctx).Exec("INSERT INTO platform_hotel (id, name, status, time_zone, currency, business_date, created_at) VALUES (?, 'x', 'INACTIVE', 'UTC', 'THB', '2026-11-30', 1)", id).Error
}

func count(t *testing.T, db *database.DB) (n int64) {
	t.Helper()
	if err := db.Conn(context.Background()).Raw("SELECT COUNT(*) FROM platform_hotel").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTransactions(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ctx := context.Background()
		boom := errors.New("boom")
		err := db.InTx(ctx, func(ctx context.Context) error {
			if err := insert(ctx, db, "a"); err != nil {
				return err
			}
			return db.InTx(ctx, func(ctx context.Context) error { // joins: its failure undoes the outer too
				if err := insert(ctx, db, "b"); err != nil {
					return err
				}
				return boom
			})
		})
		if !errors.Is(err, boom) || count(t, db) != 0 {
			t.Fatalf("rolled back: err %v, rows %d, want boom and 0", err, count(t, db))
		}
		committed := false
		err = db.InTx(ctx, func(ctx context.Context) error {
			database.AfterCommit(ctx, func() { committed = true })
			if err := insert(ctx, db, "a"); err != nil {
				return err
			}
			if err := insert(ctx, db, "a"); !database.IsDuplicate(err) {
				t.Errorf("second insert: %v, want a duplicate", err)
			}
			return nil // a duplicate undoes only its own statement
		})
		if err != nil || !committed || count(t, db) != 1 {
			t.Fatalf("err %v, committed %v, rows %d, want nil, true, 1", err, committed, count(t, db))
		}
	})
}

func TestSQLiteReaderCannotWrite(t *testing.T) {
	db := testkit.DB(t)
	if err := insert(context.Background(), db, "a"); err == nil {
		t.Fatal("a write outside InTx succeeded")
	}
}

// TestStartAfterADeadStart: a process that was killed while it held the schema
// lock does not keep others, which have nothing to migrate, from starting.
func TestStartAfterADeadStart(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		until := clock.Real().Now().Add(time.Hour).UnixMicro()
		if _, err := db.Writer().ExecContext(context.Background(), "UPDATE schema_lock SET owner = 'dead', held_until = ? WHERE id = 1", until); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := db.Migrate(ctx, migrations.Files); err != nil {
			t.Error(err)
		}
	})
}

// TestReplicasStartTogether: on an empty database one migrates, the others wait.
func TestReplicasStartTogether(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		migrateTogether(t, database.Options{Driver: database.SQLite, DSN: filepath.Join(t.TempDir(), "empty.db")})
	})
	t.Run("mariadb", func(t *testing.T) {
		migrateTogether(t, database.Options{Driver: database.MySQL, DSN: testkit.MariaDSN(t)})
	})
}

func migrateTogether(t *testing.T, o database.Options) {
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			db, err := database.Open(context.Background(), o, clock.Real())
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			if err := db.Migrate(context.Background(), migrations.Files); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}
