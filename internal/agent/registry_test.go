package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
)

const open = `{"type":"object","additionalProperties":true}`

func nothing(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
	return agent.Result{Value: map[string]any{}}, nil
}

func readTool(name string) agent.Tool {
	return agent.Tool{Name: name, Owner: "desk", Mutability: agent.Read, Risk: agent.RiskRead,
		InputSchema: json.RawMessage(open), OutputSchema: json.RawMessage(open), Permission: access.CaseRead, Handler: nothing}
}

func TestRegisterRefuses(t *testing.T) {
	closed := json.RawMessage(`{"type":"object","additionalProperties":false}`)
	for name, spoil := range map[string]func(*agent.Tool){
		"no handler":                   func(x *agent.Tool) { x.Handler = nil },
		"no owner":                     func(x *agent.Tool) { x.Owner = "" },
		"no name":                      func(x *agent.Tool) { x.Name = "" },
		"upper-case name":              func(x *agent.Tool) { x.Name = "Desk.get" },
		"empty segment":                func(x *agent.Tool) { x.Name = "desk..get" },
		"long name":                    func(x *agent.Tool) { x.Name = strings.Repeat("a", 129) },
		"taken name":                   func(x *agent.Tool) { x.Name = "desk.taken" },
		"unknown risk":                 func(x *agent.Tool) { x.Risk = "mild" },
		"unknown mutability":           func(x *agent.Tool) { x.Mutability = "both" },
		"read that writes":             func(x *agent.Tool) { x.Risk = agent.RiskWrite },
		"write without risk":           func(x *agent.Tool) { x.Mutability, x.Idempotent = agent.Write, true },
		"write not idempotent":         func(x *agent.Tool) { x.Mutability, x.Risk = agent.Write, agent.RiskWrite },
		"read to confirm":              func(x *agent.Tool) { x.RequiresConfirmation = true },
		"no scope":                     func(x *agent.Tool) { x.Permission.Scope = "" },
		"wildcard scope":               func(x *agent.Tool) { x.Permission.Scope = "hotel:*" },
		"no action":                    func(x *agent.Tool) { x.Permission.Action = "case" },
		"wildcard action":              func(x *agent.Tool) { x.Permission.Action = "*" },
		"own action without an owner":  func(x *agent.Tool) { x.OwnAction = "case.read_own" },
		"illegal own action":           func(x *agent.Tool) { x.OwnAction = "Own" },
		"no input schema":              func(x *agent.Tool) { x.InputSchema = nil },
		"no output schema":             func(x *agent.Tool) { x.OutputSchema = nil },
		"input not an object":          func(x *agent.Tool) { x.InputSchema = json.RawMessage(`{"type":"string"}`) },
		"unstated additional":          func(x *agent.Tool) { x.OutputSchema = json.RawMessage(`{"type":"object"}`) },
		"negative limit":               func(x *agent.Tool) { x.Timeout = -1 },
		"relative REST path":           func(x *agent.Tool) { x.REST = "v1/x" },
		"confirmation cannot be given": func(x *agent.Tool) { write(x); x.RequiresConfirmation = true; x.InputSchema = closed; x.Key = noKey },
		"key cannot be given":          func(x *agent.Tool) { write(x); x.InputSchema = closed },
	} {
		r := agent.NewRegistry()
		if _, err := r.Register(readTool("desk.taken")); err != nil {
			t.Fatal(err)
		}
		x := readTool("desk.x")
		spoil(&x)
		if _, err := r.Register(x); err == nil {
			t.Errorf("%s was accepted", name)
		}
		if got := len(r.Snapshot().Tools); got != 1 {
			t.Errorf("%s: %d tools afterwards", name, got)
		}
	}
}

func write(x *agent.Tool) {
	x.Mutability, x.Risk, x.Idempotent = agent.Write, agent.RiskWrite, true
}

func noKey(json.RawMessage) (string, error) { return "key-of-its-own", nil }

func TestRevoke(t *testing.T) {
	r := agent.NewRegistry()
	old, err := r.Register(readTool("desk.b"))
	if err != nil {
		t.Fatal(err)
	}
	first := r.Snapshot()
	old.Revoke()
	if _, ok := r.Lookup("desk.b"); ok {
		t.Error("the tool is still there")
	}
	if _, err := r.Register(readTool("desk.b")); err != nil {
		t.Fatal(err)
	}
	old.Revoke() // a newer tool has the name
	if _, ok := r.Lookup("desk.b"); !ok {
		t.Error("an old handle removed a newer tool")
	}
	if got := r.Snapshot().Revision; got != first.Revision {
		t.Errorf("revision %s of the same catalogue, was %s", got, first.Revision)
	}
	if _, err := r.Register(readTool("desk.a")); err != nil {
		t.Fatal(err)
	}
	s := r.Snapshot()
	if s.Tools[0].Name != "desk.a" || s.Revision == first.Revision {
		t.Errorf("snapshot %v, revision %s", s.Tools[0].Name, s.Revision)
	}
	s.Tools[0].Name = "changed"
	if r.Snapshot().Tools[0].Name != "desk.a" {
		t.Error("a snapshot's change reached the registry")
	}
	if n := r.RevokeOwner("desk"); n != 2 || len(r.Snapshot().Tools) != 0 {
		t.Errorf("revoked %d", n)
	}
	agent.Registration{}.Revoke() // harmless
}

func TestRegistryIsSafe(t *testing.T) {
	r := agent.NewRegistry()
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			name := fmt.Sprintf("desk.t%d", i)
			for range 50 {
				reg, err := r.Register(readTool(name))
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = r.Lookup(name)
				_ = r.Snapshot()
				reg.Revoke()
			}
		})
	}
	wg.Wait()
	if got := len(r.Snapshot().Tools); got != 0 {
		t.Errorf("%d tools left", got)
	}
}
