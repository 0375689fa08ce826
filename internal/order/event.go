// Package order holds the hotel's orders and what people decide about them:
// orders with rooms, traces, payments, rooming lists and vouchers; the tasks and
// cards that an agent's package becomes; notices; the hotel's rules; the history
// of every change. It refuses to know how a package arrives, what a mail's body
// says, or any protocol.
package order

import "encoding/json"

// EventType is what a mail wants, one word per card.
type EventType string

// The event types of a V4 package.
const (
	NewBooking    EventType = "NEW_BOOKING"
	UpdateBooking EventType = "UPDATE_BOOKING"
	CancelBooking EventType = "CANCEL_BOOKING"
	Trace         EventType = "TRACE_RESERVATION_NOTES"
	RoomingList   EventType = "ROOMING_LIST"
	Payment       EventType = "PAYMENT"

	// attachVoucher is no card: it lets the rules answer "may a voucher go on this order?".
	attachVoucher EventType = "ATTACH_VOUCHER"
)

// EventTypes lists every event type, in the contract's order.
func EventTypes() []EventType {
	return []EventType{NewBooking, UpdateBooking, CancelBooking, Trace, RoomingList, Payment}
}

// Known reports whether t is one of the contract's.
func (t EventType) Known() bool {
	for _, k := range EventTypes() {
		if t == k {
			return true
		}
	}
	return false
}

// Booking types, as the contract writes them.
const (
	Group     = "GROUP"
	Allotment = "ALLOTMENT"
	FIT       = "FIT"
)

// Locator types: which key names the target.
const (
	ByGroupCode     = "GROUP_CODE"
	ByConfirmation  = "CONFIRMATION_NUMBER"
	ByReservationNo = "RESERVATION_NO"
)

// Event is one message_event of a V4 package, typed. Empty strings stand for
// null and for absent; Raw keeps what the agent really wrote.
type Event struct {
	OrderRef        string
	Type            EventType
	Target          Target
	ManualReview    bool
	ArrivalDate     string
	DepartureDate   string
	RateCode        string
	BookingScenario string
	GuestName       string
	RoomItems       []RoomItem
	After           After
	TraceItems      []TraceItem
	AttachmentIDs   []string
	Raw             json.RawMessage
}

// Target is target_order: which order the event means.
type Target struct {
	BookingType  string `json:"booking_type"`
	LocatorType  string `json:"locator_type"`
	LocatorValue string `json:"locator_value"`
}

// RoomItem is a proposed room line. RoomCount is nil when the mail gives none.
type RoomItem struct {
	RoomTypeCode string `json:"room_type_code"`
	RoomCount    *int   `json:"room_count"`
	// Rate per room and night, a decimal ("2400.00"); "" when the mail gives none.
	Rate string `json:"rate,omitempty"`
}

// TraceItem is a message to a department (TRACE) or a note (NOTE).
type TraceItem struct {
	Type           string `json:"trace_type"`
	DepartmentCode string `json:"department_code"`
	Date           string `json:"trace_date"`
	Time           string `json:"trace_time"`
	Text           string `json:"trace_text"`
}

// After is what the mail wants to be true afterwards. Fields holds the order
// fields it names, under their own names, as text; Extra holds facts that are no
// field of an order (net_rate, billing), as JSON.
type After struct {
	Fields        map[string]string
	Extra         map[string]json.RawMessage
	RoomItems     []RoomItem // nil when not named
	Payment       *PaymentItem
	RoomingList   *RoomingSummary
	Discrepancies []Discrepancy
	Scope         string // GROUP_MEMBER: one guest of a block, not the block
	ReviewReason  string
	CancelReason  string
	RemovedGuests []string
	Raw           json.RawMessage
}

// ScopeMember marks an event that concerns one guest of a block.
const ScopeMember = "GROUP_MEMBER"

// PaymentItem is after.payment: a remittance the sender says was made.
type PaymentItem struct {
	Kind           string `json:"kind"`
	Amount         string `json:"amount"` // decimal, as written
	Currency       string `json:"currency"`
	Method         string `json:"method"`
	ValueDate      string `json:"value_date"`
	BankReference  string `json:"bank_reference"`
	ProformaNumber string `json:"proforma_number"`
	// BankAccount is the account the mail names, if any; a new one is a sign of fraud.
	BankAccount string `json:"bank_account,omitempty"`
}

// RoomingSummary is after.rooming_list: what the list says of itself, and its
// rows where the package carries them.
type RoomingSummary struct {
	Version  string       `json:"version"`
	Mode     string       `json:"mode,omitempty"` // REPLACE or ADD; "" is REPLACE
	Rows     *int         `json:"rows"`
	Rooms    *int         `json:"rooms"`
	Adults   *int         `json:"adults"`
	Children *int         `json:"children"`
	Entries  []RoomingRow `json:"entries,omitempty"`
}

// RoomingRow is one row of a rooming list.
type RoomingRow struct {
	Row           int    `json:"row"`
	GuestName     string `json:"guest_name"`
	SharingWith   string `json:"sharing_with,omitempty"`
	RoomTypeCode  string `json:"room_type_code"`
	ArrivalDate   string `json:"arrival_date"`
	DepartureDate string `json:"departure_date"`
	Remark        string `json:"remark,omitempty"`
	Rooms         int    `json:"rooms,omitempty"` // of a file's row that stands for several; 0 is one
}

// Discrepancy is a row the agent found at odds with the block.
type Discrepancy struct {
	Row       int    `json:"row"`
	GuestName string `json:"guest_name"`
	Issue     string `json:"issue"`
}
