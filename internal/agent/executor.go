package agent

import (
	"context"
	"errors"

	"thhotel/internal/audit"
	"thhotel/internal/database"
)

// admission is steps 1 to 9, in their order, for every call through every door.
// A step that returns an error ends the call, which is then audited as denied.
var admission = [...]func(*run, context.Context) error{
	(*run).structure,    // 1  request id, tool name
	(*run).authenticate, // 2  credential, account and role, loaded afresh
	(*run).find,         // 3  the tool, within the door's service
	(*run).checkInput,   // 4  size, depth, input schema
	(*run).resolve,      // 5  the real resource and its owner
	(*run).authorise,    // 6  scope AND role AND ownership
	(*run).checkPolicy,  // 7  profile and switch
	(*run).confirm,      // 8  confirm: true
	(*run).auditStart,   // 9  no audit, no call
}

// Do runs one call through the fifteen steps and always returns an outcome
// that a door can encode.
func (e *Executor) Do(ctx context.Context, call Call) (out Outcome) {
	r := e.newRun(call)
	if e.begin != nil {
		ctx = e.begin(ctx, call.Trace)
	}
	if e.observe != nil {
		defer func() { e.observe(ctx, r.ended(&out)) }()
	}
	defer func() {
		if v := recover(); v != nil {
			out = r.panicked(ctx, v)
		}
	}()
	for _, step := range admission {
		if err := step(r, ctx); err != nil {
			return r.refuse(ctx, audit.Denied, explain(ctx, ctx, err))
		}
	}
	if r.entry.tool.Mutability == Read {
		return r.read(ctx)
	}
	return r.write(ctx)
}

// read is steps 11 to 15 of a call that changes nothing: 10 and 14 do not apply.
func (r *run) read(ctx context.Context) Outcome {
	leave, err := r.takeSlot(ctx) // 11
	if err != nil {
		return r.refuse(ctx, audit.Denied, err)
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, r.entry.tool.Timeout)
	defer cancel()
	a, err := r.invoke(limited) // 12, 13
	if err != nil {
		return r.failed(ctx, limited, err)
	}
	if err := r.auditOutcome(context.WithoutCancel(ctx), audit.Succeeded, a); err != nil { // 15
		return r.withhold(err)
	}
	return r.success(a)
}

// write is steps 10 to 15 of a call that changes something.
func (r *run) write(ctx context.Context) Outcome {
	stored, err := r.awaitKey(ctx) // 10
	if err != nil {
		return r.refuse(ctx, audit.Denied, explain(ctx, ctx, err))
	}
	if stored != nil {
		return r.replay(ctx, stored)
	}
	r.held.Add(1)
	defer r.held.Add(-1)
	leave, err := r.takeSlot(ctx) // 11
	if err != nil {
		return r.refuse(ctx, audit.Denied, err)
	}
	defer leave()
	limited, cancel := context.WithTimeout(ctx, r.entry.tool.Timeout)
	defer cancel()
	a, err := r.commit(limited)
	switch {
	case errors.Is(err, errLostClaim):
		return r.superseded(ctx)
	case err != nil:
		return r.failed(ctx, limited, err)
	}
	return r.success(a)
}

// commit is steps 12 to 15 in one transaction: the domain's rows, the stored
// result, the completed claim and the audit row are there together or not at
// all. When the connection breaks during COMMIT, the claim tells what happened.
func (r *run) commit(ctx context.Context) (*answer, error) {
	for {
		var a *answer
		err := r.db.InTx(ctx, func(ctx context.Context) (err error) {
			if a, err = r.invoke(ctx); err != nil { // 12, 13
				return err
			}
			if err = r.complete(ctx, a); err != nil { // 14
				return err
			}
			return r.auditOutcome(ctx, audit.Succeeded, a) // 15
		})
		if !errors.Is(err, database.ErrOutcomeUnknown) {
			return a, err
		}
		happened, err := r.happened(ctx)
		if err != nil || happened {
			return a, err
		}
	}
}
