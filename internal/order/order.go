package order

import (
	"encoding/json"
	"time"
)

// Order states. RESERVED and DEFINITE of other systems are CONFIRMED here.
const (
	StatusPending    = "PENDING_CONFIRMATION"
	StatusTentative  = "TENTATIVE"
	StatusConfirmed  = "CONFIRMED"
	StatusInHouse    = "IN_HOUSE"
	StatusCheckedOut = "CHECKED_OUT"
	StatusCancelled  = "CANCELLED"
	StatusNoShow     = "NO_SHOW"
	StatusRejected   = "REJECTED"
)

// Record is an order: a reservation, a group block or an allotment. Keys are
// strings, trimmed and upper-cased; dates are YYYY-MM-DD; "" is unknown.
type Record struct {
	ID                 string                     `json:"order_id"`
	HotelID            string                     `json:"-"`
	BookingType        string                     `json:"booking_type"`
	GroupCode          string                     `json:"group_code"`
	ConfirmationNumber string                     `json:"confirmation_number"`
	ReservationNo      string                     `json:"reservation_no"`
	AccountCode        string                     `json:"account_code"`
	ExternalReference  string                     `json:"external_reference"`
	GuestName          string                     `json:"guest_name"`
	GroupName          string                     `json:"group_name"`
	AlternateName      string                     `json:"alternate_name"`
	ArrivalDate        string                     `json:"arrival_date"`
	DepartureDate      string                     `json:"departure_date"`
	RateCode           string                     `json:"rate_code"`
	BookingScenario    string                     `json:"booking_scenario"`
	Status             string                     `json:"status"`
	Adults             *int                       `json:"adults"`
	Children           *int                       `json:"children"`
	CutoffDate         string                     `json:"cutoff_date"`
	ReleaseDays        *int                       `json:"release_days"`
	Elastic            bool                       `json:"elastic"`
	Currency           string                     `json:"currency"`
	Policy             Policy                     `json:"cancellation_policy"`
	Extra              map[string]json.RawMessage `json:"extra"`
	BlockOrderID       string                     `json:"block_order_id"`
	CancellationNumber string                     `json:"cancellation_number"`
	CancellationReason string                     `json:"cancellation_reason"`
	SourceMessageID    string                     `json:"source_message_id"` // the inbox id of the mail that made it
	Rooms              []RoomLine                 `json:"room_items"`
	Version            int64                      `json:"version"`
	CreatedAt          time.Time                  `json:"created_at"`
	UpdatedAt          time.Time                  `json:"updated_at"`
}

// RoomLine is one room type of an order. RateMinor is per room and night in the
// order's currency; nil when not known.
type RoomLine struct {
	RoomTypeCode string `json:"room_type_code"`
	RoomCount    int    `json:"room_count"`
	RateMinor    *int64 `json:"rate_minor,omitempty"`
}

// Policy is a structured cancellation policy. Text alone (Days nil) cannot be checked.
type Policy struct {
	Text   string `json:"text,omitempty"`
	Days   *int   `json:"days,omitempty"`   // free of charge until this many days before arrival
	Nights *int   `json:"nights,omitempty"` // else this many nights are due
}

// RoomCount is the number of rooms of all lines.
func (r Record) RoomCount() int {
	n := 0
	for _, l := range r.Rooms {
		n += l.RoomCount
	}
	return n
}

// Name is what people call the order: the group's name, else the guest's.
func (r Record) Name() string {
	if r.GroupName != "" {
		return r.GroupName
	}
	return r.GuestName
}

// Key is the order's best known business key, "" when it has none yet.
func (r Record) Key() string {
	for _, k := range []string{r.GroupCode, r.ConfirmationNumber, r.ReservationNo} {
		if k != "" {
			return k
		}
	}
	return ""
}

// Live reports whether mails can still mean this order.
func (r Record) Live() bool {
	switch r.Status {
	case StatusCancelled, StatusRejected, StatusNoShow, StatusCheckedOut:
		return false
	}
	return true
}

// Keys are the business keys an order is found by; any of them may be empty.
type Keys struct{ GroupCode, ConfirmationNumber, ReservationNo string }

// Found is the answer to a search by keys. PerKey holds the order ids each given
// key led to, under "group_code", "confirmation_number", "reservation_no".
type Found struct {
	Records []Record
	// Live are those of all matches that mails can still mean, at most the limit,
	// also where Records was cut.
	Live      []Record
	PerKey    map[string][]string
	Truncated bool
	// Agree: one order carries every given key that leads anywhere (a reservation
	// carries the code of its block too).
	Agree bool
}

