package agent_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/testkit"
)

func (w *world) admin() access.Caller {
	by, _ := w.people.Authenticate(context.Background(), agent.Credential{Token: "admin"})
	by.Trace = access.Trace{RequestID: "policy"}
	return by
}

func TestPolicyBitesOnTheNextCall(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		second := w.executor(audit.New(db, w.clock)) // another replica
		ctx := context.Background()
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		profile := func(p agent.Profile) func() { return func() { must(w.SetProfile(ctx, w.admin(), p)) } }
		turn := func(tool string, on bool) func() { return func() { must(w.SetSwitch(ctx, w.admin(), tool, on)) } }
		for _, c := range []struct {
			name            string
			do              func()
			get, save, wipe string
		}{
			{"default", func() {}, "", "", "T_RISK_DENIED"},
			{"read_only", profile(agent.ReadOnly), "", "T_RISK_DENIED", "T_RISK_DENIED"},
			{"switches do not lift read_only", turn("desk.wipe", true), "", "T_RISK_DENIED", "T_RISK_DENIED"},
			{"safe_write and switched on", profile(agent.SafeWrite), "", "", ""},
			{"write off", turn("desk.save", false), "", "T_RISK_DENIED", ""},
			{"read off", turn("desk.get", false), "T_RISK_DENIED", "T_RISK_DENIED", ""},
			{"wipe off again", turn("desk.wipe", false), "T_RISK_DENIED", "T_RISK_DENIED", "T_RISK_DENIED"},
		} {
			c.do()
			for tool, want := range map[string]string{"desk.get": c.get, "desk.save": c.save, "desk.wipe": c.wipe} {
				if got := code(w.callOn(ctx, second, tool, "agent", `{`+key+`,"confirm":true}`)); got != want {
					t.Errorf("%s: %s: %q, want %q", c.name, tool, got, want)
				}
			}
		}
		got, err := w.Policy(ctx, w.admin())
		want := agent.Policy{Profile: agent.SafeWrite, Switches: map[string]bool{"desk.get": false, "desk.save": false, "desk.wipe": false}}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	})
}

func TestPolicyIsGuardedAndAudited(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	ctx := context.Background()
	low, _ := w.people.Authenticate(ctx, agent.Credential{Token: "agent"})
	if _, err := w.Policy(ctx, low); fault.Code(err) != agent.CodeInsufficientScope {
		t.Errorf("read: %v", err)
	}
	for name, c := range map[string]struct {
		err  error
		code string
	}{
		"profile, no right": {w.SetProfile(ctx, low, agent.ReadOnly), agent.CodeInsufficientScope},
		"switch, no right":  {w.SetSwitch(ctx, low, "desk.get", false), agent.CodeInsufficientScope},
		"unknown profile":   {w.SetProfile(ctx, w.admin(), "full"), agent.CodeInvalidArguments},
		"unknown tool":      {w.SetSwitch(ctx, w.admin(), "desk.none", true), agent.CodeNotFound},
		"allowed":           {w.SetProfile(ctx, w.admin(), agent.ReadOnly), ""},
	} {
		if fault.Code(c.err) != c.code {
			t.Errorf("%s: %v, want %q", name, c.err, c.code)
		}
	}
	counts := map[string]int{}
	for _, r := range w.rows() {
		counts[r]++
	}
	want := map[string]int{"denied insufficient_scope": 2, "failed invalid_arguments": 1, "failed not_found": 1, "succeeded": 1}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Error(diff)
	}
	exec(t, w.db, "DROP TABLE audit_event")
	if err := w.SetProfile(ctx, w.admin(), agent.SafeWrite); fault.Code(err) != agent.CodeAuditUnavailable {
		t.Errorf("without an audit log: %v", err)
	}
	if p, _ := w.Policy(ctx, w.admin()); p.Profile != agent.ReadOnly {
		t.Errorf("the unaudited change was kept: %v", p)
	}
}

func TestVisible(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	ctx := context.Background()
	list := func(token string) (names []string, revision string) {
		tools, revision, err := w.Visible(ctx, agent.Credential{Token: token}, access.Trace{RequestID: "r"}, "desk")
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range tools {
			names = append(names, x.Name)
		}
		return names, revision
	}
	names, first := list("agent")
	if diff := cmp.Diff([]string{"desk.save", "desk.get"}, names); diff != "" {
		t.Error(diff)
	}
	if _, again := list("agent"); again != first {
		t.Error("the revision changes without a cause")
	}
	if err := w.SetSwitch(ctx, w.admin(), "desk.wipe", true); err != nil {
		t.Fatal(err)
	}
	names, second := list("agent")
	if diff := cmp.Diff([]string{"desk.save", "desk.get", "desk.wipe"}, names); diff != "" || second == first {
		t.Error(diff, second == first)
	}
	if names, _ := list("narrow"); len(names) != 0 {
		t.Errorf("without scope: %v", names)
	}
	if _, _, err := w.Visible(ctx, agent.Credential{}, access.Trace{}, "desk"); fault.Code(err) != "T_UNAUTHENTICATED" {
		t.Errorf("no credential: %v", err)
	}
	if _, _, err := w.Visible(ctx, agent.Credential{Token: "agent"}, access.Trace{}, "none"); fault.Code(err) != agent.CodeNotFound {
		t.Errorf("no service: %v", err)
	}
	if s, ok := w.Service("desk"); !ok || s.Path != "/desk" {
		t.Errorf("service %+v", s)
	}
}

func TestNewExecutorRefuses(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	service := func(name string, tools ...string) agent.Service {
		return agent.Service{Name: name, Dialect: shout{}, Tools: tools}
	}
	all := []string{"desk.save", "desk.get", "desk.wipe", "other.get"}
	for name, services := range map[string][]agent.Service{
		"unregistered tool": {service("desk", append(all, "desk.none")...)},
		"unlisted tool":     {service("desk", all[1:]...)},
		"tool listed twice": {service("desk", all...), service("other", "other.get")},
		"same name twice":   {service("desk", all...), service("desk")},
		"no dialect":        {{Name: "desk", Tools: all}},
		"no services":       nil,
	} {
		if _, err := agent.NewExecutor(agent.Options{DB: w.db, Clock: w.clock, Registry: w.registry, Auth: w.people, Audit: w.log, Services: services}); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if _, err := agent.NewExecutor(agent.Options{}); err == nil {
		t.Error("nothing was accepted")
	}
}
