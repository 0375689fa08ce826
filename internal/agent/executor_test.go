package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/testkit"
)

const key = `"idempotency_key":"key-00000001"`

func TestRefusalsBeforeAnythingRuns(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db, func(x *agent.Tool) { x.MaxArguments = 200 })
		w.do = func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
			t.Error("a refused call ran")
			return agent.Result{}, nil
		}
		for _, c := range []struct{ tool, token, args, code, row string }{
			{"Desk Get", "agent", `{}`, "T_INVALID_REQUEST", "denied invalid_request"},
			{"desk.get", "", `{}`, "T_UNAUTHENTICATED", "denied unauthenticated"},
			{"desk.none", "agent", `{}`, "T_NOT_FOUND", "denied not_found"},
			{"other.get", "agent", `{}`, "T_NOT_FOUND", "denied not_found"},
			{"desk.get", "agent", `{"n":"x"}`, "T_INVALID_ARGUMENTS", "denied invalid_arguments"},
			{"desk.get", "agent", `[]`, "T_INVALID_ARGUMENTS", "denied invalid_arguments"},
			{"desk.get", "agent", `{"text":"` + strings.Repeat("x", 200) + `"}`, "T_INVALID_ARGUMENTS", "denied invalid_arguments"},
			{"desk.get", "narrow", `{}`, "T_INSUFFICIENT_SCOPE", "denied insufficient_scope"},
			{"desk.get", "low", `{}`, "T_PERMISSION_DENIED", "denied permission_denied"},
			{"desk.wipe", "agent", `{` + key + `,"confirm":true}`, "T_RISK_DENIED", "denied risk_denied"},
			{"desk.save", "agent", `{}`, "T_IDEMPOTENCY_REQUIRED", "started,denied idempotency_required"},
			{"desk.save", "agent", `{"idempotency_key":"short"}`, "T_IDEMPOTENCY_REQUIRED", "started,denied idempotency_required"},
		} {
			before := len(w.rows())
			out := w.call(c.tool, c.token, c.args)
			if code(out) != c.code {
				t.Errorf("%s %s %s: code %q, want %q", c.tool, c.token, c.args, code(out), c.code)
			}
			if row := strings.Join(w.rows()[before:], ","); row != c.row {
				t.Errorf("%s %s %s: rows %q, want %q", c.tool, c.token, c.args, row, c.row)
			}
			if !strings.Contains(string(out.Body), c.code) {
				t.Errorf("%s: no envelope: %s", c.code, out.Body)
			}
		}
	})
}

func TestConfirmation(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	if err := w.SetSwitch(context.Background(), w.admin(), "desk.wipe", true); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		`{` + key + `}`:                  "T_CONFIRMATION_REQUIRED",
		`{` + key + `,"confirm":false}`:  "T_CONFIRMATION_REQUIRED",
		`{` + key + `,"confirm":true}`:   "",
		`{"Confirm":true,` + key + `}`:   "T_INVALID_ARGUMENTS",
		`{"confirm":"true",` + key + `}`: "T_INVALID_ARGUMENTS",
	} {
		if got := code(w.call("desk.wipe", "agent", args)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

func TestStructureAndUnknownService(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	out := w.Do(context.Background(), agent.Call{Tool: "desk.get", Service: "desk"})
	if code(out) != "T_INVALID_REQUEST" || !strings.Contains(string(out.Body), `"request":"0`) {
		t.Errorf("no request id: %s %s", code(out), out.Body)
	}
	out = w.Do(context.Background(), agent.Call{Tool: "desk.get", Service: "nowhere", Trace: access.Trace{RequestID: "r"}, Credential: agent.Credential{Token: "agent"}})
	if code(out) != agent.CodeNotFound || out.Body != nil {
		t.Errorf("unknown service: %s %s", code(out), out.Body)
	}
}

func TestSuccessAndLanguage(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.people.mu.Lock()
		by := w.people.who["agent"]
		by.Lang = "en"
		w.people.who["english"] = by
		w.people.mu.Unlock()
		for token, want := range map[string]string{"agent": "好", "english": "fine"} {
			out := w.call("desk.get", token, `{"n":1}`)
			if out.Fault != nil || out.Summary != want {
				t.Errorf("%s: %v, summary %q, want %q", token, out.Fault, out.Summary, want)
			}
		}
		out := w.call("desk.get", "english", `{"n":"x"}`)
		if got := out.Fault.Fields; len(got) != 1 || got[0].Message != "expected integer, got string" || got[0].Path != "/n" {
			t.Errorf("violations %+v", got)
		}
		entries, _, err := w.log.List(context.Background(), audit.Filter{HotelID: hotelID, Status: audit.Succeeded, Limit: 1})
		if err != nil || len(entries) != 1 {
			t.Fatal(len(entries), err)
		}
		e := entries[0]
		if e.Tool != "desk.get" || e.Owner != "desk" || e.Risk != "read" || e.Principal == "" || e.ArgsKeys != "n" || e.ArgsSize != 7 || len(e.ArgsHash) != 64 || len(e.ResultHash) != 64 {
			t.Errorf("row %+v", e)
		}
	})
}

