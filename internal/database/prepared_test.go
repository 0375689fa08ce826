package database_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

// TestOthersHangUp: callers who go away while they run a statement for the first
// time take nobody with them who runs the same one, in or outside a transaction.
func TestOthersHangUp(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		ask := func(ctx context.Context, round int) error {
			var n int
			return db.Conn(ctx).Raw(fmt.Sprintf("SELECT COUNT(*) FROM platform_hotel WHERE created_at = ? AND %d = %d", round, round), 1).Row().Scan(&n)
		}
		for round := range 300 {
			gone, leave := context.WithCancel(context.Background())
			var all sync.WaitGroup
			for i := range 8 {
				all.Go(func() {
					ctx, stays := context.Background(), i%2 == 0
					if !stays {
						ctx = gone
					}
					err := ask(ctx, round)
					if i%4 < 2 {
						err = db.InTx(ctx, func(ctx context.Context) error { return ask(ctx, round) })
					}
					if stays && err != nil {
						t.Errorf("round %d: %v", round, err)
					}
				})
			}
			leave()
			all.Wait()
			if t.Failed() {
				return
			}
		}
	})
}
