package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/hotel"
)

// row says once what a tool should answer to whom. Nothing of it is read from
// the registry or from the table of roles: a change there must be made here too.
type row struct {
	scope  string        // what a token must name
	roles  []access.Role // who may use the tool, on anything
	owners []access.Role // who else may, on what they own; only for tools with an own action
	risk   agent.Risk
	args   func(t *testing.T, cell int, owner string) string // accepted ones; cell makes each write another
}

var readers = []access.Role{access.RoleViewer, access.RoleAgent, access.RoleFinance, access.RoleSupervisor, access.RoleAdmin,
	access.RoleSuperAgent, access.RolePartner}

func same(args string) func(*testing.T, int, string) string {
	return func(*testing.T, int, string) string { return args }
}

// hotelRows is the expected outcome of every tool of the product.
func hotelRows(orderID string) map[string]row {
	return map[string]row{
		hotel.ToolCaseContext: {scope: "hotel:case.read", roles: readers, risk: agent.RiskRead, args: same(`{"confirmation_number":"4032077"}`)},
		hotel.ToolObjectDetail: {scope: "hotel:case.read", roles: readers, risk: agent.RiskRead,
			args: same(`{"object_id":"` + orderID + `"}`)},
		hotel.ToolConversationTasks: {scope: "hotel:conversation.read", roles: readers, risk: agent.RiskRead,
			args: same(`{"source_message_id":"agentbus-ext-0006"}`)},
		hotel.ToolConversationMessages: {scope: "hotel:message_body.read", roles: readers, risk: agent.RiskRead,
			args: same(`{"source_message_id":"agentbus-ext-0006"}`)},
		hotel.ToolSubmit: {scope: "hotel:task_result.submit", roles: []access.Role{access.RoleAdmin, access.RoleSuperAgent, access.RolePartner},
			risk: agent.RiskWrite, args: func(t *testing.T, cell int, _ string) string { return pkg(t, 6, fmt.Sprint("cell ", cell)) }},
	}
}

// cell is one square of the matrix.
type cell struct {
	tool, owner string
	who         holder
	scopes      string // with, without, unrelated, session, revoked, nobody
	profile     agent.Profile
	toggle      string // unset, off, on
}

func (c cell) String() string {
	return fmt.Sprintf("%s %s %s as %s, %s, switch %s", c.tool, c.owner, c.scopes, c.who.role, c.profile, c.toggle)
}

// want is the published code, the audited one and the status; "" is success.
type want struct{ published, audited string }

// expect derives the outcome of a cell from the tool's row, in the pipeline's order.
func (r row) expect(c cell) want {
	own := c.owner == "own" && slices.Contains(r.owners, c.who.role)
	switch {
	case c.scopes == "nobody" || c.scopes == "revoked":
		return want{"MCP_AUTH_INVALID", "unauthenticated"}
	case c.scopes == "without" || c.scopes == "unrelated":
		return want{"MCP_PERMISSION_DENIED", "insufficient_scope"}
	case !slices.Contains(r.roles, c.who.role) && !own:
		return want{"MCP_PERMISSION_DENIED", "permission_denied"}
	case c.toggle == "off", c.profile == agent.ReadOnly && r.risk != agent.RiskRead,
		c.toggle != "on" && r.risk != agent.RiskRead && r.risk != agent.RiskWrite:
		return want{"MCP_TOOL_DISABLED", "risk_denied"}
	}
	return want{}
}

// matrix runs cells and remembers what the audit log should say of each.
type matrix struct {
	*world
	executor *agent.Executor
	registry *agent.Registry
	service  string
	rows     map[string]row
	wants    map[string]want // by request id
	cells    map[string]cell
	allowed  map[string]int // by tool
}

func newMatrix(w *world, e *agent.Executor, r *agent.Registry, service string, rows map[string]row) *matrix {
	return &matrix{world: w, executor: e, registry: r, service: service, rows: rows,
		wants: map[string]want{}, cells: map[string]cell{}, allowed: map[string]int{}}
}

// run is every tool of the registry against everything. The switches start
// untouched, since one that was touched can only be on or off.
func (m *matrix) run(t *testing.T) {
	t.Helper()
	tools := m.registry.Snapshot().Tools
	m.checkRows(t, tools)
	people := m.holders(t)
	for _, toggle := range []string{"unset", "off", "on"} {
		for _, profile := range agent.Profiles() {
			must(t, m.executor.SetProfile(context.Background(), m.by, profile))
			for _, tool := range tools {
				if toggle != "unset" {
					must(t, m.executor.SetSwitch(context.Background(), m.by, tool.Name, toggle == "on"))
				}
				for _, who := range people {
					m.tryScopes(t, tool, cell{tool: tool.Name, who: who, profile: profile, toggle: toggle})
				}
			}
		}
	}
	m.checkAudit(t)
	t.Logf("%d cells, allowed: %v", len(m.cells), m.allowed)
}

