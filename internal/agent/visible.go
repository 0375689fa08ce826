package agent

import (
	"context"

	"thhotel/internal/access"
)

// Visible lists the tools of a service that the caller may use now, in the
// service's own order, and a revision that changes with the list. Hiding is
// courtesy: a hidden tool called by name is refused, and audited, by Do. The
// error, if any, carries the service's published code.
func (e *Executor) Visible(ctx context.Context, cred Credential, trace access.Trace, service string) ([]ToolInfo, string, error) {
	s, ok := e.services[service]
	if !ok {
		return nil, "", errUnknownTool
	}
	by, err := e.auth.Authenticate(ctx, cred)
	if err == nil && (by.SubjectID == "" || by.HotelID == "") {
		err = errUnauthenticated
	}
	if err != nil {
		return nil, "", publish(s.Dialect, err)
	}
	by.Trace = trace
	policy, err := e.policies.readAll(ctx, by.HotelID)
	if err != nil {
		return nil, "", publish(s.Dialect, err)
	}
	out, names := make([]ToolInfo, 0, len(s.Tools)), make([]string, 0, len(s.Tools)+1)
	for _, name := range s.Tools {
		t, ok := e.registry.Lookup(name)
		if ok && mayEver(by, &t) == nil && policy.Allows(t) {
			out, names = append(out, t), append(names, name)
		}
	}
	return out, digest(append(names, e.registry.Snapshot().Revision)), nil
}