// The handler speaks the language of the envelope: the call's, else the
// account's, else Chinese.
func TestHandlerSpeaksTheCallsLanguage(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	w.people.mu.Lock()
	by := w.people.who["agent"]
	by.Lang = "en"
	w.people.who["english"] = by
	w.people.mu.Unlock()
	w.do = func(_ context.Context, by access.Caller, _ json.RawMessage) (agent.Result, error) {
		return agent.Result{Value: map[string]any{"text": by.Lang}, Summary: agent.Summary{ZH: "zh", EN: "en"}}, nil
	}
	for _, c := range []struct{ token, asked, want string }{
		{"agent", "", "zh"}, {"agent", "en", "en"}, {"english", "", "en"}, {"english", "zh", "zh"},
	} {
		out := w.Do(context.Background(), agent.Call{Tool: "desk.get", Service: "desk", Lang: c.asked, Credential: agent.Credential{Token: c.token, Audience: "/desk"},
			Trace: access.Trace{RequestID: "r", TraceID: "t", Adapter: "mcp"}})
		var body struct {
			Lang string
			Data struct{ Text string }
		}
		if err := json.Unmarshal(out.Body, &body); err != nil {
			t.Fatalf("%v: %s", err, out.Body)
		}
		if body.Data.Text != c.want || body.Lang != c.want || out.Summary != c.want {
			t.Errorf("%s asks for %q: data %q, envelope %q, summary %q; want %s", c.token, c.asked, body.Data.Text, body.Lang, out.Summary, c.want)
		}
	}
}

func TestCredentialIsReloaded(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	if out := w.call("desk.get", "agent", `{}`); out.Fault != nil {
		t.Fatal(out.Fault)
	}
	w.people.set("agent", access.RoleMailBus, "hotel:case.read")
	if got := code(w.call("desk.get", "agent", `{}`)); got != "T_PERMISSION_DENIED" {
		t.Errorf("lowered role: %q", got)
	}
	delete(w.people.who, "agent")
	if got := code(w.call("desk.get", "agent", `{}`)); got != "T_UNAUTHENTICATED" {
		t.Errorf("revoked: %q", got)
	}
}

func TestOwnership(t *testing.T) {
	w := newWorld(t, testkit.DB(t), func(x *agent.Tool) {
		x.Permission, x.OwnAction = access.OrderCorrect, "case.read"
		x.Resolve = func(_ context.Context, by access.Caller, args json.RawMessage) (agent.Resource, error) {
			switch {
			case strings.Contains(string(args), "mine"):
				return agent.Resource{Type: "order", ID: "o1", OwnerID: by.SubjectID}, nil
			case strings.Contains(string(args), "gone"):
				return agent.Resource{}, fault.New(fault.NotFound, "order_not_found", "没有", "none")
			}
			return agent.Resource{Type: "order", ID: "o2", OwnerID: "somebody"}, nil
		}
	})
	w.people.set("owner", access.RoleViewer, "hotel:order.correct")
	w.people.set("boss", access.RoleSupervisor, "hotel:order.correct")
	w.people.set("bus", access.RoleMailBus, "hotel:order.correct")
	for _, c := range []struct{ token, args, code string }{
		{"owner", `{"text":"mine"}`, ""},
		{"owner", `{"text":"theirs"}`, "T_PERMISSION_DENIED"},
		{"owner", `{"text":"gone"}`, "T_ORDER_NOT_FOUND"},
		{"boss", `{"text":"theirs"}`, ""},
		{"bus", `{"text":"mine"}`, "T_PERMISSION_DENIED"},
		{"bus", `{"text":"gone"}`, "T_PERMISSION_DENIED"}, // does not learn what exists
		{"agent", `{"text":"mine"}`, "T_INSUFFICIENT_SCOPE"},
	} {
		if got := code(w.call("desk.get", c.token, c.args)); got != c.code {
			t.Errorf("%s %s: %q, want %q", c.token, c.args, got, c.code)
		}
	}
}

func TestHandlersFailures(t *testing.T) {
	stale := fault.New(fault.Conflict, "order_stale", "已更新", "stale")
	for _, tool := range []string{"desk.get", "desk.save"} {
		for name, c := range map[string]struct {
			err       error
			code, row string
		}{
			"refusal":   {stale, "T_ORDER_STALE", "failed order_stale"},
			"forbidden": {(&access.Caller{}).Require(access.CaseRead), "T_PERMISSION_DENIED", "denied permission_denied"},
			"defect":    {errors.New("disk " + secret), "T_INTERNAL_ERROR", "failed internal_error"},
		} {
			t.Run(tool+" "+name, func(t *testing.T) {
				testkit.Databases(t, func(t *testing.T, db *database.DB) {
					w := newWorld(t, db)
					w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
						if tool == "desk.save" {
							if err := w.effect(ctx, "x"); err != nil {
								t.Error(err)
							}
						}
						return agent.Result{}, c.err
					}
					out := w.call(tool, "agent", `{`+key+`}`)
					if code(out) != c.code || strings.Contains(string(out.Body), secret) {
						t.Errorf("code %q, want %q; body %s", code(out), c.code, out.Body)
					}
					if diff := cmp.Diff([]string{"started", c.row}, w.rows()); diff != "" {
						t.Error(diff)
					}
					if w.effects() != 0 || w.count("SELECT COUNT(*) FROM agent_idempotency") != 0 {
						t.Error("the failed call left something behind")
					}
				})
			})
		}
	}
}

