package order_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// lister is a world with one mail that brings a rooming list for a block.
type lister struct {
	*world
	message string
	block   string
}

const listMail = "list-1"

// listWorld delivers the files with one mail; the block has 4 DLXK and 2 DLXT.
func listWorld(t *testing.T, content []byte, name string, more ...string) *lister {
	t.Helper()
	l := &lister{world: newWorld(t, testkit.DB(t))}
	l.bring(content, name, more...)
	return l
}

func (l *lister) bring(content []byte, name string, more ...string) {
	l.t.Helper()
	ctx := context.Background()
	must(l.t, l.orders.LoadOrders(ctx, l.system, []order.Record{{BookingType: order.Group, GroupCode: "CHOIR27", GroupName: "Choir", Status: "DEFINITE",
		ArrivalDate: "2027-02-10", DepartureDate: "2027-02-13", Rooms: []order.RoomLine{{RoomTypeCode: "DLXK", RoomCount: 4}, {RoomTypeCode: "DLXT", RoomCount: 2}}}}))
	got, err := l.inbox.Deliver(ctx, l.system, inbox.DeliverParams{ExternalMessageID: listMail, Raw: mailWith(content, name, more...), AttachmentIDs: []string{"a1", "a2"}})
	must(l.t, err)
	l.message = got.MessageID
	found, err := l.orders.FindByKeys(ctx, l.malee, order.Keys{GroupCode: "CHOIR27"}, 1)
	must(l.t, err)
	l.block = found.Records[0].ID
}

func mailWith(content []byte, name string, more ...string) []byte {
	var b strings.Builder
	b.WriteString("From: ops@agent.example\r\nTo: groups@thhotel.example\r\nSubject: rooming list CHOIR27\r\nDate: Fri, 27 Nov 2026 10:00:00 +0700\r\n" +
		"Message-ID: <l1@agent.example>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nList for CHOIR27.\r\n")
	part := func(name string, content []byte) {
		fmt.Fprintf(&b, "--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=%q\r\nContent-Transfer-Encoding: base64\r\n\r\n%s\r\n",
			name, base64.StdEncoding.EncodeToString(content))
	}
	part(name, content)
	for _, m := range more {
		part(m, []byte("Name,Type\n\"Other, One\",DBL\n"))
	}
	b.WriteString("--x--\r\n")
	return []byte(b.String())
}

// submitList opens the card of a ROOMING_LIST event that names the attachments.
func (l *lister) submitList(after string, ids ...string) string {
	l.t.Helper()
	list, err := json.Marshal(append([]string{}, ids...))
	must(l.t, err)
	var p pack
	decode(l.t, []byte(`{"source_message":{"source_message_id":"`+listMail+`"},"order_contexts":[{"order_ref":"O"}],"message_events":[{"order_ref":"O",
		"event_type":"ROOMING_LIST","target_order":{"booking_type":"GROUP","locator_type":"GROUP_CODE","locator_value":"CHOIR27"},"manual_review":false,
		"after":`+after+`,"attachment_ids":`+string(list)+`}]}`), &p)
	return l.submit(p)[0].CardID
}

func (l *lister) listCard() order.CardView { return l.card(l.submitList(`{}`)) }

func notes(l order.RoomingLine) string {
	var out []string
	for _, n := range l.Notes {
		out = append(out, n.Code)
	}
	return l.State + " " + strings.Join(out, " ")
}

