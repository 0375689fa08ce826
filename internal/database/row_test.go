package database_test

import (
	"context"
	"errors"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

func TestScanRow(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ctx := context.Background()
		var n int
		if err := database.ScanRow(db.Conn(ctx).Raw("SELECT 7"), &n); err != nil || n != 7 {
			t.Errorf("%d, %v", n, err)
		}
		if err := database.ScanRow(db.Conn(ctx).Raw("SELECT 1 FROM schema_lock WHERE id = 99"), &n); !database.IsNotFound(err) {
			t.Errorf("no row: %v", err)
		}
		if err := database.ScanRow(db.Conn(ctx).Raw("SELECT x FROM no_such_table"), &n); err == nil || database.IsNotFound(err) {
			t.Errorf("no table: %v", err)
		}
		ended, cancel := context.WithCancel(ctx)
		cancel()
		if err := database.ScanRow(db.Conn(ended).Raw("SELECT 8"), &n); !errors.Is(err, context.Canceled) {
			t.Errorf("ended before the statement was prepared: %v", err)
		}
	})
}
