package order

import (
	"context"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/fault"
)

// FindByKeys returns the orders that any of the exact keys leads to, newest
// arrival first, at most limit (50 when none is given).
func (s *Service) FindByKeys(ctx context.Context, by access.Caller, k Keys, limit int) (Found, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Found{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return Found{}, err
	}
	return s.find(ctx, in.hotel.ID, k, limit, s.store.byKey, s.store.liveByKey)
}

// byKeys reads orders by one key.
type byKeys func(ctx context.Context, hotelID, locator, value string, limit int) ([]Record, error)

// find looks each key up; live finds those that may lie beyond what all reads.
func (s *Service) find(ctx context.Context, hotelID string, k Keys, limit int, all, live byKeys) (Found, error) {
	limit = pageSize(limit)
	f := Found{PerKey: map[string][]string{}}
	for _, given := range k.given() {
		list, err := all(ctx, hotelID, given.locator, given.value, limit+1)
		if err != nil {
			return Found{}, err
		}
		f.add(keyColumn(given.locator), list)
		if len(list) > limit {
			if list, err = live(ctx, hotelID, given.locator, given.value, limit); err != nil {
				return Found{}, err
			}
		}
		f.addLive(list)
	}
	f.Agree = f.agree(k)
	slices.SortFunc(f.Records, newestArrival)
	slices.SortFunc(f.Live, newestArrival)
	if len(f.Records) > limit {
		f.Records, f.Truncated = f.Records[:limit], true
	}
	return f, nil
}

type givenKey struct{ locator, value string }

// given are the keys that say something, as they are stored.
func (k Keys) given() []givenKey {
	all := []givenKey{{ByGroupCode, key(k.GroupCode)}, {ByConfirmation, key(k.ConfirmationNumber)}, {ByReservationNo, key(k.ReservationNo)}}
	return slices.DeleteFunc(all, func(g givenKey) bool { return g.value == "" })
}

func (f *Found) addLive(list []Record) {
	for _, r := range list {
		if r.Live() && !slices.ContainsFunc(f.Live, func(o Record) bool { return o.ID == r.ID }) {
			f.Live = append(f.Live, r)
		}
	}
}

// agree reports whether one order could carry all the keys that lead anywhere.
func (f *Found) agree(k Keys) bool {
	leading := slices.DeleteFunc(k.given(), func(g givenKey) bool { return len(f.PerKey[keyColumn(g.locator)]) == 0 })
	if len(leading) < 2 {
		return true
	}
	return slices.ContainsFunc(f.Records, func(r Record) bool {
		return !slices.ContainsFunc(leading, func(g givenKey) bool { return !f.carries(r, g) })
	})
}

func (f *Found) carries(r Record, g givenKey) bool {
	switch g.locator {
	case ByGroupCode:
		return r.GroupCode == g.value || slices.Contains(f.PerKey["group_code"], r.BlockOrderID)
	case ByConfirmation:
		return r.ConfirmationNumber == g.value
	}
	return r.ReservationNo == g.value
}

func (f *Found) add(name string, list []Record) {
	f.PerKey[name] = []string{}
	for _, r := range list {
		f.PerKey[name] = append(f.PerKey[name], r.ID)
		if !slices.ContainsFunc(f.Records, func(o Record) bool { return o.ID == r.ID }) {
			f.Records = append(f.Records, r)
		}
	}
}

