package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/order"
	"thhotel/internal/sheet"
)

// linesOf is a list in one line per row: kind, names, room type, dates, and notes.
func linesOf(t *testing.T, csv string) []string {
	t.Helper()
	b, err := sheet.Read([]byte(csv), sheet.DefaultLimits())
	must(t, err)
	var out []string
	for _, l := range order.ParseRooming(b).Lines {
		out = append(out, tell(l))
	}
	return out
}

func tell(l order.SheetLine) string {
	if l.Kind != order.LineGuest {
		return fmt.Sprintf("%d %s %s", l.Line, l.Kind, l.Text)
	}
	s := fmt.Sprintf("%d %s|%s|%s–%s", l.Line, strings.Join(l.Names, " + "), l.Type, l.Dates[0].Day, l.Dates[1].Day)
	for _, n := range l.Issues {
		s += " !" + n.Code
	}
	return s
}

func TestRoomingHeaders(t *testing.T) {
	for name, c := range map[string]struct {
		csv  string
		want []string
	}{
		"english, titles above, total below": {"SIAM LINK TRAVEL\nGroup: NORDIC0227,,,\n\nNo.,Guest Name,Room Type,Check-in Date,Check-out Date,Passport No\n" +
			"1,\"BERG, Ola Mr\",DBL,10 Feb 2027,13 Feb 2027,N123\n2,Mrs. Eva HOLM,TWN,10-Feb-27,13-Feb-27,\nTotal,2,,,,\n",
			[]string{"1 NOTE SIAM LINK TRAVEL", "2 NOTE Group: NORDIC0227", "5 BERG, Ola|DBL|2027-02-10–2027-02-13", "6 HOLM, Eva|TWN|2027-02-10–2027-02-13", "7 NOTE Total | 2"}},
		"surname and first name": {"Surname;First name;Room;Arrival;Departure\nBerg;Ola;101;10.02.2027;13.02.2027\nBerg;Kari;101;10.02.2027;13.02.2027\n",
			[]string{"2 Berg, Ola||2027-02-10–2027-02-13", "3 Berg, Kari||2027-02-10–2027-02-13"}},
		"ticket names": {"Name,Type,In,Out\nBERG/OLA MR,TWN,2027/2/10,2027/2/13\nHOLM/EVA MARIE MRS,TWN,2027/2/10,2027/2/13\n",
			[]string{"2 BERG, OLA|TWN|2027-02-10–2027-02-13", "3 HOLM, EVA MARIE|TWN|2027-02-10–2027-02-13"}},
		"chinese": {"团队名单,,,\n序号,姓名,房型,入住日期,离店日期,备注\n1,王小明 先生,双床房,2027年2月10日,2027年2月13日,高楼层\n2,WANG XIAOMING,大床,2月10日,2月13日,\n合计,2,,,,\n",
			[]string{"1 NOTE 团队名单", "3 王, 小明|双床房|2027-02-10–2027-02-13", "4 WANG, XIAOMING|大床|0000-02-10–0000-02-13 !NAME_ORDER", "5 NOTE 合计 | 2"}},
		"german": {"Lfd. Nr.;Nachname;Vorname;Zimmerart;Anreise;Abreise;Bemerkungen\n1;Müller;Jürgen;Doppelzimmer;10. Februar 2027;13. Februar 2027;Allergie\n",
			[]string{"2 Müller, Jürgen|Doppelzimmer|2027-02-10–2027-02-13"}},
		"french": {"N°;Nom;Prénom;Type de chambre;Date d'arrivée;Date de départ\n1;Dubois;Claire;Twin;10 févr. 2027;13 février 2027\n",
			[]string{"2 Dubois, Claire|Twin|2027-02-10–2027-02-13"}},
		"japanese": {"番号,氏名,部屋タイプ,チェックイン,チェックアウト\n1,山田 太郎 様,ツイン,令和9年2月10日,2027/02/13\n",
			[]string{"2 山田, 太郎|ツイン|2027-02-10–2027-02-13"}},
		"thai": {"ลำดับ,ชื่อ-นามสกุล,ประเภทห้อง,วันที่เข้าพัก,วันที่ออก\n1,นายสมชาย วัฒนา,เตียงคู่,10 ก.พ. 2570,13 กุมภาพันธ์ 2570\n",
			[]string{"2 วัฒนา, สมชาย|เตียงคู่|2027-02-10–2027-02-13"}},
		"two languages in one header": {"No/序号,Guest Name 客人姓名,Room Type (房型),\"Arrival\n抵店\",Dep\n1,\"Li, Na\",King,2027-02-10,2027-02-12\n",
			[]string{"2 Li, Na|King|2027-02-10–2027-02-12"}},
		"sharers in columns": {"Guest 1,Guest 2,Room Type,Arrival,Departure\n\"Berg, Ola\",\"Berg, Kari\",DBL,10/02/2027,13/02/2027\n\"Holm, Eva\",,SGL,10/02/2027,13/02/2027\n",
			[]string{"2 Berg, Ola + Berg, Kari|DBL|2027-02-10–2027-02-13", "3 Holm, Eva|SGL|2027-02-10–2027-02-13"}},
		"accompanying names": {"Name,Accompanying Guests,Room Type\n\"Berg, Ola\",\"Berg, Kari; Berg, Nils\",FAM\n\"Holm, Eva\",\"Liv Moen, Ida Dahl\",TPL\n",
			[]string{"2 Berg, Ola + Berg, Kari + Berg, Nils|FAM|–", "3 Holm, Eva + Moen, Liv + Dahl, Ida|TPL|– !NAME_ORDER"}},
		"american dates":    {"Name,Type,Arrival,Departure\n\"Berg, Ola\",DBL,02/10/2027,02/13/2027\n", []string{"2 Berg, Ola|DBL|2027-02-10–2027-02-13"}},
		"excel day numbers": {"Name,Type,Arrival,Departure\n\"Berg, Ola\",DBL,46428,46431\n", []string{"2 Berg, Ola|DBL|2027-02-10–2027-02-13"}},
		"nights instead of departure, odd date": {"Name,Type,Arrival,Nights\n\"Berg, Ola\",DBL,Wed 10 Feb 2027 14:00,3\n\"Holm, Eva\",DBL,soon,2\n",
			[]string{"2 Berg, Ola|DBL|2027-02-10–", "3 Holm, Eva|DBL|– !DATE_UNREADABLE"}},
		"nameless rows are kept": {"Name,Type,Arrival\nTBA,DBL,2027-02-10\n,TWN,2027-02-10\nBUS 2,,\n\"Berg, Ola\",DBL,2027-02-10\n",
			[]string{"2 UNREAD TBA | DBL | 2027-02-10", "3 UNREAD TWN | 2027-02-10", "4 NOTE BUS 2", "5 Berg, Ola|DBL|2027-02-10–"}},
		"no header at all": {"Berg,Ola\nHolm,Eva\n", []string{"1 UNREAD Berg | Ola", "2 UNREAD Holm | Eva"}},
		"formula":          {"Name,Type,Remark\n\"Berg, Ola\",DBL,=HYPERLINK(\"x\")\n", []string{"2 Berg, Ola|DBL|– !FORMULA"}},
		"header again on the next page": {"Name,Type,Arrival\n\"Berg, Ola\",DBL,2027-02-10\nName,Type,Arrival\n\"Holm, Eva\",DBL,2027-02-10\n",
			[]string{"2 Berg, Ola|DBL|2027-02-10–", "3 NOTE Name | Type | Arrival", "4 Holm, Eva|DBL|2027-02-10–"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, linesOf(t, c.csv)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Who shares a room, said in all the ways lists say it.
func TestRoommates(t *testing.T) {
	for name, csv := range map[string]string{
		"room number":            "Room No,Name,Type\n1,\"Berg, Ola\",DBL\n1,\"Berg, Kari\",DBL\n2,\"Holm, Eva\",SGL\n",
		"numbered, blank below":  "No,Name,Type\n1,\"Berg, Ola\",DBL\n,\"Berg, Kari\",\n2,\"Holm, Eva\",SGL\n",
		"type blank below":       "Name,Type\n\"Berg, Ola\",DBL\n\"Berg, Kari\",\n\"Holm, Eva\",SGL\n",
		"sharing with a name":    "Name,Sharing with,Type\n\"Berg, Ola\",\"Berg, Kari\",DBL\n\"Berg, Kari\",\"Berg, Ola\",DBL\n\"Holm, Eva\",,SGL\n",
		"the second names first": "Name,Sharing with,Type\n\"Berg, Ola\",,DBL\n\"Berg, Kari\",\"Berg, Ola\",DBL\n\"Holm, Eva\",,SGL\n",
		"sharing with a number":  "No,Name,Sharing,Type\n1,\"Berg, Ola\",,DBL\n2,\"Berg, Kari\",with 1,DBL\n3,\"Holm, Eva\",,SGL\n",
		"not on the list itself": "Name,Sharing with,Type\n\"Berg, Ola\",\"Berg, Kari\",DBL\n\"Holm, Eva\",,SGL\n",
		"one cell":               "Name,Type\n\"Berg, Ola & Berg, Kari\",DBL\n\"Holm, Eva\",SGL\n",
	} {
		t.Run(name, func(t *testing.T) {
			w := listWorld(t, []byte(csv), "list.csv")
			v := w.listCard().Rooming
			var got []string
			for _, l := range v.Lines {
				got = append(got, l.GuestName+"<"+l.SharingWith+"|"+l.RoomTypeCode)
			}
			want := []string{"Berg, Ola<|DLXK", "Berg, Kari<Berg, Ola|DLXK", "Holm, Eva<|DLXK"}
			if diff := cmp.Diff(want, got); diff != "" || v.Rooms != 2 || v.Guests != 3 {
				t.Errorf("%d rooms, %d guests (-want +got):\n%s", v.Rooms, v.Guests, diff)
			}
		})
	}
}

func FuzzRooming(f *testing.F) {
	f.Add("No,Name,Type,Arrival,Departure\n1,\"Berg, Ola & Kari\",DBL,03/04/2027,5\n,x,,,\n")
	f.Add("姓名;房型\n王小明;双床\n合计;1\n")
	f.Fuzz(func(t *testing.T, csv string) {
		b, err := sheet.Read([]byte(csv), sheet.DefaultLimits())
		if err != nil {
			return
		}
		s := order.ParseRooming(b)
		lines := map[int]bool{}
		for _, l := range s.Lines {
			lines[l.Line] = true
			if l.Kind == order.LineGuest && (len(l.Names) == 0 || l.Names[0] == "") {
				t.Fatalf("a guest without a name: %+v", l)
			}
		}
		if s.Truncated || len(s.Lines) == 0 {
			return
		}
		for i, row := range b.Tables[0].Rows { // nothing but empty rows and the header is left out
			missing := 0
			for _, c := range row {
				if strings.TrimSpace(c.Text) != "" {
					missing++
				}
			}
			if missing > 0 && !lines[i+1] && len(s.Columns) == 0 {
				t.Fatalf("line %d is lost", i+1)
			}
		}
	})
}

// The longest list that is read, every name twice, against a block.
func BenchmarkRooming(b *testing.B) {
	var csv strings.Builder
	csv.WriteString("No,Name,Sharing with,Room Type,Arrival,Departure,Remark\n")
	for i := range 2000 {
		fmt.Fprintf(&csv, "%d,\"Guest%c%c, A\",,Deluxe Twin,10/02/2027,13/02/2027,window\n", i/2, 'a'+i/26%26, 'a'+i%26)
	}
	book, err := sheet.Read([]byte(csv.String()), sheet.DefaultLimits())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(order.ParseRooming(book).Lines); n != 2000 {
			b.Fatal(n)
		}
	}
}
