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

// encode turns an outcome into a result: a short text, then exactly the compact
// JSON that is also the structured content.
func (h *Handler) encode(x *exchange, out agent.Outcome) (*mcp.CallToolResult, error) {
	if f := out.Fault; f != nil {
		x.retryAfter = f.RetryAfter
		if f.Kind == fault.Unauthenticated {
			x.refused = f
		}
	}
	res := &mcp.CallToolResult{IsError: out.Fault != nil, Content: []mcp.Content{&mcp.TextContent{Text: summary(out, x.lang)}}}
	if len(out.Body) == 0 {
		if out.Fault == nil {
			h.logFailure(x, "empty outcome", x.msg.tool)
			return nil, internalError()
		}
		return res, nil
	}
	if !json.Valid(out.Body) { // the SDK would drop it and never answer
		h.logFailure(x, "outcome is not JSON", x.msg.tool)
		return nil, internalError()
	}
	res.Content = append(res.Content, &mcp.TextContent{Text: string(out.Body)})
	res.StructuredContent = out.Body
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
