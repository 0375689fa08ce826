package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// revisionKey is where tools/list tells which catalogue it showed.
const revisionKey = "th-hotel/revision"

// How long a client may keep a list: calls are judged afresh anyway, this only
// bounds how long a switched-off tool stays in view.
const listTTL = 30_000

// middleware is the last thing before the SDK's own handlers and the first after.
// Nothing may leave it that would end the process or hang the request: no panic,
// no nil, no error without a code.
func (h *Handler) middleware(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		x := exchangeOf(ctx)
		defer func() {
			if p := recover(); p != nil {
				h.o.Log.ErrorContext(ctx, "mcp door: panic", "method", method, "panic", p,
					"request_id", x.trace().RequestID, "stack", string(debug.Stack()))
				res, err = nil, h.coded(x, internalError())
			}
		}()
		res, err = h.handle(ctx, x, method, req, next)
		if err != nil {
			return nil, h.coded(x, err)
		}
		if v := reflect.ValueOf(res); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
			h.logFailure(x, "nil result", method)
			return nil, h.coded(x, internalError())
		}
		return res, nil
	}
}

func (h *Handler) handle(ctx context.Context, x *exchange, method string, req mcp.Request, next mcp.MethodHandler) (mcp.Result, error) {
	if call, ok := req.(*mcp.CallToolRequest); ok && x != nil && h.isUnknown(call.Params.Name) {
		return nil, h.callUnknown(ctx, x, call.Params)
	}
	res, err := next(ctx, method, req)
	if list, ok := res.(*mcp.ListToolsResult); ok && err == nil && list != nil && x != nil {
		h.clients.meet(x)
		h.show(x, list)
	}
	return res, err //nolint:wrapcheck // coded follows
}

// isUnknown asks the SDK's own list only for fixtures, which add tools of theirs.
func (h *Handler) isUnknown(name string) bool {
	_, ours := h.tools[name]
	return !ours && !h.extra[name]
}

// show cuts the list to what this caller may use now, in the service's order.
// The tools are shared between requests and never changed.
func (h *Handler) show(x *exchange, list *mcp.ListToolsResult) {
	tools := make([]*mcp.Tool, 0, len(x.tools))
	for _, info := range x.tools {
		if t, ok := h.tools[info.Name]; ok {
			tools = append(tools, t)
		}
	}
	for _, t := range list.Tools {
		if h.extra[t.Name] {
			tools = append(tools, t)
		}
	}
	list.Tools = tools
	meta := maps.Clone(list.Meta)
	if meta == nil {
		meta = mcp.Meta{}
	}
	meta[revisionKey] = x.revision
	list.Meta = meta
}

// coded gives every error a JSON-RPC code; an error without one would go out
// with code 0 and its raw text.
func (h *Handler) coded(x *exchange, err error) error {
	var ours *rpcError
	if errors.As(err, &ours) {
		data, _ := json.Marshal(ours.data(x.trace())) // strings and JSON values only
		lang := "zh"
		if x != nil {
			lang = x.lang
		}
		return &jsonrpc.Error{Code: int64(ours.code), Message: ours.fault.Message(lang), Data: data}
	}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) && wire.Code != 0 {
		return wire
	}
	h.logFailure(x, "error without a code", err)
	return h.coded(x, internalError())
}

// cacheable: lists are the caller's own, so no shared cache may keep them.
func cacheable(_ context.Context, _ mcp.Request, c *mcp.Cacheable) {
	c.CacheScope, c.TTLMs = "private", listTTL
}
