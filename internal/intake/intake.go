// Package intake takes in the agent's M002 V4 packages: it judges their shape,
// records every package, event and contract error, and hands the events on to
// become cards. It refuses to know how a card is decided, and nothing here ever
// changes an order; what the agent said is kept even when it is wrong.
package intake

import (
	"time"

	"thhotel/internal/agent"
	"thhotel/internal/fault"
)

// Route codes of a notice package.
const (
	RouteNothingToDo = "S10" // understood, nothing to do for an order
	RouteUnsafe      = "S99" // could not be handled safely; a person must look
)

// SubmitResult is the answer to a package, the same for every replay of it.
type SubmitResult struct {
	BatchID          string `json:"batch_id"`
	IdempotentReplay bool   `json:"idempotent_replay"`
	AcceptedCount    int    `json:"accepted_count"`
	SourceMessageID  string `json:"source_message_id"` // the external id, as stored
	Revision         int    `json:"revision"`
	Items            []Item `json:"items"`

	warnings []agent.Warning
	route    string
}

// Item is what became of one event, or of the notice.
type Item struct {
	AITransitionID string  `json:"ai_transition_id"`
	OrderID        *string `json:"order_id"`
	// The main line of V4 has no old tasks; the contract keeps the two fields as null.
	TaskID               *string           `json:"task_id"`
	TaskStatus           *string           `json:"task_status"`
	AdapterContractError []fault.Violation `json:"adapter_contract_error,omitempty"`
}

// Batch is one stored package.
type Batch struct {
	ID                string
	MessageID         string // internal inbox id
	ExternalMessageID string
	RouteCode         string // "" for a normal package
	Revision          int
	PackageSHA256     string
	PackageSize       int
	EventCount        int
	ErrorCount        int // transitions with a contract error
	Warnings          []agent.Warning
	SubmittedBy       string // subject id
	SubmittedByName   string
	RequestID         string
	TraceID           string
	CreatedAt         time.Time
}

// Transition is one stored event or notice.
type Transition struct {
	ID             string
	Position       int
	OrderRef       string
	EventType      string // as the agent wrote it; "" for a notice
	OrderID        string
	CardID         string
	NoticeID       string
	Event          string // the event's JSON as submitted; "" for a notice
	ContractErrors []fault.Violation
}

// BatchView is a batch with its transitions.
type BatchView struct {
	Batch
	Transitions []Transition
	// Package is the submitted JSON without the mail's body, which only
	// Package returns, since reading a mail leaves a trace.
	Package string
}

// BatchesParams filters the list of batches.
type BatchesParams struct {
	MessageID  string // internal inbox id; "" for all
	ErrorsOnly bool
	Cursor     string
	Limit      int
}

// BatchPage is one page of batches, newest first.
type BatchPage struct {
	Batches    []Batch
	NextCursor string
}
