// Package fault is the error model: what a caller may be told, in a closed set
// of kinds and an open set of stable codes. It knows no protocol: which HTTP
// status or JSON-RPC code a kind becomes is decided by the doors.
package fault

import (
	"errors"
	"fmt"
)

// Kind says whose move it is. The set is closed; doors map each kind once.
type Kind uint8

// The kinds. Internal is the zero value, so a forgotten kind leaks nothing.
const (
	Internal        Kind = iota // a defect or an outage of ours; the cause stays in the log
	Invalid                     // malformed, or against the published schema
	Unauthenticated             // no credential, or one that does not hold
	Forbidden                   // known caller, not allowed
	NotFound                    // nothing there for this caller (also: another hotel's object)
	Conflict                    // true when asked, no longer: stale version, claimed, duplicate
	Unprocessable               // well formed, but a business rule refuses
	TooLarge                    // beyond a stated size limit
	Limited                     // too many; come back later
	Unavailable                 // cannot be answered now; a retry may work
)

// Violation points at one wrong place in the caller's input.
type Violation struct {
	Path    string `json:"path"`           // JSON pointer (RFC 6901); "" is the whole document
	Code    string `json:"code,omitempty"` // stable, where the rule has one
	Message string `json:"message"`        // what is expected there
	// MessageEN is the same in English. Without it Message serves every reader.
	MessageEN string `json:"-"`
}

// In returns the violation with its message in a language: "en" or anything else for Chinese.
func (v Violation) In(lang string) Violation {
	if lang == "en" && v.MessageEN != "" {
		v.Message = v.MessageEN
	}
	v.MessageEN = ""
	return v
}

// Error is a refusal a caller may see. Text is Chinese (the contract's
// language); TextEN is the same in English. Both say what to do next.
type Error struct {
	Kind   Kind
	Code   string
	Text   string
	TextEN string
	Fields []Violation
	// Details are extra facts a caller needs to repair the call, such as the
	// newest version. Never a body, a token or an internal message.
	Details map[string]any
	// RetryAfter, in seconds, accompanies Limited and Unavailable; 0 is unsaid.
	RetryAfter int
	cause      error
}

// New returns a refusal. zh and en state what is wrong and what to do next.
func New(kind Kind, code, zh, en string) *Error {
	return &Error{Kind: kind, Code: code, Text: zh, TextEN: en}
}

// Error is for logs: code, English text and cause.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.TextEN, e.cause)
	}
	return e.Code + ": " + e.TextEN
}

// Unwrap returns the cause, which never leaves the process.
func (e *Error) Unwrap() error { return e.cause }

// Is matches by code, so a sentinel such as order.ErrStale matches its copies.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Code == e.Code
}

// Message is the text in the caller's language: "en" or anything else for Chinese.
func (e *Error) Message(lang string) string {
	if lang == "en" && e.TextEN != "" {
		return e.TextEN
	}
	return e.Text
}

// Violations are the wrong places in the caller's language; nil for none.
func (e *Error) Violations(lang string) []Violation {
	var out []Violation
	for _, v := range e.Fields {
		out = append(out, v.In(lang))
	}
	return out
}

// With returns a copy that carries more facts for the caller.
func (e *Error) With(details map[string]any) *Error {
	c := *e
	c.Details = details
	return &c
}

// At returns a copy that points at the wrong places.
func (e *Error) At(fields ...Violation) *Error {
	c := *e
	c.Fields = fields
	return &c
}

// Because returns a copy that remembers its cause for the log.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// As returns the refusal inside err. An error that is no refusal becomes an
// Internal one with a fixed sentence; its cause is kept for the log. nil stays nil.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return New(Internal, CodeInternal, "系统内部错误，请稍后重试；若仍失败请把 request_id 告知管理员。",
		"Internal error. Try again later; if it persists, tell the operator the request_id.").Because(err)
}

// CodeInternal is the code of every error that is not a refusal of ours.
const CodeInternal = "internal_error"

// Code returns the code inside err, CodeInternal for other errors, "" for nil.
func Code(err error) string {
	if err == nil {
		return ""
	}
	return As(err).Code
}
