package pages_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/casequery"
	"thhotel/internal/clock"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/pages"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

const password = "correct horse battery"

// desk is the workbench over the real services on a SQLite of its own, with the
// demo hotel's orders and mails, and the agent's packages submitted.
type desk struct {
	t      testing.TB
	URL    string
	passed atomic.Int64  // since testkit.Now
	by     access.Caller // the program, for set-up
	Order  *order.Service
	Inbox  *inbox.Service
	Intake *intake.Service
	Audit  *audit.Log
}

type mailFile struct {
	File            string    `json:"file"`
	PackageFile     string    `json:"package"`
	SourceMessageID string    `json:"source_message_id"`
	ConversationID  string    `json:"conversation_id"`
	SentAt          time.Time `json:"sent_at"`
	Attachments     []struct {
		ID string `json:"id"`
	} `json:"attachments"`
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t}
	db := testkit.DB(t)
	c := clock.Moving(func() time.Time { return testkit.Now.Add(time.Duration(d.passed.Load())) })
	blobs, err := blob.Open(t.TempDir())
	must(t, err)
	d.Audit = audit.New(db, c)
	p := platform.New(db, c, d.Audit)
	d.Inbox = inbox.New(db, c, blobs, d.Audit)
	d.Order = order.New(order.Options{DB: db, Clock: c, Audit: d.Audit, Platform: p})
	d.Intake = intake.New(intake.Options{DB: db, Clock: c, Platform: p, Inbox: d.Inbox, Order: d.Order})
	registry := agent.NewRegistry()
	for _, tool := range append(casequery.Tools(casequery.New(p, d.Inbox, d.Order)), intake.Tools(d.Intake)...) {
		_, err := registry.Register(tool)
		must(t, err)
	}
	executor, err := agent.NewExecutor(agent.Options{DB: db, Clock: c, Registry: registry, Auth: p, Audit: d.Audit, Services: []agent.Service{hotel.Service("test")}})
	must(t, err)
	engine := httpd.New(httpd.Options{Clock: c, Rate: httpd.Rate{PerSecond: -1}})
	log := slog.New(slog.NewTextHandler(logTo{t}, nil))
	must(t, pages.Mount(engine, pages.Options{Platform: p, Inbox: d.Inbox, Order: d.Order, Intake: d.Intake, Executor: executor,
		Registry: registry, Audit: d.Audit, Clock: c, Log: log}))
	server := httptest.NewServer(engine)
	t.Cleanup(server.Close)
	d.URL = server.URL
	d.furnish(p)
	return d
}

// pass lets time go by.
func (d *desk) pass(t time.Duration) { d.passed.Add(int64(t)) }

// logTo shows the pages' log beside the test that caused it.
type logTo struct{ t testing.TB }

func (l logTo) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

func (d *desk) furnish(p *platform.Service) {
	d.t.Helper()
	ctx := context.Background()
	h, err := p.CreateHotel(ctx, access.AsSystem("", "test"), platform.HotelParams{Name: "TH Hotel Riverside", TimeZone: "Asia/Bangkok", Currency: "THB", BusinessDate: "2026-11-30"})
	must(d.t, err)
	d.by = access.AsSystem(h.ID, "test")
	must(d.t, p.SetCodeLists(ctx, d.by, codeLists()))
	for _, s := range []platform.StaffParams{{Username: "anna", Role: access.RoleAgent, Name: "Anna", Lang: "en"}, {Username: "ben", Role: access.RoleAgent, Name: "Ben", Lang: "zh"},
		{Username: "somsak", Role: access.RoleSupervisor, Name: "Somsak", Lang: "en"}, {Username: "fah", Role: access.RoleFinance, Name: "Fah", Lang: "en"},
		{Username: "vera", Role: access.RoleViewer, Name: "Vera", Lang: "en"}, {Username: "root", Role: access.RoleAdmin, Name: "Root", Lang: "zh"}} {
		s.Password = password
		_, err := p.CreateStaff(ctx, d.by, s)
		must(d.t, err)
	}
	_, err = p.CreateServiceAccount(ctx, d.by, platform.AccountParams{Name: "superagent", Role: access.RoleSuperAgent})
	must(d.t, err)
	must(d.t, d.Order.LoadOrders(ctx, d.by, records(h.ID)))
	d.submitAll(ctx)
}