func TestPanicTimeoutCancel(t *testing.T) {
	for _, tool := range []string{"desk.get", "desk.save"} {
		t.Run(tool, func(t *testing.T) {
			testkit.Databases(t, func(t *testing.T, db *database.DB) {
				w := newWorld(t, db, func(x *agent.Tool) { x.Timeout = 300 * time.Millisecond; x.MaxConcurrency = 1 })
				ctx, cancel := context.WithCancel(context.Background())
				var end func(context.Context) // how the handler ends
				w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
					if tool == "desk.save" {
						if err := w.effect(ctx, "x"); err != nil {
							return agent.Result{}, err
						}
					}
					end(ctx)
					return agent.Result{Value: map[string]int{"n": 1}}, ctx.Err()
				}
				for _, c := range []struct {
					code string
					end  func(context.Context)
				}{
					{"T_INTERNAL_ERROR", func(context.Context) { panic(secret) }},
					{"T_INTERNAL_ERROR", func(context.Context) { none := []int(nil); none[len(secret)]++ }},
					{"T_TIMEOUT", func(ctx context.Context) { <-ctx.Done() }},
					{"T_CANCELED", func(ctx context.Context) { cancel(); <-ctx.Done() }},
				} {
					end = c.end
					if out := w.callOn(ctx, w.Executor, tool, "agent", `{`+key+`}`); code(out) != c.code {
						t.Errorf("code %q, want %q", code(out), c.code)
					}
				}
				if w.effects() != 0 || w.count("SELECT COUNT(*) FROM agent_idempotency") != 0 {
					t.Error("a call that failed left something behind")
				}
				end = func(context.Context) {}
				if out := w.call(tool, "agent", `{`+key+`}`); out.Fault != nil { // slot and claim are free
					t.Errorf("after all that: %v", out.Fault)
				}
				want := []string{"started", "failed internal_error", "started", "failed internal_error", "started", "failed timeout", "started", "failed canceled", "started", "succeeded"}
				if diff := cmp.Diff(want, w.rows()); diff != "" {
					t.Error(diff)
				}
				if logs := w.logs.String(); strings.Contains(logs, secret) || !strings.Contains(logs, "executor_test.go") {
					t.Errorf("the log has the value, or no stack: %s", logs)
				}
			})
		})
	}
}

func TestResultsAreChecked(t *testing.T) {
	for _, tool := range []string{"desk.get", "desk.save"} {
		for name, v := range map[string]any{
			"undeclared":   map[string]any{"n": 1, "guest": secret},
			"wrong type":   map[string]any{"n": secret},
			"unmarshalled": make(chan int),
			"too large":    map[string]any{"text": strings.Repeat("x", agent.MaxOutput)},
		} {
			t.Run(tool+" "+name, func(t *testing.T) {
				w := newWorld(t, testkit.DB(t))
				w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
					if tool == "desk.save" {
						return agent.Result{Value: v}, w.effect(ctx, "x")
					}
					return agent.Result{Value: v}, nil
				}
				out := w.call(tool, "agent", `{`+key+`}`)
				if code(out) != "T_INVALID_RESULT" || strings.Contains(string(out.Body), secret) {
					t.Errorf("code %q, body %s", code(out), out.Body)
				}
				if w.effects() != 0 {
					t.Error("the work was kept")
				}
				if strings.Contains(w.logs.String(), secret) {
					t.Errorf("the log has the value: %s", w.logs)
				}
			})
		}
	}
}

func TestBusy(t *testing.T) {
	w := newWorld(t, testkit.DB(t), func(x *agent.Tool) { x.MaxConcurrency = 1 })
	inside, leave := make(chan struct{}), make(chan struct{})
	w.do = func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
		close(inside)
		<-leave
		return agent.Result{Value: struct{}{}}, nil
	}
	done := make(chan agent.Outcome)
	go func() { done <- w.call("desk.get", "agent", `{}`) }()
	<-inside
	if out := w.call("desk.get", "agent", `{}`); code(out) != "T_RATE_LIMITED" || out.Fault.RetryAfter == 0 {
		t.Errorf("second call: %v", out.Fault)
	}
	close(leave)
	if out := <-done; out.Fault != nil {
		t.Error(out.Fault)
	}
}
