package app_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/hotel"
	"thhotel/internal/platform"
)

// holder is an account of one role and what it can prove itself with.
type holder struct {
	role    access.Role
	subject string
	session string // of people
	tokens  map[string]string
	world   *world
}

// unrelated is a scope that no tool of the matrix needs.
const unrelated = "hotel:hotel.admin"

// credential returns one of a kind, false where the role has no such thing.
func (h holder) credential(t *testing.T, kind, scope string) (agent.Credential, bool) {
	t.Helper()
	c := agent.Credential{Audience: hotel.Path}
	switch kind {
	case "nobody":
		return c, true
	case "session":
		c.SessionID = h.session
		return c, h.session != ""
	}
	if scope == unrelated {
		t.Fatalf("%s is needed by a tool: choose another unrelated scope", scope)
	}
	scopes := map[string][]string{"with": {scope}, "revoked": {scope}, "unrelated": {unrelated},
		"without": slices.DeleteFunc(access.Scopes(hotel.Name), func(s string) bool { return s == scope })}
	key := kind + " " + scope
	if h.tokens[key] == "" {
		issued := h.world.token(t, h.subject, scopes[kind]...)
		h.tokens[key] = issued.Token
		if kind == "revoked" {
			must(t, h.world.Platform.RevokeCredential(context.Background(), h.world.by, issued.ID))
		}
	}
	c.Token = h.tokens[key]
	return c, true
}

// holders makes an account of every role there is. The system's own role is
// the one that no account can have.
func (m *matrix) holders(t *testing.T) []holder {
	t.Helper()
	var out []holder
	for _, role := range access.Roles() {
		h := holder{role: role, tokens: map[string]string{}, world: m.world}
		switch {
		case slices.Contains(access.StaffRoles(), role):
			h.subject, h.session = m.person(t, role)
		case role == access.RoleSystem:
			if _, err := m.Platform.CreateServiceAccount(context.Background(), m.by, platform.AccountParams{Name: "system", Role: role}); err == nil {
				t.Error("an account was given the system's role")
			}
			continue
		default:
			h.subject = m.serviceAccount(t, m.service+"-"+string(role), role)
		}
		out = append(out, h)
	}
	return out
}

// person is the demo's member of staff with that role, signed in.
func (m *matrix) person(t *testing.T, role access.Role) (id, session string) {
	t.Helper()
	for _, l := range m.access.Staff {
		if l.Role == role {
			s, err := m.Platform.SignIn(context.Background(), access.Caller{}, platform.SignInParams{Username: l.Username, Password: l.Password, RemoteAddr: "127.0.0.1"})
			must(t, err)
			return s.StaffID, s.ID
		}
	}
	t.Fatalf("the demo has nobody with the role %s", role)
	return "", ""
}

// TestMatrixOfOwnershipAndRisk runs the same matrix over tools that the product
// does not have yet: what people own, and what only a switch allows.
func TestMatrixOfOwnershipAndRisk(t *testing.T) {
	w := newWorld(t)
	registry := agent.NewRegistry()
	names := []string{"kit_own", "kit_publish", "kit_destroy"}
	for _, tool := range kitTools() {
		_, err := registry.Register(tool)
		must(t, err)
	}
	service := hotel.Service("test")
	service.Name, service.Tools = "kit", names
	e, err := agent.NewExecutor(agent.Options{DB: w.DB, Clock: w.Clock, Registry: registry, Services: []agent.Service{service}, Auth: w.Platform, Audit: w.Audit})
	must(t, err)
	write := func(t *testing.T, _ int, owner string) string {
		t.Helper()
		b, err := json.Marshal(map[string]any{"owner": owner, "idempotency_key": "matrix-" + w.Clock.NewID(), "confirm": true})
		must(t, err)
		return string(b)
	}
	supervisors := []access.Role{access.RoleSupervisor, access.RoleAdmin}
	newMatrix(w, e, registry, "kit", map[string]row{
		"kit_own":     {scope: "hotel:order.correct", roles: supervisors, owners: []access.Role{access.RoleAgent, access.RoleFinance}, risk: agent.RiskWrite, args: write},
		"kit_publish": {scope: "hotel:order.correct", roles: supervisors, risk: agent.RiskPublish, args: write},
		"kit_destroy": {scope: "hotel:tool.admin", roles: []access.Role{access.RoleAdmin}, risk: agent.RiskDestructive, args: write},
	}).run(t)
}

func kitTools() []agent.Tool {
	const in = `{"type":"object","additionalProperties":false,"properties":{"owner":{"type":"string"},"confirm":{"type":"boolean"},"idempotency_key":{"type":"string"}}}`
	const out = `{"type":"object","additionalProperties":true}`
	tool := func(name string, risk agent.Risk, p access.Permission) agent.Tool {
		return agent.Tool{Name: name, Owner: "kit", Title: name, Description: "A tool of the tests.", InputSchema: []byte(in), OutputSchema: []byte(out),
			Mutability: agent.Write, Risk: risk, Idempotent: true, Permission: p, RequiresConfirmation: risk == agent.RiskDestructive,
			Handler: func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
				return agent.Result{Value: map[string]any{}}, nil
			}}
	}
	own := tool("kit_own", agent.RiskWrite, access.OrderCorrect)
	own.OwnAction = access.CardDecide.Action
	own.Resolve = func(_ context.Context, by access.Caller, args json.RawMessage) (agent.Resource, error) {
		var in struct{ Owner string }
		err := json.Unmarshal(args, &in)
		r := agent.Resource{Type: "thing", ID: "1", OwnerID: "somebody-else"}
		if in.Owner == "own" {
			r.OwnerID = by.SubjectID
		}
		return r, err
	}
	return []agent.Tool{own, tool("kit_publish", agent.RiskPublish, access.OrderCorrect), tool("kit_destroy", agent.RiskDestructive, access.ToolAdmin)}
}
