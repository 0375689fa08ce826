package order

import (
	"encoding/json"
	"time"

	"thhotel/internal/fault"
)

// Card states.
const (
	CardPending     = "PENDING"
	CardNeedsReview = "NEEDS_REVIEW"
	CardClaimed     = "CLAIMED"
	CardWaiting     = "WAITING"
	CardConfirmed   = "CONFIRMED"
	CardRejected    = "REJECTED"
	CardSuperseded  = "SUPERSEDED"
)

// MarkAlreadyHandled is on a card of a later revision that repeats a card
// somebody has already touched. Such a card is SUPERSEDED at once: RepeatOf is
// the one that counts.
const MarkAlreadyHandled = "ALREADY_HANDLED"

// CardBrief is a card as lists show it. It is the "task" of every contract:
// task_id = ID, system_task_type = EventType, task_status = Status.
type CardBrief struct {
	ID                     string
	TaskID                 string // the order task that groups cards of one order_ref
	BatchID                string
	TransitionID           string
	OrderID                string // "" while no single order is known
	EventType              EventType
	Status                 string
	Mark                   string // ALREADY_HANDLED or ""
	RepeatOf               string
	Review                 bool // needs review, also while claimed
	MessageID              string
	ExternalMessageID      string
	ExternalConversationID string
	Subject, SenderName    string
	SenderEmail            string
	BookingType            string
	AccountCode            string
	Key                    string // group code, confirmation or reservation number
	GuestName              string
	ArrivalDate            string
	DepartureDate          string
	CutoffDate             string
	OwnerID, OwnerName     string
	LeaseUntil             time.Time // zero when nobody holds it
	DueAt                  time.Time
	WaitingUntil           time.Time
	Flags                  []string // names of fired H and R rules
	ReceivedAt             time.Time
	CreatedAt              time.Time
	UpdatedAt              time.Time
	Version                int64
}

// Open reports whether the card still waits for a decision.
func (c CardBrief) Open() bool {
	switch c.Status {
	case CardConfirmed, CardRejected, CardSuperseded:
		return false
	}
	return true
}

// Level of a rule: H refuses, R needs a person's explicit yes, W shows.
type Level string

// The levels.
const (
	Hard   Level = "H"
	Review Level = "R"
	Warn   Level = "W"
)

// RuleResult is a rule that fired, or (Unchecked, level W) one whose data is missing.
type RuleResult struct {
	Name      string `json:"name"` // "dates.arrival_before_departure"
	Level     Level  `json:"level"`
	Text      string `json:"message"`
	TextEN    string `json:"message_en"`
	Unchecked bool   `json:"unchecked,omitempty"`
}

// Field states of a diff.
const (
	FieldChange  = "CHANGE"        // confirming changes it
	FieldSame    = "ALREADY_SO"    // the order says so already
	FieldMoved   = "CHANGED_SINCE" // the order's value changed since the mail came
	FieldNotInIt = "NOT_IN_MAIL"   // the mail does not speak of it
	FieldMember  = "MEMBER_ONLY"   // meant for one guest of the block: the order itself stays
)

// FieldDiff is one field of the proposal against the order now.
type FieldDiff struct {
	Field    string // "departure_date"; stable, pages translate it
	Now      string
	AtMail   string // value when the card was made; "" when unknown
	Agent    string // what the agent proposed
	Proposed string // what confirming would write: the correction, else the agent's
	State    string
	// Corrected is true when a person replaced the agent's value.
	Corrected bool
}

// RoomDiff is one room type of the grid.
type RoomDiff struct {
	RoomTypeCode string
	RoomTypeName string
	Now          *int // nil: not on the order
	Proposed     *int // nil: not in the mail
	Rate         string
	State        string
}

// CardView is everything a person needs to decide.
type CardView struct {
	CardBrief
	Event          Event // with corrections applied: what confirming would do
	AgentEvent     Event // as the agent wrote it
	Corrections    Corrections
	ContractErrors []fault.Violation
	Target         *Record  // the one order it means, as it is now
	Matches        []Record // all candidates when there are none or several live ones
	Block          *Record  // the allotment or group a NEW_BOOKING picks up from
	Pending        *Record  // the pending order of a NEW_BOOKING
	Fields         []FieldDiff
	Rooms          []RoomDiff
	Traces         []TraceItem
	Payment        *PaymentItem
	Rooming        *RoomingView // of a ROOMING_LIST: its rows, and rooms per type and night against the block
	Rules          []RuleResult
	OtherCards     []CardBrief // open ones on the same order
	Duplicates     []Record    // possible ones
	EffectZH       string
	EffectEN       string
	SecondStep     bool
	CanConfirm     bool     // no H rule fired
	Needs          []string // fields Confirm asks for: "group_code", "confirmation_number", "reason"
	Decision       *Decision
	Notes          []CardNote
	OrderVersion   int64 // send it back with Confirm
}

// Decision is how a card ended.
type Decision struct {
	Outcome    string // CONFIRMED, REJECTED
	ReasonCode string
	Text       string
	Ticks      []string
	ByID       string
	ByName     string
	At         time.Time
}

// CardNote is a remark a person left on a card.
type CardNote struct {
	Text   string    `json:"text"`
	ByID   string    `json:"by_id"`
	ByName string    `json:"by_name"`
	At     time.Time `json:"at"`
}

// Corrections are a person's values over the agent's, by field name: an order
// field ("departure_date"), "room_items", "trace_items", "payment",
// "attachment_ids", "locator_type", "locator_value", "booking_type", or "rates"
// ({"DLXT":"2400.00"}). null takes the agent's value away.
type Corrections map[string]json.RawMessage

// CorrectText makes a correction out of a form's text; "" becomes null.
func CorrectText(value string) json.RawMessage {
	if value == "" {
		return json.RawMessage("null")
	}
	b, err := json.Marshal(value)
	if err != nil { // a string always encodes
		return json.RawMessage("null")
	}
	return b
}

// RejectReasons are the reason codes of Reject.
func RejectReasons() []string {
	return []string{"duplicate", "wrong_target", "not_a_request", "already_done", "hostile", "insufficient"}
}
