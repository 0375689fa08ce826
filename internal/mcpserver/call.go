package mcpserver

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/agent"
	"thhotel/internal/fault"
)

// callTool runs a registered tool through the executor.
func (h *Handler) callTool(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	x := exchangeOf(ctx)
	if x == nil { // only a request that came through ServeHTTP has a caller
		return nil, internalError()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// The SDK ties a handler to its caller on the newest revision only.
	defer context.AfterFunc(x.http, cancel)()
	ctx, stop := h.tellProgress(ctx, x, req)
	out := h.o.Executor.Do(ctx, h.callOf(x, req.Params.Name, req.Params.Arguments))
	stop()
	return h.encode(x, out)
}

// callUnknown sends a name the service does not have through the executor all
// the same, so that the attempt is authenticated and audited.
func (h *Handler) callUnknown(ctx context.Context, x *exchange, p *mcp.CallToolParamsRaw) error {
	out := h.o.Executor.Do(ctx, h.callOf(x, p.Name, p.Arguments))
	if out.Fault != nil && out.Fault.Kind == fault.Unauthenticated {
		x.refused = out.Fault
	}
	return toolNotFound()
}

func (h *Handler) callOf(x *exchange, tool string, args json.RawMessage) agent.Call {
	call := x.call
	call.Tool, call.Arguments = tool, args
	if string(args) == "null" {
		call.Arguments = nil
	}
	return call
}

// reply is a result before any encoding: a short text, then exactly the compact
// JSON that is also the structured content, nil when there is none.
type reply struct {
	summary string
	body    json.RawMessage
	failed  bool
}

func (h *Handler) reply(x *exchange, out agent.Outcome) (reply, *rpcError) {
	if f := out.Fault; f != nil {
		x.retryAfter = f.RetryAfter
		if f.Kind == fault.Unauthenticated {
			x.refused = f
		}
	}
	a := reply{summary: summary(out, x.lang), body: out.Body, failed: out.Fault != nil}
	switch {
	case len(out.Body) == 0 && out.Fault == nil:
		h.logFailure(x, "empty outcome", x.msg.tool)
		return a, internalError()
	case len(out.Body) == 0:
		a.body = nil
	case out.Fault != nil && !json.Valid(out.Body): // a success was held against its schema; the SDK would never answer
		h.logFailure(x, "outcome is not JSON", x.msg.tool)
		return a, internalError()
	}
	return a, nil
}

// encode is the reply as the SDK wants it.
func (h *Handler) encode(x *exchange, out agent.Outcome) (*mcp.CallToolResult, error) {
	a, e := h.reply(x, out)
	if e != nil {
		return nil, e
	}
	res := &mcp.CallToolResult{IsError: a.failed, Content: []mcp.Content{&mcp.TextContent{Text: a.summary}}}
	if a.body != nil {
		res.Content = append(res.Content, &mcp.TextContent{Text: string(a.body)})
		res.StructuredContent = a.body
	}
	h.clients.meet(x)
	return res, nil
}

func summary(out agent.Outcome, lang string) string {
	switch {
	case out.Summary != "":
		return out.Summary
	case out.Fault != nil:
		return out.Fault.Code + "：" + out.Fault.Message(lang)
	case lang == "en":
		return "Done. The result follows as JSON."
	}
	return "已完成，结果见下方 JSON。"
}
