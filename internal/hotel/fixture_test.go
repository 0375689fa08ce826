package hotel_test

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

// world is the demo hotel on a real database: code lists, orders and mails, and
// the services as the program wires them. No package has been submitted yet.
type world struct {
	db       *database.DB
	clock    clock.Clock
	audit    *audit.Log
	platform *platform.Service
	inbox    *inbox.Service
	orders   *order.Service
	intake   *intake.Service
	cases    *casequery.Service
	hotel    platform.Hotel
	agent    access.Caller // SuperAgent
	system   access.Caller
}

func newWorld(t *testing.T, db *database.DB) *world {
	t.Helper()
	w := &world{db: db, clock: testkit.Clock()}
	w.audit = audit.New(db, w.clock)
	blobs, err := blob.Open(t.TempDir())
	must(t, err)
	w.platform = platform.New(db, w.clock, w.audit)
	w.inbox = inbox.New(db, w.clock, blobs, w.audit)
	w.orders = order.New(order.Options{DB: db, Clock: w.clock, Audit: w.audit, Platform: w.platform})
	w.intake = intake.New(intake.Options{DB: db, Clock: w.clock, Platform: w.platform, Inbox: w.inbox, Order: w.orders})
	w.cases = casequery.New(w.platform, w.inbox, w.orders)
	w.seed(t)
	w.agent = access.Caller{HotelID: w.hotel.ID, Kind: access.Service, SubjectID: "superagent", Name: "superagent", Role: access.RoleSuperAgent,
		Scopes: access.SuperAgentScopes(), Lang: "zh", Trace: access.Trace{RequestID: "req-1", TraceID: "trace-1", Adapter: "mcp"}}
	w.deliver(t)
	return w
}

// seed loads demo/data/orders.seed.json but for the orders that mails bring about.
func (w *world) seed(t *testing.T) {
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
	decode(t, file(t, "orders.seed.json"), &s)
	ctx, setup := context.Background(), access.AsSystem("", "test")
	var err error
	w.hotel, err = w.platform.CreateHotel(ctx, setup, platform.HotelParams{Name: s.Hotel.Name, TimeZone: s.Hotel.TimeZone, Currency: "THB", BusinessDate: s.Hotel.BusinessDate})
	must(t, err)
	w.system = access.AsSystem(w.hotel.ID, "test")
	var lists platform.CodeLists
	for code, name := range s.CodeLists.RoomTypes {
		lists.RoomTypes = append(lists.RoomTypes, platform.RoomType{Code: code, Name: name, Capacity: 2})
	}
	for _, c := range s.CodeLists.RateCodes {
		lists.RateCodes = append(lists.RateCodes, platform.Code{Code: c, Name: c})
	}
	must(t, w.platform.SetCodeLists(ctx, w.system, lists))
	must(t, w.orders.LoadOrders(ctx, w.system, records(t, w.hotel.ID, s.Orders)))
}

func records(t *testing.T, hotelID string, orders []json.RawMessage) []order.Record {
	t.Helper()
	var out []order.Record
	for _, raw := range orders {
		var o struct {
			CreatedByMail string `json:"created_by_mail"`
			Policy        string `json:"cancellation_policy"`
		}
		decode(t, raw, &o)
		if o.CreatedByMail != "" {
			continue
		}
		var fields map[string]json.RawMessage
		decode(t, raw, &fields)
		delete(fields, "cancellation_policy")
		rest, err := json.Marshal(fields)
		must(t, err)
		r := order.Record{HotelID: hotelID, Currency: "THB"}
		decode(t, rest, &r)
		r.Policy = order.ParsePolicy(o.Policy)
		out = append(out, r)
	}
	return out
}

// deliver brings the demo's mails in as the bus does.
func (w *world) deliver(t *testing.T) {
	t.Helper()
	var mails []struct {
		File            string
		SourceMessageID string    `json:"source_message_id"`
		ConversationID  string    `json:"conversation_id"`
		SentAt          time.Time `json:"sent_at"`
		Attachments     []struct{ ID string }
	}
	decode(t, file(t, "manifest.json"), &mails)
	for _, m := range mails {
		p := inbox.DeliverParams{ExternalMessageID: m.SourceMessageID, ExternalConversationID: m.ConversationID, Raw: file(t, m.File), ReceivedAt: m.SentAt}
		for _, a := range m.Attachments {
			p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
		}
		_, err := w.inbox.Deliver(context.Background(), w.system, p)
		must(t, err)
	}
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal", "demo", "data", name))
	must(t, err)
	return b
}

func decode(t *testing.T, doc []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(doc, into); err != nil {
		t.Fatalf("%v in %.200s", err, doc)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
