package access

import (
	"maps"
	"slices"
	"strings"
)

// Permissions of the hotel service. Scopes are what tokens name; staff
// sessions carry none and are limited by role alone.
var (
	CaseRead         = Permission{"hotel:case.read", "case.read"}
	ConversationRead = Permission{"hotel:conversation.read", "conversation.read"}
	MessageBodyRead  = Permission{"hotel:message_body.read", "message_body.read"}
	TaskResultSubmit = Permission{"hotel:task_result.submit", "task_result.submit"}

	MessageDeliver  = Permission{"hotel:message.deliver", "message.deliver"}   // the mail bus
	ProjectionWrite = Permission{"hotel:projection.write", "projection.write"} // the OPERA feed
	MessageImport   = Permission{"hotel:message.import", "message.import"}     // people: .eml, .mbox
	MessageOriginal = Permission{"hotel:message.original", "message.original"} // the raw mail, attachments
	CardDecide      = Permission{"hotel:card.decide", "card.decide"}           // claim, edit, confirm, reject
	CardTakeOver    = Permission{"hotel:card.take_over", "card.take_over"}     // from another person
	PaymentConfirm  = Permission{"hotel:payment.confirm", "payment.confirm"}   // money is on the account
	OrderCorrect    = Permission{"hotel:order.correct", "order.correct"}       // by hand, with reason
	NoticeHandle    = Permission{"hotel:notice.handle", "notice.handle"}       // acknowledge, make a task
	AgentReview     = Permission{"hotel:agent.review", "agent.review"}         // batches, accuracy
	ToolAdmin       = Permission{"hotel:tool.admin", "tool.admin"}             // profile, switches
	CredentialAdmin = Permission{"hotel:credential.admin", "credential.admin"} // issue, revoke
	AuditRead       = Permission{"hotel:audit.read", "audit.read"}             // search, verify, export
	AuditPrune      = Permission{"hotel:audit.prune", "audit.prune"}           // move old rows to a file; no token can carry it
	StaffAdmin      = Permission{"hotel:staff.admin", "staff.admin"}           // accounts
	HotelAdmin      = Permission{"hotel:hotel.admin", "hotel.admin"}           // code lists, business date
)

// Role names a bundle of actions.
type Role string

// The roles: five of people, four of programs.
const (
	RoleViewer     Role = "viewer"
	RoleAgent      Role = "agent" // a reservations agent (a person)
	RoleSupervisor Role = "supervisor"
	RoleFinance    Role = "finance"
	RoleAdmin      Role = "admin"

	RoleSuperAgent Role = "superagent"
	RoleMailBus    Role = "mailbus"
	RoleOperaFeed  Role = "operafeed"
	RolePartner    Role = "partner" // several of these in one; its account's scopes say which
	RoleSystem     Role = "system"
)

var reading = []string{"case.read", "conversation.read", "message_body.read"}

// grants is the whole authorisation table. "*" stands for every action.
var grants = map[Role][]string{
	RoleViewer:     reading,
	RoleAgent:      join(reading, "message.original", "message.import", "card.decide", "notice.handle"),
	RoleFinance:    join(reading, "message.original", "card.decide", "payment.confirm"),
	RoleSupervisor: join(reading, "message.original", "message.import", "card.decide", "card.take_over", "order.correct", "notice.handle", "agent.review", "audit.read"),
	RoleAdmin:      {"*"},
	RoleSuperAgent: join(reading, "task_result.submit"),
	RoleMailBus:    {"message.deliver"},
	RoleOperaFeed:  {"projection.write"},
	RolePartner:    join(reading, "task_result.submit", "message.deliver", "projection.write"),
	RoleSystem:     {"*"},
}

func join(base []string, more ...string) []string { return append(slices.Clone(base), more...) }

// Grants reports whether the role includes the action. Unknown roles grant nothing.
func (r Role) Grants(action string) bool {
	return slices.ContainsFunc(grants[r], func(g string) bool { return g == "*" || g == action })
}

// Known reports whether the role exists.
func (r Role) Known() bool { _, ok := grants[r]; return ok }

// Roles lists every role, sorted.
func Roles() []Role { return slices.Sorted(maps.Keys(grants)) }

// StaffRoles lists the roles a person can hold, least first.
func StaffRoles() []Role {
	return []Role{RoleViewer, RoleAgent, RoleFinance, RoleSupervisor, RoleAdmin}
}

// SuperAgentScopes is what SuperAgent's token needs and no more.
func SuperAgentScopes() []string {
	return []string{CaseRead.Scope, ConversationRead.Scope, MessageBodyRead.Scope, TaskResultSubmit.Scope}
}

// Scopes lists every scope of a service ("hotel"), sorted, for forms and checks.
func Scopes(service string) []string {
	var out []string
	for _, p := range []Permission{CaseRead, ConversationRead, MessageBodyRead, TaskResultSubmit, MessageDeliver, ProjectionWrite,
		MessageImport, MessageOriginal, CardDecide, CardTakeOver, PaymentConfirm, OrderCorrect, NoticeHandle, AgentReview,
		ToolAdmin, CredentialAdmin, AuditRead, StaffAdmin, HotelAdmin} {
		if strings.HasPrefix(p.Scope, service+":") {
			out = append(out, p.Scope)
		}
	}
	slices.Sort(out)
	return out
}
