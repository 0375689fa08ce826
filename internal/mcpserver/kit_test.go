package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/fault"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/mcpserver"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// kit is the door over a real executor, platform and database, on a real server.
type kit struct {
	url, token string
	narrow     string // a token without the scope for kit_write
	audit      *audit.Log
	hotelID    string
	platform   *platform.Service
	credential string
	logged     *syncBuffer
	door       http.Handler
	twin       http.Handler // the same without the fast path
	toSDK      atomic.Int64 // requests that door left to the SDK

	started, ended chan struct{} // of kit_wait
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

func (s *syncBuffer) String() string { s.mu.Lock(); defer s.mu.Unlock(); return s.b.String() }

const envelopeSchema = `{"type":"object","additionalProperties":true,"required":["success","request_id","trace_id","data","warnings","error"],
"properties":{"success":{"type":"boolean"},"request_id":{"type":"string"},"trace_id":{"type":"string"},
"data":{"type":["object","null"],"additionalProperties":true},"warnings":{"type":"array","items":{"type":"object","additionalProperties":true}},
"error":{"type":["object","null"],"additionalProperties":true}}}`

const textSchema = `{"type":"object","additionalProperties":false,"properties":{"text":{"type":"string","maxLength":100},"idempotency_key":{"type":"string"}}}`

func (k *kit) tools() []agent.Tool {
	tool := func(name string, h agent.Handler) agent.Tool {
		return agent.Tool{Name: name, Owner: "kit", Title: name, Description: "A tool of the tests: " + name + ".",
			InputSchema: []byte(textSchema), OutputSchema: []byte(envelopeSchema),
			Mutability: agent.Read, Risk: agent.RiskRead, Idempotent: true, Permission: access.CaseRead, Handler: h}
	}
	echo := func(_ context.Context, by access.Caller, args json.RawMessage) (agent.Result, error) {
		return agent.Result{Value: map[string]any{"args": string(args), "client": by.Trace.Client, "protocol": by.Trace.Protocol, "adapter": by.Trace.Adapter},
			Summary: agent.Summary{ZH: "回声完成。", EN: "Echoed."}}, nil
	}
	write := tool("kit_write", echo)
	write.Mutability, write.Risk, write.Permission = agent.Write, agent.RiskWrite, access.TaskResultSubmit
	hidden := tool("kit_hidden", echo)
	hidden.Permission = access.AuditRead
	return []agent.Tool{tool("kit_echo", echo), write, hidden,
		tool("kit_refuse", func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) {
			return agent.Result{}, fault.New(fault.Unprocessable, "KIT_REFUSED", "规则拒绝，请改后重试。", "A rule refuses. Change it and try again.")
		}),
		tool("kit_panic", func(context.Context, access.Caller, json.RawMessage) (agent.Result, error) { panic("kit secret") }),
		tool("kit_wait", func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
			k.started <- struct{}{}
			<-ctx.Done()
			k.ended <- struct{}{}
			return agent.Result{}, ctx.Err()
		}),
		tool("kit_slow", func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
			select {
			case <-clock.Real().After(300 * time.Millisecond):
			case <-ctx.Done():
			}
			return agent.Result{Value: map[string]any{}}, nil
		}),
		tool("kit_steps", stepping),
	}
}

// names is the service's order, which is not the alphabet's.
var names = []string{"kit_write", "kit_echo", "kit_refuse", "kit_panic", "kit_wait", "kit_slow", "kit_steps", "kit_hidden"}

func newKit(t testing.TB) *kit { return newKitWith(t, mcpserver.New) }

