package agent

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// defaultLang is spoken to callers of whom nothing else is known.
const defaultLang = "zh"

// run is one call on its way through the steps.
type run struct {
	*Executor
	call    Call
	dialect Dialect
	lang    string
	began   time.Time

	by       access.Caller // known after step 2
	entry    *entry        // after step 3
	top      seen          // after step 4
	argsHash string
	resource Resource     // after step 5
	claim    *claim       // held from step 10 until it is completed or released
	status   audit.Status // of a refusal, for who observes
}

func (e *Executor) newRun(call Call) *run {
	r := &run{Executor: e, call: call, dialect: unspoken{}, lang: cmp.Or(call.Lang, defaultLang), began: e.clock.Now()}
	if s := e.services[call.Service]; s != nil {
		r.dialect = s.Dialect
	}
	if len(r.call.Arguments) == 0 {
		r.call.Arguments = json.RawMessage("{}")
	}
	sum := sha256.Sum256(r.call.Arguments)
	r.argsHash = hex.EncodeToString(sum[:])
	return r
}

// structure is step 1.
func (r *run) structure(context.Context) error {
	id := r.call.Trace.RequestID
	if id == "" || len(id) > 128 {
		r.call.Trace.RequestID = r.clock.NewID() // the refusal needs one that can be found again
		return errBadRequest
	}
	if !validName(r.call.Tool) {
		r.call.Tool = "" // whatever it is, it is not for the audit log
		return errBadRequest
	}
	return nil
}

// authenticate is step 2.
func (r *run) authenticate(ctx context.Context) error {
	by, err := r.auth.Authenticate(ctx, r.call.Credential)
	if err != nil {
		return err
	}
	if by.SubjectID == "" || by.HotelID == "" { // an Authenticator that forgot to refuse
		return errUnauthenticated
	}
	// What the call asks for, else what the account prefers: the envelope and
	// every sentence inside the data are in one language.
	r.lang = cmp.Or(r.call.Lang, by.Lang, defaultLang)
	by.Trace, by.Lang = r.call.Trace, r.lang
	r.by = by
	return nil
}

// find is step 3. A tool of another service is as unknown as no tool.
func (r *run) find(context.Context) error {
	e := r.registry.entry(r.call.Tool)
	if e == nil || r.home[r.call.Tool] != r.call.Service {
		return errUnknownTool
	}
	r.entry = e
	return nil
}

// checkInput is step 4.
func (r *run) checkInput(context.Context) error {
	t, args := &r.entry.tool, r.call.Arguments
	if len(args) > t.MaxArguments {
		return errLargeArguments.With(map[string]any{"max_bytes": t.MaxArguments})
	}
	var ok bool
	if r.top, ok = r.entry.input.scan(args); !ok {
		return errBadArguments.At(r.entry.input.violations(args, r.lang)...)
	}
	if t.CheckInput == nil {
		return nil
	}
	return invalidUnlessFault(t.CheckInput(args))
}

func invalidUnlessFault(err error) error {
	if f := (*fault.Error)(nil); err == nil || errors.As(err, &f) {
		return err
	}
	return errBadArguments.Because(err)
}

// resolve is step 5. Who could not use the tool on any resource is refused for
// that, and does not learn which resources exist.
func (r *run) resolve(ctx context.Context) error {
	if r.entry.tool.Resolve == nil {
		return nil
	}
	res, err := r.entry.tool.Resolve(ctx, r.by, r.call.Arguments)
	if err != nil {
		if denied := mayEver(r.by, &r.entry.info); denied != nil {
			return denied
		}
		return err
	}
	r.resource = res
	return nil
}

// authorise is step 6.
func (r *run) authorise(context.Context) error {
	err := r.by.Require(r.entry.tool.Permission)
	if err == nil {
		return nil
	}
	owner := r.resource.OwnerID != "" && r.resource.OwnerID == r.by.SubjectID
	if owner && mayEver(r.by, &r.entry.info) == nil {
		return nil
	}
	return err
}

// mayEver asks for what the caller needs at the least: the action, or the
// weaker one that suffices for a resource of the caller's own.
func mayEver(by access.Caller, t *ToolInfo) error {
	err := by.Require(t.Permission)
	if err != nil && t.OwnAction != "" && by.Can(access.Permission{Scope: t.Permission.Scope, Action: t.OwnAction}) {
		return nil
	}
	return err
}

// confirm is step 8.
func (r *run) confirm(context.Context) error {
	if !r.entry.tool.RequiresConfirmation {
		return nil
	}
	if string(argument(r.call.Arguments, "confirm")) != "true" {
		return errUnconfirmed
	}
	return nil
}

// argument returns one top-level argument by its exact name; decoding into a
// struct would accept other cases of it too.
func argument(args json.RawMessage, name string) json.RawMessage {
	var top map[string]json.RawMessage
	if json.Unmarshal(args, &top) != nil {
		return nil
	}
	return top[name]
}

// auditStart is step 9.
func (r *run) auditStart(ctx context.Context) error { return r.auditStarted(ctx) }