// The demo's own list: 34 guests in 18 rooms, one of them a night too long.
func TestDemoRoomingList(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		id := w.nordic()
		v := w.card(w.submitFile("02-rooming-list-nordic0227.v4.json")[0].CardID)
		r := v.Rooming
		if r.Source != order.RowsAttachment || r.Guests != 34 || r.Rooms != 18 || r.Unread != 0 || r.Doubtful != 2 || r.Truncated || len(r.Problems) > 0 {
			t.Fatalf("view: %+v", r)
		}
		i := slices.IndexFunc(r.Lines, func(l order.RoomingLine) bool { return l.GuestName == "Lindqvist, Erik" })
		if l := r.Lines[i]; notes(l) != "CHECK OUTSIDE_DATES" || l.RoomTypeCode != "DLXK" || l.DepartureDate != "2027-02-14" || l.Remark != "stays one night longer" {
			t.Errorf("row 13: %+v", l)
		}
		over := slices.DeleteFunc(slices.Clone(r.Nights), func(n order.RoomingNight) bool { return n.State == order.NightEqual })
		if len(r.Nights) != 10 || len(over) != 1 || over[0].Date != "2027-02-13" || over[0].State != order.NightOutside || over[0].Need != 1 {
			t.Errorf("nights: %+v", r.Nights)
		}
		w.confirm(v.ID, nil)
		d := w.detail(id)
		if len(d.Rooming) != 34 || d.Rooming[1].GuestName != "Holm, Ingrid" || d.Rooming[1].SharingWith != "Andersson, Birgit" || d.Rooming[1].ArrivalDate != "2027-02-10" {
			t.Errorf("%d on the order: %+v", len(d.Rooming), d.Rooming[:2])
		}
		if len(d.Vouchers) != 1 || d.Vouchers[0].AttachmentID != "att-0002-1" {
			t.Errorf("vouchers: %+v", d.Vouchers)
		}
	})
}

func workbook(t *testing.T, rows ...[]any) []byte {
	t.Helper()
	f := excelize.NewFile()
	for i, r := range rows {
		must(t, f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &r))
	}
	var out bytes.Buffer
	must(t, f.Write(&out))
	return out.Bytes()
}

