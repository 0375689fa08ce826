package order

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/platform"
)

// Case is what exact keys lead to: the orders, what waits for people on them or
// on the keys, and OPERA's word on each order.
type Case struct {
	Hotel platform.Hotel
	Found
	Cards []CardBrief // open ones, oldest first; ids, event, status, external mail and time alone
	Words map[string]OperaWord
}

// Case is the agent's most frequent question, answered with as few queries as it
// takes. hotelID may be "", else it must be the hotel's. Orders come without their
// rooms.
func (s *Service) Case(ctx context.Context, by access.Caller, hotelID string, k Keys, limit int) (Case, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Case{}, err
	}
	h, err := s.platform.ResolveHotel(ctx, by, hotelID)
	if err != nil {
		return Case{}, err
	}
	found, err := s.find(ctx, h.ID, k, limit, s.store.plainByKey, s.store.plainLiveByKey)
	if err != nil {
		return Case{}, err
	}
	out := Case{Hotel: h, Found: found}
	if out.Cards, err = s.openOn(ctx, h.ID, found.Records, k); err != nil {
		return Case{}, err
	}
	out.Words, err = s.operaWords(ctx, h.ID, found.Records, false)
	return out, err
}

// OnOrder is Case for one order that is known already, with its rooms.
func (s *Service) OnOrder(ctx context.Context, by access.Caller, hotelID, id string) (Record, Case, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return Record{}, Case{}, err
	}
	h, err := s.platform.ResolveHotel(ctx, by, hotelID)
	if err != nil {
		return Record{}, Case{}, err
	}
	r, err := s.store.order(ctx, h.ID, id)
	if err != nil {
		return Record{}, Case{}, err
	}
	out := Case{Hotel: h}
	k := Keys{GroupCode: r.GroupCode, ConfirmationNumber: r.ConfirmationNumber, ReservationNo: r.ReservationNo}
	if out.Cards, err = s.openOn(ctx, h.ID, []Record{r}, k); err != nil {
		return r, Case{}, err
	}
	out.Words, err = s.operaWords(ctx, h.ID, []Record{r}, true)
	return r, out, err
}

// openOn lists the open cards of orders, and those that name a key and know no
// order yet: a mail may speak of a group whose own booking nobody confirmed.
func (s *Service) openOn(ctx context.Context, hotelID string, records []Record, k Keys) ([]CardBrief, error) {
	cards, err := s.store.openBriefs(ctx, hotelID, records, k)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(cards, func(a, b CardBrief) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), strings.Compare(a.ID, b.ID))
	})
	return slices.CompactFunc(cards, func(a, b CardBrief) bool { return a.ID == b.ID }), nil
}

// operaWords compares orders with OPERA's word. Rooms are read for those that it
// speaks of, unless they are there.
func (s *Service) operaWords(ctx context.Context, hotelID string, orders []Record, withRooms bool) (map[string]OperaWord, error) {
	out := map[string]OperaWord{}
	if len(orders) == 0 {
		return out, nil
	}
	spoken, err := s.store.projections(ctx, hotelID, orders)
	if err != nil {
		return nil, err
	}
	for _, r := range orders {
		w := OperaWord{Projection: newestWord(spoken, r)}
		if w.Projection != nil {
			if !withRooms && w.Projection.RoomItems != nil {
				if r, err = s.store.order(ctx, hotelID, r.ID); err != nil {
					return nil, err
				}
			}
			w.Differences = w.Projection.Differences(r)
		}
		out[r.ID] = w
	}
	return out, nil
}
