// Package apptest is the demo hotel on a test's database: code lists, orders and
// mails, and the services as the program wires them. Only tests import it.
package apptest

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/casequery"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// World is the demo hotel with its mails delivered and no package submitted yet.
type World struct {
	DB       *database.DB
	Clock    clock.Clock
	Audit    *audit.Log
	Platform *platform.Service
	Inbox    *inbox.Service
	Orders   *order.Service
	Intake   *intake.Service
	Cases    *casequery.Service
	Hotel    platform.Hotel
	Agent    access.Caller // SuperAgent
	System   access.Caller
}

// New makes the world on an empty, migrated database.
func New(t testing.TB, db *database.DB) *World {
	t.Helper()
	w := &World{DB: db, Clock: testkit.Clock()}
	w.Audit = audit.New(db, w.Clock)
	blobs, err := blob.Open(t.TempDir())
	Must(t, err)
	w.Platform = platform.New(db, w.Clock, w.Audit)
	w.Inbox = inbox.New(db, w.Clock, blobs, w.Audit)
	w.Orders = order.New(order.Options{DB: db, Clock: w.Clock, Audit: w.Audit, Platform: w.Platform, Inbox: w.Inbox})
	w.Intake = intake.New(intake.Options{DB: db, Clock: w.Clock, Platform: w.Platform, Inbox: w.Inbox, Order: w.Orders})
	w.Cases = casequery.New(w.Platform, w.Inbox, w.Orders)
	w.seed(t)
	w.Agent = access.Caller{HotelID: w.Hotel.ID, Kind: access.Service, SubjectID: "superagent", Name: "superagent", Role: access.RoleSuperAgent,
		Scopes: access.SuperAgentScopes(), Lang: "zh", Trace: access.Trace{RequestID: "req-1", TraceID: "trace-1", Adapter: "mcp"}}
	w.deliver(t)
	return w
}

// seed loads demo/data/orders.seed.json but for the orders that mails bring about.
func (w *World) seed(t testing.TB) {
	t.Helper()
	var s struct {
		Hotel struct {
			Name         string
			BusinessDate string `json:"business_date"`
			TimeZone     string `json:"time_zone"`
		}
		CodeLists struct {
			RoomTypes map[string]string `json:"room_types"`
			RateCodes []string          `json:"rate_codes"`
		} `json:"code_lists"`
		Orders []json.RawMessage
	}
	Decode(t, File(t, "orders.seed.json"), &s)
	ctx, setup := context.Background(), access.AsSystem("", "test")
	var err error
	w.Hotel, err = w.Platform.CreateHotel(ctx, setup, platform.HotelParams{Name: s.Hotel.Name, TimeZone: s.Hotel.TimeZone, Currency: "THB", BusinessDate: s.Hotel.BusinessDate})
	Must(t, err)
	w.System = access.AsSystem(w.Hotel.ID, "test")
	var lists platform.CodeLists
	for code, name := range s.CodeLists.RoomTypes {
		lists.RoomTypes = append(lists.RoomTypes, platform.RoomType{Code: code, Name: name, Capacity: 2})
	}
	for _, c := range s.CodeLists.RateCodes {
		lists.RateCodes = append(lists.RateCodes, platform.Code{Code: c, Name: c})
	}
	Must(t, w.Platform.SetCodeLists(ctx, w.System, lists))
	Must(t, w.Orders.LoadOrders(ctx, w.System, records(t, w.Hotel.ID, s.Orders)))
}

func records(t testing.TB, hotelID string, orders []json.RawMessage) []order.Record {
	t.Helper()
	var out []order.Record
	for _, raw := range orders {
		var o struct {
			CreatedByMail string `json:"created_by_mail"`
			Policy        string `json:"cancellation_policy"`
		}
		Decode(t, raw, &o)
		if o.CreatedByMail != "" {
			continue
		}
		var fields map[string]json.RawMessage
		Decode(t, raw, &fields)
		delete(fields, "cancellation_policy")
		rest, err := json.Marshal(fields)
		Must(t, err)
		r := order.Record{HotelID: hotelID, Currency: "THB"}
		Decode(t, rest, &r)
		r.Policy = order.ParsePolicy(o.Policy)
		out = append(out, r)
	}
	return out
}

// deliver brings the demo's mails in as the bus does.
func (w *World) deliver(t testing.TB) {
	t.Helper()
	var mails []struct {
		File            string
		SourceMessageID string    `json:"source_message_id"`
		ConversationID  string    `json:"conversation_id"`
		SentAt          time.Time `json:"sent_at"`
		Attachments     []struct{ ID string }
	}
	Decode(t, File(t, "manifest.json"), &mails)
	for _, m := range mails {
		p := inbox.DeliverParams{ExternalMessageID: m.SourceMessageID, ExternalConversationID: m.ConversationID, Raw: File(t, m.File), ReceivedAt: m.SentAt}
		for _, a := range m.Attachments {
			p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
		}
		_, err := w.Inbox.Deliver(context.Background(), w.System, p)
		Must(t, err)
	}
}

// File reads one of the demo's files.
func File(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal", "demo", "data", name))
	Must(t, err)
	return b
}

// Decode reads JSON that must fit.
func Decode(t testing.TB, doc []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(doc, into); err != nil {
		t.Fatalf("%v in %.200s", err, doc)
	}
}

// Must ends the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
