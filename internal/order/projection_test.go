package order_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

func (w *world) feed() access.Caller { return w.caller(access.Service, "opera", access.RoleOperaFeed) }

func (w *world) orderID(confirmation string) string {
	w.t.Helper()
	found, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{ConfirmationNumber: confirmation}, 1)
	must(w.t, err)
	return found.Records[0].ID
}

func TestProjectionBatchIsWholeOrNot(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	good := order.Projection{Kind: "RESERVATION", ConfirmationNumber: "4032077", AsOf: w.now}
	_, err := w.orders.UpsertProjections(ctx, w.feed(), []order.Projection{good, {Kind: "ROOM"}, {Kind: "BLOCK"},
		{Kind: "RESERVATION", ReservationNo: "1", ArrivalDate: "2027-02-30"}, {Kind: "RESERVATION", ReservationNo: "2", ArrivalDate: "2027-02-03", DepartureDate: "2027-02-01"},
		{Kind: "RESERVATION", ReservationNo: "3", AsOf: w.now.Add(48 * time.Hour)}, {Kind: "RESERVATION", ReservationNo: "4", RoomItems: []order.RoomLine{{RoomTypeCode: "A", RoomCount: 1}, {RoomCount: -1}}}})
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("error %v", err)
	}
	var paths []string
	for _, v := range f.Fields {
		paths = append(paths, v.Path)
	}
	want := []string{"/projections/1/kind", "/projections/1", "/projections/2", "/projections/3/arrival_date", "/projections/4/departure_date", "/projections/5/as_of", "/projections/6/room_items/1"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("violations (-want +got):\n%s", diff)
	}
	if has, err := w.orders.HasProjection(ctx, w.malee, []string{w.orderID("4032077")}); err != nil || has[w.orderID("4032077")] {
		t.Errorf("half of a batch was stored: %v %v", has, err)
	}
}

func TestProjectionDisagrees(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.orderID("4032077") // FINCH, DANIEL, 2–5 December 2026, 1 SUPK, confirmed
		says := func(change func(*order.Projection)) []order.Difference {
			t.Helper()
			w.now = w.now.Add(time.Minute)
			p := order.Projection{Kind: "RESERVATION", ConfirmationNumber: "4032077", ReservationNo: "720871", Status: "RESERVED", ArrivalDate: "2026-12-02",
				DepartureDate: "2026-12-05", GuestName: "Mr Daniel FINCH", RoomItems: []order.RoomLine{{RoomTypeCode: "supk", RoomCount: 1}}, AsOf: w.now}
			if change != nil {
				change(&p)
			}
			if n, err := w.orders.UpsertProjections(ctx, w.feed(), []order.Projection{p}); err != nil || n != 1 {
				t.Fatalf("stored %d: %v", n, err)
			}
			words, err := w.orders.OperaWords(ctx, w.agent, []string{id})
			must(t, err)
			if diff := cmp.Diff(words[id].Differences, w.detail(id).Opera); diff != "" {
				t.Errorf("detail and tools disagree:\n%s", diff)
			}
			return words[id].Differences
		}
		if d := says(nil); len(d) > 0 {
			t.Errorf("differs where it does not: %+v", d)
		}
		if d := says(func(p *order.Projection) {
			p.Status, p.ArrivalDate, p.DepartureDate, p.GuestName, p.RoomItems = "?", "", "", "", nil
		}); len(d) > 0 {
			t.Errorf("silence is no difference: %+v", d)
		}
		got := says(func(p *order.Projection) {
			p.Status, p.ArrivalDate, p.DepartureDate, p.GuestName, p.RoomItems = "Cancelled", "2026-12-03", "2026-12-06", "Meyer, Anna", []order.RoomLine{{RoomTypeCode: "DLXK", RoomCount: 2}}
		})
		want := []order.Difference{{Field: "status", Ours: "CONFIRMED", Opera: "Cancelled"}, {Field: "arrival_date", Ours: "2026-12-02", Opera: "2026-12-03"},
			{Field: "departure_date", Ours: "2026-12-05", Opera: "2026-12-06"}, {Field: "room_items", Ours: "1 SUPK", Opera: "2 DLXK"}, {Field: "guest_name", Ours: "FINCH, DANIEL", Opera: "Meyer, Anna"}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A block's code comes again in other years: last year's word is not this year's.
func TestBlocksOfTwoYears(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	block := func(year, status string) order.Record {
		return order.Record{BookingType: order.Group, GroupCode: "SPRING", GroupName: "Spring", Status: status, ArrivalDate: year + "-04-01", DepartureDate: year + "-04-05"}
	}
	must(t, w.orders.LoadOrders(ctx, w.system, []order.Record{block("2026", "CHECKED_OUT"), block("2027", "DEFINITE")}))
	word := func(year, status string, at time.Time) order.Projection {
		return order.Projection{Kind: "BLOCK", GroupCode: "spring", Status: status, ArrivalDate: year + "-04-01", DepartureDate: year + "-04-05", AsOf: at}
	}
	n, err := w.orders.UpsertProjections(ctx, w.feed(), []order.Projection{word("2027", "TEN", w.now), word("2026", "ACT", w.now.Add(time.Second))})
	must(t, err)
	found, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{GroupCode: "SPRING"}, 0)
	must(t, err)
	if n != 2 || len(found.Records) != 2 {
		t.Fatalf("%d stored, %d orders", n, len(found.Records))
	}
	words, err := w.orders.OperaWords(ctx, w.malee, []string{found.Records[0].ID, found.Records[1].ID})
	must(t, err)
	if d := words[found.Records[0].ID].Differences; len(d) != 1 || d[0].Opera != "TEN" {
		t.Errorf("2027: %+v", d)
	}
	if w := words[found.Records[1].ID]; w.Projection == nil || len(w.Differences) > 0 {
		t.Errorf("2026: %+v", w)
	}
}

func TestOperaStatus(t *testing.T) {
	for word, want := range map[string]string{"Reserved": order.StatusConfirmed, "IN HOUSE": order.StatusInHouse, "In-House": order.StatusInHouse, "CHECKED OUT": order.StatusCheckedOut,
		"CANCELLED": order.StatusCancelled, "No Show": order.StatusNoShow, "WAITLIST": order.StatusPending, "PROSPECT": order.StatusPending, "TENTATIVE": order.StatusTentative,
		"definite": order.StatusConfirmed, "DUE IN": order.StatusConfirmed, "Due Out": order.StatusInHouse, "LOST": order.StatusCancelled, "已取消": order.StatusCancelled, "SIDEWAYS": "", "": ""} {
		if got := order.OperaStatus(word); got != want {
			t.Errorf("%q is %q, want %q", word, got, want)
		}
	}
}

func TestImportProjections(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		file := []byte("Arrivals,,,,,,,,\nConf. No,Resv ID,Block Code,Guest Name,Status,Arrival,Departure,Room Type,Last Updated\n" +
			"4032077,720871,,\"FINCH, DANIEL\",Reserved,02-12-2026,05-12-2026,SUPK,2026-11-30 08:00\n" +
			",,,\"Nobody, N\",Reserved,02-12-2026,05-12-2026,SUPK,2026-11-30 08:00\n" + // no key
			"4032150,720933,,\"SRISUK, K\",Odd,05-12-2026,07-13-2026,DLXK,2026-11-30 08:00\n" + // no such date
			"4032001,720655,,\"DUBOIS, CLAIRE\",Sideways,28-11-2026,16-12-2026,DLXT,2026-11-30 08:00\n" +
			",,SUNWAL27,SunWal Tours 2027,DEFINITE,20-12-2026,31-03-2027,DLXK,2026-11-30 08:00\n")
		run := func(o order.ImportOptions) order.ProjectionReport {
			t.Helper()
			r, err := w.orders.ImportProjections(ctx, w.feed(), file, o)
			must(t, err)
			return r
		}
		dry := run(order.ImportOptions{DryRun: true})
		if dry.Rows != 5 || dry.Stored != 3 || len(dry.Failed) != 2 || dry.Failed[0].Line != 4 || dry.Failed[1].Line != 5 || dry.Failed[1].Violations[0].Path != "/departure_date" ||
			len(dry.Unknown) != 1 || dry.Unknown[0].Status != "Sideways" || !dry.Complete {
			t.Errorf("dry run: %+v", dry)
		}
		if w.detail(w.orderID("4032077")).Projection != nil {
			t.Fatal("a dry run kept something")
		}
		if r := run(order.ImportOptions{}); r.Stored != 3 || r.Older != 0 {
			t.Errorf("import: %+v", r)
		}
		if r := run(order.ImportOptions{}); r.Stored != 0 || r.Older != 3 {
			t.Errorf("second import: %+v", r)
		}
		p := w.detail(w.orderID("4032077")).Projection
		if p == nil || p.ReservationNo != "720871" || !p.AsOf.Equal(time.Date(2026, 11, 30, 1, 0, 0, 0, time.UTC)) || len(p.RoomItems) != 1 {
			t.Errorf("projection: %+v", p)
		}
	})
}

