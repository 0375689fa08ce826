package pages_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"thhotel/internal/audit"
	"thhotel/internal/order"
)

const hostileName = `=HYPERLINK("https://evil.example/","click")`

// withHostile adds an order whose guest wrote a formula for a name.
func (d *desk) withHostile() {
	d.t.Helper()
	must(d.t, d.Order.LoadOrders(context.Background(), d.by, []order.Record{{HotelID: d.by.HotelID, Currency: "THB", BookingType: order.FIT, ConfirmationNumber: "4099001",
		GuestName: hostileName, ArrivalDate: "2027-05-01", DepartureDate: "2027-05-02", RateCode: "BARBB", Status: order.StatusConfirmed,
		Rooms: []order.RoomLine{{RoomTypeCode: "DLXK", RoomCount: 1}}}}))
}

func TestExportedOrdersComputeNothing(t *testing.T) {
	d := newDesk(t)
	d.withHostile()
	p := d.as("vera")
	a := p.get("/export/orders.csv")
	if a.Status != http.StatusOK || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/csv") || !strings.HasPrefix(a.Header.Get("Content-Disposition"), `attachment; filename="orders-`) {
		t.Fatalf("%d %v", a.Status, a.Header)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body, "\ufeff"))).ReadAll()
	must(t, err)
	all, err := d.Order.Search(context.Background(), d.by, order.SearchParams{Limit: 200})
	must(t, err)
	if len(rows) != len(all.Orders)+1 { // the headings
		t.Errorf("%d rows for %d orders", len(rows), len(all.Orders))
	}
	found := false
	for _, row := range rows {
		for _, cell := range row {
			found = found || cell == "'"+hostileName
			if strings.HasPrefix(cell, "=") {
				t.Errorf("a cell computes: %s", cell)
			}
		}
	}
	if !found {
		t.Error("the guest's name is not there")
	}
	x := p.get("/export/orders.xlsx")
	book, err := excelize.OpenReader(bytes.NewReader([]byte(x.Body)))
	must(t, err)
	defer func() { _ = book.Close() }()
	sheetName := book.GetSheetName(0)
	table, err := book.GetRows(sheetName)
	must(t, err)
	for r, row := range table {
		for c := range row {
			cell, err := excelize.CoordinatesToCellName(c+1, r+1)
			must(t, err)
			if f, _ := book.GetCellFormula(sheetName, cell); f != "" {
				t.Errorf("%s has the formula %s", cell, f)
			}
		}
	}
	if len(table) != len(rows) || !strings.Contains(strings.Join(table[1], "|"), "HYPERLINK") {
		t.Errorf("the workbook has %d rows, %q first", len(table), table[1])
	}
}

// An export is the list that was on screen, whole, and it is written down.
func TestExportIsTheListShown(t *testing.T) {
	d := newDesk(t)
	p := d.as("anna")
	p.language("en")
	page := p.get("/tasks?view=open&type=TRACE&q=720933").Body
	if !strings.Contains(page, `href="/export/tasks.csv?q=720933&amp;type=TRACE&amp;view=open"`) {
		t.Error("the list does not link to itself as a file")
	}
	shown, err := d.Order.Queue(context.Background(), d.by, order.QueueParams{View: order.ViewOpen, EventType: order.Trace})
	must(t, err)
	a := p.get("/export/tasks.csv?" + url.Values{"view": {"open"}, "type": {string(order.Trace)}}.Encode())
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(a.Body, "\ufeff"))).ReadAll()
	must(t, err)
	if len(rows) != len(shown.Cards)+1 || len(rows) < 2 {
		t.Errorf("%d rows for %d cards", len(rows)-1, len(shown.Cards))
	}
	entries, _, err := d.Audit.List(context.Background(), audit.Filter{HotelID: d.by.HotelID, Tool: "queue.export", Principal: d.account("anna").ID})
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("%d rows tell of the export", len(entries))
	}
	if a := d.anybody().get("/export/orders.csv"); a.Path != "/signin" {
		t.Errorf("nobody's export ended at %s", a.Path)
	}
}

// One mail is followed from its arrival to the order that it changed.
func TestMailIsFollowed(t *testing.T) {
	d := newDesk(t)
	c := d.card(order.Trace, "720933")
	anna, boss := d.as("anna"), d.as("somsak")
	boss.language("en")
	path := "/agent/mail/" + c.MessageID
	if a := boss.get(path); !strings.Contains(a.Body, `href="/tasks/`+c.ID+`"`) || !strings.Contains(a.Body, "Not decided yet") {
		t.Errorf("before the decision: %d", a.Status)
	}
	anna.post("/tasks/"+c.ID+"/claim", nil)
	form := url.Values{"version": {fmt.Sprint(d.look(c.ID).Version)}, "reason_code": {"duplicate"}, "text": {"same as yesterday"}}
	if a := anna.post("/tasks/"+c.ID+"/reject", form); a.Status != http.StatusOK {
		t.Fatalf("reject: %d", a.Status)
	}
	if a := boss.get(path); !strings.Contains(a.Body, "same as yesterday") || !strings.Contains(a.Body, "<strong>Rejected</strong>") {
		t.Error("the decision is not told of")
	}
	if a := boss.get("/agent"); !strings.Contains(a.Body, `class="b-no"`) {
		t.Error("the reject is in no chart")
	}
	if a := boss.get("/agent?from=2026-13-40"); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, `value="2026-13-40"`) {
		t.Errorf("a range that cannot be: %d", a.Status)
	}
}
