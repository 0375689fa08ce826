package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	hotelID = "0199f000-0000-7000-8000-000000000001"
	secret  = "Lalitpat-Somchai" // an argument value that must stay out of rows and logs
)

// people is the in-test credential service: tokens and who stands behind them.
type people struct {
	mu  sync.Mutex
	who map[string]access.Caller
}

func (p *people) Authenticate(_ context.Context, c agent.Credential) (access.Caller, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	by, ok := p.who[c.Token]
	if !ok {
		return access.Caller{}, fault.New(fault.Unauthenticated, agent.CodeUnauthenticated, "凭证无效", "bad credential")
	}
	return by, nil
}

func (p *people) set(token string, role access.Role, scopes ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.who[token] = access.Caller{HotelID: hotelID, Kind: access.Service, SubjectID: "subject-" + token, Name: token, Role: role, Scopes: scopes, CredentialID: "cred-" + token}
}

// shout is the in-test dialect: core codes in capitals, in an envelope.
type shout struct{}

func (shout) Success(t access.Trace, lang string, data json.RawMessage, w []agent.Warning) (json.RawMessage, error) {
	return json.Marshal(map[string]any{"ok": true, "request": t.RequestID, "lang": lang, "data": data, "warnings": w})
}

func (shout) Failure(t access.Trace, lang string, f *fault.Error) json.RawMessage {
	b, _ := json.Marshal(map[string]any{"ok": false, "request": t.RequestID, "lang": lang, "code": f.Code, "message": f.Message(lang), "fields": f.Fields})
	return b
}

func (shout) Code(code string) string { return "T_" + strings.ToUpper(code) }

const envelope = `{"type":"object","additionalProperties":false,"required":["ok","request","lang"],"properties":{
	"ok":{"type":"boolean"},"request":{"type":"string"},"lang":{"type":"string"},"code":{"type":"string"},"message":{"type":"string"},
	"fields":{"type":["array","null"]},"warnings":{"type":["array","null"]},
	"data":{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer"},"text":{"type":"string"}}}}}`

const input = `{"type":"object","additionalProperties":false,"properties":{
	"n":{"type":"integer"},"text":{"type":"string"},"confirm":{"type":"boolean"},"idempotency_key":{"type":"string"}}}`

// world is an executor with a small service on a real database. Tests replace do,
// which every tool's handler runs.
type world struct {
	*agent.Executor
	t        *testing.T
	db       *database.DB
	clock    clock.Clock
	now      func(time.Duration) // moves the clock on
	log      *audit.Log
	logs     *syncBuffer
	people   *people
	registry *agent.Registry
	slotWait time.Duration // of executors made from now on
	do       func(ctx context.Context, by access.Caller, args json.RawMessage) (agent.Result, error)
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func movingClock() (clock.Clock, func(time.Duration)) {
	var mu sync.Mutex
	now := testkit.Now
	return clock.Moving(func() time.Time { mu.Lock(); defer mu.Unlock(); return now }),
		func(d time.Duration) { mu.Lock(); defer mu.Unlock(); now = now.Add(d) }
}

func newWorld(t *testing.T, db *database.DB, more ...func(*agent.Tool)) *world {
	t.Helper()
	c, move := movingClock()
	w := &world{t: t, db: db, clock: c, now: move, log: audit.New(db, c), logs: &syncBuffer{}, people: &people{who: map[string]access.Caller{}}}
	w.do = func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
		return agent.Result{Value: map[string]any{"n": 1}, Summary: agent.Summary{ZH: "好", EN: "fine"}}, nil
	}
	w.people.set("agent", access.RoleSuperAgent, "hotel:case.read", "hotel:task_result.submit")
	w.people.set("narrow", access.RoleSuperAgent, "hotel:conversation.read")
	w.people.set("low", access.RoleMailBus, "hotel:case.read", "hotel:task_result.submit")
	w.people.set("admin", access.RoleAdmin, "hotel:case.read", "hotel:task_result.submit", "hotel:tool.admin")
	w.registry = agent.NewRegistry()
	for _, x := range w.tools() {
		for _, change := range more {
			change(&x)
		}
		if _, err := w.registry.Register(x); err != nil {
			t.Fatal(err)
		}
	}
	w.Executor = w.executor(w.log)
	exec(t, db, "CREATE TABLE test_effect (k VARCHAR(200) NOT NULL)")
	return w
}