func TestImportedBlockHasItsRoomTypes(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	f := excelize.NewFile()
	for i, r := range [][]any{{"Block Code", "Status", "Begin Date", "End Date", "Room Type", "Rooms"}, {"SUNWAL27", "DEF", time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC), "2027-03-31", "DLXK", 5},
		{"SUNWAL27", "DEF", time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC), "2027-03-31", "DLXT", 5}} {
		must(t, f.SetSheetRow("Sheet1", "A"+string(rune('1'+i)), &r))
	}
	var out bytes.Buffer
	must(t, f.Write(&out))
	r, err := w.orders.ImportProjections(ctx, w.feed(), out.Bytes(), order.ImportOptions{AsOf: w.now})
	must(t, err)
	found, err := w.orders.FindByKeys(ctx, w.malee, order.Keys{GroupCode: "SUNWAL27"}, 1)
	must(t, err)
	if v := w.detail(found.Records[0].ID); r.Stored != 1 || v.Projection == nil || len(v.Projection.RoomItems) != 2 || len(v.Opera) != 0 {
		t.Errorf("report %+v, projection %+v, differences %+v", r, v.Projection, v.Opera)
	}
}

func TestImportRefuses(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	for name, c := range map[string]struct{ file, code string }{
		"no header": {"a,b\n1,2\n", order.CodeInput}, "nothing": {"", order.CodeInput}, "a picture": {"\x89PNG\r\n", "SHEET_UNSUPPORTED"}} {
		if _, err := w.orders.ImportProjections(ctx, w.feed(), []byte(c.file), order.ImportOptions{}); fault.Code(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	file := "Confirmation Number,Status,Arrival,As of\n" + strings.Repeat("1,RESERVED,03/04/2027,soon\n", 2)
	r, err := w.orders.ImportProjections(ctx, w.feed(), []byte(file), order.ImportOptions{})
	must(t, err)
	if len(r.Failed) != 2 || len(r.Failed[0].Violations) != 2 { // a date with two readings is not guessed; nor a time
		t.Errorf("report: %+v", r)
	}
}
