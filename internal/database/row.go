package database

import (
	"database/sql"

	"gorm.io/gorm"
)

// ScanRow reads a query's first row, sql.ErrNoRows when there is none (see
// IsNotFound). GORM's own Row answers a statement that could not be prepared, for
// want of a connection or of time, with a row whose Scan panics.
func ScanRow(query *gorm.DB, dest ...any) error {
	rows, err := query.Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(dest...); err != nil {
		return err
	}
	return rows.Close() // what went wrong after the first row
}
