package order

import (
	"context"
	"encoding/json"
	"strings"

	"thhotel/internal/database"
)

// apply does what the event says. Each branch ends in saveOrder, which checks the
// order's version: nothing is written over a change nobody saw.
func (c *confirmation) apply(ctx context.Context) (Record, error) {
	switch c.judged.event.Type {
	case NewBooking:
		return c.newBooking(ctx)
	case UpdateBooking:
		return c.update(ctx)
	case CancelBooking:
		return c.cancel(ctx)
	case Payment:
		return c.payment(ctx)
	case RoomingList:
		return c.roomingList(ctx)
	case Trace, attachVoucher: // only the traces, which save adds
	}
	return c.save(ctx, *c.judged.facts.Target, nil)
}

// save writes the order's next version, the event's traces, and the history row.
func (c *confirmation) save(ctx context.Context, after Record, extra map[string]any) (Record, error) {
	items := c.judged.event.TraceItems
	if err := c.addTraces(ctx, after.ID, items); err != nil {
		return after, err
	}
	if len(items) > 0 {
		if extra == nil {
			extra = map[string]any{}
		}
		extra["trace_items"] = items
	}
	var said label
	said.zh, said.en = c.judged.effect(true)
	return c.saveAs(ctx, after, extra, said)
}

// saveAs writes the order's next version and its history row, in the words given.
func (c *confirmation) saveAs(ctx context.Context, after Record, extra map[string]any, said label) (Record, error) {
	return c.s.saveOrder(ctx, c.by, change{action: string(c.judged.event.Type), before: *c.judged.subject(), after: after, extra: extra,
		cardID: c.judged.row.ID, reason: c.p.given(), zh: said.zh, en: said.en})
}

func (c *confirmation) addTraces(ctx context.Context, orderID string, items []TraceItem) error {
	for _, t := range items {
		row := traceRow{ID: c.s.clock.NewID(), HotelID: c.in.hotel.ID, OrderID: orderID, CardID: c.judged.row.ID, TraceType: cut(t.Type, 16),
			DepartmentCode: cut(t.DepartmentCode, 80), TraceDate: dateOrNone(t.Date), TraceTime: cut(t.Time, 8), TraceText: t.Text,
			Flag: sensitivity(t.Text), CreatedAt: database.At(c.s.clock.Now())}
		if err := c.s.store.insert(ctx, &row); err != nil {
			return err
		}
	}
	return nil
}

func (c *confirmation) newBooking(ctx context.Context) (Record, error) {
	if c.judged.pending == nil { // opened by hand: the order is made now
		if err := c.s.createPending(ctx, c.by, c.in, &c.judged); err != nil {
			return Record{}, err
		}
		if err := c.s.store.setOrder(ctx, c.judged.row.ID, c.judged.pending.ID); err != nil {
			return Record{}, err
		}
	}
	r := c.judged.pending.clone()
	r.BookingType = orElse(c.judged.event.Target.BookingType, r.BookingType)
	if b := c.judged.facts.Block; b != nil {
		r.BlockOrderID = b.ID
	}
	c.judged.facts.proposal().apply(&r)
	if c.judged.byGroupCode() {
		r.GroupCode = key(c.p.GroupCode)
	}
	r.ConfirmationNumber, r.ReservationNo = key(c.p.ConfirmationNumber), key(c.p.ReservationNo)
	r.Status = StatusConfirmed
	if strings.HasSuffix(r.BookingScenario, "_TENTATIVE") {
		r.Status = StatusTentative
	}
	return c.save(ctx, r, nil)
}

func (c *confirmation) update(ctx context.Context) (Record, error) {
	r, e := c.judged.facts.Target.clone(), c.judged.event
	if e.After.Scope == ScopeMember {
		note := TraceItem{Type: "NOTE", Date: e.After.Fields["departure_date"], Text: c.memberNote()}
		if err := c.addTraces(ctx, r.ID, []TraceItem{note}); err != nil {
			return r, err
		}
		return c.save(ctx, r, map[string]any{"group_member": json.RawMessage(orElse(string(e.After.Raw), "{}")), "guest_name": e.GuestName})
	}
	c.judged.facts.proposal().apply(&r)
	var extra map[string]any
	if gone := e.After.RemovedGuests; len(gone) > 0 {
		if err := c.s.store.removeGuests(ctx, r.ID, gone); err != nil {
			return r, err
		}
		extra = map[string]any{"removed_guests": gone}
	}
	return c.save(ctx, r, extra)
}

// memberNote says in words what one guest of the block wants; the block stays.
func (c *confirmation) memberNote() string {
	e := c.judged.event
	var parts []string
	for _, f := range fields() {
		if v, ok := e.After.Fields[f.name]; ok {
			parts = append(parts, both(f.name)+" "+v)
		}
	}
	for _, it := range e.RoomItems {
		if it.RoomCount != nil {
			parts = append(parts, itoa(*it.RoomCount)+" "+it.RoomTypeCode)
		}
	}
	for _, k := range sortedKeys(e.After.Extra) {
		parts = append(parts, both(k)+" "+spoken(text(e.After.Extra[k])).en)
	}
	if e.After.ReviewReason != "" {
		parts = append(parts, e.After.ReviewReason)
	}
	return e.GuestName + ": " + strings.Join(parts, "; ")
}

