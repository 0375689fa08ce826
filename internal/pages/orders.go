package pages

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
	"thhotel/internal/order"
)

func (s *site) orderRoutes(r gin.IRouter) {
	r.GET("/orders", s.staff(orders))
	r.GET("/orders/:id", s.staff(orderPage))
	r.POST("/orders/:id/task", s.staff(manualTask))
	r.POST("/orders/:id/correct", s.staff(correctOrder))
	r.POST("/orders/:id/payment", s.staff(confirmPayment))
}

type ordersData struct {
	Params   order.SearchParams
	Page     order.OrderPage
	Statuses []string
	Next     string
}

func orders(v *visit) error {
	q := v.c.Request.URL.Query()
	p := order.SearchParams{Text: strings.TrimSpace(q.Get("q")), Status: q.Get("status"), Cursor: q.Get("cursor")}
	page, err := v.s.o.Order.Search(v.c.Request.Context(), v.By, p)
	if err != nil {
		return err
	}
	d := ordersData{Params: p, Page: page, Statuses: orderStatuses()}
	if page.NextCursor != "" {
		d.Next = with("/orders", q, "cursor", page.NextCursor)
	}
	v.Query = p.Text
	return v.show("orders", "orders", v.T("orders.title"), d)
}

func orderStatuses() []string {
	return []string{order.StatusPending, order.StatusTentative, order.StatusConfirmed, order.StatusInHouse, order.StatusCheckedOut,
		order.StatusCancelled, order.StatusNoShow, order.StatusRejected}
}

type orderData struct {
	View    order.View
	History []historyItem
	Types   []order.EventType
	Fields  []correctable
	Refused *oopsData
	form    // what was typed, when a correction was refused
}

// historyItem is a change with the fields that differ, for people.
type historyItem struct {
	order.Change
	Fields []changedField
}

type changedField struct{ Name, Before, After string }

type correctable struct{ Name, Value string }

func orderPage(v *visit) error { return v.showOrder(http.StatusOK, orderData{}) }

func (v *visit) showOrder(status int, d orderData) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	view, err := v.s.o.Order.Detail(ctx, v.By, id)
	if err != nil {
		return err
	}
	changes, err := v.s.o.Order.History(ctx, v.By, id)
	if err != nil {
		return err
	}
	d.View, d.Types, d.Fields = view, order.EventTypes(), correctables(view.Record)
	for _, c := range changes {
		d.History = append(d.History, historyItem{c, changedFields(c.Before, c.After)})
	}
	title := view.Record.Key()
	if title == "" {
		title = view.Record.Name()
	}
	return v.render(status, "order", "orders", v.T("order.title", title), d)
}

// changedFields compares two snapshots by top-level name; equal ones are left out.
func changedFields(before, after json.RawMessage) []changedField {
	var b, a map[string]json.RawMessage
	// A side that is absent or no object reads as empty: everything on the other changed.
	_ = json.Unmarshal(before, &b)
	_ = json.Unmarshal(after, &a)
	names := map[string]bool{}
	for n := range b {
		names[n] = true
	}
	for n := range a {
		names[n] = true
	}
	var out []changedField
	for n := range names {
		was, is := plain(b[n]), plain(a[n])
		if was != is && n != "updated_at" && n != "created_at" && n != "version" && n != "order_id" {
			out = append(out, changedField{n, was, is})
		}
	}
	slices.SortFunc(out, func(x, y changedField) int { return strings.Compare(x.Name, y.Name) })
	return out
}

