package pages_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// template is a furnished desk's folder, made once: hashing passwords and
// submitting every package takes longer than most tests.
var template struct {
	once sync.Once
	dir  string
}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	if template.dir != "" {
		_ = os.RemoveAll(template.dir)
	}
	os.Exit(code)
}

func furnished(t testing.TB) string {
	t.Helper()
	template.once.Do(func() {
		dir, err := os.MkdirTemp("", "thhotel-pages")
		must(t, err)
		d := openDesk(t, dir)
		d.furnish(d.options.Platform)
		d.close() // folds the write-ahead log back into the file
		template.dir = dir
	})
	if template.dir == "" {
		t.Fatal("the template could not be made; the first test says why")
	}
	return template.dir
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
