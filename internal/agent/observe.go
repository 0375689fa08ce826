package agent

import (
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

// Ended is what may be told of a call outside the audit log: how it went, never
// what was said, by whom or about what.
type Ended struct {
	Tool   string // "" when nobody registered the name: a caller may write anything there
	Status audit.Status
	Code   string // of the refusal, as the service publishes it
	Trace  access.Trace
	Took   time.Duration
}

func (r *run) ended(out *Outcome) Ended {
	e := Ended{Status: audit.Succeeded, Trace: r.call.Trace, Took: r.clock.Since(r.began)}
	if r.entry != nil {
		e.Tool = r.entry.tool.Name
	}
	switch {
	case out.Fault != nil:
		e.Status, e.Code = r.status, out.Fault.Code
	case out.Replayed:
		e.Status = audit.Replayed
	}
	return e
}

// Running is how many idempotency keys the calls of this process are running now.
func (e *Executor) Running() int64 { return e.held.Load() }