// both names a field in either language: a note is stored once, for readers of both.
func both(name string) string {
	zh, en := labels(name)
	if zh == en {
		return en
	}
	return zh + " " + en
}

func (c *confirmation) cancel(ctx context.Context) (Record, error) {
	r := c.judged.facts.Target.clone()
	if r.Status == StatusCancelled {
		return c.alreadyCancelled(ctx, r)
	}
	r.Status, r.CancellationReason = StatusCancelled, cut(c.judged.event.After.CancelReason, 500)
	r.CancellationNumber = key(c.p.CancellationNumber)
	return c.save(ctx, r, nil)
}

// payment records what the sender says was paid. It is evidence: no balance moves
// until finance confirms.
func (c *confirmation) payment(ctx context.Context) (Record, error) {
	r, p := c.judged.facts.Target.clone(), c.judged.facts.payment()
	minor, ok := c.judged.facts.paid()
	if !ok {
		return r, invalid("/payment/amount", "金额无效。", "a decimal amount")
	}
	row := paymentRow{ID: c.s.clock.NewID(), HotelID: c.in.hotel.ID, OrderID: r.ID, CardID: c.judged.row.ID, AccountCode: cut(r.AccountCode, 80),
		Kind: cut(p.Kind, 40), AmountMinor: minor, Currency: p.Currency, Method: cut(p.Method, 40), ValueDate: dateOrNone(p.ValueDate),
		BankReference: cut(p.BankReference, 120), ProformaNumber: cut(p.ProformaNumber, 80), BankAccount: cut(p.BankAccount, 80),
		Status: PaymentAdvised, Version: 1, CreatedAt: database.At(c.s.clock.Now())}
	if err := c.s.store.insert(ctx, &row); err != nil {
		return r, err
	}
	if err := c.attach(ctx, r.ID, "REMITTANCE"); err != nil {
		return r, err
	}
	return c.save(ctx, r, map[string]any{"payment": p, "attachment_ids": c.judged.event.AttachmentIDs})
}

// attach puts the event's attachments on the order as vouchers.
func (c *confirmation) attach(ctx context.Context, orderID, kind string) error {
	e := c.judged.event
	ids := c.judged.listFiles()
	if len(ids) == 0 && kind == "ROOMING_LIST" {
		ids = []string{""} // what the list says of itself is kept all the same
	}
	for _, id := range ids {
		row := voucherRow{ID: c.s.clock.NewID(), HotelID: c.in.hotel.ID, OrderID: orderID, CardID: c.judged.row.ID, Kind: kind,
			MessageID: c.judged.row.MessageID, AttachmentID: cut(id, 200), Summary: "null", Discrepancies: "null", CreatedAt: database.At(c.s.clock.Now())}
		if kind == "ROOMING_LIST" {
			row.Summary, row.Discrepancies = toJSON(e.After.RoomingList.summary()), toJSON(c.judged.unreadDiscrepancies())
		}
		if err := c.s.store.insert(ctx, &row); err != nil {
			return err
		}
	}
	return nil
}

// summary is the list without its rows, which have a table of their own.
func (l *RoomingSummary) summary() *RoomingSummary {
	if l == nil {
		return nil
	}
	out := *l
	out.Entries = nil
	return &out
}

func (c *confirmation) roomingList(ctx context.Context) (Record, error) {
	r, e := c.judged.facts.Target.clone(), c.judged.event
	rows := c.judged.facts.rows()
	if len(rows) > 0 && e.After.RoomingList.Mode != "ADD" {
		if err := c.s.store.clearRooming(ctx, r.ID); err != nil {
			return r, err
		}
	}
	for i, g := range rows {
		if g.Row == 0 {
			g.Row = i + 1
		}
		row := entryRow{ID: c.s.clock.NewID(), HotelID: c.in.hotel.ID, OrderID: r.ID, CardID: c.judged.row.ID, RowNo: g.Row, GuestName: cut(g.GuestName, 200),
			SharingWith: cut(g.SharingWith, 200), RoomTypeCode: cut(g.RoomTypeCode, 80), ArrivalDate: dateOrNone(g.ArrivalDate),
			DepartureDate: dateOrNone(g.DepartureDate), Remark: cut(g.Remark, 500), Status: "LISTED", CreatedAt: database.At(c.s.clock.Now())}
		if err := c.s.store.insert(ctx, &row); err != nil {
			return r, err
		}
	}
	if err := c.attach(ctx, r.ID, "ROOMING_LIST"); err != nil {
		return r, err
	}
	return c.save(ctx, r, map[string]any{"rooming_list": e.After.RoomingList.summary(), "discrepancies": c.judged.unreadDiscrepancies(), "attachment_ids": c.judged.listFiles()})
}