// plain prints a JSON value for people: text without quotes, nothing for null and empty.
func plain(raw json.RawMessage) string {
	s := strings.TrimSpace(string(raw))
	switch s {
	case "", "null", `""`, "[]", "{}", "false":
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var rooms []order.RoomLine
	if strings.HasPrefix(s, "[") && strings.Contains(s, "room_type_code") && json.Unmarshal(raw, &rooms) == nil {
		return roomText(rooms)
	}
	return s
}

func roomText(rooms []order.RoomLine) string {
	parts := make([]string, 0, len(rooms))
	for _, r := range rooms {
		parts = append(parts, number(&r.RoomCount)+" × "+r.RoomTypeCode)
	}
	return strings.Join(parts, ", ")
}

func correctables(r order.Record) []correctable {
	return []correctable{{"group_code", r.GroupCode}, {"confirmation_number", r.ConfirmationNumber}, {"reservation_no", r.ReservationNo},
		{"external_reference", r.ExternalReference}, {"account_code", r.AccountCode}, {"guest_name", r.GuestName}, {"group_name", r.GroupName},
		{"arrival_date", r.ArrivalDate}, {"departure_date", r.DepartureDate}, {"rate_code", r.RateCode}, {"adults", number(r.Adults)},
		{"children", number(r.Children)}, {"cutoff_date", r.CutoffDate}}
}

// correctOrder changes an order by hand; only what differs is sent.
func correctOrder(v *visit) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	r, err := v.s.o.Order.Get(ctx, v.By, id)
	if err != nil {
		return err
	}
	changes := order.Corrections{}
	for _, f := range correctables(r) {
		if got, sent := v.c.GetPostForm("f." + f.Name); sent && strings.TrimSpace(got) != f.Value {
			changes[f.Name] = order.CorrectText(strings.TrimSpace(got))
		}
	}
	p := order.CorrectParams{OrderID: id, Version: version(v.c.PostForm("version")), Changes: changes, Reason: v.c.PostForm("reason")}
	if _, err := v.s.o.Order.Correct(ctx, v.By, p); err != nil {
		return v.refuseOnOrder(err)
	}
	return v.done("/orders/"+id, "done.corrected")
}

// refuseOnOrder shows a refusal on the order as it is now, with what was typed.
func (v *visit) refuseOnOrder(err error) error {
	f := fault.As(err)
	switch f.Kind {
	case fault.Conflict, fault.Unprocessable, fault.Invalid:
	default:
		return err
	}
	d := orderData{Refused: v.oops(f), form: v.refusedForm(f)}
	d.Refused.Violations = nil // each stands at its field
	return v.showOrder(httpStatus(f), d)
}

func manualTask(v *visit) error {
	p := order.ManualParams{OrderID: v.c.Param("id"), EventType: order.EventType(v.c.PostForm("type")), Text: v.c.PostForm("text")}
	card, err := v.s.o.Order.OpenManual(v.c.Request.Context(), v.By, p)
	if err != nil {
		return err
	}
	return v.done("/tasks/"+card, "done.task")
}

func confirmPayment(v *visit) error {
	if _, err := v.s.o.Order.ConfirmPayment(v.c.Request.Context(), v.By, v.c.PostForm("payment")); err != nil {
		return err
	}
	return v.done("/orders/"+v.c.Param("id"), "done.payment")
}

// Plain prints a fact that is no field of an order.
func (orderData) Plain(raw json.RawMessage) string { return plain(raw) }

// Rate is a room line's price in the order's currency.
func (d orderData) Rate(l order.RoomLine) string {
	if l.RateMinor == nil {
		return ""
	}
	return money(*l.RateMinor, d.View.Record.Currency)
}

// Total is what the stay comes to, where every rate is known.
func (d orderData) Total() string {
	if d.View.TotalMinor == nil {
		return ""
	}
	return money(*d.View.TotalMinor, d.View.Record.Currency)
}

// Deposit is what the order asks for in advance, where that is known.
func (d orderData) Deposit() string { return d.sum(d.View.Ledger.DepositMinor) }

// Balance is what is still to be paid; less than nothing when too much was.
func (d orderData) Balance() string { return d.sum(d.View.Ledger.BalanceMinor) }

func (d orderData) sum(minor *int64) string {
	if minor == nil {
		return ""
	}
	return money(*minor, d.View.Ledger.Currency)
}
