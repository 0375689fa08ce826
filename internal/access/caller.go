// Package access says who is calling and what they may do. Roles and
// permissions are data in one place; it refuses to know how a caller proved
// who they are, or what the guarded things look like.
package access

import (
	"slices"

	"thhotel/internal/fault"
)

// Kind of subject behind a call.
type Kind string

// The kinds.
const (
	Staff   Kind = "STAFF"   // a person with a staff account
	Service Kind = "SERVICE" // a service account: SuperAgent, a partner, a feed
	System  Kind = "SYSTEM"  // the program itself: imports, the demo, background work
)

// Caller is an authenticated subject, loaded afresh for the call at hand.
type Caller struct {
	HotelID      string
	Kind         Kind
	SubjectID    string // account id
	Name         string // for people: "malee", "superagent"
	Role         Role
	CredentialID string
	// Scopes narrow what the role allows. nil means the credential is not
	// scoped (a staff session); an empty list allows nothing.
	Scopes []string
	Lang   string // "zh" or "en"

	Trace Trace
}

// Trace joins the rows that one request leaves behind.
type Trace struct {
	RequestID string
	TraceID   string
	Parent    string // the caller's W3C traceparent as it came, "" without a right one
	Adapter   string // "mcp", "rest", "pages", "cli", "system"
	Protocol  string // MCP revision, or "" elsewhere
	Client    string // what the client calls itself; never trusted
}

// Permission is a scope and an action; the caller needs both.
type Permission struct {
	Scope  string // what a token may be limited to, "hotel:case.read"
	Action string // resource.action that roles grant, "case.read"
}

// Refusal codes; each service's dialect may rename them.
const (
	CodeScope      = "insufficient_scope"
	CodePermission = "permission_denied"
)

// Require returns nil when the caller's scopes AND role allow p.
func (c Caller) Require(p Permission) error {
	if c.Scopes != nil && !slices.Contains(c.Scopes, p.Scope) {
		return fault.New(fault.Forbidden, CodeScope,
			"凭证缺少权限范围 "+p.Scope+"，请向管理员申请包含该范围的凭证。",
			"The credential lacks the scope "+p.Scope+". Ask an administrator for one that has it.").
			With(map[string]any{"required_scope": p.Scope})
	}
	if !c.Role.Grants(p.Action) {
		return fault.New(fault.Forbidden, CodePermission,
			"当前账号的角色无权执行 "+p.Action+"，请联系主管或管理员。",
			"Your role does not allow "+p.Action+". Ask a supervisor or administrator.").
			With(map[string]any{"required_action": p.Action})
	}
	return nil
}

// Can is Require as a yes or no, for pages that hide what a caller may not do.
func (c Caller) Can(p Permission) bool { return c.Require(p) == nil }

// AsSystem is the program acting for a hotel, for work nobody asked for in person.
func AsSystem(hotelID, name string) Caller {
	return Caller{HotelID: hotelID, Kind: System, SubjectID: "system", Name: name, Role: RoleSystem, Lang: "zh",
		Trace: Trace{Adapter: "system"}}
}
