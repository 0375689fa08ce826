package mcpserver

import (
	"encoding/json"
	"net/http"
	"strconv"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

// JSON-RPC error codes; the last three are MCP's.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeServer             = -32000 // refused before any method ran: credential, rate, host
	codeHeaderMismatch     = -32020
	codeMissingCapability  = -32021
	codeUnsupportedVersion = -32022
)

// CodeToolNotFound is published for a tool this service does not have.
const CodeToolNotFound = "MCP_TOOL_NOT_FOUND"

// rpcError is a refusal at the level of the protocol.
type rpcError struct {
	code  int
	fault *fault.Error
}

func (e *rpcError) Error() string { return e.fault.Error() }

func parseError(zh, en string) *rpcError {
	return &rpcError{codeParse, fault.New(fault.Invalid, httpd.CodeRequestInvalid, zh, en)}
}

func invalidRequest(zh, en string) *rpcError {
	return &rpcError{codeInvalidRequest, fault.New(fault.Invalid, httpd.CodeRequestInvalid, zh, en)}
}

func invalidParams(zh, en string) *rpcError {
	return &rpcError{codeInvalidParams, fault.New(fault.Invalid, httpd.CodeRequestInvalid, zh, en)}
}

func methodNotFound() *rpcError {
	return &rpcError{codeMethodNotFound, fault.New(fault.NotFound, httpd.CodeMethodNotFound,
		"没有这个 MCP 方法；本服务只提供 tools/list 与 tools/call。", "There is no such MCP method. This service offers tools/list and tools/call.")}
}

func toolNotFound() *rpcError {
	return &rpcError{codeInvalidParams, fault.New(fault.NotFound, CodeToolNotFound,
		"没有这个工具，请用 tools/list 查看可用工具。", "There is no such tool. See tools/list.")}
}

func internalError() *rpcError {
	return &rpcError{codeInternal, fault.New(fault.Internal, httpd.CodeInternal,
		"系统内部错误，请稍后重试；若仍失败请把 request_id 告知管理员。",
		"Internal error. Try again later; if it persists, tell the operator the request_id.")}
}

// fixed are the sentences for errors that the SDK raises; its own would echo
// input and Go types. nil: a code we do not know is internal.
func fixed(code int) *rpcError {
	switch code {
	case codeParse:
		return parseError("请求体无法解析。", "The request body cannot be parsed.")
	case codeInvalidRequest:
		return invalidRequest("JSON-RPC 请求不合法，请核对协议版本与消息结构。", "Not a valid request. Check the protocol version and the message's shape.")
	case codeMethodNotFound:
		return methodNotFound()
	case codeInvalidParams:
		return invalidParams("params 不符合该方法的要求；2026-07-28 版还需要 _meta 中的 protocolVersion 与 clientCapabilities。",
			"params do not fit the method; revision 2026-07-28 also needs protocolVersion and clientCapabilities in _meta.")
	case codeHeaderMismatch:
		e := invalidRequest("HTTP 头 Mcp-Protocol-Version、Mcp-Method、Mcp-Name 缺失或与请求体不一致。",
			"The headers Mcp-Protocol-Version, Mcp-Method or Mcp-Name are missing or disagree with the body.")
		e.code = code
		return e
	case codeMissingCapability:
		e := invalidRequest("客户端没有声明该调用所需的能力。", "The client did not declare a capability this call needs.")
		e.code = code
		return e
	case codeUnsupportedVersion:
		e := invalidRequest("不支持该 MCP 协议版本，请使用 error.data.supported 中的版本。",
			"This protocol version is not supported. Use one of error.data.supported.")
		e.code = code
		return e
	}
	return nil
}

// data is what error.data holds: the stable code, and where to find the call in the logs.
func (e *rpcError) data(t access.Trace) map[string]any {
	d := httpd.Details(e.fault)
	d["code"], d["request_id"], d["trace_id"] = e.fault.Code, t.RequestID, t.TraceID
	return d
}

// encode is the JSON-RPC response; id nil is null.
func (e *rpcError) encode(id json.RawMessage, t access.Trace, lang string) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	type wire struct {
		Code    int            `json:"code"`
		Message string         `json:"message"`
		Data    map[string]any `json:"data"`
	}
	b, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   wire            `json:"error"`
	}{"2.0", id, wire{e.code, e.fault.Message(lang), e.data(t)}})
	if err != nil { // details that do not marshal: a defect, and no reason to stay silent
		return internalError().encode(id, t, lang)
	}
	return b
}

// status is the HTTP status of an error. Revisions before 2026-07-28 carry
// errors of a well-formed request with 200.
func (e *rpcError) status(version string) int {
	switch e.code {
	case codeParse, codeInvalidRequest, codeHeaderMismatch, codeUnsupportedVersion:
		return http.StatusBadRequest
	case codeMethodNotFound:
		if version >= version20260728 {
			return http.StatusNotFound
		}
	case codeInvalidParams, codeMissingCapability:
		if version >= version20260728 {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}

// EncodeFault writes a refusal of the HTTP ground in this protocol's shape; it
// is the door's httpd.Encoder.
func EncodeFault(w http.ResponseWriter, r *http.Request, status int, f *fault.Error) {
	e := &rpcError{codeServer, f}
	switch f.Kind {
	case fault.Internal:
		e.code = codeInternal
	case fault.Invalid, fault.TooLarge:
		e.code = codeInvalidRequest
	default:
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	httpd.WriteBytes(w, status, e.encode(nil, httpd.TraceOf(r.Context()), httpd.Lang(r)))
}
