package order

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"thhotel/internal/sheet"
)

// Fields of a rooming list.
const (
	colNo       = "no"
	colRoom     = "room"
	colLast     = "last_name"
	colFirst    = "first_name"
	colName     = "name"
	colTitle    = "title"
	colWith     = "accompanying"
	colType     = "room_type"
	colRooms    = "rooms"
	colArrival  = "arrival"
	colDepart   = "departure"
	colNights   = "nights"
	colAdults   = "adults"
	colChildren = "children"
	colPax      = "pax"
	colRemark   = "remark"
	colUnused   = "unused"
)

// headerWords are what agents call the columns, in the six languages that write to
// the hotel most; spaces and punctuation are gone, Latin is in lower case without accents.
func headerWords() map[string]string {
	out := map[string]string{}
	for field, words := range map[string]string{
		colNo:       "no nr # num number item sn s/n lfd lfdnr pos seq 序号 編號 编号 序號 番号 ลำดับ ที่ ลำดับที่ numero n°",
		colRoom:     "roomno roomnr roomnumber room# room rm rmno share shareno shareid roomshare 房号 房號 房间号 房間號 房间 房間 zimmer zimmernr zimmernummer chambre chambreno numerodechambre nochambre 部屋番号 部屋 客室 หมายเลขห้อง ห้อง ห้องที่ เลขห้อง",
		colLast:     "lastname surname familyname last 姓 姓氏 英文姓 nachname familienname zuname nom nomdefamille 苗字 姓ローマ字 นามสกุล สกุล",
		colFirst:    "firstname givenname givennames forename first 名 名字 英文名 vorname vornamen prenom prenoms 下の名前 名ローマ字 ชื่อจริง ชื่อตัว",
		colName:     "name guestname guest guests fullname passengername passenger paxname participant traveller traveler client leadguest leadname nameofguest namesofguests guestfullname 姓名 客人姓名 住客姓名 宾客姓名 賓客姓名 客人 住客 名单 旅客姓名 中文姓名 英文姓名 gast gastname gaste gastename teilnehmer nameteilnehmer nometprenom nomprenom nomsetprenoms nomduclient participants 氏名 お名前 名前 宿泊者 宿泊者名 お客様名 ชื่อ ชื่อนามสกุล ชื่อสกุล ชื่อผู้เข้าพัก ผู้เข้าพัก รายชื่อ",
		colTitle:    "title salutation gender sex mr/mrs mrms mrmrs 称谓 稱謂 性别 性別 anrede geschlecht titre civilite sexe 敬称 คำนำหน้า คำนำหน้าชื่อ เพศ",
		colWith:     "accompanyingguests accompanyingguest accompanying accompanyingnames sharingwith sharewith shareswith shares sharer sharers sharing secondguest roommate roommates companion companions togetherwith withguest 同住 同住人 同住客人 同住者 同住姓名 随行 隨行 随行人员 mitreisende mitreisender zimmerpartner begleitperson begleitung zusammenmit partagees partageavec partage accompagnant accompagnants 同室者 同伴者 相部屋 同室 พักกับ พักคู่กับ ผู้ร่วมห้อง พักร่วมกับ ผู้ติดตาม",
		colType:     "roomtype typeofroom roomcategory category roomcode rmtype type bedtype bedding bed beds accommodation occupancy 房型 房间类型 房間類型 房类 床型 房间种类 zimmertyp zimmerart zimmerkategorie kategorie typedechambre typechambre categorie type 部屋タイプ 部屋種別 客室タイプ ルームタイプ タイプ ประเภทห้อง ประเภทห้องพัก ชนิดห้อง",
		colRooms:    "rooms noofrooms numberofrooms roomcount roomqty qty quantity rms 房数 房數 间数 間數 房间数 房間數 zimmeranzahl anzahlzimmer nombredechambres nbchambres 部屋数 室数 จำนวนห้อง",
		colArrival:  "arrival arrivaldate arr arrdate checkin checkindate ci in from datein indate start startdate 入住 入住日期 抵店 抵店日期 抵达 抵达日期 到店 到店日期 到达日期 anreise anreisedatum ankunft ankunftsdatum checkindatum von arrivee datedarrivee du チェックイン チェックイン日 到着日 到着 宿泊日 วันที่เข้าพัก เช็คอิน วันเข้าพัก เข้าพัก วันเข้า",
		colDepart:   "departure departuredate dep depdate checkout checkoutdate co out to until dateout outdate end enddate 离店 离店日期 退房 退房日期 離店 離店日期 离开 离开日期 abreise abreisedatum abfahrt checkoutdatum bis depart datededepart au チェックアウト チェックアウト日 出発日 出発 วันที่ออก เช็คเอาท์ เช็คเอาต์ วันออก ออก",
		colNights:   "nights night noofnights numberofnights nts los 晚数 晚數 间夜 住几晚 nachte anzahlnachte nuits nombredenuits 泊数 泊 จำนวนคืน คืน",
		colAdults:   "adults adult adl ad adt 成人 大人 erwachsene adulte adultes ผู้ใหญ่",
		colChildren: "children child chd kids ch 儿童 兒童 小孩 kinder kind enfant enfants 子供 小人 お子様 เด็ก",
		colPax:      "pax persons person people noofpax noofguests guestcount 人数 人數 personen anzahlpersonen personnes nombredepersonnes nbpersonnes จำนวนคน จำนวน",
		colRemark:   "remark remarks note notes comment comments specialrequest specialrequests request requests preference preferences dietary diet allergies allergy 备注 備註 附注 说明 特殊要求 要求 bemerkung bemerkungen anmerkung anmerkungen hinweis wunsche remarque remarques observation observations commentaire commentaires 備考 要望 コメント หมายเหตุ ความต้องการพิเศษ",
		colUnused:   "passport passportno passportnumber passportnr nationality dateofbirth dob birthday birthdate age idno idnumber email phone mobile tel telephone country ratecode rate price visa expiry issuedate 护照 护照号 护照号码 國籍 国籍 生日 出生日期 证件号 证件号码 身份证 身份证号 电话 手机 年龄 reisepass reisepassnummer passnummer geburtsdatum nationalitat staatsangehorigkeit passeport nopasseport numeropasseport datedenaissance nationalite パスポート パスポート番号 生年月日 電話 年齢 หนังสือเดินทาง เลขที่หนังสือเดินทาง สัญชาติ วันเกิด เบอร์โทร โทรศัพท์",
	} {
		for _, w := range strings.Fields(words) {
			out[squeezed(w)] = field
		}
	}
	return out
}

