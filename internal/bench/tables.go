package bench

import (
	"context"
	"fmt"

	"thhotel/internal/app"
	"thhotel/internal/database"
)

// tablesWith names the tables of a feature that have a column: what a mail or an
// order leaves behind may come to lie in more tables than there are today.
func tablesWith(ctx context.Context, a *app.App, prefix, column string) ([]string, error) {
	query := "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name LIKE ? AND c.name = ? ORDER BY m.name"
	if a.DB.Driver == database.MySQL {
		query = "SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name LIKE ? AND column_name = ? ORDER BY table_name"
	}
	rows, err := a.DB.Writer().QueryContext(ctx, query, prefix+"%", column)
	if err != nil {
		return nil, fmt.Errorf("tables with %s: %w", column, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("tables with %s: %w", column, err)
		}
		out = append(out, name)
	}
	return out, rows.Err()
}