func codeLists() platform.CodeLists {
	l := platform.CodeLists{}
	for code, name := range map[string]string{"SUPK": "Superior King", "SUPT": "Superior Twin", "DLXK": "Deluxe King", "DLXT": "Deluxe Twin", "EXEK": "Executive King", "FAMS": "Family Suite"} {
		l.RoomTypes = append(l.RoomTypes, platform.RoomType{Code: code, Name: name, Capacity: 2})
	}
	for list, codes := range map[*[]platform.Code]string{&l.RateCodes: "GRPBB WHSBB CORPA BARBB ALTHB", &l.Departments: "FO HSK FNB CON ENG FIN", &l.Accounts: "SIAMLINK YUNTU HARBFIN SUNWAL"} {
		for _, code := range strings.Fields(codes) {
			*list = append(*list, platform.Code{Code: code, Name: code})
		}
	}
	return l
}

// records are the demo hotel's orders, the two that mails create included, so
// that every card finds its target at once.
func records(hotelID string) []order.Record {
	room := func(code string, n int) order.RoomLine {
		rate := int64(240_000)
		return order.RoomLine{RoomTypeCode: code, RoomCount: n, RateMinor: &rate}
	}
	days, nights, release := 7, 1, 14
	list := []order.Record{
		{BookingType: order.FIT, ConfirmationNumber: "4032077", ReservationNo: "720871", AccountCode: "HARBFIN", GuestName: "FINCH, DANIEL", ArrivalDate: "2026-12-02", DepartureDate: "2026-12-05", RateCode: "CORPA", Status: order.StatusConfirmed, Rooms: []order.RoomLine{room("SUPK", 1)}, Policy: order.Policy{Text: "7 days before arrival, else 1 night", Days: &days, Nights: &nights}},
		{BookingType: order.FIT, ConfirmationNumber: "4032150", ReservationNo: "720933", GuestName: "SRISUK, KAMONWAN", ArrivalDate: "2026-12-05", DepartureDate: "2026-12-07", RateCode: "BARBB", Status: order.StatusConfirmed, Rooms: []order.RoomLine{room("DLXK", 1)}},
		{BookingType: order.Allotment, GroupCode: "SUNWAL27", AccountCode: "SUNWAL", GroupName: "SunWal Tours 2027", ArrivalDate: "2026-12-20", DepartureDate: "2027-03-31", RateCode: "ALTHB", ReleaseDays: &release, Status: order.StatusConfirmed, Rooms: []order.RoomLine{room("DLXK", 5), room("DLXT", 5)}},
		{BookingType: order.FIT, ConfirmationNumber: "4031990", ReservationNo: "720640", AccountCode: "SUNWAL", GuestName: "ROSSI, MARCO", ArrivalDate: "2026-12-22", DepartureDate: "2026-12-29", RateCode: "ALTHB", Status: order.StatusCancelled, Rooms: []order.RoomLine{room("DLXT", 1)}},
		{BookingType: order.FIT, ConfirmationNumber: "4032001", ReservationNo: "720655", AccountCode: "SUNWAL", GuestName: "DUBOIS, CLAIRE", ArrivalDate: "2026-11-28", DepartureDate: "2026-12-16", RateCode: "ALTHB", Status: order.StatusInHouse, Rooms: []order.RoomLine{room("DLXK", 1)}},
		{BookingType: order.Group, GroupCode: "NORDIC0227", AccountCode: "SIAMLINK", GroupName: "Nordic Choir Tour 2027", ArrivalDate: "2027-02-10", DepartureDate: "2027-02-13", RateCode: "GRPBB", CutoffDate: "2027-01-11", Status: order.StatusTentative, Rooms: []order.RoomLine{room("DLXT", 12), room("DLXK", 4), room("SUPT", 2)}},
		{BookingType: order.FIT, ConfirmationNumber: "4032198", ReservationNo: "720941", AccountCode: "YUNTU", GuestName: "WANG, XIAOMING", AlternateName: "王晓明", ArrivalDate: "2027-01-20", DepartureDate: "2027-01-23", RateCode: "WHSBB", Status: order.StatusConfirmed, Rooms: []order.RoomLine{room("DLXK", 1), room("DLXT", 1)}},
	}
	for i := range list {
		list[i].HotelID, list[i].Currency = hotelID, "THB"
	}
	return list
}

