package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/platform"
)

// load brings the demo hotel, its code lists, orders and mails into the
// database. Each part is there whole or not at all, so a start after a kill
// goes on where the last one ended.
func load(ctx context.Context, a *app.App) error {
	s, err := loadSeed()
	if err != nil {
		return err
	}
	by := access.AsSystem("", "demo")
	h, err := a.Platform.Hotel(ctx, by)
	if isMissingHotel(err) {
		h, err = found(ctx, a, by, s)
	}
	if err != nil {
		return err
	}
	return deliver(ctx, a, access.AsSystem(h.ID, "demo"))
}

// found creates the hotel with its codes and orders in one transaction.
func found(ctx context.Context, a *app.App, by access.Caller, s seed) (h platform.Hotel, err error) {
	err = a.DB.InTx(ctx, func(ctx context.Context) error {
		h, err = a.Platform.CreateHotel(ctx, by, platform.HotelParams{
			Name: s.Hotel.Name, TimeZone: s.Hotel.TimeZone, Currency: "THB", BusinessDate: s.Hotel.BusinessDate,
		})
		if err != nil {
			return err
		}
		by := access.AsSystem(h.ID, "demo")
		if err := a.Platform.SetCodeLists(ctx, by, s.codeLists()); err != nil {
			return err
		}
		return a.Order.LoadOrders(ctx, by, s.records(h.ID))
	})
	return h, err
}

func (s seed) codeLists() platform.CodeLists {
	var l platform.CodeLists
	for _, code := range slices.Sorted(maps.Keys(s.CodeLists.RoomTypes)) {
		l.RoomTypes = append(l.RoomTypes, platform.RoomType{Code: code, Name: s.CodeLists.RoomTypes[code], Capacity: capacity(code)})
	}
	l.RateCodes = codes(s.CodeLists.RateCodes, nil)
	l.Departments = codes(s.CodeLists.Departments, departmentNames)
	l.Accounts = codes(s.CodeLists.Accounts, nil)
	return l
}

// codes names each code after itself where nobody gave a name.
func codes(list []string, names map[string]string) []platform.Code {
	out := make([]platform.Code, len(list))
	for i, c := range list {
		out[i] = platform.Code{Code: c, Name: c}
		if n := names[c]; n != "" {
			out[i].Name = n
		}
	}
	return out
}

// records are the orders that exist before the first mail is confirmed.
func (s seed) records(hotelID string) []order.Record {
	var out []order.Record
	for _, o := range s.Orders {
		if o.CreatedByMail != "" {
			continue
		}
		r := order.Record{
			HotelID: hotelID, BookingType: o.BookingType, GroupCode: o.GroupCode, ConfirmationNumber: o.ConfirmationNumber,
			ReservationNo: o.ReservationNo, AccountCode: o.AccountCode, GuestName: o.GuestName, GroupName: o.GroupName,
			ArrivalDate: o.ArrivalDate, DepartureDate: o.DepartureDate, RateCode: o.RateCode, Status: o.Status,
			CutoffDate: o.CutoffDate, Currency: "THB", Policy: order.ParsePolicy(o.CancellationPolicy),
		}
		if o.ReleaseDays > 0 {
			r.ReleaseDays = &o.ReleaseDays
		}
		for _, i := range o.RoomItems {
			r.Rooms = append(r.Rooms, order.RoomLine{RoomTypeCode: i.RoomTypeCode, RoomCount: i.RoomCount})
		}
		out = append(out, r)
	}
	return out
}

// deliver brings the twelve mails in through the bus's own path. Delivering
// again changes nothing.
func deliver(ctx context.Context, a *app.App, by access.Caller) error {
	mails, err := Mails()
	if err != nil {
		return err
	}
	for _, m := range mails {
		_, err := a.Inbox.Deliver(ctx, by, inbox.DeliverParams{
			Provider: inbox.DefaultProvider, Channel: inbox.DefaultChannel,
			ExternalMessageID: m.SourceMessageID, ExternalConversationID: m.ConversationID,
			Raw: m.Raw, ReceivedAt: m.SentAt, AttachmentIDs: m.AttachmentIDs(),
		})
		if err != nil {
			return fmt.Errorf("deliver %s: %w", m.File, err)
		}
	}
	return nil
}
