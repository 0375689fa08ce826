package pages

import "thhotel/internal/order"

// besideRow is one fact of the card beside the same fact of its possible duplicates.
type besideRow struct {
	Name, Mine string
	Theirs     []besideCell
}

type besideCell struct {
	Text string
	Same bool
}

// Beside compares what would be booked with the orders that may already be it.
func (d taskData) Beside() []besideRow {
	mine := d.Card.Pending
	if mine == nil {
		mine = d.Card.Target
	}
	if mine == nil {
		mine = &order.Record{GuestName: d.Card.GuestName, ArrivalDate: d.Card.ArrivalDate, DepartureDate: d.Card.DepartureDate, AccountCode: d.Card.AccountCode}
	}
	facts := []struct {
		name string
		of   func(order.Record) string
	}{
		{"guest_name", order.Record.Name}, {"account_code", func(r order.Record) string { return r.AccountCode }},
		{"external_reference", func(r order.Record) string { return r.ExternalReference }},
		{"arrival_date", func(r order.Record) string { return r.ArrivalDate }}, {"departure_date", func(r order.Record) string { return r.DepartureDate }},
		{"room_items", func(r order.Record) string { return roomText(r.Rooms) }}, {"rate_code", func(r order.Record) string { return r.RateCode }},
	}
	var out []besideRow
	for _, f := range facts {
		row := besideRow{Name: f.name, Mine: f.of(*mine)}
		for _, other := range d.Card.Duplicates {
			text := f.of(other)
			row.Theirs = append(row.Theirs, besideCell{text, text != "" && text == row.Mine})
		}
		out = append(out, row)
	}
	return out
}
