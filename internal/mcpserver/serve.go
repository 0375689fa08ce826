package mcpserver

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// exchange is one request as it passes through the door and the SDK.
type exchange struct {
	http    context.Context // ends when the caller hangs up
	msg     message
	version string
	lang    string
	base    string     // public address, for the challenge
	call    agent.Call // trace and credential; the rest is filled per tool call

	tools    []agent.ToolInfo // what this caller may use, for tools/list
	revision string

	// refused is set by a tool call whose credential did not hold: the answer
	// becomes a 401, which the SDK cannot express.
	refused    *fault.Error
	retryAfter int
}

type exchangeKey struct{}

func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// ServeHTTP guards, authenticates and hands over to the SDK.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = httpd.Traced(w, r, h.o.Clock)
	x := h.open(r)
	if e, status := h.admit(w, r, x); e != nil {
		h.refuse(w, x, status, e)
		return
	}
	if x.msg.response || (x.msg.id == nil && !knownNotification(x.msg.method)) {
		w.WriteHeader(http.StatusAccepted) // nothing of ours to do with it
		return
	}
	if h.fast(w, r, x) {
		return
	}
	lw := &lazyWriter{ResponseWriter: w, h: h, x: x, mayStream: acceptsStream(r)}
	h.sdk.ServeHTTP(lw, forSDK(r, x))
	lw.finish()
}

func (h *Handler) open(r *http.Request) *exchange {
	t := httpd.TraceOf(r.Context())
	t.Adapter = "mcp"
	return &exchange{http: r.Context(), base: h.base(r), lang: httpd.Lang(r), version: r.Header.Get("Mcp-Protocol-Version"), call: agent.Call{
		Service: h.service.Name, Trace: t, Lang: httpd.AskedLang(r),
		Credential: httpd.BearerCredential(r, h.service.Path),
	}}
}

// admit is the whole guard. Cheap refusals come first; a caller without any
// credential never gets its body parsed.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request, x *exchange) (*rpcError, int) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return invalidRequest("该地址只接受 POST。", "This address accepts POST only."), http.StatusMethodNotAllowed
	}
	if x.call.Credential.Token == "" {
		h.challenge(w, r, false)
		return &rpcError{codeServer, httpd.ErrUnauthenticated()}, http.StatusUnauthorized
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return &rpcError{codeInvalidRequest, httpd.ErrMediaType()}, http.StatusUnsupportedMediaType
	}
	body, err := h.read(w, r)
	if err != nil {
		f := fault.As(err)
		return &rpcError{codeInvalidRequest, f}, httpd.Status(f.Kind)
	}
	msg, e := parse(body)
	x.take(msg, body)
	if e == nil {
		e = h.check(x)
	}
	if e != nil {
		return e, e.status(x.version)
	}
	return h.authenticate(w, r, x)
}

func (h *Handler) read(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if f := httpd.LimitBody(w, r, h.o.MaxBody, h.o.Clock); f != nil {
		return nil, f
	}
	return httpd.ReadBody(r)
}

// take copies what the message says about itself into the call.
func (x *exchange) take(msg message, body []byte) {
	x.msg = msg
	x.msg.body = body
	t := &x.call.Trace
	if msg.metaTrace != "" {
		t.TraceID, t.Parent = msg.metaTrace, msg.metaParent
	}
	if msg.metaClient != "" {
		t.Client = msg.metaClient
	}
	switch {
	case x.version != "":
		t.Protocol = httpd.Printable(x.version, 20)
	case msg.wantVersion != "":
		t.Protocol = httpd.Printable(msg.wantVersion, 20)
	default:
		t.Protocol = versionAssumed
	}
}

// check refuses what the SDK would answer with text or not at all.
func (h *Handler) check(x *exchange) *rpcError {
	if x.version != "" && !supported(x.version) {
		e := fixed(codeUnsupportedVersion)
		e.fault = e.fault.With(map[string]any{"supported": mcp.SupportedProtocolVersions(), "requested": httpd.Printable(x.version, 20)})
		return e
	}
	if x.msg.id != nil && !x.msg.response && !h.methods[x.msg.method] {
		return methodNotFound()
	}
	return nil
}

// authenticate loads the caller for everything but tool calls, which the
// executor authenticates (and audits) itself.
func (h *Handler) authenticate(w http.ResponseWriter, r *http.Request, x *exchange) (*rpcError, int) {
	if x.msg.method == methodCall {
		return nil, 0
	}
	tools, revision, err := h.o.Executor.Visible(r.Context(), x.call.Credential, x.call.Trace, h.service.Name)
	if err == nil {
		x.tools, x.revision = tools, revision
		return nil, 0
	}
	f := h.published(err)
	if f.Kind == fault.Unauthenticated {
		h.challenge(w, r, true)
	}
	if f.Kind == fault.Internal {
		h.logFailure(x, "authenticate", err)
	}
	e := &rpcError{codeServer, f}
	if f.Kind == fault.Internal {
		e.code = codeInternal
	}
	return e, httpd.Status(f.Kind)
}

// published renames a core refusal to the service's code.
func (h *Handler) published(err error) *fault.Error {
	f := *fault.As(err)
	f.Code = h.service.Dialect.Code(f.Code)
	return &f
}

func (h *Handler) refuse(w http.ResponseWriter, x *exchange, status int, e *rpcError) {
	if e.fault.RetryAfter > 0 {
		setRetryAfter(w, e.fault.RetryAfter)
	}
	httpd.WriteBytes(w, status, e.encode(x.msg.id, x.call.Trace, x.lang))
}

// forSDK is the request as the SDK wants it: one known content type, both kinds
// accepted, the body that was judged, and nothing it refuses for no good reason.
func forSDK(r *http.Request, x *exchange) *http.Request {
	out := r.Clone(context.WithValue(r.Context(), exchangeKey{}, x))
	out.Body = io.NopCloser(bytes.NewReader(x.msg.body))
	out.ContentLength = int64(len(x.msg.body))
	out.Header.Set("Accept", "application/json, text/event-stream")
	out.Header.Set("Content-Type", "application/json")
	out.Header.Del("Last-Event-Id")
	out.Header.Del("Mcp-Session-Id") // there are no sessions
	return out
}

func (h *Handler) logFailure(x *exchange, what string, err any) {
	t := x.trace()
	h.o.Log.Error("mcp door", "what", what, "error", err, "request_id", t.RequestID, "trace_id", t.TraceID)
}

func (x *exchange) trace() access.Trace {
	if x == nil {
		return access.Trace{}
	}
	return x.call.Trace
}
