package order

import (
	"encoding/json"
	"time"

	"thhotel/internal/fault"
	"thhotel/internal/inbox"
)

// Source names the mail that a package speaks of; intake fills it from the inbox.
type Source struct {
	MessageID              string // inbox id
	ExternalMessageID      string
	ExternalConversationID string
	Subject                string
	SenderName             string
	SenderEmail            string
	ReceivedAt             time.Time
}

// Context is an entry of order_contexts.
type Context struct {
	OrderRef     string
	AccountCode  string
	ManualReview bool
}

// ProposedEvent is an event with the row intake keeps for it and the places
// where it breaks the contract.
type ProposedEvent struct {
	Event          Event
	TransitionID   string
	ContractErrors []fault.Violation
}

// PackageParams is one accepted package.
type PackageParams struct {
	Source   Source
	BatchID  string
	Revision int // 1 for the first package of a mail; later ones supersede
	Facts    inbox.Facts
	Contexts []Context
	Events   []ProposedEvent
}

// OpenedCard answers one event. OrderID is "" when no single order is known.
type OpenedCard struct{ OrderID, CardID, TransitionID string }

// NoticeParams is one accepted notice package.
type NoticeParams struct {
	Source       Source
	BatchID      string
	TransitionID string
	Revision     int
	RouteCode    string
	Reasons      []string
	Facts        inbox.Facts
}

// CardPage is a page of cards in the mails' receipt order.
type CardPage struct {
	Cards      []CardBrief
	Total      int
	NextCursor string
}

// QueueParams selects cards. View is one of Views; Sort is "due" (default),
// "arrival" or "newest".
type QueueParams struct {
	View      string
	EventType EventType
	Status    string
	Search    string
	Sort      string
	Cursor    string
	Limit     int // default 50, most 200
}

// The queue's views.
const (
	ViewOpen      = "open"
	ViewMine      = "mine"
	ViewUnclaimed = "unclaimed"
	ViewReview    = "review"
	ViewArriving  = "arriving" // within 3 days
	ViewCutoff    = "cutoff"   // within 7 days
	ViewWaiting   = "waiting"
	ViewClosed    = "closed"
)

// Views lists the queue's views in display order.
func Views() []string {
	return []string{ViewOpen, ViewMine, ViewUnclaimed, ViewReview, ViewArriving, ViewCutoff, ViewWaiting, ViewClosed}
}

// QueuePage is a page of the queue.
type QueuePage struct {
	Cards      []CardBrief
	NextCursor string
}

// CountCap is where counting stops: a count of CountCap means that many or more.
const CountCap = 1000

// Counts are the numbers beside the views (closed is not counted) and on the
// notices link, each at most CountCap.
type Counts struct {
	Views   map[string]int
	Notices int
}

// ClaimParams asks for a card's lock. TakeOver takes it from another person.
type ClaimParams struct {
	CardID   string
	TakeOver bool
}

// EditParams saves a person's corrections on a card they hold.
type EditParams struct {
	CardID      string
	Version     int64
	Corrections Corrections
	// TargetOrderID chooses one of several matches, or names an order the mail
	// did not; "" leaves the choice as it is.
	TargetOrderID string
}

// ConfirmParams is a person's yes.
type ConfirmParams struct {
	CardID  string
	Version int64 // of the card, as shown
	// OrderVersion is CardView.OrderVersion, as shown; needed where the card has a target.
	OrderVersion       int64
	Corrections        Corrections // added to the saved ones
	TargetOrderID      string
	Ticks              []string // names of R rules the person accepts
	Reason             string
	GroupCode          string
	ConfirmationNumber string
	ReservationNo      string
	CancellationNumber string
	SecondStep         bool
}

// ConfirmResult is what confirming did. Repeated is true when the same person's
// same confirm had already been done.
type ConfirmResult struct {
	CardID, OrderID string
	CardVersion     int64
	OrderVersion    int64
	Repeated        bool
}

// RejectParams is a person's no.
type RejectParams struct {
	CardID     string
	Version    int64
	ReasonCode string
	Text       string
}

// AskParams parks a card until the sender answers.
type AskParams struct {
	CardID  string
	Version int64
	Until   time.Time
	Text    string
}

// ManualParams opens a task by hand, from an order or a notice.
type ManualParams struct {
	OrderID   string
	NoticeID  string
	EventType EventType
	Text      string
	// Event is an optional V4 event; its type is EventType's.
	Event json.RawMessage
}

// CorrectParams changes an order by hand.
type CorrectParams struct {
	OrderID string
	Version int64
	Changes Corrections
	Reason  string
}

// SearchParams selects orders. Text matches keys, names and references.
type SearchParams struct {
	Text   string
	Status string
	Cursor string
	Limit  int // default 50, most 200
}

// OrderPage is a page of orders, latest arrival first.
type OrderPage struct { //nolint:revive // beside CardPage and NoticePage, Page alone would not say of what
	Orders     []Record
	NextCursor string
}

// NoticeListParams selects notices; Status "" means open ones, "ALL" every one.
type NoticeListParams struct {
	Status    string
	RouteCode string
	Cursor    string
	Limit     int
}

// AcknowledgeParams closes several notices, at most 200, with one remark.
type AcknowledgeParams struct {
	IDs  []string
	Text string
}

// Acknowledged says what became of each notice asked for.
type Acknowledged struct {
	Done    []string        // acknowledged now, or before by the same click
	Skipped []SkippedNotice // somebody else handled it, or it does not exist
}

// SkippedNotice is a notice that bulk acknowledging left as it was.
type SkippedNotice struct{ ID, Code, Text, TextEN string }

// NoticePage is a page of notices, newest first.
type NoticePage struct {
	Notices    []Notice
	NextCursor string
}

// Figures are one event type's numbers: how good the agent really is.
type Figures struct {
	EventType     EventType
	Cards         int
	Confirmed     int
	Edited        int // confirmed with corrections
	Rejected      int
	RejectReasons map[string]int
	// MedianToConfirm is the time from card to confirm, half of them faster.
	MedianToConfirm time.Duration
	// P90ToConfirm is the time that nine in ten did not exceed.
	P90ToConfirm time.Duration
}
