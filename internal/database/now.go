package database

import (
	"context"
	"fmt"
	"time"
)

// Now is the database server's clock; an embedded database has the machine's.
func (d *DB) Now(ctx context.Context) (time.Time, error) {
	if d.Driver != MySQL {
		return d.clock.Now(), nil
	}
	var at int64
	err := d.Reader().QueryRowContext(ctx, "SELECT CAST(UNIX_TIMESTAMP(NOW(6)) * 1000000 AS SIGNED)").Scan(&at)
	if err != nil {
		return time.Time{}, fmt.Errorf("ask the database for its time: %w", err)
	}
	return time.UnixMicro(at).UTC(), nil
}
