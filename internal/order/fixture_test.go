package order_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// world is the demo hotel on a real database, with the demo's mails delivered.
type world struct {
	t       *testing.T
	now     time.Time
	db      *database.DB
	audit   *audit.Log
	inbox   *inbox.Service
	orders  *order.Service
	house   *platform.Service
	hotel   platform.Hotel
	system  access.Caller
	agent   access.Caller // SuperAgent
	malee   access.Caller // a reservations agent
	nok     access.Caller // another
	boss    access.Caller // supervisor
	finance access.Caller
	batch   int
}

func newWorld(t *testing.T, db *database.DB) *world {
	t.Helper()
	w := &world{t: t, db: db, now: testkit.Now}
	c := clock.Moving(func() time.Time { return w.now })
	w.audit = audit.New(db, c)
	blobs, err := blob.Open(t.TempDir())
	must(t, err)
	p := platform.New(db, c, w.audit)
	w.house = p
	w.inbox = inbox.New(db, c, blobs, w.audit)
	w.orders = order.New(order.Options{DB: db, Clock: c, Audit: w.audit, Platform: p, Inbox: w.inbox})
	w.seed(p)
	w.agent = w.caller(access.Service, "superagent", access.RoleSuperAgent)
	w.malee = w.caller(access.Staff, "malee", access.RoleAgent)
	w.nok = w.caller(access.Staff, "nok", access.RoleAgent)
	w.boss = w.caller(access.Staff, "boss", access.RoleSupervisor)
	w.finance = w.caller(access.Staff, "finance", access.RoleFinance)
	w.deliver()
	return w
}

func (w *world) caller(kind access.Kind, name string, role access.Role) access.Caller {
	return access.Caller{HotelID: w.hotel.ID, Kind: kind, SubjectID: "id-" + name, Name: name, Role: role, Lang: "zh",
		Trace: access.Trace{RequestID: "req", TraceID: "trace", Adapter: "test"}}
}

func (w *world) seed(p *platform.Service) {
	var s struct {
		Hotel struct {
			Name         string
			BusinessDate string `json:"business_date"`
			TimeZone     string `json:"time_zone"`
		}
		CodeLists struct {
			RoomTypes   map[string]string `json:"room_types"`
			RateCodes   []string          `json:"rate_codes"`
			Departments []string
		} `json:"code_lists"`
		Orders []map[string]json.RawMessage
	}
	decode(w.t, file(w.t, "orders.seed.json"), &s)
	ctx, setup := context.Background(), access.AsSystem("", "test")
	var err error
	w.hotel, err = p.CreateHotel(ctx, setup, platform.HotelParams{Name: s.Hotel.Name, TimeZone: s.Hotel.TimeZone, Currency: "THB", BusinessDate: s.Hotel.BusinessDate})
	must(w.t, err)
	w.system = access.AsSystem(w.hotel.ID, "test")
	var lists platform.CodeLists
	for code, name := range s.CodeLists.RoomTypes {
		lists.RoomTypes = append(lists.RoomTypes, platform.RoomType{Code: code, Name: name, Capacity: 2})
	}
	for _, c := range s.CodeLists.RateCodes {
		lists.RateCodes = append(lists.RateCodes, platform.Code{Code: c, Name: c})
	}
	for _, c := range s.CodeLists.Departments {
		lists.Departments = append(lists.Departments, platform.Code{Code: c, Name: c})
	}
	must(w.t, p.SetCodeLists(ctx, w.system, lists))
	must(w.t, w.orders.LoadOrders(ctx, w.system, seedOrders(w.t, s.Orders)))
}

// seedOrders are the demo's orders but for those that mails bring about.
func seedOrders(t *testing.T, list []map[string]json.RawMessage) []order.Record {
	t.Helper()
	var out []order.Record
	for _, o := range list {
		if o["created_by_mail"] != nil {
			continue
		}
		var policy string
		if o["cancellation_policy"] != nil {
			decode(t, o["cancellation_policy"], &policy)
			delete(o, "cancellation_policy")
		}
		raw, err := json.Marshal(o)
		must(t, err)
		var r order.Record
		decode(t, raw, &r)
		r.Policy = order.ParsePolicy(policy)
		out = append(out, r)
	}
	return out
}

func (w *world) deliver() {
	var mails []struct {
		File            string
		SourceMessageID string    `json:"source_message_id"`
		ConversationID  string    `json:"conversation_id"`
		SentAt          time.Time `json:"sent_at"`
		Attachments     []struct{ ID string }
	}
	decode(w.t, file(w.t, "manifest.json"), &mails)
	for _, m := range mails {
		p := inbox.DeliverParams{ExternalMessageID: m.SourceMessageID, ExternalConversationID: m.ConversationID, Raw: file(w.t, m.File), ReceivedAt: m.SentAt}
		for _, a := range m.Attachments {
			p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
		}
		_, err := w.inbox.Deliver(context.Background(), w.system, p)
		must(w.t, err)
	}
}

