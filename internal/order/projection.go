package order

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// maxAhead is how far a system's clock may be ahead: a word from next year would
// silence every later one.
const maxAhead = 24 * time.Hour

// UpsertProjections stores what OPERA says, keeping the newest word by AsOf. It
// returns how many were news. All of them are checked before any is stored: a batch
// is stored whole or not at all, and every fault is named with its place.
func (s *Service) UpsertProjections(ctx context.Context, by access.Caller, list []Projection) (int, error) {
	if err := by.Require(access.ProjectionWrite); err != nil {
		return 0, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return 0, err
	}
	if err := checkProjections(list, s.clock.Now()); err != nil {
		return 0, err
	}
	stored := 0
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		stored = 0
		for _, p := range list {
			fresh, err := s.store.putProjection(ctx, s.projectionRow(in, p))
			if err != nil {
				return err
			}
			if fresh {
				stored++
			}
		}
		return s.note(ctx, by, "projection.upsert", "hotel", in.hotel.ID)
	})
	return stored, err
}

func checkProjections(list []Projection, now time.Time) error {
	var wrong []fault.Violation
	for i, p := range list {
		for _, v := range p.faults(now) {
			v.Path = "/projections/" + itoa(i) + v.Path
			wrong = append(wrong, v)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, CodeInput, "投影数据不合要求，整批未保存；请按 violations 修正后重发。",
		"The projections are not acceptable and none was stored. Correct what violations names and send them again.").At(wrong...)
}

// faults are what is wrong with one projection, with pointers inside it.
func (p Projection) faults(now time.Time) []fault.Violation {
	var wrong []fault.Violation
	add := func(path, zh, en string) {
		wrong = append(wrong, fault.Violation{Path: path, Code: codeValue, Message: zh, MessageEN: en})
	}
	if p.Kind != "RESERVATION" && p.Kind != "BLOCK" {
		add("/kind", "只能是 RESERVATION 或 BLOCK", "RESERVATION or BLOCK")
	}
	if projectionKey(p) == "" {
		add("", "BLOCK 需要 group_code，RESERVATION 需要 reservation_no 或 confirmation_number", "a block needs group_code, a reservation reservation_no or confirmation_number")
	}
	for _, k := range []struct {
		name, value string
		most        int
	}{{"group_code", p.GroupCode, 75}, {"confirmation_number", p.ConfirmationNumber, 80}, {"reservation_no", p.ReservationNo, 80}, {"guest_name", p.GuestName, 200}} {
		if len([]rune(key(k.value))) > k.most {
			add("/"+k.name, "最多 "+itoa(k.most)+" 个字符", "at most "+itoa(k.most)+" characters")
		}
	}
	dated := true
	for _, d := range []struct{ name, value string }{{"arrival_date", p.ArrivalDate}, {"departure_date", p.DepartureDate}} {
		if d.value != "" && !realDate(d.value) {
			add("/"+d.name, "必须是真实存在的日期 YYYY-MM-DD", "a real date, YYYY-MM-DD")
			dated = false
		}
	}
	if dated && p.ArrivalDate != "" && p.DepartureDate != "" && p.ArrivalDate > p.DepartureDate { // equal: day use
		add("/departure_date", "不能早于 arrival_date", "not before arrival_date")
	}
	if p.AsOf.After(now.Add(maxAhead)) {
		add("/as_of", "不能在未来：来自未来的时间会让之后的更新都失效", "not in the future: a word from the future would silence every later one")
	}
	for i, l := range p.RoomItems {
		if key(l.RoomTypeCode) == "" || len([]rune(l.RoomTypeCode)) > 80 || l.RoomCount < 0 {
			add("/room_items/"+itoa(i), "需要 room_type_code，room_count 不小于 0", "room_type_code, and room_count of at least 0")
		}
	}
	return wrong
}

func (s *Service) projectionRow(in setting, p Projection) projectionRow {
	at := p.AsOf
	if at.IsZero() {
		at = s.clock.Now()
	}
	raw := "null"
	if json.Valid(p.Raw) {
		raw = string(p.Raw)
	}
	row := projectionRow{ID: s.clock.NewID(), HotelID: in.hotel.ID, Kind: p.Kind, ObjectKey: projectionKey(p), GroupCode: cut(key(p.GroupCode), 80),
		ConfirmationNumber: cut(key(p.ConfirmationNumber), 80), ReservationNo: cut(key(p.ReservationNo), 80), Status: cut(p.Status, 24),
		ArrivalDate: dateOrNone(p.ArrivalDate), DepartureDate: dateOrNone(p.DepartureDate), GuestName: cut(p.GuestName, 200), Raw: raw,
		AsOf: database.At(at), UpdatedAt: database.At(s.clock.Now())}
	if p.RoomItems != nil {
		rooms := toJSON(p.RoomItems)
		row.Rooms = &rooms
	}
	return row
}

// HasProjection says of which orders OPERA has spoken.
func (s *Service) HasProjection(ctx context.Context, by access.Caller, orderIDs []string) (map[string]bool, error) {
	words, err := s.OperaWords(ctx, by, orderIDs)
	out := map[string]bool{}
	for id, w := range words {
		out[id] = w.Projection != nil
	}
	return out, err
}

// OperaWord is OPERA's newest word on an order, and where it disagrees.
type OperaWord struct {
	Projection  *Projection // nil: OPERA has said nothing
	Differences []Difference
}

// OperaWords compares orders with what OPERA last said of them; one entry for every
// order that exists.
func (s *Service) OperaWords(ctx context.Context, by access.Caller, orderIDs []string) (map[string]OperaWord, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return nil, err
	}
	in, err := s.home(ctx, by)
	if err != nil || len(orderIDs) == 0 {
		return map[string]OperaWord{}, err
	}
	orders, err := s.store.ordersByID(ctx, in.hotel.ID, orderIDs)
	if err != nil {
		return nil, err
	}
	return s.operaWords(ctx, in.hotel.ID, orders, true)
}