// executor is another process on the same database, as far as anyone can tell.
func (w *world) executor(log *audit.Log) *agent.Executor {
	w.t.Helper()
	e, err := agent.NewExecutor(agent.Options{DB: w.db, Clock: w.clock, Registry: w.registry, Auth: w.people, Audit: log,
		Log: slog.New(slog.NewTextHandler(w.logs, nil)), SlotWait: max(w.slotWait, time.Millisecond),
		Services: []agent.Service{
			{Name: "desk", Path: "/desk", Dialect: shout{}, Tools: []string{"desk.save", "desk.get", "desk.wipe"}},
			{Name: "other", Path: "/other", Dialect: shout{}, Tools: []string{"other.get"}},
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	return e
}

func (w *world) tools() []agent.Tool {
	handler := func(ctx context.Context, by access.Caller, args json.RawMessage) (agent.Result, error) {
		return w.do(ctx, by, args)
	}
	get := agent.Tool{Name: "desk.get", Owner: "desk", Mutability: agent.Read, Risk: agent.RiskRead, Permission: access.CaseRead,
		InputSchema: json.RawMessage(input), OutputSchema: json.RawMessage(envelope), Handler: handler}
	save := get
	save.Name, save.Mutability, save.Risk, save.Idempotent, save.Permission = "desk.save", agent.Write, agent.RiskWrite, true, access.TaskResultSubmit
	wipe := save
	wipe.Name, wipe.Risk, wipe.RequiresConfirmation = "desk.wipe", agent.RiskDestructive, true
	other := get
	other.Name, other.Owner = "other.get", "other"
	return []agent.Tool{save, get, wipe, other}
}

// effect is the in-test domain: one row for each time a handler's work committed.
func (w *world) effect(ctx context.Context, key string) error {
	return w.db.Conn(ctx).Exec("INSERT INTO test_effect (k) VALUES (?)", key).Error
}

func (w *world) effects() int { return w.count("SELECT COUNT(*) FROM test_effect") }

func (w *world) count(query string) (n int) {
	w.t.Helper()
	if err := w.db.Reader().QueryRowContext(context.Background(), query).Scan(&n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) call(tool, token, args string) agent.Outcome {
	return w.callOn(context.Background(), w.Executor, tool, token, args)
}

func (w *world) callOn(ctx context.Context, e *agent.Executor, tool, token, args string) agent.Outcome {
	return e.Do(ctx, agent.Call{Tool: tool, Service: "desk", Arguments: json.RawMessage(args),
		Credential: agent.Credential{Token: token, Audience: "/desk"},
		Trace:      access.Trace{RequestID: w.clock.NewID(), TraceID: "trace", Adapter: "mcp", Protocol: "p", Client: "test"}})
}

// rows returns the statuses and codes of the audit rows, oldest first.
func (w *world) rows() []string {
	w.t.Helper()
	entries, _, err := w.log.List(context.Background(), audit.Filter{HotelID: hotelID, Unattributed: true, Limit: 500})
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append([]string{strings.TrimSuffix(string(e.Status)+" "+e.ErrorCode, " ")}, out...)
	}
	return out
}

func code(o agent.Outcome) string {
	if o.Fault == nil {
		return ""
	}
	return o.Fault.Code
}

func exec(t testing.TB, db *database.DB, query string) {
	t.Helper()
	if _, err := db.Writer().ExecContext(context.Background(), query); err != nil {
		t.Fatal(err)
	}
}
