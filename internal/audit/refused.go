package audit

import (
	"context"
	"errors"
	"fmt"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Act names what somebody wanted to do, for the row of its refusal.
type Act struct{ Tool, Owner, ResourceType, ResourceID string }

// refused marks an error whose row is written.
type refused struct{ error }

func (r refused) Unwrap() error { return r.error }

// Recorded reports whether the refusal already has its row.
func Recorded(err error) bool {
	var r refused
	return errors.As(err, &r)
}

// Refused writes the row of an action that was refused or failed. It stands in the
// first line of a use case, and runs when everything of that is over, its
// transaction too:
//
//	defer s.audit.Refused(ctx, by, audit.Act{Tool: "card.confirm", …}, &err)
//
// Tools need none of it: their executor writes what becomes of every call. A
// mistake in what was typed (fault.Invalid) leaves no row, since nothing was
// decided about it. Nor does an action that is part of a larger one, in the larger
// one's transaction: the row would be rolled back with it, and the larger one is
// what was refused. When the row cannot be written, that is the error.
func (l *Log) Refused(ctx context.Context, by access.Caller, act Act, err *error) {
	if *err == nil || database.InTransaction(ctx) || Recorded(*err) || errors.Is(*err, context.Canceled) {
		return
	}
	f := fault.As(*err)
	if f.Kind == fault.Invalid {
		return
	}
	e := FromCaller(by)
	e.Tool, e.Owner, e.Risk, e.ResourceType, e.ResourceID = act.Tool, act.Owner, "write", act.ResourceType, act.ResourceID
	e.Status, e.ErrorCode, e.At = Failed, f.Code, l.clock.Now()
	if f.Kind == fault.Forbidden || f.Kind == fault.Unauthenticated {
		e.Status = Denied
	}
	if failed := l.Append(context.WithoutCancel(ctx), e); failed != nil { // whoever hangs up does not escape the row
		*err = fmt.Errorf("audit refused %s (%s): %w", act.Tool, f.Code, failed)
		return
	}
	*err = refused{*err}
}
