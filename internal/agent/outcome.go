package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

func (r *run) success(a *answer) Outcome {
	return Outcome{Body: a.body, Summary: a.summary.In(r.lang)}
}

// failed ends a call whose handler ran.
func (r *run) failed(ctx, limited context.Context, err error) Outcome {
	f := explain(ctx, limited, err)
	status := audit.Failed
	if f.Kind == fault.Forbidden || f.Kind == fault.Unauthenticated {
		status = audit.Denied // by the service, which guards itself too
	}
	return r.refuse(ctx, status, f)
}

// refuse ends a call with a refusal and its audit row. A refusal that cannot be
// audited is answered as just that.
func (r *run) refuse(ctx context.Context, status audit.Status, err error) Outcome {
	f := fault.As(err)
	r.status = status
	ctx = context.WithoutCancel(ctx) // the caller may have gone; the row must not
	r.release(ctx)
	if f.Code == CodeAuditUnavailable {
		return r.withhold(f)
	}
	if f.Kind == fault.Internal {
		r.complain("tool call failed", f)
	}
	e := r.event(status)
	e.ErrorCode = f.Code
	if err := r.append(ctx, e); err != nil {
		return r.withhold(err)
	}
	return r.failure(f)
}

// withhold ends a call that cannot be audited: nothing of it leaves.
func (r *run) withhold(err error) Outcome {
	f := fault.As(err)
	r.status = audit.Failed
	r.complain("audit unavailable", f)
	return r.failure(f)
}

// failure puts a refusal into the envelope. One that would not fit the published
// schema is sent as text alone, since strict clients reject what does not match.
func (r *run) failure(f *fault.Error) Outcome {
	out := Outcome{Fault: publish(r.dialect, f), Summary: f.Message(r.lang)}
	out.Body = r.dialect.Failure(r.call.Trace, r.lang, out.Fault)
	if out.Body == nil || r.entry == nil {
		return out
	}
	if _, ok := r.entry.output.scan(out.Body); !ok {
		r.complain("refusal left out", misfit(r.entry.output.violations(out.Body, "en")))
		out.Body = nil
	}
	return out
}

// panicked ends a call that panicked. The panic's value may hold a guest's data
// and is not logged, but for the runtime's own errors.
func (r *run) panicked(ctx context.Context, v any) Outcome {
	cause := fmt.Errorf("panic with a %T", v)
	if err, ok := v.(runtime.Error); ok {
		cause = fmt.Errorf("panic: %w", err)
	}
	r.log.ErrorContext(ctx, "tool call panicked", slog.String("stack", frames(debug.Stack())), slog.String("request_id", r.call.Trace.RequestID))
	return r.refuse(ctx, audit.Failed, internal(cause))
}

// frames keeps the functions and lines of a stack, without argument words.
func frames(stack []byte) string {
	var out []string
	for line := range strings.Lines(string(stack)) {
		if s := strings.TrimSpace(line); strings.HasPrefix(line, "\t") {
			out = append(out, s)
		}
	}
	return strings.Join(out, "\n")
}

func (r *run) complain(what string, err error) {
	r.log.Error(what, slog.String("tool", r.call.Tool), slog.String("request_id", r.call.Trace.RequestID),
		slog.String("trace_id", r.call.Trace.TraceID), slog.String("code", fault.Code(err)), slog.Any("error", err))
}

// event begins an audit row with what is known so far.
func (r *run) event(status audit.Status) audit.Event {
	by := r.by
	by.Trace = r.call.Trace
	e := audit.FromCaller(by)
	e.Tool, e.Status, e.Duration = r.call.Tool, status, r.clock.Since(r.began)
	e.ArgsSize, e.ArgsHash, e.ArgsKeys = len(r.call.Arguments), r.argsHash, r.top.String()
	e.ResourceType, e.ResourceID = r.resource.Type, r.resource.ID
	if r.entry != nil {
		e.Owner, e.Risk = r.entry.tool.Owner, string(r.entry.tool.Risk)
	}
	return e
}

// String lists the declared names; of others only how many there were, since a
// caller could write anything into a name.
func (s seen) String() string {
	text := strings.Join(s.keys, ",")
	if s.undeclared > 0 {
		text = strings.TrimPrefix(fmt.Sprintf("%s,+%d", text, s.undeclared), ",")
	}
	return text
}

// append writes a row. Inside a transaction the cause stays visible, because
// the engine may ask for the whole of it to be run again.
func (r *run) append(ctx context.Context, e audit.Event) error {
	if err := r.audit.Append(ctx, e); err != nil {
		return errAudit.Because(err)
	}
	return nil
}

func (r *run) auditStarted(ctx context.Context) error {
	err := r.append(ctx, r.event(audit.Started))
	if err != nil && ctx.Err() != nil {
		return ended(ctx)
	}
	return err
}

// auditOutcome is step 15 of a call that came to something.
func (r *run) auditOutcome(ctx context.Context, status audit.Status, a *answer) error {
	e := r.event(status)
	e.ResultHash = a.hash()
	if a.resource.Type != "" {
		e.ResourceType, e.ResourceID = a.resource.Type, a.resource.ID
	}
	return r.append(ctx, e)
}

// unspoken is the dialect of a service nobody knows: core codes and text alone.
type unspoken struct{}

func (unspoken) Success(access.Trace, string, json.RawMessage, []Warning) (json.RawMessage, error) {
	return nil, errors.New("no such service")
}
func (unspoken) Failure(access.Trace, string, *fault.Error) json.RawMessage { return nil }
func (unspoken) Code(code string) string                                    { return code }
