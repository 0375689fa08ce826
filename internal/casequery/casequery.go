// Package casequery answers the agent's questions before it proposes anything:
// which orders a key means, what may be done to them, what is already open, and
// what a conversation says. It only reads, owns no table, and refuses to guess:
// exact keys only, and a key from quoted history is never a target.
package casequery

import (
	"time"

	"thhotel/internal/agent"
)

// CaseContextParams is the input of th_hotel_query_case_context. Blank and null
// are absent.
type CaseContextParams struct {
	HotelID            string `json:"hotel_id"`
	GroupCode          string `json:"group_code"`
	ConfirmationNumber string `json:"confirmation_number"`
	ReservationNo      string `json:"reservation_no"`
	ObjectTypeHint     string `json:"object_type_hint"`
	TargetKeySource    string `json:"target_key_source"`
	EvidenceOnly       bool   `json:"body_thread_used_only_as_evidence"`
}

// CaseContext is what the given keys lead to.
type CaseContext struct {
	Orders     []MatchedOrder   `json:"matched_order_records"`
	Tasks      []Task           `json:"pending_or_open_tasks"`
	Validation TargetValidation `json:"target_object_validation"`
	Warnings   []agent.Warning  `json:"warnings"`
}

// MatchedOrder is an order as the agent sees it in lists.
type MatchedOrder struct {
	ObjectID           string  `json:"object_id"` // ORDER:<order_id>
	OrderID            string  `json:"order_id"`
	BookingType        string  `json:"booking_type"`
	GroupCode          *string `json:"group_code"`
	ConfirmationNumber *string `json:"confirmation_number"`
	ReservationNo      *string `json:"reservation_no"`
	AccountCode        *string `json:"account_code"`
	GuestName          *string `json:"guest_name"`
	ArrivalDate        *string `json:"arrival_date"`
	DepartureDate      *string `json:"departure_date"`
	Status             string  `json:"status"`
	Version            int64   `json:"version"`
	CanUpdate          bool    `json:"can_update"`
	CanCancel          bool    `json:"can_cancel"`
}

// Task is a card that still waits for a person.
type Task struct {
	TaskID                  string  `json:"task_id"`
	OrderID                 *string `json:"order_id"`
	SystemTaskType          string  `json:"system_task_type"`
	TaskStatus              string  `json:"task_status"`
	TaskCreatedAt           string  `json:"task_created_at"`
	ExternalSourceMessageID *string `json:"external_source_message_id"`
}

// TargetValidation says what a package may propose on the strength of these keys.
type TargetValidation struct {
	CanCreate        bool     `json:"can_create"`
	CanUpdate        bool     `json:"can_update"`
	CanCancel        bool     `json:"can_cancel"`
	CanAttachVoucher bool     `json:"can_attach_voucher"`
	Reasons          []Reason `json:"reasons"`
}

