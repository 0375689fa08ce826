package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

func TestNoAuditNoCall(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		exec(t, db, "DROP TABLE audit_event")
		w.do = func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
			t.Error("it ran without an audit row")
			return agent.Result{}, nil
		}
		for _, c := range []struct{ tool, token string }{{"desk.get", "agent"}, {"desk.save", "agent"}, {"desk.get", "low"}, {"desk.get", "nobody"}} {
			out := w.call(c.tool, c.token, `{`+key+`}`)
			if code(out) != "T_AUDIT_UNAVAILABLE" || !strings.Contains(string(out.Body), "T_AUDIT_UNAVAILABLE") {
				t.Errorf("%s %s: %v %s", c.tool, c.token, out.Fault, out.Body)
			}
		}
	})
}

// TestAuditBreaksMeanwhile: the outcome cannot be audited, so a read's result is
// withheld and a write's work is undone.
func TestAuditBreaksMeanwhile(t *testing.T) {
	for _, tool := range []string{"desk.get", "desk.save"} {
		t.Run(tool, func(t *testing.T) {
			testkit.Databases(t, func(t *testing.T, db *database.DB) {
				w := newWorld(t, db)
				w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
					res := agent.Result{Value: map[string]any{"text": secret}}
					if tool == "desk.get" {
						exec(t, db, "DROP TABLE audit_event")
						return res, nil
					}
					if err := w.effect(ctx, "x"); err != nil {
						return res, err
					}
					if db.Driver == database.MySQL { // there DDL would commit the transaction
						exec(t, db, "DROP TABLE audit_event")
						return res, nil
					}
					return res, w.db.Conn(ctx).Exec("DROP TABLE audit_event").Error
				}
				out := w.call(tool, "agent", `{`+key+`}`)
				if code(out) != "T_AUDIT_UNAVAILABLE" || strings.Contains(string(out.Body), secret) {
					t.Errorf("%v %s", out.Fault, out.Body)
				}
				if w.effects() != 0 || w.count("SELECT COUNT(*) FROM agent_idempotency") != 0 {
					t.Errorf("%d effects left", w.effects())
				}
			})
		})
	}
}

// TestNothingSaidIsKept looks for an argument's value in every column of the
// audit log, in the claim and in the log, on every way a call can end.
func TestNothingSaidIsKept(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	n := 0
	w.do = func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
		if n++; n%2 == 0 {
			return agent.Result{}, fmt.Errorf("no disk")
		}
		return agent.Result{Value: map[string]any{"n": 1}}, nil
	}
	for _, args := range []string{
		`{"text":"` + secret + `"}`, `{"` + secret + `":1}`, `{"text":"` + secret, `{"text":["` + secret + `"]}`,
		`{"text":"` + secret + `","idempotency_key":"` + secret + `"}`,
	} {
		for _, tool := range []string{"desk.get", "desk.save", secret} {
			for _, token := range []string{"agent", secret} {
				_ = w.call(tool, token, args)
			}
		}
	}
	for _, table := range []string{"audit_event", "agent_idempotency"} {
		rows, err := w.db.Reader().QueryContext(context.Background(), "SELECT * FROM "+table)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		cols, _ := rows.Columns()
		for count := 0; rows.Next() || count == 0; count++ {
			values := make([]any, len(cols))
			for i := range values {
				values[i] = new(any)
			}
			if err := rows.Scan(values...); err != nil {
				t.Fatal(err)
			}
			for i, v := range values {
				if s := fmt.Sprint(*v.(*any)); strings.Contains(s, secret) {
					t.Errorf("%s.%s has the value: %s", table, cols[i], s)
				}
			}
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(w.logs.String(), secret) {
		t.Error("the log has the value")
	}
}
