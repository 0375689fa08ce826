package testkit

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/database"
)

// Plan is a statement that ran and how SQLite goes about it.
type Plan struct {
	SQL   string
	Steps []string
}

// Plans runs do and returns the plan of every query it made through the stores,
// in order. It stands in for timed tests: a query that walks an index from where
// it starts and sorts nothing costs the same among a million rows.
func Plans(t testing.TB, db *database.DB, do func()) []Plan {
	t.Helper()
	if db.Driver != database.SQLite {
		t.Fatal("plans are SQLite's")
	}
	type query struct {
		sql  string
		args []any
	}
	var seen []query
	stop := db.Listen(func(text string, args []any) { seen = append(seen, query{text, append([]any(nil), args...)}) })
	do()
	stop()
	var out []Plan
	for _, q := range seen {
		out = append(out, Explain(t, db, q.sql, q.args...))
	}
	return out
}

// Explain asks SQLite how it would run a statement.
func Explain(t testing.TB, db *database.DB, stmt string, args ...any) Plan {
	t.Helper()
	rows, err := db.Reader().QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+stmt, args...)
	if err != nil {
		t.Fatalf("explain: %v\n%s", err, stmt)
	}
	defer rows.Close()
	p := Plan{SQL: stmt}
	for rows.Next() {
		var id, parent, unused int
		var step string
		must(t, rows.Scan(&id, &parent, &unused, &step))
		p.Steps = append(p.Steps, step)
	}
	must(t, rows.Err())
	return p
}

// unselective are columns whose value very many rows share: there is one hotel.
var unselective = []string{"hotel_id=?", "is_open=?", "status=?", "review=?", "owner_id=?"}

// derived are the names of subqueries, whose rows are few or the plan's own.
var derived = regexp.MustCompile(`^SCAN (some|part[0-9]+|CONSTANT ROW)$`)

var constraint = regexp.MustCompile(`\(([^()]*[=<>]\?[^()]*)\)$`)

// small are tables that stay small: settings, and the one hotel with its codes.
var small = regexp.MustCompile(`\b(platform_hotel|platform_code|agent_policy|agent_tool_switch)\b`)

// Bad are the steps that grow with the table: a scan, a search by columns that
// very many rows share, and a sort of all that was found.
func (p Plan) Bad() []string {
	var out []string
	if small.MatchString(p.SQL) {
		return nil
	}
	for _, step := range p.Steps {
		if strings.HasPrefix(step, "SCAN ") && !derived.MatchString(step) || strings.Contains(step, "USE TEMP B-TREE") || vague(step) {
			out = append(out, step)
		}
	}
	return out
}

func vague(step string) bool {
	m := constraint.FindStringSubmatch(step)
	if m == nil {
		return false
	}
	return !slices.ContainsFunc(strings.Split(m[1], " AND "), func(c string) bool { return !slices.Contains(unselective, c) })
}

func (p Plan) String() string { return fmt.Sprintf("%s\n  %s", p.SQL, strings.Join(p.Steps, "\n  ")) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
