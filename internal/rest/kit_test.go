package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/inbox"
	"thhotel/internal/mcpserver"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/rest"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// kit is the door over real services on a real database and a real server, with
// the MCP door beside it for comparison.
type kit struct {
	url      string
	platform *platform.Service
	db       *database.DB
	by       access.Caller
	runs     map[string]int // handler runs per tool
	tokens   map[access.Role]string
	accounts map[access.Role]string
	ready    error
}

const envelope = `{"type":"object","additionalProperties":true,"required":["success","request_id","trace_id","data","warnings","error"],
"properties":{"success":{"type":"boolean"},"request_id":{"type":"string"},"trace_id":{"type":"string"},
"data":{"type":["object","null"],"additionalProperties":true},"warnings":{"type":"array","items":{"type":"object","additionalProperties":true}},
"error":{"type":["object","null"],"additionalProperties":true}}}`

const input = `{"type":"object","additionalProperties":false,"required":["text"],"properties":{"text":{"type":["string","null"],"maxLength":100},
"idempotency_key":{"type":"string","minLength":8,"maxLength":200}}}`

func (k *kit) tools() []agent.Tool {
	tool := func(name string, p access.Permission) agent.Tool {
		return agent.Tool{Name: name, Owner: "kit", Title: "工具 " + name, Description: "A tool of the tests.", InputSchema: []byte(input), OutputSchema: []byte(envelope),
			Mutability: agent.Read, Risk: agent.RiskRead, Idempotent: true, Permission: p, REST: "/api/kit/v1/" + name,
			Handler: func(ctx context.Context, _ access.Caller, args json.RawMessage) (agent.Result, error) {
				k.runs[name]++
				agent.Progress(ctx, 1, 2, "half") // nobody hears it at this door
				return k.answer(args)
			}}
	}
	write := tool("kit_write", access.TaskResultSubmit)
	write.Mutability, write.Risk = agent.Write, agent.RiskWrite
	return []agent.Tool{tool("kit_read", access.CaseRead), tool("kit_bodies", access.ConversationRead), write, tool("kit_hidden", access.AuditRead)}
}

// answer refuses with the kind that the text names, and echoes everything else.
func (k *kit) answer(args json.RawMessage) (agent.Result, error) {
	var in struct{ Text string }
	if err := json.Unmarshal(args, &in); err != nil {
		return agent.Result{}, err
	}
	kinds := map[string]fault.Kind{"not_found": fault.NotFound, "conflict": fault.Conflict, "rule": fault.Unprocessable, "limited": fault.Limited,
		"unavailable": fault.Unavailable, "internal": fault.Internal}
	if kind, ok := kinds[in.Text]; ok {
		f := fault.New(kind, "KIT_"+in.Text, "拒绝。", "Refused.")
		if kind == fault.Limited {
			f.RetryAfter = 7
		}
		return agent.Result{}, f
	}
	return agent.Result{Value: map[string]string{"echo": in.Text}, Warnings: []agent.Warning{{Code: "W", Message: "m"}}}, nil
}

func newKit(t *testing.T) *kit {
	t.Helper()
	ctx, c, db := context.Background(), clock.Real(), testkit.DB(t)
	k := &kit{runs: map[string]int{}, tokens: map[access.Role]string{}, accounts: map[access.Role]string{}, db: db}
	log := audit.New(db, c)
	k.platform = platform.New(db, c, log)
	k.seed(ctx, t)
	blobs, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	registry := agent.NewRegistry()
	var names []string
	for _, tool := range k.tools() {
		names = append(names, tool.Name)
		if _, err := registry.Register(tool); err != nil {
			t.Fatal(err)
		}
	}
	service := agent.Service{Name: "kit", Path: "/mcp", Title: "Kit", Version: "1", Tools: names, Dialect: hotel.Dialect{}}
	executor, err := agent.NewExecutor(agent.Options{DB: db, Clock: c, Registry: registry, Services: []agent.Service{service}, Auth: k.platform, Audit: log})
	if err != nil {
		t.Fatal(err)
	}
	e := httpd.New(httpd.Options{BodyLimits: map[string]int64{rest.DeliveryPath: 40 << 20}, Clock: c, Rate: httpd.Rate{PerSecond: -1}})
	if err := rest.Mount(e, rest.Options{Executor: executor, Registry: registry, Services: []string{"kit"}, Platform: k.platform,
		Inbox: inbox.New(db, c, blobs, log), Order: order.New(order.Options{DB: db, Clock: c, Audit: log, Platform: k.platform}),
		Clock: c, Version: "1.2.3", BaseURL: "https://hotel.example",
		Ready: []rest.Check{{Name: "database", Run: func(context.Context) error { return k.ready }}}}); err != nil {
		t.Fatal(err)
	}
	mcp, err := mcpserver.New(mcpserver.Options{Executor: executor, Registry: registry, Service: "kit", Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	e.POST("/mcp", gin.WrapH(mcp))
	s := httptest.NewServer(e)
	t.Cleanup(s.Close)
	k.url = s.URL
	return k
}

// seed makes the hotel and one account with a token per role of programs.
func (k *kit) seed(ctx context.Context, t *testing.T) {
	t.Helper()
	k.by = access.AsSystem("", "test")
	h, err := k.platform.CreateHotel(ctx, k.by, platform.HotelParams{Name: "Kit Hotel", TimeZone: "Asia/Bangkok", Currency: "THB", BusinessDate: "2026-11-30"})
	if err != nil {
		t.Fatal(err)
	}
	k.by.HotelID = h.ID
	for _, role := range []access.Role{access.RoleSuperAgent, access.RoleMailBus, access.RoleOperaFeed} {
		a, err := k.platform.CreateServiceAccount(ctx, k.by, platform.AccountParams{Name: string(role), Role: role})
		if err != nil {
			t.Fatal(err)
		}
		issued, err := k.platform.IssueToken(ctx, k.by, platform.IssueParams{SubjectID: a.ID, Name: "test", Scopes: a.Scopes, Audience: "/mcp"})
		if err != nil {
			t.Fatal(err)
		}
		k.tokens[role], k.accounts[role] = issued.Token, a.ID
	}
}

type answer struct {
	status    int
	header    http.Header
	raw       []byte
	Success   bool            `json:"success"`
	RequestID string          `json:"request_id"`
	TraceID   string          `json:"trace_id"`
	Data      json.RawMessage `json:"data"`
	Warnings  []agent.Warning `json:"warnings"`
	Error     *struct {
		Code, Message string
		Details       map[string]any
	} `json:"error"`
}

func (k *kit) send(t *testing.T, method, path, body string, set ...string) answer {
	t.Helper()
	r, err := http.NewRequest(method, k.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(set); i += 2 {
		r.Header.Set(set[i], set[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	a := answer{status: res.StatusCode, header: res.Header}
	if a.raw, err = io.ReadAll(res.Body); err != nil {
		t.Fatal(err)
	}
	if json.Valid(a.raw) {
		_ = json.Unmarshal(a.raw, &a)
	}
	return a
}

// as sends a POST with a role's token.
func (k *kit) as(t *testing.T, role access.Role, path, body string, set ...string) answer {
	t.Helper()
	return k.send(t, http.MethodPost, path, body, append([]string{"Authorization", "Bearer " + k.tokens[role]}, set...)...)
}

func (a answer) code() string {
	if a.Error == nil {
		return ""
	}
	return a.Error.Code
}
