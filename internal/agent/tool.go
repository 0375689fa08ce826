// Package agent is the tool pipeline: the tool model, the registry and the
// executor whose fifteen steps no handler can skip. It knows no hotel word, no
// MCP type and no HTTP type; doors turn bytes into a Call and an Outcome into bytes.
package agent

import (
	"context"
	"encoding/json"
	"time"

	"thhotel/internal/access"
)

// Mutability says whether a tool changes anything.
type Mutability string

// The two mutabilities.
const (
	Read  Mutability = "read"
	Write Mutability = "write"
)

// Risk grades what a wrong call could cost.
type Risk string

// The risks, least first. Read tools have RiskRead and no other.
const (
	RiskRead        Risk = "read"
	RiskWrite       Risk = "write"
	RiskPublish     Risk = "publish"
	RiskDestructive Risk = "destructive"
	RiskCritical    Risk = "critical"
)

// Tool is the smallest thing an assistant can do. Zero limits take the defaults.
type Tool struct {
	Name        string // "th_hotel_query_case_context", "desk.get_order"
	Owner       string // the service or plugin that registered it
	Title       string
	Description string

	InputSchema  json.RawMessage // restricted JSON Schema, published as it is
	OutputSchema json.RawMessage // of what leaves: the service's envelope where it has one

	Mutability           Mutability
	Risk                 Risk
	Idempotent           bool
	RequiresConfirmation bool

	Permission access.Permission
	// OwnAction, when set, is the weaker action that suffices for a resource
	// the caller owns ("content.update_own").
	OwnAction string
	// Resolve binds the call to the real resource before it is authorised. May be nil.
	Resolve func(ctx context.Context, by access.Caller, args json.RawMessage) (Resource, error)

	Timeout        time.Duration // default 30 s
	MaxConcurrency int           // per process; default 64
	MaxArguments   int           // bytes; default 64 KiB

	// CheckInput replaces the schema as the judge of arguments, for contracts
	// whose published schema is stricter than what rejects a call. May be nil.
	CheckInput func(args json.RawMessage) error
	// Key finds the idempotency key of a write. Default: argument
	// "idempotency_key", 8 to 200 characters. An empty key is idempotency_required.
	Key func(args json.RawMessage) (string, error)
	// KeyShared makes a key mean the same for every caller of the hotel;
	// otherwise each subject has keys of its own.
	KeyShared bool
	// Replayed rewrites a stored result before it is sent again. May be nil.
	Replayed func(stored json.RawMessage) (json.RawMessage, error)
	// ReplayWarnings adds what has become true since the result was stored. May be nil.
	ReplayWarnings func(ctx context.Context, by access.Caller, stored json.RawMessage) ([]Warning, error)

	Handler Handler
	// REST is the path of the tool's HTTP twin (POST), "" for none.
	REST string
}

// Handler does the work for an authorised call.
type Handler func(ctx context.Context, by access.Caller, args json.RawMessage) (Result, error)

// Resource is what a call is about, as far as authorisation and audit care.
type Resource struct {
	Type, ID string
	OwnerID  string // subject who owns it; "" when nobody does
}

// Result is a handler's success.
type Result struct {
	Value    any       // marshalled as the service's data
	Warnings []Warning // shown beside the data
	Summary  Summary   // one or two sentences for people, in both languages
	Resource Resource  // what was made or changed, kept with the idempotency record
}

// Warning tells the caller what limits the answer.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Summary is a short text in Chinese and English.
type Summary struct{ ZH, EN string }

// In returns the text for a language.
func (s Summary) In(lang string) string {
	if lang == "en" && s.EN != "" {
		return s.EN
	}
	return s.ZH
}

// Answer is implemented by results that carry warnings or a summary.
type Answer interface {
	AnswerWarnings() []Warning
	AnswerSummary() Summary
}

// Handle adapts a service method to a Handler: arguments are decoded into P, the
// method's first line authorises, and its result may implement Answer.
func Handle[P, R any](method func(context.Context, access.Caller, P) (R, error)) Handler {
	return func(ctx context.Context, by access.Caller, args json.RawMessage) (Result, error) {
		var p P
		if err := json.Unmarshal(args, &p); err != nil {
			return Result{}, invalidArguments("", err.Error())
		}
		r, err := method(ctx, by, p)
		if err != nil {
			return Result{}, err
		}
		res := Result{Value: r}
		if a, ok := any(r).(Answer); ok {
			res.Warnings, res.Summary = a.AnswerWarnings(), a.AnswerSummary()
		}
		return res, nil
	}
}