// pack is a V4 package as far as orders care.
type pack struct {
	SourceMessage struct {
		ID string `json:"source_message_id"`
	} `json:"source_message"`
	OrderContexts []struct {
		OrderRef string `json:"order_ref"`
		Basic    struct {
			AccountCode  *string `json:"account_code"`
			ManualReview bool    `json:"manual_review"`
		} `json:"basic_information"`
	} `json:"order_contexts"`
	Events []json.RawMessage `json:"message_events"`
}

func (w *world) pack(name string) pack {
	var p pack
	decode(w.t, file(w.t, name), &p)
	return p
}

// submit opens a package's cards as intake does.
func (w *world) submit(p pack) []order.OpenedCard {
	w.t.Helper()
	ctx := context.Background()
	m, err := w.inbox.Locate(ctx, w.system, p.SourceMessage.ID)
	must(w.t, err)
	facts, err := w.inbox.Facts(ctx, w.system, m.ID)
	must(w.t, err)
	w.batch++
	params := order.PackageParams{BatchID: "batch", Revision: w.batch, Facts: facts, Source: order.Source{MessageID: m.ID, ExternalMessageID: m.ExternalMessageID,
		ExternalConversationID: m.ConversationID, Subject: m.Subject, SenderName: m.SenderName, SenderEmail: m.SenderEmail, ReceivedAt: m.ReceivedAt}}
	for _, c := range p.OrderContexts {
		x := order.Context{OrderRef: c.OrderRef, ManualReview: c.Basic.ManualReview}
		if c.Basic.AccountCode != nil {
			x.AccountCode = *c.Basic.AccountCode
		}
		params.Contexts = append(params.Contexts, x)
	}
	for _, raw := range p.Events {
		e, violations := order.ParseEvent(raw)
		params.Events = append(params.Events, order.ProposedEvent{Event: e, ContractErrors: violations})
	}
	must(w.t, w.orders.ReadRoomingLists(ctx, w.agent, m.ID, p.Events))
	opened, err := w.orders.OpenFromPackage(ctx, w.agent, params)
	must(w.t, err)
	return opened
}

func (w *world) submitFile(name string) []order.OpenedCard {
	w.t.Helper()
	return w.submit(w.pack(name))
}

func (w *world) card(id string) order.CardView {
	w.t.Helper()
	v, err := w.orders.Card(context.Background(), w.malee, id)
	must(w.t, err)
	return v
}

// confirm says yes to everything the card asks, as it is shown now.
func (w *world) confirm(id string, change func(*order.ConfirmParams)) order.ConfirmResult {
	w.t.Helper()
	v := w.card(id)
	p := yes(v)
	if change != nil {
		change(&p)
	}
	r, err := w.orders.Confirm(context.Background(), w.malee, p)
	must(w.t, err)
	return r
}

// yes is the confirm of a person who has ticked everything.
func yes(v order.CardView) order.ConfirmParams {
	p := order.ConfirmParams{CardID: v.ID, Version: v.Version, OrderVersion: v.OrderVersion, SecondStep: true}
	for _, r := range v.Rules {
		if r.Level == order.Review {
			p.Ticks = append(p.Ticks, r.Name)
		}
	}
	if slices.Contains(v.Needs, "reason") { // the dialog offers the mail's own
		p.Reason = v.Event.After.CancelReason
	}
	return p
}

// nordic and yuntu bring the two orders into being that mails 01 and 04 make.
func (w *world) nordic() string {
	w.t.Helper()
	return w.confirm(w.submitFile("01-group-new-nordic-choir.v4.json")[0].CardID, func(p *order.ConfirmParams) {
		p.GroupCode = "nordic0227 "
		p.Corrections = order.Corrections{"rates": json.RawMessage(`{"DLXT":"2400.00","DLXK":"2400","SUPT":"2000"}`)}
	}).OrderID
}

func (w *world) yuntu() string {
	w.t.Helper()
	return w.confirm(w.submitFile("04-fit-new-chinese-gbk.v4.json")[0].CardID, func(p *order.ConfirmParams) {
		p.ConfirmationNumber, p.ReservationNo = "4032198", "720941"
	}).OrderID
}

func (w *world) detail(id string) order.View {
	w.t.Helper()
	v, err := w.orders.Detail(context.Background(), w.malee, id)
	must(w.t, err)
	return v
}

func (w *world) wantCode(err error, code string) {
	w.t.Helper()
	if fault.Code(err) != code {
		w.t.Errorf("error = %v, want code %s", err, code)
	}
}

func file(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(testkit.Root(t), "internal", "demo", "data", name))
	must(t, err)
	return b
}

func decode(t *testing.T, raw []byte, into any) {
	t.Helper()
	must(t, json.Unmarshal(raw, into))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func rule(v order.CardView, name string) (order.RuleResult, bool) {
	for _, r := range v.Rules {
		if r.Name == name {
			return r, true
		}
	}
	return order.RuleResult{}, false
}
