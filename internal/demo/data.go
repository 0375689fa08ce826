// Package demo is the demo hotel: its orders and twelve mails, and an agent that
// plays SuperAgent as a real MCP client. It reaches the product only through
// services and doors that every hotel has.
package demo

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

//go:embed data
var files embed.FS

// Mail is one demo mail and the package a careful agent submits for it.
type Mail struct {
	File            string           `json:"file"`
	PackageFile     string           `json:"package"`
	SourceMessageID string           `json:"source_message_id"`
	ConversationID  string           `json:"conversation_id"`
	SentAt          time.Time        `json:"sent_at"`
	Attachments     []MailAttachment `json:"attachments"`
	RouteCode       *string          `json:"route_code"`

	Raw     []byte          `json:"-"` // the bytes as they came
	Package json.RawMessage `json:"-"` // M002 V4
}

// MailAttachment is the mail bus's id for one attachment.
type MailAttachment struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// AttachmentIDs lists the bus's ids in the order of the mail's parts.
func (m Mail) AttachmentIDs() []string {
	ids := make([]string, len(m.Attachments))
	for i, a := range m.Attachments {
		ids[i] = a.ID
	}
	return ids
}

// Mails returns the twelve mails in file order.
func Mails() ([]Mail, error) {
	doc, err := files.ReadFile("data/manifest.json")
	if err != nil {
		return nil, err
	}
	var mails []Mail
	if err := json.Unmarshal(doc, &mails); err != nil {
		return nil, fmt.Errorf("demo manifest: %w", err)
	}
	for i := range mails {
		if mails[i].Raw, err = files.ReadFile("data/" + mails[i].File); err != nil {
			return nil, err
		}
		if mails[i].Package, err = files.ReadFile("data/" + mails[i].PackageFile); err != nil {
			return nil, err
		}
	}
	return mails, nil
}

// seed is orders.seed.json.
type seed struct {
	Hotel struct {
		Name         string `json:"name"`
		BusinessDate string `json:"business_date"`
		TimeZone     string `json:"time_zone"`
	} `json:"hotel"`
	CodeLists struct {
		RoomTypes   map[string]string `json:"room_types"`
		RateCodes   []string          `json:"rate_codes"`
		Departments []string          `json:"departments"`
		Accounts    []string          `json:"accounts"`
	} `json:"code_lists"`
	Orders []seedOrder `json:"orders"`
}

type seedOrder struct {
	BookingType        string `json:"booking_type"`
	GroupCode          string `json:"group_code"`
	ConfirmationNumber string `json:"confirmation_number"`
	ReservationNo      string `json:"reservation_no"`
	AccountCode        string `json:"account_code"`
	GuestName          string `json:"guest_name"`
	GroupName          string `json:"group_name"`
	ArrivalDate        string `json:"arrival_date"`
	DepartureDate      string `json:"departure_date"`
	RoomItems          []struct {
		RoomTypeCode string `json:"room_type_code"`
		RoomCount    int    `json:"room_count"`
	} `json:"room_items"`
	RateCode           string `json:"rate_code"`
	CutoffDate         string `json:"cutoff_date"`
	ReleaseDays        int    `json:"release_days"`
	Status             string `json:"status"`
	CancellationPolicy string `json:"cancellation_policy"`
	// CreatedByMail marks an order that comes into being when staff confirm that
	// mail; it is not loaded.
	CreatedByMail string `json:"created_by_mail"`
}

func loadSeed() (seed, error) {
	var s seed
	doc, err := files.ReadFile("data/orders.seed.json")
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(doc, &s); err != nil {
		return s, fmt.Errorf("demo orders: %w", err)
	}
	return s, nil
}

// departmentNames and capacities are the demo hotel's own; the seed has codes only.
var departmentNames = map[string]string{
	"FO": "Front Office", "HSK": "Housekeeping", "FNB": "Food and Beverage", "CON": "Concierge", "ENG": "Engineering", "FIN": "Finance",
}

// capacity is the most adults a room type sleeps: a suite four, twins and kings two.
func capacity(code string) int {
	if strings.HasPrefix(code, "FAM") {
		return 4
	}
	return 2
}