func TestRoomingRowsOnACard(t *testing.T) {
	l := listWorld(t, workbook(t, []any{"Rooming list CHOIR27"}, []any{"Name", "Room Type", "Arrival", "Departure", "Note"},
		[]any{"Berg, Ola", "DBL", "10/02/2027", "13/02/2027", "vegan"}, // only one type of the block has one big bed
		[]any{"Holm", "Deluxe Twin", "10 Feb", "13 Feb"},               // year from the block; no first name
		[]any{"Moen, Liv", "Igloo", "11/02/2027", "15/02/2027"},        // no such type, too long
		[]any{"Berg, Ola", "DLXK", "03/02/2027", "13/02/2027"},         // twice; 3 February is before the block, 2 March as well
		[]any{"Dahl, Ida", "", "13/02/2027", "12/02/2027"},             // no type: shares the room above; its dates crossed
		[]any{"TBA", "DLXT", "10/02/2027", "13/02/2027"}), "names.xlsx", "flyer.pdf")
	v := l.card(l.submitList(`{}`))
	var got []string
	for _, r := range v.Rooming.Lines {
		got = append(got, fmt.Sprintf("%d %s|%s|%s–%s|%s", r.Row, r.GuestName, r.RoomTypeCode, r.ArrivalDate, r.DepartureDate, notes(r)))
	}
	want := []string{"1 ||–|NOTE ", "3 Berg, Ola|DLXK|2027-02-10–2027-02-13|CHECK DUPLICATE_NAME", "4 Holm|DLXT|2027-02-10–2027-02-13|CHECK NO_FIRST_NAME",
		"5 Moen, Liv|IGLOO|2027-02-11–2027-02-15|CHECK ROOM_TYPE_UNKNOWN OUTSIDE_DATES", "6 Berg, Ola|DLXK|2027-02-03–2027-02-13|CHECK DUPLICATE_NAME OUTSIDE_DATES",
		"7 Dahl, Ida|DLXK|2027-02-03–2027-02-13|CHECK DATES_ORDER OUTSIDE_DATES", "8 ||–|UNREAD NO_NAME"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, name := range []string{"rooming.unread_rows", "rooming.doubtful_rows", "rooming.duplicate_names", "rooming.first_names", "rooming.outside_dates", "rooming.rows_against_block", "rooming.rooms_without_names"} {
		if _, ok := rule(v, name); !ok {
			t.Errorf("%s does not fire", name)
		}
	}
	l.confirm(v.ID, nil)
	d := l.detail(l.block)
	if len(d.Rooming) != 5 || d.Rooming[0].Remark != "vegan" {
		t.Errorf("on the order: %+v", d.Rooming)
	}
	if g := d.Vouchers[0].Discrepancies; len(g) != 1 || g[0].Row != 8 || !strings.Contains(g[0].Issue, "TBA") {
		t.Errorf("the unread row is not kept: %+v", g)
	}
}

func TestRoomingListAdds(t *testing.T) {
	l := listWorld(t, []byte("Name,Type\n\"Berg, Ola\",DLXT\n\"Holm, Eva\",DLXT\n"), "a.csv")
	l.confirm(l.submitList(`{}`), nil)
	v := l.card(l.submitList(`{"rooming_list":{"mode":"ADD"}}`, "a1"))
	if r := v.Rooming; r.Mode != "ADD" || r.Guests != 2 {
		t.Errorf("view: %+v", r)
	}
	for _, name := range []string{"rooming.replaces", "rooming.duplicate_names", "rooming.rows_against_block"} { // 2 + 2 of 2 rooms
		if _, ok := rule(v, name); !ok {
			t.Errorf("%s does not fire", name)
		}
	}
	l.confirm(v.ID, nil)
	if n := len(l.detail(l.block).Rooming); n != 4 {
		t.Errorf("%d names", n)
	}
	l.confirm(l.submitList(`{"rooming_list":{"version":"v3"}}`, "a1"), nil)
	listed := slices.DeleteFunc(l.detail(l.block).Rooming, func(e order.RoomingEntry) bool { return e.Status != "LISTED" })
	if len(listed) != 2 {
		t.Errorf("%d names after a list that replaces", len(listed))
	}
}

func TestWhichFileIsTheList(t *testing.T) {
	csv := []byte("Name,Type\n\"Berg, Ola\",DLXT\n")
	rows := func(v order.CardView) int { return v.Rooming.Guests }
	l := listWorld(t, csv, "a.csv", "b.csv")
	v := l.card(l.submitList(`{}`))
	if rows(v) != 0 {
		t.Error("one of two tables was chosen although nobody named it")
	}
	if r, ok := rule(v, "rooming.rows_against_block"); !ok || !r.Unchecked {
		t.Error("nothing says that the rows were not compared")
	}
	if n := rows(l.card(l.submitList(`{"rooming_list":{"version":"2"}}`, "a1", "a2"))); n != 2 {
		t.Errorf("%d guests of two named files", n)
	}
	if v := l.card(l.submitList(`{"rooming_list":{"entries":[{"row":1,"guest_name":"Holm, Eva","room_type_code":"DLXK"}]}}`, "a1")); v.Rooming.Source != order.RowsPackage || rows(v) != 1 {
		t.Errorf("rows of the package: %+v", v.Rooming)
	}
	// A person names the file by a correction, and sees and writes what it says.
	id := l.submitList(`{"rooming_list":{"version":"3"}}`)
	pick := func(p *order.ConfirmParams) {
		p.Corrections = order.Corrections{"attachment_ids": json.RawMessage(`["a1"]`)}
		p.Ticks = append(p.Ticks, "rooming.duplicate_names", "rooming.first_names", "rooming.replaces")
	}
	l.confirm(id, pick)
	if r := l.detail(l.block).Rooming; len(r) != 1 || r[0].GuestName != "Berg, Ola" {
		t.Errorf("on the order: %+v", r)
	}
}

func TestFilesThatAreNoLists(t *testing.T) {
	for name, c := range map[string]struct {
		file, content, code string
	}{
		"old format": {"list.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "SHEET_OLD_FORMAT"},
		"damaged":    {"list.xlsx", "PK\x03\x04 no more", "SHEET_CORRUPT"},
		"no table":   {"list.csv", "Dear all\nplease find\n", order.NoteNoHeader},
		"no rows":    {"list.csv", "Name,Type,Arrival\n", order.NoteNothing},
	} {
		t.Run(name, func(t *testing.T) {
			l := listWorld(t, []byte(c.content), c.file)
			v := l.listCard()
			if p := v.Rooming.Problems; len(p) != 1 || p[0].Code != c.code || p[0].Text == "" || p[0].TextEN == "" {
				t.Fatalf("problems: %+v", p)
			}
			if r, ok := rule(v, "rooming.rows_against_block"); !ok || !r.Unchecked || !strings.Contains(r.Text, v.Rooming.Problems[0].Text) {
				t.Errorf("rule: %+v", r)
			}
			l.confirm(v.ID, nil) // the file still goes on the order
			if d := l.detail(l.block); len(d.Rooming) != 0 || d.Vouchers[0].AttachmentID != "a1" {
				t.Errorf("order: %+v %+v", d.Rooming, d.Vouchers)
			}
		})
	}
}

// Rows of a file are words of a mail: whoever is shown them stands in the mail's
// access record; the agent's submit, which shows nobody anything, does not.
func TestShowingAListIsWrittenDown(t *testing.T) {
	l := listWorld(t, []byte("Name,Type\n\"Berg, Ola\",DLXT\n"), "a.csv")
	id := l.submitList(`{}`)
	seen := func() []inbox.Access {
		list, err := l.inbox.Accesses(context.Background(), l.boss, l.message, "", 50)
		must(t, err)
		return list
	}
	if n := len(seen()); n != 0 {
		t.Fatalf("%d accesses before anybody looked", n)
	}
	l.card(id)
	if a := seen(); len(a) != 1 || a[0].What != "ATTACHMENT" || a[0].AttachmentID != "a1" || a[0].SubjectName != "malee" {
		t.Errorf("accesses: %+v", a)
	}
}

// What a person saw is what is written, whatever happens to the file meanwhile.
func TestTheReadingStays(t *testing.T) {
	l := listWorld(t, []byte("Name,Type\n\"Berg, Ola\",DLXT\n"), "a.csv")
	id := l.submitList(`{}`)
	blind := order.New(order.Options{DB: l.db, Clock: testkit.Clock(), Audit: l.audit, Platform: l.house})
	v, err := blind.Card(context.Background(), l.malee, id)
	must(t, err)
	if v.Rooming.Guests != 1 {
		t.Fatalf("without the inbox: %+v", v.Rooming)
	}
	if _, err := blind.Confirm(context.Background(), l.malee, yes(v)); err != nil {
		t.Fatal(err)
	}
	if r := l.detail(l.block).Rooming; len(r) != 1 {
		t.Errorf("on the order: %+v", r)
	}
}

// The agent does not wait for a large file: it is read when its card is opened, as
// far as lists are read, and the card says that it was cut.
func TestLargeListIsReadWithItsCard(t *testing.T) {
	var b strings.Builder
	b.WriteString("Name,Type,Remark\n")
	for i := range 2500 {
		fmt.Fprintf(&b, "\"Guest%c%c, A\",DLXT,%s\n", 'a'+i/26%26, 'a'+i%26, strings.Repeat("x", 1000))
	}
	l := listWorld(t, []byte(b.String()), "big.csv")
	id := l.submitList(`{}`)
	if seen := l.flags(id); slices.Contains(seen, "rooming.unread_rows") {
		t.Errorf("read at once: %v", seen)
	}
	v := l.card(id)
	if _, ok := rule(v, "rooming.unread_rows"); !ok || !v.Rooming.Truncated || v.Rooming.Guests != 2000 {
		t.Errorf("%d guests, truncated %v", v.Rooming.Guests, v.Rooming.Truncated)
	}
}

// flags are the rules a card shows in the queue, without opening it.
func (l *lister) flags(id string) []string {
	l.t.Helper()
	page, err := l.orders.Queue(context.Background(), l.malee, order.QueueParams{})
	must(l.t, err)
	for _, c := range page.Cards {
		if c.ID == id {
			return c.Flags
		}
	}
	l.t.Fatal("the card is not in the queue")
	return nil
}

func TestReadRoomingListsAsksForPermission(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	err := w.orders.ReadRoomingLists(context.Background(), w.caller(access.Staff, "v", access.RoleViewer), "x", nil)
	if err == nil {
		t.Error("a viewer may read lists into the database")
	}
}
