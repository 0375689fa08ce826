package order

import "time"

// Notice routes.
const (
	RouteNothingToDo = "S10"
	RouteUnsafe      = "S99"
)

// Notice is a mail that became no card: nothing to do (S10) or unsafe (S99).
type Notice struct {
	ID                     string
	BatchID                string
	TransitionID           string
	MessageID              string
	ExternalMessageID      string
	ExternalConversationID string
	RouteCode              string
	Reasons                []string // codes such as SENDER_LOOKALIKE, HIDDEN_CONTENT_REMOVED
	Subject                string
	SenderName             string
	SenderEmail            string
	Status                 string // OPEN, ACKNOWLEDGED, TASK_CREATED, SUPERSEDED
	HandledBy              string
	HandledAt              time.Time
	Text                   string // what the person wrote
	CardID                 string // the manual task made of it
	ReceivedAt             time.Time
	CreatedAt              time.Time
	UpdatedAt              time.Time
	Version                int64
}

// Notice states.
const (
	NoticeOpen         = "OPEN"
	NoticeAcknowledged = "ACKNOWLEDGED"
	NoticeTask         = "TASK_CREATED"
	NoticeSuperseded   = "SUPERSEDED"
)