// checkRows: a tool without a row fails, and so does a row without a tool.
func (m *matrix) checkRows(t *testing.T, tools []agent.ToolInfo) {
	t.Helper()
	var have []string
	for _, tool := range tools {
		have = append(have, tool.Name)
		r, ok := m.rows[tool.Name]
		if !ok {
			t.Fatalf("%s has no row in the authorisation matrix: state who may use it", tool.Name)
		}
		if (tool.OwnAction != "") != (r.owners != nil) {
			t.Errorf("%s: own action %q, owners %v in its row", tool.Name, tool.OwnAction, r.owners)
		}
	}
	for name := range m.rows {
		if !slices.Contains(have, name) {
			t.Errorf("the row %s belongs to no tool", name)
		}
	}
}

func (m *matrix) tryScopes(t *testing.T, tool agent.ToolInfo, c cell) {
	t.Helper()
	owners := []string{""}
	if tool.OwnAction != "" {
		owners = []string{"own", "other"}
	}
	for _, kind := range []string{"with", "without", "unrelated", "session", "revoked", "nobody"} {
		credential, ok := c.who.credential(t, kind, m.rows[c.tool].scope)
		for _, c.owner = range owners {
			if c.scopes = kind; ok {
				m.try(t, c, credential)
			}
		}
	}
}

// try runs one cell and compares the answer, and whether tools/list agrees.
func (m *matrix) try(t *testing.T, c cell, credential agent.Credential) {
	t.Helper()
	id := fmt.Sprintf("%s-%d", m.service, len(m.cells))
	r := m.rows[c.tool]
	w := r.expect(c)
	m.wants[id], m.cells[id] = w, c
	out := m.executor.Do(context.Background(), agent.Call{Tool: c.tool, Service: m.service, Arguments: []byte(r.args(t, len(m.cells), c.owner)),
		Credential: credential, Trace: access.Trace{RequestID: id, Adapter: "mcp"}})
	got := ""
	if out.Fault != nil {
		got = out.Fault.Code
	}
	if got != w.published {
		t.Errorf("%v: answered %q, want %q: %.300s", c, got, w.published, out.Body)
	}
	if w.audited == "insufficient_scope" && out.Fault != nil && out.Fault.Details["required_scope"] != r.scope {
		t.Errorf("%v: the refusal does not name the scope %s: %v", c, r.scope, out.Fault.Details)
	}
	if envelope := find(decoded(t, out.Body), "code"); got != "" && envelope != w.published {
		t.Errorf("%v: code %q in the envelope, want %q", c, envelope, w.published)
	}
	if got == "" {
		m.allowed[c.tool]++
	}
	if c.owner != "other" {
		m.checkVisible(t, c, credential, w.published == "")
	}
}

func (m *matrix) checkVisible(t *testing.T, c cell, credential agent.Credential, want bool) {
	t.Helper()
	list, _, err := m.executor.Visible(context.Background(), credential, access.Trace{RequestID: "list"}, m.service)
	if dead := c.scopes == "nobody" || c.scopes == "revoked"; dead != (err != nil) {
		t.Errorf("%v: tools/list answers with error %v", c, err)
	}
	if got := slices.ContainsFunc(list, func(i agent.ToolInfo) bool { return i.Name == c.tool }); got != want {
		t.Errorf("%v: listed %v, want %v", c, got, want)
	}
}

// checkAudit: a refusal left one row, denied, with the core's code; a call that
// ran left its start and its end.
func (m *matrix) checkAudit(t *testing.T) {
	t.Helper()
	rows := map[string][]string{}
	f := audit.Filter{HotelID: m.by.HotelID, Unattributed: true, Limit: 500}
	for {
		list, next, err := m.Audit.List(context.Background(), f)
		must(t, err)
		for _, e := range list {
			if c, ok := m.cells[e.RequestID]; ok {
				rows[e.RequestID] = append(rows[e.RequestID], strings.TrimSpace(string(e.Status)+" "+e.ErrorCode))
				if e.Tool != c.tool {
					t.Errorf("%v: audited as %q", c, e.Tool)
				}
			}
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	for id, w := range m.wants {
		expected := []string{"succeeded", "started"} // newest first
		if w.audited != "" {
			expected = []string{"denied " + w.audited}
		}
		if diff := cmp.Diff(expected, rows[id]); diff != "" {
			t.Errorf("%v: audit rows -want +got\n%s", m.cells[id], diff)
		}
	}
}

// TestAuthorisationMatrix is every tool of the product × role × scope × policy.
func TestAuthorisationMatrix(t *testing.T) {
	w := newWorld(t)
	m := newMatrix(w, w.Executor, w.Registry, hotel.Name, hotelRows(w.orderID(t, "4032077")))
	m.run(t)
	var batches int
	must(t, w.DB.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM ai_transition_batch").Scan(&batches))
	if batches != m.allowed[hotel.ToolSubmit] {
		t.Errorf("%d packages were written, %d were allowed", batches, m.allowed[hotel.ToolSubmit])
	}
}