// TraceLine is a trace or note that stands on an order.
type TraceLine struct {
	ID             string    `json:"id"`
	Type           string    `json:"trace_type"`
	DepartmentCode string    `json:"department_code"`
	Date           string    `json:"trace_date"`
	Time           string    `json:"trace_time"`
	Text           string    `json:"trace_text"`
	Flag           string    `json:"flag"` // ALLERGY, ACCESSIBILITY or ""
	CardID         string    `json:"card_id"`
	CreatedAt      time.Time `json:"created_at"`
}

// PaymentLine is a payment on an order. ADVISED is evidence, CONFIRMED is money.
type PaymentLine struct {
	ID             string    `json:"id"`
	OrderID        string    `json:"order_id"`
	Kind           string    `json:"kind"`
	AmountMinor    int64     `json:"amount_minor"`
	Currency       string    `json:"currency"`
	Method         string    `json:"method"`
	ValueDate      string    `json:"value_date"`
	BankReference  string    `json:"bank_reference"`
	ProformaNumber string    `json:"proforma_number"`
	BankAccount    string    `json:"bank_account"`
	Status         string    `json:"status"` // ADVISED, CONFIRMED
	CardID         string    `json:"card_id"`
	CreatedAt      time.Time `json:"created_at"`
	ConfirmedBy    string    `json:"confirmed_by"`
	ConfirmedAt    time.Time `json:"confirmed_at"`
}

// Payment states.
const (
	PaymentAdvised   = "ADVISED"
	PaymentConfirmed = "CONFIRMED"
)

// Kinds of payment that mean something here; others are kept as the mail calls them.
const (
	KindDeposit = "DEPOSIT"
	KindRefund  = "REFUND" // money that goes back
)

// RoomingEntry is a guest on an order's rooming list.
type RoomingEntry struct {
	ID string `json:"id"`
	RoomingRow
	Status string `json:"status"` // LISTED, REMOVED
	CardID string `json:"card_id"`
}

// Voucher is an attachment that a confirmed card put on an order.
type Voucher struct {
	ID            string          `json:"id"`
	Kind          string          `json:"kind"` // ROOMING_LIST, REMITTANCE, DOCUMENT
	MessageID     string          `json:"message_id"`
	AttachmentID  string          `json:"attachment_id"`
	Summary       *RoomingSummary `json:"summary,omitempty"`
	Discrepancies []Discrepancy   `json:"discrepancies,omitempty"`
	CardID        string          `json:"card_id"`
	CreatedAt     time.Time       `json:"created_at"`
}

// Change is one row of an order's history.
type Change struct {
	ID       string          `json:"id"`
	OrderID  string          `json:"order_id"`
	CardID   string          `json:"card_id"`
	Action   string          `json:"action"` // CREATED, NEW_BOOKING, …, CORRECTED, REJECTED, PAYMENT_CONFIRMED
	Before   json.RawMessage `json:"before"`
	After    json.RawMessage `json:"after"`
	Reason   string          `json:"reason"`
	ByID     string          `json:"by_id"`
	ByName   string          `json:"by_name"`
	Version  int64           `json:"version"` // the order's version it led to
	At       time.Time       `json:"at"`
	Summary  string          `json:"summary"` // Chinese
	SummaryE string          `json:"summary_en"`
}

// Projection is what OPERA last said of a reservation or block.
type Projection struct {
	Kind               string          `json:"kind"` // RESERVATION or BLOCK
	GroupCode          string          `json:"group_code"`
	ConfirmationNumber string          `json:"confirmation_number"`
	ReservationNo      string          `json:"reservation_no"`
	Status             string          `json:"status"`
	ArrivalDate        string          `json:"arrival_date"`
	DepartureDate      string          `json:"departure_date"`
	GuestName          string          `json:"guest_name,omitempty"` // of a block its name
	RoomItems          []RoomLine      `json:"room_items,omitempty"` // nil: OPERA does not say
	AsOf               time.Time       `json:"as_of"`
	Raw                json.RawMessage `json:"raw,omitempty"`
}

// View is an order with everything that stands on it.
type View struct {
	Record     Record
	Block      *Record // of a reservation made inside a block
	Traces     []TraceLine
	Payments   []PaymentLine
	PaidMinor  int64 // what finance has confirmed, less refunds
	Ledger     Ledger
	TotalMinor *int64 // rooms x nights x rate; nil when a rate is missing
	Rooming    []RoomingEntry
	Vouchers   []Voucher
	Cards      []CardBrief
	Projection *Projection
	Opera      []Difference // where OPERA's word and the order disagree
	Actions    Actions
}

// Actions says what may be done to an order now, and why not.
type Actions struct {
	CanUpdate        bool     `json:"can_update"`
	CanCancel        bool     `json:"can_cancel"`
	CanAttachVoucher bool     `json:"can_attach_voucher"`
	Reasons          []Reason `json:"reasons"`
}

// Reason explains a refused action. Action is "update", "cancel" or "attach_voucher".
type Reason struct {
	Action    string `json:"action"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	MessageEN string `json:"-"`
}
