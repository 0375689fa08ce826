package order

import (
	"context"

	"thhotel/internal/access"
)

// exportPage is how many rows an export reads at a time: no cursor stays open on
// the database while a slow client reads.
const exportPage = 500

// ExportCards hands every card of the selection to row, in the queue's order, and
// stops at row's first error. The export is audited before its first row leaves.
func (s *Service) ExportCards(ctx context.Context, by access.Caller, p QueueParams, row func(CardBrief) error) error {
	in, err := s.exporting(ctx, by, "queue.export")
	if err != nil {
		return err
	}
	order := sortOf(p)
	c, more, err := readCursor(p.Cursor, order.name)
	for err == nil {
		var rows []cardRow
		if rows, err = s.store.queue(ctx, s.lens(in, by), p, order, c, more, exportPage); err != nil {
			return err
		}
		for i := range rows {
			if err := row(rows[i].brief()); err != nil {
				return err
			}
		}
		if len(rows) < exportPage {
			return nil
		}
		c, more = order.cursor(rows[len(rows)-1]), true
	}
	return err
}

// ExportOrders hands every order of the selection to row, latest arrival first.
func (s *Service) ExportOrders(ctx context.Context, by access.Caller, p SearchParams, row func(Record) error) error {
	in, err := s.exporting(ctx, by, "order.export")
	if err != nil {
		return err
	}
	c, more, err := readCursor(p.Cursor, "orders")
	for err == nil {
		var list []Record
		if list, err = s.store.search(ctx, in.hotel.ID, p, c, more, exportPage); err != nil {
			return err
		}
		for _, r := range list {
			if err := row(r); err != nil {
				return err
			}
		}
		if len(list) < exportPage {
			return nil
		}
		last := list[len(list)-1]
		c, more = cursor{Sort: "orders", Text: last.ArrivalDate, ID: last.ID}, true
	}
	return err
}

// exporting writes down who takes guests' data out of the house.
func (s *Service) exporting(ctx context.Context, by access.Caller, tool string) (_ setting, err error) {
	defer s.refusal(ctx, by, tool, "hotel", by.HotelID, &err)
	if err := by.Require(access.CaseRead); err != nil {
		return setting{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return in, err
	}
	return in, s.note(ctx, by, tool, "hotel", in.hotel.ID)
}
