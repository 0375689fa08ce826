package agent

import (
	"context"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Profile bounds what the tools of a hotel may do. It is stored in the database
// and read on every call, so that a change bites at once on every replica.
type Profile string

// The profiles.
const (
	ReadOnly  Profile = "read_only"  // nothing that changes anything
	SafeWrite Profile = "safe_write" // the default: publishing and worse need a switch turned on
)

// Profiles lists the profiles, strictest first.
func Profiles() []Profile { return []Profile{ReadOnly, SafeWrite} }

// Policy is a hotel's profile and its per-tool switches.
type Policy struct {
	Profile  Profile
	Switches map[string]bool // only tools that somebody has switched
}

// Allows reports whether a tool may be used now. A profile this program does
// not know allows nothing that writes.
func (p Policy) Allows(t ToolInfo) bool {
	on, switched := p.Switches[t.Name]
	return allowed(p.Profile, t.Risk, on, switched)
}

func allowed(p Profile, risk Risk, on, switched bool) bool {
	switch {
	case switched && !on:
		return false
	case risk == RiskRead:
		return true
	case p != SafeWrite && p != "":
		return false
	}
	return risk == RiskWrite || on
}

// checkPolicy is step 7.
func (r *run) checkPolicy(ctx context.Context) error {
	profile, on, err := r.policies.readSwitch(ctx, r.by.HotelID, r.call.Tool)
	if err != nil {
		return internal(err)
	}
	if !allowed(Profile(profile.String), r.entry.tool.Risk, on.Bool, on.Valid) {
		return errRiskDenied
	}
	return nil
}

// Policy returns the policy of the caller's hotel.
func (e *Executor) Policy(ctx context.Context, by access.Caller) (Policy, error) {
	if err := by.Require(access.ToolAdmin); err != nil {
		return Policy{}, err
	}
	p, err := e.policies.readAll(ctx, by.HotelID)
	if p.Profile == "" {
		p.Profile = SafeWrite
	}
	return p, err
}

// SetProfile changes the profile of the caller's hotel.
func (e *Executor) SetProfile(ctx context.Context, by access.Caller, p Profile) error {
	ev := audit.FromCaller(by)
	ev.Tool, ev.ResourceType, ev.ResourceID = "policy.set_profile", "profile", string(p)
	if p != ReadOnly && p != SafeWrite {
		ev.ResourceID = ""
		return e.administer(ctx, by, ev, func(context.Context) error {
			return invalidArguments("/profile", strings.Join([]string{string(ReadOnly), string(SafeWrite)}, " | "))
		})
	}
	return e.administer(ctx, by, ev, func(ctx context.Context) error {
		return e.policies.writeProfile(ctx, by.HotelID, p, by.SubjectID, database.At(e.clock.Now()))
	})
}

// SetSwitch turns one tool on or off for the caller's hotel. On lifts a risky
// tool over the safe_write profile, never over read_only.
func (e *Executor) SetSwitch(ctx context.Context, by access.Caller, tool string, enabled bool) error {
	ev := audit.FromCaller(by)
	ev.Tool, ev.ResourceType, ev.ResourceID = "policy.disable_tool", "tool", tool
	if enabled {
		ev.Tool = "policy.enable_tool"
	}
	if e.registry.entry(tool) == nil {
		ev.ResourceID = ""
		return e.administer(ctx, by, ev, func(context.Context) error { return errUnknownTool })
	}
	return e.administer(ctx, by, ev, func(ctx context.Context) error {
		return e.policies.writeSwitch(ctx, by.HotelID, tool, enabled, by.SubjectID, database.At(e.clock.Now()))
	})
}

// administer runs a change of the policy in one transaction with its audit row;
// a refusal has a row of its own.
func (e *Executor) administer(ctx context.Context, by access.Caller, ev audit.Event, change func(context.Context) error) error {
	err := by.Require(access.ToolAdmin)
	ev.Status = audit.Denied
	if err == nil {
		ev.Status = audit.Succeeded
		err = e.db.InTx(ctx, func(ctx context.Context) error {
			if err := change(ctx); err != nil {
				return err
			}
			return e.audit.Append(ctx, ev)
		})
		if err == nil {
			return nil
		}
		ev.Status = audit.Failed
	}
	ev.ErrorCode = fault.Code(err)
	if e.audit.Append(context.WithoutCancel(ctx), ev) != nil {
		return errAudit.Because(err)
	}
	return err
}
