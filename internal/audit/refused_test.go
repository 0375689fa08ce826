package audit_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/testkit"
)

var claimed = fault.New(fault.Conflict, "CARD_CLAIMED", "x", "x")

var refusedCases = map[string]struct {
	err  error
	want string // "status code", "" for no row
}{
	"no error":     {nil, ""},
	"denied":       {fault.New(fault.Forbidden, "permission_denied", "x", "x"), "denied permission_denied"},
	"lost race":    {fmt.Errorf("claim: %w", claimed), "failed CARD_CLAIMED"},
	"rule":         {fault.New(fault.Unprocessable, "RULE_REFUSES", "x", "x"), "failed RULE_REFUSES"},
	"not found":    {fault.New(fault.NotFound, "CARD_NOT_FOUND", "x", "x"), "failed CARD_NOT_FOUND"},
	"our fault":    {errors.New("disk full"), "failed internal_error"},
	"mistyped":     {fault.New(fault.Invalid, "INPUT_INVALID", "x", "x"), ""},
	"hung up":      {fmt.Errorf("claim: %w", context.Canceled), ""},
	"two recorded": {errors.Join(claimed, errors.New("more")), "failed CARD_CLAIMED"},
}

func TestRefused(t *testing.T) {
	malee := access.Caller{HotelID: "h1", SubjectID: "s1", Name: "malee", Trace: access.Trace{Adapter: "pages"}}
	act := audit.Act{Tool: "card.claim", Owner: "order", ResourceType: "card", ResourceID: "c1"}
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		for name, c := range refusedCases {
			malee.Trace.RequestID = name
			got := doubly(l, malee, act, c.err)
			if fault.Code(got) != fault.Code(c.err) || c.err != nil && !errors.Is(got, c.err) {
				t.Errorf("%s: the caller gets %v, want %v", name, got, c.err)
			}
			var want, rows []string
			if c.want != "" {
				want = []string{c.want}
			}
			list, _ := list(t, l, audit.Filter{RequestID: name})
			for _, e := range list {
				rows = append(rows, string(e.Status)+" "+e.ErrorCode)
				if e.Tool != act.Tool || e.ResourceID != "c1" || e.Principal != "s1" || e.HotelID != "h1" {
					t.Errorf("%s: row %+v", name, e)
				}
			}
			if diff := cmp.Diff(want, rows); diff != "" {
				t.Errorf("%s: rows (-want +got):\n%s", name, diff)
			}
			if audit.Recorded(got) != (c.want != "") {
				t.Errorf("%s: Recorded %v", name, audit.Recorded(got))
			}
		}
	})
}

// doubly is a use case within another, of a caller who hung up meanwhile: that
// lets nobody escape the row, and there is one.
func doubly(l *audit.Log, by access.Caller, act audit.Act, refusal error) (err error) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	defer l.Refused(canceled, by, act, &err)
	return func() (err error) {
		defer l.Refused(canceled, by, act, &err)
		return refusal
	}()
}

func entries(t *testing.T, l *audit.Log) []audit.Entry {
	t.Helper()
	out, _ := list(t, l, audit.Filter{Adapter: "pages"})
	return out
}

// TestRefusedAndTransactions: the row of a refusal outlives the transaction that
// failed; inside a larger one it is the larger one's affair.
func TestRefusedAndTransactions(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		by := access.Caller{HotelID: "h1", SubjectID: "s1", Trace: access.Trace{Adapter: "pages"}}
		no := fault.New(fault.Unprocessable, "RULE_REFUSES", "x", "x")
		inner := func(ctx context.Context) (err error) {
			defer l.Refused(ctx, by, audit.Act{Tool: "inner"}, &err)
			if err := l.Append(ctx, event(1)); err != nil { // goes with the transaction
				return err
			}
			return no
		}
		outer := func(ctx context.Context) (err error) {
			defer l.Refused(ctx, by, audit.Act{Tool: "outer"}, &err)
			return db.InTx(ctx, inner)
		}
		if err := outer(context.Background()); fault.Code(err) != no.Code {
			t.Fatal(err)
		}
		got := entries(t, l)
		if len(got) != 1 || got[0].Tool != "outer" {
			t.Errorf("rows %+v, want one of the outer act", got)
		}
	})
}

// TestRefusedFailsClosed: a refusal that cannot be written down is an error.
func TestRefusedFailsClosed(t *testing.T) {
	db := testkit.DB(t)
	l := audit.New(db, testkit.Clock())
	exec(t, db, "DROP TABLE audit_event")
	err := error(fault.New(fault.Forbidden, "permission_denied", "x", "x"))
	l.Refused(context.Background(), access.Caller{}, audit.Act{Tool: "x"}, &err)
	if fault.As(err).Kind != fault.Internal || audit.Recorded(err) {
		t.Errorf("got %v, want an internal error", err)
	}
}
