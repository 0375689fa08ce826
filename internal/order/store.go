package order

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"thhotel/internal/clock"
	"thhotel/internal/database"
)

// store is the only place that knows the tables.
//
// Where a statement names rows by a key of theirs, it says "+hotel_id": there is
// one hotel, but an engine without statistics takes it for selective and walks
// an index that begins with it. The plus, which changes no value, keeps the
// column out of the choice on SQLite; the other engines count and need no hint.
type store struct {
	db    *database.DB
	clock clock.Clock
}

func (s store) conn(ctx context.Context) *gorm.DB { return s.db.Conn(ctx) }

func (s store) insert(ctx context.Context, row any) error {
	if err := s.conn(ctx).Create(row).Error; err != nil {
		return fmt.Errorf("insert: %w", err)
	}
	return nil
}

// order returns one order with its rooms, or errNoOrder.
func (s store) order(ctx context.Context, hotelID, id string) (Record, error) {
	var row orderRow
	err := s.conn(ctx).Where("hotel_id = ? AND id = ?", hotelID, id).Take(&row).Error
	if database.IsNotFound(err) {
		return Record{}, errNoOrder()
	}
	if err != nil {
		return Record{}, fmt.Errorf("read order: %w", err)
	}
	list, err := s.withRooms(ctx, []orderRow{row})
	if err != nil {
		return Record{}, err
	}
	return list[0], nil
}

// orders runs a query over order_record and adds the rooms.
func (s store) orders(ctx context.Context, q func(*gorm.DB) *gorm.DB) ([]Record, error) {
	var rows []orderRow
	if err := q(s.conn(ctx)).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read orders: %w", err)
	}
	return s.withRooms(ctx, rows)
}

func (s store) withRooms(ctx context.Context, rows []orderRow) ([]Record, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	ids := make([]string, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	var lines []lineRow
	if err := s.conn(ctx).Where("order_id IN ?", ids).Order("order_id, line_no").Find(&lines).Error; err != nil {
		return nil, fmt.Errorf("read rooms: %w", err)
	}
	of := map[string][]RoomLine{}
	for _, l := range lines {
		of[l.OrderID] = append(of[l.OrderID], RoomLine{RoomTypeCode: l.RoomTypeCode, RoomCount: l.RoomCount, RateMinor: l.RateMinor})
	}
	out := make([]Record, len(rows))
	for i, r := range rows {
		out[i] = r.record(of[r.ID])
	}
	return out, nil
}

func (s store) createOrder(ctx context.Context, r Record) error {
	row := rowOf(r)
	if err := s.insert(ctx, &row); err != nil {
		return err
	}
	return s.insertRooms(ctx, r)
}

func (s store) insertRooms(ctx context.Context, r Record) error {
	for i, l := range r.Rooms {
		row := lineRow{ID: s.clock.NewID(), HotelID: r.HotelID, OrderID: r.ID, LineNo: i + 1,
			RoomTypeCode: cut(l.RoomTypeCode, 80), RoomCount: l.RoomCount, RateMinor: l.RateMinor}
		if err := s.insert(ctx, &row); err != nil {
			return err
		}
	}
	return nil
}

// updateOrder writes r, whose Version is already the next one, if the order is
// still at the version before it.
func (s store) updateOrder(ctx context.Context, r Record, roomsToo bool) error {
	row := rowOf(r)
	res := s.conn(ctx).Model(&orderRow{}).Where("id = ? AND version = ?", r.ID, r.Version-1).
		Select("*").Omit("id", "hotel_id", "created_at").Updates(&row)
	if res.Error != nil {
		return fmt.Errorf("update order: %w", res.Error)
	}
	if res.RowsAffected != 1 {
		return errOrderStale(r.Version)
	}
	if !roomsToo {
		return nil
	}
	if err := s.conn(ctx).Where("order_id = ?", r.ID).Delete(&lineRow{}).Error; err != nil {
		return fmt.Errorf("replace rooms: %w", err)
	}
	return s.insertRooms(ctx, r)
}

func rowOf(r Record) orderRow {
	return orderRow{
		ID: r.ID, HotelID: r.HotelID, BookingType: cut(r.BookingType, 16), GroupCode: cut(key(r.GroupCode), 80),
		ConfirmationNumber: cut(key(r.ConfirmationNumber), 80), ReservationNo: cut(key(r.ReservationNo), 80),
		AccountCode: cut(key(r.AccountCode), 80), ExternalReference: cut(key(r.ExternalReference), 80),
		GuestName: cut(r.GuestName, 200), GroupName: cut(r.GroupName, 200), AlternateName: cut(r.AlternateName, 200),
		ArrivalDate: dateOrNone(r.ArrivalDate), DepartureDate: dateOrNone(r.DepartureDate), RateCode: cut(key(r.RateCode), 80),
		BookingScenario: cut(r.BookingScenario, 80), Status: r.Status, Adults: r.Adults, Children: r.Children,
		CutoffDate: dateOrNone(r.CutoffDate), ReleaseDays: r.ReleaseDays, Elastic: r.Elastic, Currency: r.Currency,
		Policy: toJSON(r.Policy), Extra: toJSON(r.Extra), BlockOrderID: r.BlockOrderID,
		CancellationNumber: cut(r.CancellationNumber, 80), CancellationReason: cut(r.CancellationReason, 500),
		SourceMessageID: r.SourceMessageID, SearchText: searchText(r), Version: r.Version,
		CreatedAt: database.At(r.CreatedAt), UpdatedAt: database.At(r.UpdatedAt),
	}
}

// dateOrNone keeps columns to real dates; what the mail said stays on the card.
func dateOrNone(s string) string {
	if realDate(s) {
		return s
	}
	return ""
}

func searchText(r Record) string {
	parts := []string{r.GroupCode, r.ConfirmationNumber, r.ReservationNo, r.ExternalReference, r.AccountCode, r.GuestName, r.GroupName,
		r.AlternateName, r.CancellationNumber}
	var more []string
	if json.Unmarshal(r.Extra["additional_guests"], &more) == nil {
		parts = append(parts, more...)
	}
	return cut(fold(parts...), 1500)
}

func (r orderRow) record(rooms []RoomLine) Record {
	out := Record{
		ID: r.ID, HotelID: r.HotelID, BookingType: r.BookingType, GroupCode: r.GroupCode, ConfirmationNumber: r.ConfirmationNumber,
		ReservationNo: r.ReservationNo, AccountCode: r.AccountCode, ExternalReference: r.ExternalReference, GuestName: r.GuestName,
		GroupName: r.GroupName, AlternateName: r.AlternateName, ArrivalDate: r.ArrivalDate, DepartureDate: r.DepartureDate,
		RateCode: r.RateCode, BookingScenario: r.BookingScenario, Status: r.Status, Adults: r.Adults, Children: r.Children,
		CutoffDate: r.CutoffDate, ReleaseDays: r.ReleaseDays, Elastic: r.Elastic, Currency: r.Currency, BlockOrderID: r.BlockOrderID,
		CancellationNumber: r.CancellationNumber, CancellationReason: r.CancellationReason, SourceMessageID: r.SourceMessageID,
		Rooms: rooms, Version: r.Version, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
	_ = json.Unmarshal([]byte(r.Policy), &out.Policy) // our own JSON
	_ = json.Unmarshal([]byte(r.Extra), &out.Extra)
	return out
}