func newestArrival(a, b Record) int {
	if c := strings.Compare(b.ArrivalDate, a.ArrivalDate); c != 0 {
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

// Get returns one order of the caller's hotel.
func (s *Service) Get(ctx context.Context, by access.Caller, id string) (Record, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Record{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return Record{}, err
	}
	return s.store.order(ctx, in.hotel.ID, id)
}

// Search finds orders by a part of a key, name or reference (see search.go),
// latest arrival first.
func (s *Service) Search(ctx context.Context, by access.Caller, p SearchParams) (OrderPage, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return OrderPage{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return OrderPage{}, err
	}
	c, more, err := readCursor(p.Cursor, "orders")
	if err != nil {
		return OrderPage{}, err
	}
	limit := pageSize(p.Limit)
	list, err := s.store.search(ctx, in.hotel.ID, p, c, more, limit+1)
	if err != nil {
		return OrderPage{}, err
	}
	page := OrderPage{Orders: list}
	if len(list) > limit {
		page.Orders = list[:limit]
		last := list[limit-1]
		page.NextCursor = cursor{Sort: "orders", Text: last.ArrivalDate, ID: last.ID}.String()
	}
	return page, nil
}

// Detail returns an order with everything that stands on it.
func (s *Service) Detail(ctx context.Context, by access.Caller, id string) (View, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return View{}, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return View{}, err
	}
	r, err := s.store.order(ctx, in.hotel.ID, id)
	if err != nil {
		return View{}, err
	}
	v := View{Record: r, TotalMinor: r.total(), Actions: Allowed(r, in.hotel.BusinessDate)}
	if v.Traces, err = s.store.traces(ctx, id); err != nil {
		return v, err
	}
	if v.Payments, err = s.store.payments(ctx, "order_id = ? AND +hotel_id = ?", id, in.hotel.ID); err != nil {
		return v, err
	}
	v.Ledger = ledgerOf(r, v.Payments)
	v.PaidMinor = v.Ledger.PaidMinor
	if v.Rooming, err = s.store.rooming(ctx, id, ""); err != nil {
		return v, err
	}
	if v.Vouchers, err = s.store.vouchers(ctx, id); err != nil {
		return v, err
	}
	return v, s.around(ctx, in, &v)
}

// around adds what lies beside the order: its block, its cards, OPERA's word.
func (s *Service) around(ctx context.Context, in setting, v *View) error {
	if id := v.Record.BlockOrderID; id != "" {
		b, err := s.store.order(ctx, in.hotel.ID, id)
		if err != nil && fault.Code(err) != CodeOrderNotFound {
			return err
		}
		if err == nil {
			v.Block = &b
		}
	}
	rows, err := s.store.cardsOfOrder(ctx, in.hotel.ID, v.Record.ID)
	if err != nil {
		return err
	}
	v.Cards = briefs(rows)
	if v.Projection, err = s.store.projectionOf(ctx, v.Record); err == nil && v.Projection != nil {
		v.Opera = v.Projection.Differences(v.Record)
	}
	return err
}

// History returns every change of an order, newest first.
func (s *Service) History(ctx context.Context, by access.Caller, orderID string) ([]Change, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return nil, err
	}
	in, err := s.home(ctx, by)
	if err != nil {
		return nil, err
	}
	if _, err := s.store.order(ctx, in.hotel.ID, orderID); err != nil {
		return nil, err
	}
	rows, err := s.store.changes(ctx, in.hotel.ID, orderID)
	out := make([]Change, len(rows))
	for i, r := range rows {
		out[i] = Change{ID: r.ID, OrderID: r.OrderID, CardID: r.CardID, Action: r.Action, Before: []byte(r.BeforeJSON), After: []byte(r.AfterJSON),
			Reason: r.Reason, ByID: r.ByID, ByName: r.ByName, Version: r.OrderVersion, At: r.CreatedAt.Time, Summary: r.Summary, SummaryE: r.SummaryEn}
	}
	return out, err
}

// LoadOrders puts orders in that come from elsewhere: set-up and the demo. Words
// of other systems are translated; an order that is there already (same keys,
// same arrival) is left alone, so loading twice is harmless.
func (s *Service) LoadOrders(ctx context.Context, by access.Caller, records []Record) error {
	if err := by.Require(access.HotelAdmin); err != nil {
		return err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return err
	}
	return s.db.InTx(ctx, func(ctx context.Context) error {
		for _, r := range records {
			if err := s.load(ctx, by, in, r); err != nil {
				return err
			}
		}
		return s.note(ctx, by, "order.load", "hotel", in.hotel.ID)
	})
}

func (s *Service) load(ctx context.Context, by access.Caller, in setting, r Record) error {
	there, err := s.store.loaded(ctx, in.hotel.ID, r)
	if err != nil || there {
		return err
	}
	now := s.clock.Now()
	r = r.clone()
	r.ID, r.HotelID, r.Version, r.CreatedAt, r.UpdatedAt = orElse(r.ID, s.clock.NewID()), in.hotel.ID, 1, now, now
	r.Status, r.Currency = statusWord(r.Status), orElse(r.Currency, in.hotel.Currency)
	if err := s.store.createOrder(ctx, r); err != nil {
		return err
	}
	if err := s.record(ctx, by, change{action: "LOADED", after: r, zh: "载入", en: "loaded"}); err != nil {
		return err
	}
	return s.rejudge(ctx, in, r)
}

// statusWord maps other systems' words for "firm" to ours.
func statusWord(s string) string {
	switch key(s) {
	case "RESERVED", "DEFINITE", "ACTUAL", "":
		return StatusConfirmed
	case "INHOUSE":
		return StatusInHouse
	case "CHECKEDOUT":
		return StatusCheckedOut
	case "NOSHOW":
		return StatusNoShow
	}
	return key(s)
}