// submitAll delivers every demo mail and submits its package.
func (d *desk) submitAll(ctx context.Context) {
	d.t.Helper()
	dir := filepath.Join(testkit.Root(d.t), "internal", "demo", "data")
	var list []mailFile
	must(d.t, json.Unmarshal(read(d.t, dir, "manifest.json"), &list))
	for _, m := range list {
		var files []string
		for _, a := range m.Attachments {
			files = append(files, a.ID)
		}
		_, err := d.Inbox.Deliver(ctx, d.by, inbox.DeliverParams{ExternalMessageID: m.SourceMessageID, ExternalConversationID: m.ConversationID,
			Raw: read(d.t, dir, m.File), ReceivedAt: m.SentAt, AttachmentIDs: files})
		must(d.t, err)
		_, err = d.Intake.Submit(ctx, d.by, read(d.t, dir, m.PackageFile))
		must(d.t, err)
	}
}

// card finds an open card of a type, and of a key where one is given.
func (d *desk) card(kind order.EventType, key string) order.CardBrief {
	d.t.Helper()
	page, err := d.Order.Queue(context.Background(), d.by, order.QueueParams{View: order.ViewOpen, EventType: kind})
	must(d.t, err)
	for _, c := range page.Cards {
		if key == "" || c.Key == key {
			return c
		}
	}
	d.t.Fatalf("no open card %s %s among %d", kind, key, len(page.Cards))
	return order.CardBrief{}
}

// person is a browser with somebody signed in.
type person struct {
	d      *desk
	client *http.Client
}

func (d *desk) anybody() person {
	jar, err := cookiejar.New(nil)
	must(d.t, err)
	return person{d, &http.Client{Jar: jar}}
}

func (d *desk) as(name string) person {
	d.t.Helper()
	p := d.anybody()
	page := p.post("/signin", url.Values{"username": {name}, "password": {password}, "next": {"/orders"}})
	if page.Path != "/orders" || page.Status != http.StatusOK {
		d.t.Fatalf("sign in as %s: %d at %s\n%s", name, page.Status, page.Path, page.Body)
	}
	return p
}

// answer is what came back after redirects.
type answer struct {
	Status     int
	Path, Body string
	Header     http.Header
}

func (p person) get(path string) answer { return p.do(http.MethodGet, path, nil, nil) }

func (p person) post(path string, form url.Values) answer {
	return p.do(http.MethodPost, path, form, map[string]string{"Sec-Fetch-Site": "same-origin"})
}

func (p person) do(method, path string, form url.Values, headers map[string]string) answer {
	p.d.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, p.d.URL+path, strings.NewReader(form.Encode()))
	must(p.d.t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	res, err := p.client.Do(r)
	must(p.d.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	must(p.d.t, err)
	return answer{res.StatusCode, res.Request.URL.Path, string(body), res.Header}
}

func (p person) language(lang string) {
	p.post("/preferences", url.Values{"lang": {lang}, "back": {"/tasks"}})
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	must(t, err)
	return b
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
