package bench

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"
)

// template is one row that services wrote, cut at the tokens it holds. Copies
// are like it in every column that is nobody's own, whatever columns there are:
// a migration needs no change here.
type template struct {
	table   string
	columns []string
	cells   []cell
}

// cell is one column's value: text around tokens, or a value kept as it is.
type cell struct {
	parts []part
	value any
	time  bool // moves with the copy's age
}

type part struct {
	text  string
	token bool
}

// snapshot reads rows that services wrote.
func snapshot(ctx context.Context, db *sql.DB, tokens []string, table, where string, args ...any) ([]template, error) {
	rows, err := db.QueryContext(ctx, "SELECT * FROM "+table+" WHERE "+where, args...) //nolint:gosec // fixed names
	if err != nil {
		return nil, fmt.Errorf("template of %s: %w", table, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("template of %s: %w", table, err)
	}
	var out []template
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("template of %s: %w", table, err)
		}
		out = append(out, newTemplate(table, columns, row, tokens))
	}
	return out, rows.Err()
}

func newTemplate(table string, columns []string, row []any, tokens []string) template {
	t := template{table: table, columns: columns}
	for i, v := range row {
		c := cell{value: v}
		if b, ok := v.([]byte); ok {
			c.value = string(b)
		}
		if s, ok := c.value.(string); ok {
			c.parts = split(s, tokens)
		}
		_, number := c.value.(int64)
		c.time = number && (strings.HasSuffix(columns[i], "_at") || strings.HasSuffix(columns[i], "_until"))
		t.cells = append(t.cells, c)
	}
	return t
}

// split cuts text at tokens; nil when it holds none.
func split(s string, tokens []string) []part {
	var out []part
	for s != "" {
		at, found := len(s), ""
		for _, t := range tokens {
			if i := strings.Index(s, t); i >= 0 && (i < at || i == at && len(t) > len(found)) {
				at, found = i, t
			}
		}
		if found == "" {
			break
		}
		if at > 0 {
			out = append(out, part{text: s[:at]})
		}
		out = append(out, part{text: found, token: true})
		s = s[at+len(found):]
	}
	if len(out) > 0 && s != "" {
		out = append(out, part{text: s})
	}
	return out
}

// ids lists the values of the columns named id: each copy needs its own.
func ids(rows []template) []string {
	var out []string
	for _, t := range rows {
		if i := slices.Index(t.columns, "id"); i >= 0 {
			if id, ok := t.cells[i].value.(string); ok && !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
}

// copy appends one copy's values to args.
func (t template) copy(args []any, v values, age time.Duration) []any {
	for _, c := range t.cells {
		switch {
		case c.time:
			args = append(args, c.value.(int64)-age.Microseconds()) //nolint:forcetypeassert // set for numbers alone
		case c.parts != nil:
			args = append(args, render(c.parts, v))
		default:
			args = append(args, c.value)
		}
	}
	return args
}

func render(parts []part, v values) string {
	var b strings.Builder
	for _, p := range parts {
		if !p.token {
			b.WriteString(p.text)
		} else if value, ok := v[p.text]; ok {
			b.WriteString(value)
		} else {
			b.WriteString(p.text)
		}
	}
	return b.String()
}
