package httpd

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"thhotel/internal/access"
	"thhotel/internal/fault"
)

// Codes that the doors raise themselves, before any tool is reached. They are
// the contract's names and the same at every door.
const (
	CodeRequestInvalid = "MCP_REQUEST_INVALID"
	CodeBodyTooLarge   = "MCP_REQUEST_BODY_TOO_LARGE"
	CodeAuthInvalid    = "MCP_AUTH_INVALID"
	CodeRateLimited    = "MCP_RATE_LIMITED"
	CodeDenied         = "MCP_PERMISSION_DENIED"
	CodeMethodNotFound = "MCP_METHOD_NOT_FOUND"
	CodeInternal       = "MCP_INTERNAL_ERROR"
	CodeNoRoute        = "PATH_NOT_FOUND"
	CodeHost           = "HOST_NOT_ALLOWED"
	CodeOrigin         = "ORIGIN_NOT_ALLOWED"
)

// Status is the one map from kinds to HTTP statuses.
func Status(k fault.Kind) int {
	switch k {
	case fault.Invalid:
		return http.StatusBadRequest
	case fault.Unauthenticated:
		return http.StatusUnauthorized
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Conflict:
		return http.StatusConflict
	case fault.Unprocessable:
		return http.StatusUnprocessableEntity
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.Limited:
		return http.StatusTooManyRequests
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	case fault.Internal:
	}
	return http.StatusInternalServerError
}

// Encoder writes a refusal's body in a door's own shape. Headers of the refusal
// are set; the encoder sets the content type, the status and the body.
type Encoder func(w http.ResponseWriter, r *http.Request, status int, f *fault.Error)

type encoderKey struct{}

func withEncoder(ctx context.Context, e Encoder) context.Context {
	return context.WithValue(ctx, encoderKey{}, e)
}

// Refuse answers with a refusal, in the shape of the door the path belongs to.
func Refuse(w http.ResponseWriter, r *http.Request, f *fault.Error) {
	RefuseWith(w, r, Status(f.Kind), f)
}

// RefuseWith is Refuse with a status of the caller's choice (405, 415).
func RefuseWith(w http.ResponseWriter, r *http.Request, status int, f *fault.Error) {
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	if e, ok := r.Context().Value(encoderKey{}).(Encoder); ok {
		e(w, r, status, f)
		return
	}
	WriteJSON(w, status, Failure(TraceOf(r.Context()), Lang(r), f))
}

// Failed is the envelope of a refusal that no tool produced.
type Failed struct {
	Success   bool            `json:"success"`
	RequestID string          `json:"request_id"`
	TraceID   string          `json:"trace_id"`
	Data      json.RawMessage `json:"data"`
	Warnings  []struct{}      `json:"warnings"`
	Error     FailedError     `json:"error"`
}

// FailedError is its error member.
type FailedError struct {
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// Failure builds the envelope of a refusal.
func Failure(t access.Trace, lang string, f *fault.Error) Failed {
	return Failed{RequestID: t.RequestID, TraceID: t.TraceID, Data: json.RawMessage("null"), Warnings: []struct{}{},
		Error: FailedError{Code: f.Code, Message: f.Message(lang), Details: DetailsIn(f, lang)}}
}

// Details are a refusal's facts in the default language.
func Details(f *fault.Error) map[string]any { return DetailsIn(f, "zh") }

// DetailsIn are a refusal's facts, with its violations under their published name.
func DetailsIn(f *fault.Error, lang string) map[string]any {
	out := map[string]any{}
	for k, v := range f.Details {
		out[k] = v
	}
	if len(f.Fields) > 0 {
		out["violations"] = f.Violations(lang)
	}
	if f.RetryAfter > 0 {
		out["retry_after_seconds"] = f.RetryAfter
	}
	return out
}

// WriteJSON answers with a value as JSON. A value that cannot be marshalled is a
// defect and becomes a bare 500 envelope.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		status, b = http.StatusInternalServerError, []byte(`{"success":false,"error":{"code":"`+CodeInternal+`"}}`)
	}
	WriteBytes(w, status, b)
}

// WriteBytes answers with JSON that is already encoded.
func WriteBytes(w http.ResponseWriter, status int, b []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(status)
	_, _ = w.Write(b) // a client that has gone is no error of ours
}