// Reason explains one refused action: create, update, cancel or attach_voucher.
type Reason struct {
	Action  string `json:"action"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ObjectDetailParams is the input of th_hotel_query_object_detail.
type ObjectDetailParams struct {
	HotelID    string `json:"hotel_id"`
	ObjectID   string `json:"object_id"`
	ObjectType string `json:"object_type"`
}

// ObjectDetail is one order in full.
type ObjectDetail struct {
	ObjectID           string          `json:"object_id"`
	ObjectType         string          `json:"object_type"`
	OrderID            string          `json:"order_id"`
	BookingType        string          `json:"booking_type"`
	GroupCode          *string         `json:"group_code"`
	ConfirmationNumber *string         `json:"confirmation_number"`
	ReservationNo      *string         `json:"reservation_no"`
	AccountCode        *string         `json:"account_code"`
	ExternalReference  *string         `json:"external_reference"`
	GuestName          *string         `json:"guest_name"`
	GroupName          *string         `json:"group_name"`
	AlternateName      *string         `json:"alternate_name"`
	ArrivalDate        *string         `json:"arrival_date"`
	DepartureDate      *string         `json:"departure_date"`
	RateCode           *string         `json:"rate_code"`
	BookingScenario    *string         `json:"booking_scenario"`
	RoomItems          []RoomItem      `json:"room_items"`
	Adults             *int            `json:"adults"`
	Children           *int            `json:"children"`
	CutoffDate         *string         `json:"cutoff_date"`
	ReleaseDays        *int            `json:"release_days"`
	CancellationPolicy *string         `json:"cancellation_policy"`
	CancellationNumber *string         `json:"cancellation_number"`
	BlockObjectID      *string         `json:"block_object_id"`
	Status             string          `json:"status"`
	Version            int64           `json:"version"`
	CanUpdate          bool            `json:"can_update"`
	CanCancel          bool            `json:"can_cancel"`
	CanAttachVoucher   bool            `json:"can_attach_voucher"`
	HardWarnings       []agent.Warning `json:"hard_validation_warnings"`
	Tasks              []Task          `json:"pending_or_open_tasks"`
	// SourceMessageID is the internal inbox id of the mail that made the order,
	// never to be submitted as an external source message id.
	SourceMessageID *string         `json:"source_message_id"`
	Warnings        []agent.Warning `json:"warnings"`
}

// RoomItem is a room line of an order.
type RoomItem struct {
	RoomTypeCode string `json:"room_type_code"`
	RoomCount    int    `json:"room_count"`
}

// ConversationParams is the input of the two conversation tools.
type ConversationParams struct {
	HotelID                string `json:"hotel_id"`
	SourceProvider         string `json:"source_provider"`
	SourceChannel          string `json:"source_channel"`
	ExternalConversationID string `json:"external_conversation_id"`
	SourceMessageID        string `json:"source_message_id"` // external; an anchor
	Cursor                 string `json:"cursor"`
	Limit                  int    `json:"limit"`
}

// Thread says which conversation was found.
type Thread struct {
	SourceProvider         string `json:"source_provider"`
	SourceChannel          string `json:"source_channel"`
	ExternalConversationID string `json:"external_conversation_id"`
}

// ConversationTasks lists the tasks of a conversation, first mail first.
type ConversationTasks struct {
	Thread
	TaskCount  int                `json:"task_count"` // of the whole conversation
	Tasks      []ConversationTask `json:"tasks"`
	NextCursor *string            `json:"next_cursor"`
	Warnings   []agent.Warning    `json:"warnings"`
}

// ConversationTask is a card, open or decided, with the mail it came from.
type ConversationTask struct {
	ExternalSourceMessageID string  `json:"external_source_message_id"`
	ReceivedAt              string  `json:"received_at"`
	TaskID                  string  `json:"task_id"`
	OrderID                 *string `json:"order_id"`
	TaskStatus              string  `json:"task_status"`
	SystemTaskType          string  `json:"system_task_type"`
	TaskCreatedAt           string  `json:"task_created_at"`
}

// ConversationMessages lists the readable mails of a conversation, first first.
type ConversationMessages struct {
	Thread
	MessageCount int `json:"message_count"` // of the whole conversation
	// ContentNotice stands before the bodies, in the result itself: whoever reads
	// on reads somebody else's words.
	ContentNotice string          `json:"content_notice"`
	Messages      []Message       `json:"messages"`
	NextCursor    *string         `json:"next_cursor"`
	Warnings      []agent.Warning `json:"warnings"`
}

// Message is one mail's readable content. It has no attachments, no images and
// no addresses to load anything from.
type Message struct {
	ExternalSourceMessageID string   `json:"external_source_message_id"`
	ReceivedAt              string   `json:"received_at"`
	SentAt                  *string  `json:"sent_at"`
	Subject                 *string  `json:"subject"`
	Sender                  *string  `json:"sender"`
	TextBody                string   `json:"text_body"`
	HTMLBodySanitized       *string  `json:"html_body_sanitized"`
	HTMLRenderMode          string   `json:"html_render_mode"`
	Truncated               bool     `json:"truncated"`
	Flags                   []string `json:"flags"`
}

// present makes null of an empty string, as the contract shows absent values.
func present(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

func stampOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return present(stamp(t))
}
