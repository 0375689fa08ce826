package agent

import (
	"encoding/json"

	"thhotel/internal/access"
	"thhotel/internal/fault"
)

// Service is a tool family: one address, one set of instructions, one envelope.
type Service struct {
	Name         string // "hotel"
	Path         string // "/mcp"
	Title        string
	Version      string
	Instructions string   // for the model, under 2,000 characters
	Tools        []string // in the order tools/list shows them
	Dialect      Dialect
}

// Dialect turns what the core produced into what the service publishes. It must
// be total: every core code has an answer.
type Dialect interface {
	// Success wraps the handler's marshalled value.
	Success(t access.Trace, lang string, data json.RawMessage, warnings []Warning) (json.RawMessage, error)
	// Failure wraps a refusal, whose Code is already the published one. The result
	// fits the published output schema, or is nil when the service answers refusals
	// with text alone.
	Failure(t access.Trace, lang string, f *fault.Error) json.RawMessage
	// Code is the published code for a core or domain code.
	Code(code string) string
}

// Call is one request for a tool, already structurally sound for its protocol.
type Call struct {
	Tool       string
	Service    string          // the door's service: a tool of another service is not found
	Arguments  json.RawMessage // nil means {}
	Credential Credential
	Trace      access.Trace
	Lang       string // "zh" or "en" when the caller named one; "" takes the account's, else "zh"
}

// Credential is what the caller proved itself with. The executor asks for the
// caller behind it on every call.
type Credential struct {
	Token     string // bearer token
	SessionID string // staff session
	AccountID string // service account of a partner whose signature was verified
	Audience  string // the service's URL path, "/mcp"
}

// Outcome is what every door encodes. Exactly one of Data and Fault is set.
type Outcome struct {
	Body     json.RawMessage // the service's envelope, ready to send
	Fault    *fault.Error    // nil on success; Code is already the dialect's
	Summary  string
	Replayed bool
}
