// Package mcpserver is the MCP door: one service of the registry spoken over
// Streamable HTTP. It turns bytes into a Call and an Outcome into bytes, and
// keeps the SDK from ever seeing input it would answer badly. It knows no hotel
// word, decides nothing about permissions and holds no session.
package mcpserver

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/agent"
	"thhotel/internal/clock"
	"thhotel/internal/httpd"
)

// Options say which service is served. Executor, Registry, Service and Clock are required.
type Options struct {
	Executor *agent.Executor
	Registry *agent.Registry
	Service  string // the service's name
	Clock    clock.Clock
	Log      *slog.Logger

	BaseURL string // public address without path, for RFC 9728; default: the request's own
	MaxBody int64  // default httpd.DefaultMaxBody
	// ProgressEvery is the pace of "still working" notifications for callers who
	// sent a progress token. Default 3 s.
	ProgressEvery time.Duration
}

// Handler serves one service. It is safe for concurrent use.
type Handler struct {
	o       Options
	service agent.Service
	scopes  []string
	tools   map[string]*mcp.Tool
	methods map[string]bool // what this server answers; see methods.go
	extra   map[string]bool // tools only fixtures have
	sdk     http.Handler

	// For fast.go.
	ready   prebuilt
	clients acquaintances
	sdkOnly bool // only tests turn the fast path off
}

// New returns the door of one service. It fails when the service or one of its
// tools is not there, or when a schema is one the protocol cannot publish.
func New(o Options) (*Handler, error) { return build(o, nil) }

// extension is what the conformance fixtures add to the server. Only tests have one.
type extension struct {
	options func(*mcp.ServerOptions)
	add     func(*mcp.Server) (tools []string)
}

// build is New, with fixtures.
func build(o Options, ext *extension) (h *Handler, err error) {
	service, ok := o.Executor.Service(o.Service)
	if !ok {
		return nil, fmt.Errorf("mcp door: no service %q", o.Service)
	}
	h = &Handler{o: o.withDefaults(), service: service, tools: map[string]*mcp.Tool{}}
	defer func() { // AddTool panics on a schema it cannot publish
		if p := recover(); p != nil {
			h, err = nil, fmt.Errorf("mcp door %s: %v", o.Service, p)
		}
	}()
	so := h.serverOptions()
	if ext != nil {
		ext.options(so)
	}
	impl := &mcp.Implementation{Name: "thhotel-" + service.Name, Title: service.Title, Version: service.Version}
	server := mcp.NewServer(impl, so)
	if err := h.addTools(server); err != nil {
		return nil, err
	}
	if err := h.prebuild(impl); err != nil {
		return nil, err
	}
	h.methods = baseMethods()
	if ext != nil {
		h.methods, h.extra = everyMethod(), set(ext.add(server)...)
	}
	server.AddReceivingMiddleware(h.middleware)
	h.sdk = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		DisableLocalhostProtection:   true, // httpd checks Host and Origin, also behind a proxy
		MaxRequestBodyBytes:          -1,   // the guard has read the body already
		PropagateRequestCancellation: true,
		Logger:                       sdkLog(h.o.Log),
	})
	return h, nil
}

func (o Options) withDefaults() Options {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MaxBody == 0 {
		o.MaxBody = httpd.DefaultMaxBody
	}
	if o.ProgressEvery == 0 {
		o.ProgressEvery = 3 * time.Second
	}
	return o
}

func (h *Handler) serverOptions() *mcp.ServerOptions {
	return &mcp.ServerOptions{
		Instructions: h.service.Instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
		Logger:       sdkLog(h.o.Log),
		PageSize:     1000,
		SetCacheable: cacheable,
	}
}

// addTools registers the service's tools as the registry has them now.
func (h *Handler) addTools(server *mcp.Server) error {
	for _, name := range h.service.Tools {
		info, ok := h.o.Registry.Lookup(name)
		if !ok {
			return fmt.Errorf("mcp door %s: no tool %q in the registry", h.service.Name, name)
		}
		tool := describe(info)
		h.tools[name] = tool
		if !slices.Contains(h.scopes, info.Permission.Scope) {
			h.scopes = append(h.scopes, info.Permission.Scope)
		}
		server.AddTool(tool, h.callTool)
	}
	slices.Sort(h.scopes)
	return nil
}

// describe is a tool as tools/list shows it. The schemas go out byte for byte.
func describe(info agent.ToolInfo) *mcp.Tool {
	no, destructive := false, info.Risk == agent.RiskDestructive || info.Risk == agent.RiskCritical
	t := &mcp.Tool{
		Name: info.Name, Title: info.Title, Description: info.Description,
		InputSchema: info.InputSchema,
		Annotations: &mcp.ToolAnnotations{
			Title: info.Title, ReadOnlyHint: info.Mutability == agent.Read, IdempotentHint: info.Idempotent,
			DestructiveHint: &destructive, OpenWorldHint: &no,
		},
	}
	if len(info.OutputSchema) > 0 {
		t.OutputSchema = info.OutputSchema
	}
	return t
}

// sdkLog lets only the SDK's warnings through: its Info lines repeat the access log.
func sdkLog(l *slog.Logger) *slog.Logger { return slog.New(atLeast{l.Handler(), slog.LevelWarn}) }
