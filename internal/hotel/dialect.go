package hotel

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Published codes of the MCP level (contract, section 8).
const (
	CodeAuthInvalid      = "MCP_AUTH_INVALID"
	CodeToolDisabled     = "MCP_TOOL_DISABLED"
	CodeRequestInvalid   = "MCP_REQUEST_INVALID"
	CodeBodyTooLarge     = "MCP_REQUEST_BODY_TOO_LARGE"
	CodeMethodNotFound   = "MCP_METHOD_NOT_FOUND"
	CodeToolNotFound     = "MCP_TOOL_NOT_FOUND"
	CodeInternal         = "MCP_INTERNAL_ERROR"
	CodePermissionDenied = "MCP_PERMISSION_DENIED"
	CodeRateLimited      = "MCP_RATE_LIMITED"
	CodeTimeout          = "MCP_TIMEOUT"
	CodeConflict         = "MCP_CONFLICT"
	CodeAuditUnavailable = "MCP_AUDIT_UNAVAILABLE"
	CodeResultInvalid    = "MCP_RESULT_INVALID"
	CodeUnavailable      = "MCP_UNAVAILABLE"
)

// codes is the whole table from core codes to published ones. A domain code is
// not in it and is published as it is.
var codes = map[string]string{
	agent.CodeInvalidRequest:       CodeRequestInvalid,
	agent.CodeInvalidArguments:     CodeRequestInvalid,
	agent.CodeInvalidResult:        CodeResultInvalid,
	agent.CodeUnauthenticated:      CodeAuthInvalid,
	agent.CodeInsufficientScope:    CodePermissionDenied,
	agent.CodePermissionDenied:     CodePermissionDenied,
	agent.CodeNotFound:             CodeToolNotFound,
	agent.CodeConflict:             CodeConflict,
	agent.CodeRiskDenied:           CodeToolDisabled,
	agent.CodeConfirmationRequired: CodeRequestInvalid,
	agent.CodeIdempotencyRequired:  CodeConflict,
	agent.CodeIdempotencyPending:   CodeConflict,
	agent.CodeTimeout:              CodeTimeout,
	agent.CodeCanceled:             CodeTimeout,
	agent.CodeRateLimited:          CodeRateLimited,
	agent.CodeAuditUnavailable:     CodeAuditUnavailable,
	agent.CodeInternal:             CodeInternal,
	database.CodeUnavailable:       CodeUnavailable,
}

// Dialect speaks the contract's envelope.
type Dialect struct{}

var _ agent.Dialect = Dialect{}

// Envelope is the answer of every tool, on success and on refusal alike. It is
// the published output schema, so a strict client accepts both.
type Envelope struct {
	Success   bool            `json:"success"`
	RequestID string          `json:"request_id"`
	TraceID   string          `json:"trace_id"`
	Data      json.RawMessage `json:"data"`
	Warnings  []agent.Warning `json:"warnings"`
	Error     *Error          `json:"error"`
}

// Error is the refusal inside an envelope.
type Error struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// Code returns the published code for a core or domain code.
func (Dialect) Code(code string) string {
	if c, ok := codes[code]; ok {
		return c
	}
	if code == "" {
		return CodeInternal
	}
	return code
}

// Success wraps a handler's value. It is Envelope as json.Marshal writes it, but
// the data, compact JSON already, is copied once instead of being read again.
func (Dialect) Success(t access.Trace, _ string, data json.RawMessage, warnings []agent.Warning) (json.RawMessage, error) {
	if !agent.WellFormed(data) {
		return nil, errors.New("hotel envelope: the data is no JSON")
	}
	notes := []byte("[]") // the contract shows [], never null
	if len(warnings) > 0 {
		var err error
		if notes, err = json.Marshal(warnings); err != nil {
			return nil, fmt.Errorf("hotel envelope: %w", err)
		}
	}
	b := make([]byte, 0, len(data)+len(notes)+256)
	b = quoted(append(b, `{"success":true,"request_id":`...), t.RequestID)
	b = quoted(append(b, `,"trace_id":`...), t.TraceID)
	b = append(append(b, `,"data":`...), data...)
	b = append(append(b, `,"warnings":`...), notes...)
	return append(b, `,"error":null}`...), nil
}

func quoted(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // a string always marshals
	return append(b, text...)
}

// Failure wraps a refusal. It cannot fail: details that do not marshal are left out.
func (d Dialect) Failure(t access.Trace, lang string, f *fault.Error) json.RawMessage {
	env := Envelope{RequestID: t.RequestID, TraceID: t.TraceID, Data: json.RawMessage("null"), Warnings: []agent.Warning{},
		Error: &Error{Code: d.Code(f.Code), Message: f.Message(lang), Details: details(f, lang)}}
	body, err := json.Marshal(env)
	if err != nil {
		env.Error.Details = map[string]any{}
		body, _ = json.Marshal(env) // strings and constants only: cannot fail
	}
	return body
}

// details gathers what the caller needs to repair the call. An internal error
// tells nothing beyond its fixed sentence.
func details(f *fault.Error, lang string) map[string]any {
	out := map[string]any{}
	if f.Kind == fault.Internal {
		return out
	}
	maps.Copy(out, f.Details)
	if len(f.Fields) > 0 {
		out["violations"] = f.Violations(lang)
	}
	if f.RetryAfter > 0 {
		out["retry_after_seconds"] = f.RetryAfter
	}
	return out
}