// Difference is a field on which OPERA and an order disagree.
type Difference struct {
	Field string `json:"field"` // status, arrival_date, departure_date, room_items, guest_name
	Ours  string `json:"ours"`
	Opera string `json:"opera"`
}

// Differences compares what OPERA says; what it does not say is no difference.
func (p Projection) Differences(r Record) []Difference {
	var out []Difference
	add := func(field, ours, opera string) { out = append(out, Difference{field, ours, opera}) }
	if word := OperaStatus(p.Status); word != "" && !agrees(word, r.Status, key(p.Status)) {
		add("status", r.Status, p.Status)
	}
	if p.ArrivalDate != "" && p.ArrivalDate != r.ArrivalDate {
		add("arrival_date", r.ArrivalDate, p.ArrivalDate)
	}
	if p.DepartureDate != "" && p.DepartureDate != r.DepartureDate {
		add("departure_date", r.DepartureDate, p.DepartureDate)
	}
	if ours, theirs := roomWords(r.Rooms), roomWords(p.RoomItems); p.RoomItems != nil && ours != theirs {
		add("room_items", ours, theirs)
	}
	if p.GuestName != "" && !slices.ContainsFunc([]string{r.GuestName, r.GroupName, r.AlternateName}, func(n string) bool { return sameName(n, p.GuestName) }) {
		add("guest_name", r.Name(), p.GuestName)
	}
	return out
}

// sameName also takes the parts in another order: "DANIEL FINCH" is "FINCH, DANIEL".
func sameName(a, b string) bool { return samePerson(a, b) || nameWords(a) == nameWords(b) }

func roomWords(lines []RoomLine) string {
	sum := map[string]int{}
	for _, l := range lines {
		if l.RoomCount > 0 {
			sum[key(l.RoomTypeCode)] += l.RoomCount
		}
	}
	out := ""
	for _, code := range sortedKeys(sum) {
		out += itoa(sum[code]) + " " + code + " "
	}
	return cut(out, max(len(out)-1, 0))
}
