package order

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"
)

// keyColumns maps locator types to columns; nothing else may become SQL.
func keyColumn(locator string) string {
	switch locator {
	case ByGroupCode:
		return "group_code"
	case ByConfirmation:
		return "confirmation_number"
	case ByReservationNo:
		return "reservation_no"
	}
	return ""
}

// byKey finds orders by one exact key, newest arrival first.
func (s store) byKey(ctx context.Context, hotelID, locator, value string, limit int) ([]Record, error) {
	column := keyColumn(locator)
	if column == "" || value == "" {
		return nil, nil
	}
	return s.orders(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("hotel_id = ? AND "+column+" = ?", hotelID, key(value)).Order("arrival_date DESC, id DESC").Limit(limit)
	})
}

// liveByKey is byKey without orders that no mail can mean any more.
func (s store) liveByKey(ctx context.Context, hotelID, locator, value string, limit int) ([]Record, error) {
	column := keyColumn(locator)
	if column == "" || value == "" {
		return nil, nil
	}
	return s.orders(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("hotel_id = ? AND "+column+" = ? AND status NOT IN ?", hotelID, key(value), closedStates).Order("arrival_date DESC, id DESC").Limit(limit)
	})
}

// sameReference finds orders with the agent's own number, but for one.
func (s store) sameReference(ctx context.Context, hotelID, reference, except string) ([]Record, error) {
	if reference == "" {
		return nil, nil
	}
	return s.orders(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("hotel_id = ? AND external_reference = ? AND id <> ? AND status <> ?", hotelID, key(reference), except, StatusRejected).
			Order("arrival_date DESC, id DESC").Limit(10)
	})
}

// sameStay finds live orders of the account whose dates overlap and whose name is the same.
func (s store) sameStay(ctx context.Context, hotelID, account, name, in, out, except string) ([]Record, error) {
	if account == "" || name == "" || !realDate(in) || !realDate(out) {
		return nil, nil
	}
	list, err := s.orders(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Where("hotel_id = ? AND account_code = ? AND departure_date > ? AND arrival_date < ? AND id <> ?", hotelID, key(account), in, out, except).
			Order("departure_date, id").Limit(500)
	})
	var same []Record
	for _, r := range list {
		if r.Live() && (samePerson(r.GuestName, name) || samePerson(r.GroupName, name)) {
			same = append(same, r)
		}
	}
	return same, err
}

// samePerson compares names as people write them: in any case, width and order
// ("WANG, XIAOMING" is "Xiaoming Wang"), with or without a title.
func samePerson(a, b string) bool {
	x := nameKey(a)
	return x != "" && x == nameKey(b)
}

var honorifics = []string{"MR", "MRS", "MS", "MISS", "MSTR", "DR", "PROF", "MR/MRS", "先生", "女士", "小姐"}

func nameKey(name string) string {
	words := strings.FieldsFunc(strings.ToUpper(norm.NFKC.String(name)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '/' })
	kept := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(honorifics, w) })
	if len(kept) == 0 {
		kept = words
	}
	slices.Sort(kept)
	return strings.Join(kept, " ")
}

func (s store) pickedUp(ctx context.Context, hotelID, blockID string) (int, error) {
	var n int64
	err := s.conn(ctx).Model(&orderRow{}).Where("block_order_id = ? AND +hotel_id = ? AND status NOT IN ?", blockID, hotelID,
		[]string{StatusCancelled, StatusRejected}).Count(&n).Error
	return int(n), err
}

