package order

import "thhotel/internal/database"

type orderRow struct {
	ID, HotelID, BookingType, GroupCode, ConfirmationNumber, ReservationNo string
	AccountCode, ExternalReference, GuestName, GroupName, AlternateName    string
	ArrivalDate, DepartureDate, RateCode, BookingScenario, Status          string
	Adults, Children                                                       *int
	CutoffDate                                                             string
	ReleaseDays                                                            *int
	Elastic                                                                bool
	Currency, Policy, Extra, BlockOrderID                                  string
	CancellationNumber, CancellationReason, SourceMessageID, SearchText    string
	Version                                                                int64
	CreatedAt, UpdatedAt                                                   database.Time
}

func (orderRow) TableName() string { return "order_record" }

type lineRow struct {
	ID, HotelID, OrderID string
	LineNo               int
	RoomTypeCode         string
	RoomCount            int
	RateMinor            *int64
}

func (lineRow) TableName() string { return "order_room_line" }

type traceRow struct {
	ID, HotelID, OrderID, CardID, TraceType, DepartmentCode string
	TraceDate, TraceTime, TraceText, Flag                   string
	CreatedAt                                               database.Time
}

func (traceRow) TableName() string { return "order_trace" }

type paymentRow struct {
	ID, HotelID, OrderID, CardID, AccountCode, Kind string
	AmountMinor                                     int64
	Currency, Method, ValueDate, BankReference      string
	ProformaNumber, BankAccount, Status             string
	ConfirmedBy                                     string
	ConfirmedAt                                     database.Time
	Version                                         int64
	CreatedAt                                       database.Time
}

func (paymentRow) TableName() string { return "order_payment" }

type entryRow struct {
	ID, HotelID, OrderID, CardID               string
	RowNo                                      int
	GuestName, SharingWith, RoomTypeCode       string
	ArrivalDate, DepartureDate, Remark, Status string
	CreatedAt                                  database.Time
}

func (entryRow) TableName() string { return "order_rooming_entry" }

type voucherRow struct {
	ID, HotelID, OrderID, CardID, Kind, MessageID string
	AttachmentID, Summary, Discrepancies          string
	CreatedAt                                     database.Time
}

func (voucherRow) TableName() string { return "order_voucher" }

type changeRow struct {
	ID, HotelID, OrderID string
	OrderVersion         int64
	CardID, Action       string
	BeforeJSON           string `gorm:"column:before_json"`
	AfterJSON            string `gorm:"column:after_json"`
	Reason, Summary      string
	SummaryEn            string
	ByID, ByName         string
	CreatedAt            database.Time
}

func (changeRow) TableName() string { return "order_change" }

type taskRow struct {
	ID, HotelID, BatchID, MessageID, OrderRef, AccountCode string
	CreatedAt                                              database.Time
}

func (taskRow) TableName() string { return "order_task" }

type cardRow struct {
	ID, HotelID, TaskID, BatchID, TransitionID, MessageID string
	ExternalMessageID, ExternalConversationID             string
	ReceivedAt                                            database.Time
	Subject, SenderName, SenderEmail                      string

	EventType, BookingType, LocatorType, LocatorValue string
	OrderID                                           string
	Pinned                                            bool

	Status                  string
	IsOpen, Review, Touched bool
	Mark, RepeatOf          string

	EventJSON      string `gorm:"column:event_json"`
	EventHash      string
	Corrections    string
	Origin         string
	ContractErrors string
	Flags          string
	BaseJSON       string `gorm:"column:base_json"`
	BaseVersion    int64

	AccountCode, OrderKey, GuestName       string
	ArrivalDate, DepartureDate, CutoffDate string
	SearchText                             string

	OwnerID, OwnerName                        string
	LeaseUntil, DueAt, WaitingUntil, PausedAt database.Time

	Outcome, ReasonCode, Reason, Ticks string
	DecidedBy, DecidedName             string
	DecidedAt                          database.Time
	DecidedFrom                        int64
	Notes                              string
	Findings                           *string

	Version              int64
	CreatedAt, UpdatedAt database.Time
}

func (cardRow) TableName() string { return "order_card" }

type noticeRow struct {
	ID, HotelID, BatchID, TransitionID, MessageID string
	ExternalMessageID, ExternalConversationID     string
	ReceivedAt                                    database.Time
	Subject, SenderName, SenderEmail              string
	RouteCode, Reasons, Status, HandledBy         string
	HandledAt                                     database.Time
	HandledText, CardID                           string
	Version                                       int64
	CreatedAt, UpdatedAt                          database.Time
}

func (noticeRow) TableName() string { return "order_notice" }

type projectionRow struct {
	ID, HotelID, Kind, ObjectKey                 string
	GroupCode, ConfirmationNumber, ReservationNo string
	Status, ArrivalDate, DepartureDate, Raw      string
	GuestName                                    string
	Rooms                                        *string // room lines as JSON; nil: not said
	AsOf, UpdatedAt                              database.Time
}

func (projectionRow) TableName() string { return "order_opera_projection" }