// newKitWith lets the conformance test open the door with its fixtures.
func newKitWith(t testing.TB, open func(mcpserver.Options) (*mcpserver.Handler, error)) *kit {
	t.Helper()
	k := &kit{started: make(chan struct{}, 8), ended: make(chan struct{}, 8), logged: &syncBuffer{}}
	ctx, db, c := context.Background(), testkit.DB(t), clock.Real()
	log := slog.New(slog.NewTextHandler(k.logged, nil))
	k.audit = audit.New(db, c)
	k.platform = platform.New(db, c, k.audit)
	k.seed(ctx, t)
	registry := agent.NewRegistry()
	for _, tool := range k.tools() {
		if _, err := registry.Register(tool); err != nil {
			t.Fatal(err)
		}
	}
	service := agent.Service{Name: "kit", Path: "/mcp", Title: "Kit", Version: "1.0.0", Instructions: "Tests only.", Tools: names, Dialect: hotel.Dialect{}}
	executor, err := agent.NewExecutor(agent.Options{DB: db, Clock: c, Registry: registry, Services: []agent.Service{service},
		Auth: k.platform, Audit: k.audit, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	k.openDoors(t, open, mcpserver.Options{Executor: executor, Registry: registry, Service: "kit", Clock: c, Log: log, MaxBody: 1 << 20,
		ProgressEvery: 200 * time.Millisecond})
	s := httptest.NewServer(k.door)
	t.Cleanup(s.Close)
	k.url = s.URL + "/mcp"
	return k
}

// openDoors opens the door and its twin on the same executor.
func (k *kit) openDoors(t testing.TB, open func(mcpserver.Options) (*mcpserver.Handler, error), o mcpserver.Options) {
	t.Helper()
	mount := func() (*mcpserver.Handler, http.Handler) {
		h, err := open(o)
		if err != nil {
			t.Fatal(err)
		}
		e := httpd.New(httpd.Options{Clock: o.Clock, Log: o.Log, MaxBody: o.MaxBody, Rate: httpd.Rate{PerSecond: -1},
			Encoders: map[string]httpd.Encoder{"/mcp": mcpserver.EncodeFault}})
		e.Any("/mcp", gin.WrapH(h))
		e.Any(mcpserver.MetadataPath("/mcp"), gin.WrapH(h.Metadata()))
		return h, e
	}
	fast, door := mount()
	mcpserver.OnSDK(fast, func() { k.toSDK.Add(1) })
	slow, twin := mount()
	mcpserver.WithoutFastPath(slow)
	k.door, k.twin = door, twin
}

func (k *kit) seed(ctx context.Context, t testing.TB) {
	t.Helper()
	by := access.AsSystem("", "test")
	h, err := k.platform.CreateHotel(ctx, by, platform.HotelParams{Name: "Kit Hotel", TimeZone: "Asia/Bangkok", Currency: "THB", BusinessDate: "2026-11-30"})
	if err != nil {
		t.Fatal(err)
	}
	k.hotelID, by.HotelID = h.ID, h.ID
	a, err := k.platform.CreateServiceAccount(ctx, by, platform.AccountParams{Name: "superagent", Role: access.RoleSuperAgent})
	if err != nil {
		t.Fatal(err)
	}
	issue := func(scopes ...string) platform.Issued {
		i, err := k.platform.IssueToken(ctx, by, platform.IssueParams{SubjectID: a.ID, Name: "test", Scopes: scopes, Audience: "/mcp"})
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	wide := issue(access.SuperAgentScopes()...)
	k.token, k.credential = wide.Token, wide.ID
	k.narrow = issue(access.CaseRead.Scope).Token
}

// answer is a response, decoded as far as tests look at it.
type answer struct {
	status int
	header http.Header
	body   string
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	} `json:"error"`
}

const v2025, v2026 = "2025-11-25", "2026-07-28"

// post sends raw bytes; set holds header pairs, an empty value removes one.
func (k *kit) post(t testing.TB, version, body string, set ...string) answer {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, k.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+k.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if version != "" {
		r.Header.Set("Mcp-Protocol-Version", version)
	}
	for i := 0; i+1 < len(set); i += 2 {
		if set[i+1] == "" {
			r.Header.Del(set[i])
		} else {
			r.Header.Set(set[i], set[i+1])
		}
	}
	return send(t, r)
}

func send(t testing.TB, r *http.Request) answer {
	t.Helper()
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{status: res.StatusCode, header: res.Header, body: string(b)}
	if strings.HasPrefix(res.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(b, &a); err != nil {
			t.Fatalf("status %d, not JSON: %v: %s", res.StatusCode, err, b)
		}
	}
	return a
}

// message builds a request of a revision; params is a JSON object without its braces.
func message(version, method, params string) (body string, headers []string) {
	if version == v2026 {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/clientInfo":{"name":"kit","version":"9"}}`
		if params != "" {
			meta = "," + meta
		}
		params += meta
		headers = []string{"Mcp-Method", method}
		if _, name, ok := strings.Cut(params, `"name":"`); ok && method == "tools/call" {
			name, _, _ = strings.Cut(name, `"`)
			headers = append(headers, "Mcp-Name", name)
		}
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`, headers
}

func (k *kit) call(t testing.TB, version, method, params string, set ...string) answer {
	t.Helper()
	body, headers := message(version, method, params)
	return k.post(t, version, body, append(headers, set...)...)
}
