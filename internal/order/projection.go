package order

import (
	"context"
	"encoding/json"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// UpsertProjections stores what OPERA says, keeping the newest word by AsOf. It
// returns how many were news. All of them are checked before any is stored.
func (s *Service) UpsertProjections(ctx context.Context, by access.Caller, list []Projection) (int, error) {
	if err := by.Require(access.ProjectionWrite); err != nil {
		return 0, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return 0, err
	}
	if err := checkProjections(list); err != nil {
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

func checkProjections(list []Projection) error {
	var wrong []fault.Violation
	for i, p := range list {
		at := "/projections/" + itoa(i)
		if p.Kind != "RESERVATION" && p.Kind != "BLOCK" {
			wrong = append(wrong, fault.Violation{Path: at + "/kind", Message: "RESERVATION or BLOCK"})
		}
		if k := projectionKey(p); k == "" || len([]rune(k)) > 80 {
			wrong = append(wrong, fault.Violation{Path: at, Message: "a block needs group_code, a reservation reservation_no or confirmation_number, of at most 80 characters"})
		}
		for name, v := range map[string]string{"arrival_date": p.ArrivalDate, "departure_date": p.DepartureDate} {
			if v != "" && !realDate(v) {
				wrong = append(wrong, fault.Violation{Path: at + "/" + name, Message: "a real date, YYYY-MM-DD"})
			}
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return fault.New(fault.Invalid, CodeInput, "投影数据不合要求，请按 violations 修正。", "The projections are not acceptable. Correct what violations names.").At(wrong...)
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
	return projectionRow{ID: s.clock.NewID(), HotelID: in.hotel.ID, Kind: p.Kind, ObjectKey: projectionKey(p), GroupCode: cut(key(p.GroupCode), 80),
		ConfirmationNumber: cut(key(p.ConfirmationNumber), 80), ReservationNo: cut(key(p.ReservationNo), 80), Status: cut(p.Status, 24),
		ArrivalDate: dateOrNone(p.ArrivalDate), DepartureDate: dateOrNone(p.DepartureDate), Raw: raw, AsOf: database.At(at), UpdatedAt: database.At(s.clock.Now())}
}

// HasProjection says of which orders OPERA has spoken.
func (s *Service) HasProjection(ctx context.Context, by access.Caller, orderIDs []string) (map[string]bool, error) {
	if err := by.Require(access.CaseRead); err != nil {
		return nil, err
	}
	in, err := s.setting(ctx, by)
	if err != nil || len(orderIDs) == 0 {
		return map[string]bool{}, err
	}
	orders, err := s.store.ordersByID(ctx, in.hotel.ID, orderIDs)
	if err != nil {
		return nil, err
	}
	spoken, err := s.store.projections(ctx, in.hotel.ID, orders)
	out := map[string]bool{}
	for _, r := range orders {
		out[r.ID] = slices.ContainsFunc(spoken, func(p Projection) bool { return p.means(r) })
	}
	return out, err
}