func (s store) traces(ctx context.Context, orderID string) ([]TraceLine, error) {
	var rows []traceRow
	err := s.conn(ctx).Where("order_id = ?", orderID).Order("created_at, id").Find(&rows).Error
	out := make([]TraceLine, len(rows))
	for i, r := range rows {
		out[i] = r.line()
	}
	return out, wrap("read traces", err)
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func (s store) payments(ctx context.Context, where string, args ...any) ([]PaymentLine, error) {
	var rows []paymentRow
	err := s.conn(ctx).Where(where, args...).Order("created_at, id").Limit(500).Find(&rows).Error
	out := make([]PaymentLine, len(rows))
	for i, r := range rows {
		out[i] = r.line()
	}
	return out, wrap("read payments", err)
}

func (r paymentRow) line() PaymentLine {
	return PaymentLine{ID: r.ID, OrderID: r.OrderID, Kind: r.Kind, AmountMinor: r.AmountMinor, Currency: r.Currency, Method: r.Method,
		ValueDate: r.ValueDate, BankReference: r.BankReference, ProformaNumber: r.ProformaNumber, BankAccount: r.BankAccount,
		Status: r.Status, CardID: r.CardID, CreatedAt: r.CreatedAt.Time, ConfirmedBy: r.ConfirmedBy, ConfirmedAt: r.ConfirmedAt.Time}
}

func (s store) rooming(ctx context.Context, orderID, status string) ([]RoomingEntry, error) {
	var rows []entryRow
	q := s.conn(ctx).Where("order_id = ?", orderID)
	if status != "" {
		q = q.Where("status = ?", status)
	}
	err := q.Order("status, row_no, id").Find(&rows).Error
	out := make([]RoomingEntry, len(rows))
	for i, r := range rows {
		out[i] = RoomingEntry{ID: r.ID, Status: r.Status, CardID: r.CardID, RoomingRow: RoomingRow{Row: r.RowNo, GuestName: r.GuestName,
			SharingWith: r.SharingWith, RoomTypeCode: r.RoomTypeCode, ArrivalDate: r.ArrivalDate, DepartureDate: r.DepartureDate, Remark: r.Remark}}
	}
	return out, wrap("read rooming list", err)
}

func (s store) changes(ctx context.Context, hotelID, orderID string) ([]changeRow, error) {
	var rows []changeRow
	err := s.conn(ctx).Where("order_id = ? AND +hotel_id = ?", orderID, hotelID).Order("created_at DESC, id DESC").Limit(1000).Find(&rows).Error
	return rows, wrap("read history", err)
}

// bankAccounts are those that earlier payments of the customer named.
func (s store) bankAccounts(ctx context.Context, hotelID, account string) ([]string, error) {
	if account == "" {
		return nil, nil
	}
	var out []string
	err := s.conn(ctx).Model(&paymentRow{}).Where("hotel_id = ? AND account_code = ? AND bank_account <> ?", hotelID, account, "").
		Distinct().Limit(50).Pluck("bank_account", &out).Error
	return out, wrap("read bank accounts", err)
}

func (s store) loaded(ctx context.Context, hotelID string, r Record) (bool, error) {
	n, err := s.count(ctx, func(q *gorm.DB) *gorm.DB {
		return q.Model(&orderRow{}).Where("hotel_id = ? AND group_code = ? AND confirmation_number = ? AND reservation_no = ? AND arrival_date = ? AND guest_name = ? AND status <> ?",
			hotelID, key(r.GroupCode), key(r.ConfirmationNumber), key(r.ReservationNo), dateOrNone(r.ArrivalDate), r.GuestName, StatusRejected)
	})
	return n > 0, err
}

func (s store) vouchers(ctx context.Context, orderID string) ([]Voucher, error) {
	var rows []voucherRow
	err := s.conn(ctx).Where("order_id = ?", orderID).Order("created_at, id").Find(&rows).Error
	out := make([]Voucher, len(rows))
	for i, r := range rows {
		out[i] = Voucher{ID: r.ID, Kind: r.Kind, MessageID: r.MessageID, AttachmentID: r.AttachmentID, CardID: r.CardID, CreatedAt: r.CreatedAt.Time}
		r.details(&out[i])
	}
	return out, wrap("read vouchers", err)
}

func (r voucherRow) details(v *Voucher) {
	_ = json.Unmarshal([]byte(r.Summary), &v.Summary) // our own JSON
	_ = json.Unmarshal([]byte(r.Discrepancies), &v.Discrepancies)
}

func (s store) search(ctx context.Context, hotelID string, p SearchParams, c cursor, more bool, limit int) ([]Record, error) {
	var to narrowing
	home := "hotel_id = ?"
	if strings.TrimSpace(p.Text) != "" {
		var err error
		if to, err = s.narrow(ctx, searchOrders, hotelID, p.Text); err != nil {
			return nil, err
		}
		if to.only {
			home = "+hotel_id = ?"
		}
	}
	return s.orders(ctx, func(q *gorm.DB) *gorm.DB {
		q = to.apply(q.Where(home, hotelID))
		if p.Status != "" {
			q = q.Where("status = ?", p.Status)
		}
		if strings.TrimSpace(p.Text) != "" {
			q = q.Where("search_text LIKE ? ESCAPE '!'", like(p.Text))
		}
		if more {
			q = q.Where("arrival_date <= ? AND (arrival_date < ? OR id < ?)", c.Text, c.Text, c.ID)
		}
		return q.Order("arrival_date DESC, id DESC").Limit(limit)
	})
}

func (s store) ordersByID(ctx context.Context, hotelID string, ids []string) ([]Record, error) {
	return s.orders(ctx, func(q *gorm.DB) *gorm.DB { return q.Where("+hotel_id = ? AND id IN ?", hotelID, ids) })
}
