package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"thhotel/internal/agent"
	"thhotel/internal/httpd"
)

// Limits on what a message may name.
const (
	maxIDLength   = 256
	maxNameLength = 128
	maxSafeID     = 1<<53 - 1 // beyond it, the SDK answers with another id than it was asked
)

// message is a JSON-RPC message that passed the guard.
type message struct {
	id     json.RawMessage // nil: a notification or a response
	method string

	response bool // an answer to something we never asked: accepted and dropped

	// From params, for the door's own use.
	tool        string
	metaVersion string
	metaTrace   string
	metaParent  string
	metaClient  string
	wantVersion string // initialize's protocolVersion
	progress    bool   // the caller sent a progress token

	// The members of the message, of its params and of their _meta, for fast.go;
	// strict says that the whole body passed agent.WellFormed.
	top, params, meta fields
	strict            bool

	body []byte // the message as it came
}

// parse judges one body. It never echoes what it read, and keys are matched
// exactly: encoding/json would take "Method" for "method".
func parse(body []byte) (message, *rpcError) {
	if !utf8.Valid(body) {
		return message{}, parseError("请求体不是合法的 UTF-8。", "The request body is not valid UTF-8.")
	}
	strict := agent.WellFormed(body)
	if !strict { // no by our own reader's rules; this one is milder, and knows the reason
		if err := httpd.CheckJSON(body, httpd.MaxDepth); err != nil {
			return message{}, jsonError(err)
		}
	}
	switch body = bytes.TrimSpace(body); body[0] {
	case '[':
		return message{}, invalidRequest("不支持 JSON-RPC 批量请求，请逐条发送。", "JSON-RPC batches are not supported. Send one message at a time.")
	case '{':
	default:
		return message{}, invalidRequest("请求体必须是一个 JSON-RPC 对象。", "The request body must be one JSON-RPC object.")
	}
	msg, e := fromMembers(members(body))
	msg.strict = strict
	return msg, e
}

func jsonError(err error) *rpcError {
	f := httpd.InvalidJSON(err)
	e := &rpcError{code: codeParse, fault: f}
	if errors.Is(err, httpd.ErrDepth) || errors.Is(err, jsontext.ErrDuplicateName) {
		e.code = codeInvalidRequest // it is JSON, only none we accept
	}
	return e
}

// fromMembers checks the envelope. The id comes first, so that every later
// refusal can carry it.
func fromMembers(m fields) (message, *rpcError) {
	msg := message{top: m}
	id := m.get("id")
	hasID := id != nil
	if hasID {
		if e := checkID(id); e != nil {
			return msg, e
		}
		msg.id = id
	}
	if text(m.get("jsonrpc")) != "2.0" {
		return msg, invalidRequest("jsonrpc 必须是 \"2.0\"。", `jsonrpc must be "2.0".`)
	}
	rawMethod := m.get("method")
	if rawMethod == nil && (m.get("result") != nil || m.get("error") != nil) && hasID {
		msg.response = true
		return msg, nil
	}
	if msg.method = text(rawMethod); msg.method == "" || len(msg.method) > maxNameLength {
		msg.method = ""
		return msg, invalidRequest("method 必须是非空字符串。", "method must be a non-empty string.")
	}
	notification := strings.HasPrefix(msg.method, "notifications/")
	if notification == hasID {
		return msg, invalidRequest("请求必须带 id，通知不得带 id。", "A request needs an id and a notification must not have one.")
	}
	return msg.withParams(m.get("params"))
}

// withParams reads from params what the door needs and checks the shapes whose
// misuse the SDK reports by echoing them.
func (msg message) withParams(params json.RawMessage) (message, *rpcError) {
	if params == nil {
		if msg.method == methodCall || msg.method == methodInitialize {
			return msg, invalidParams("缺少 params。", "params is missing.")
		}
		return msg, nil
	}
	if params[0] != '{' {
		return msg, invalidParams("params 必须是对象。", "params must be an object.")
	}
	p := members(params)
	msg.params = p
	if e := msg.readMeta(p.get("_meta")); e != nil {
		return msg, e
	}
	switch msg.method {
	case methodCall:
		if msg.tool = text(p.get("name")); msg.tool == "" || len(msg.tool) > maxNameLength {
			return msg, invalidParams("params.name 必须是工具名（字符串）。", "params.name must be a tool's name, a string.")
		}
		for _, k := range []string{"inputResponses", "task"} {
			if v := p.get(k); v != nil && v[0] != '{' {
				return msg, invalidParams("params."+k+" 必须是对象。", "params."+k+" must be an object.")
			}
		}
		if v := p.get("requestState"); v != nil && v[0] != '"' {
			return msg, invalidParams("params.requestState 必须是字符串。", "params.requestState must be a string.")
		}
	case methodInitialize:
		if msg.metaVersion < version20260728 { // later revisions do not have it: the SDK says so
			return msg.readInitialize(p)
		}
	case methodList:
		if v := p.get("cursor"); v != nil && v[0] != '"' {
			return msg, invalidParams("params.cursor 必须是字符串。", "params.cursor must be a string.")
		}
	}
	return msg, nil
}

func (msg message) readInitialize(p fields) (message, *rpcError) {
	if msg.wantVersion = text(p.get("protocolVersion")); msg.wantVersion == "" {
		return msg, invalidParams("params.protocolVersion 必须是字符串。", "params.protocolVersion must be a string.")
	}
	for _, k := range []string{"capabilities", "clientInfo"} {
		if v := p.get(k); v != nil && v[0] != '{' {
			return msg, invalidParams("params."+k+" 必须是对象。", "params."+k+" must be an object.")
		}
	}
	if v := p.get("clientInfo"); v != nil {
		msg.metaClient = clientName(v)
	}
	return msg, nil
}

// readMeta takes from _meta the revision, the trace, the client and the wish for progress.
func (msg *message) readMeta(raw json.RawMessage) *rpcError {
	if raw == nil {
		return nil
	}
	if raw[0] != '{' {
		return invalidParams("params._meta 必须是对象。", "params._meta must be an object.")
	}
	meta := members(raw)
	msg.meta = meta
	msg.metaVersion = text(meta.get(metaVersion))
	msg.metaParent = text(meta.get("traceparent"))
	msg.metaTrace = httpd.TraceParent(msg.metaParent)
	if info := meta.get(metaClient); len(info) > 0 && info[0] == '{' {
		msg.metaClient = clientName(info)
	}
	token := meta.get("progressToken")
	if token == nil {
		return nil
	}
	if checkID(token) != nil {
		return invalidParams("params._meta.progressToken 必须是字符串或整数。", "params._meta.progressToken must be a string or an integer.")
	}
	msg.progress = true
	return nil
}

// Keys of _meta that the 2026-07-28 revision defines.
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
)

// clientName is what a client calls itself: shown, never trusted, bounded.
func clientName(info json.RawMessage) string {
	m := members(info)
	name, version := httpd.Printable(text(m.get("name")), 80), httpd.Printable(text(m.get("version")), 30)
	if version != "" {
		name += "/" + version
	}
	return name
}

// checkID allows strings and integers that survive a round trip through the SDK.
func checkID(raw json.RawMessage) *rpcError {
	if len(raw) > 0 && raw[0] == '"' && len(raw) <= maxIDLength {
		return nil
	}
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n <= maxSafeID && n >= -maxSafeID {
		return nil
	}
	return invalidRequest("id 必须是字符串或 ±(2^53-1) 以内的整数。", "id must be a string, or an integer within ±(2^53-1).")
}