// squeezed is a header as the dictionary has it.
func squeezed(s string) string {
	s = strings.ToLower(norm.NFKD.String(s))
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && r < 0x0400 { // accents of Latin; Thai vowels stay
			return -1
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '#' {
			return r
		}
		return -1
	}, strings.ReplaceAll(s, "ß", "ss"))
	return norm.NFKC.String(s)
}

// column is what one column of a list holds. Person counts names across: 0 is the
// one the line is about, others share the room.
type column struct {
	field  string
	person int
	header string
}

// headerOf reads a row as a header. score is how many different fields it names.
func headerOf(row []sheet.Cell, words map[string]string) (cols []column, score int) {
	cols = make([]column, len(row))
	seen := map[string]int{}
	for i, c := range row {
		field, person := fieldOf(c.Text, words)
		if c.Text == "" || field == "" {
			cols[i] = column{header: c.Text}
			continue
		}
		if person < 0 {
			person = seen[field]
		}
		if seen[field] == 0 && field != colUnused {
			score++
		}
		seen[field]++
		cols[i] = column{field, person, c.Text}
	}
	named := seen[colName] > 0 || seen[colLast] > 0
	if seen[colLast] == 0 && seen[colFirst] > 0 && seen[colName] > 0 { // "Name, Vorname": the name is the surname
		for i := range cols {
			if cols[i].field == colName {
				cols[i].field = colLast
			}
		}
	}
	if !named || score < 2 {
		return nil, 0
	}
	return cols, score
}

// fieldOf finds what a header means: as a whole, by one of its parts ("Check-in /
// 入住日期"), or without a number at its end ("Guest 2": the second person).
func fieldOf(header string, words map[string]string) (field string, person int) {
	if len(header) > 120 {
		return "", 0
	}
	whole := squeezed(header)
	if f := words[whole]; f != "" {
		return f, -1
	}
	if base := strings.TrimRight(whole, "0123456789"); base != whole && len(whole)-len(base) == 1 {
		if f := words[base]; f == colName || f == colLast || f == colFirst || f == colTitle {
			return f, max(int(whole[len(whole)-1]-'0')-1, 0)
		}
	}
	parts := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune("/()（）[]\n|,:：*·", r) })
	parts = append(parts, scripts(header)...)
	for _, p := range parts {
		if f := words[squeezed(p)]; f != "" && squeezed(p) != "" {
			return f, -1
		}
	}
	return "", 0
}

// scripts cuts a header where it changes between Latin and another script: "Name 姓名".
func scripts(s string) []string {
	var latin, other strings.Builder
	for _, r := range s {
		if r < 0x0250 {
			latin.WriteRune(r)
		} else {
			other.WriteRune(r)
		}
	}
	return []string{latin.String(), other.String()}
}

// findHeader looks for the header among a table's first rows: the earliest of those
// that name most fields.
func findHeader(t sheet.Table, words map[string]string) (cols []column, at int) {
	best := 0
	for i := 0; i < min(len(t.Rows), 60); i++ {
		if c, score := headerOf(t.Rows[i], words); score > best {
			cols, at, best = c, i, score
		}
	}
	return cols, at
}
