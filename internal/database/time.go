package database

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// Time is a moment in a BIGINT column, microseconds since 1970 UTC, the same on
// every engine: no time zone, no driver's own text format, sorts as a number. The
// zero time is NULL.
type Time struct{ time.Time }

// At wraps t.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Microsecond)} }

// Value implements driver.Valuer.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.UnixMicro(), nil
}

// Scan implements sql.Scanner.
func (t *Time) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		t.Time = time.Time{}
	case int64:
		t.Time = time.UnixMicro(v).UTC()
	default:
		return fmt.Errorf("database: %T is not a time in microseconds", src)
	}
	return nil
}

// GormDataType tells GORM what the column is.
func (Time) GormDataType() string { return "bigint" }
