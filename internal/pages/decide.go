package pages

import (
	"net/http"
	"slices"

	"thhotel/internal/fault"
	"thhotel/internal/order"
)

// confirmData is the dialog before a change: the effect in one sentence, what
// must be ticked, what must be filled in. Second is its second step.
type confirmData struct {
	Card   order.CardView
	Params order.ConfirmParams
	Must   []order.RuleResult // R rules: a tick each
	Stops  []order.RuleResult // H rules
	Needs  []string
	Second bool
}

func confirmForm(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	p := order.ConfirmParams{Version: card.Version, OrderVersion: card.OrderVersion, Reason: card.Event.After.CancelReason}
	return v.show("confirm", "queue", v.T("confirm.title"), newConfirm(card, p, false))
}

func newConfirm(card order.CardView, p order.ConfirmParams, second bool) confirmData {
	d := confirmData{Card: card, Params: p, Second: second, Needs: fieldsOf(card)}
	for _, r := range card.Rules {
		switch r.Level {
		case order.Hard:
			d.Stops = append(d.Stops, r)
		case order.Review:
			d.Must = append(d.Must, r)
		case order.Warn:
		}
	}
	return d
}

// fieldsOf lists what the dialog asks for: what the service needs, then what
// usually comes with it.
func fieldsOf(card order.CardView) []string {
	out := slices.DeleteFunc(slices.Clone(card.Needs), func(n string) bool { return n == "target_order_id" }) // chosen on the card
	add := func(names ...string) {
		for _, n := range names {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	switch card.EventType {
	case order.CancelBooking:
		add("reason", "cancellation_number")
	case order.NewBooking:
		if slices.Contains(out, "confirmation_number") {
			add("reservation_no")
		}
	case order.UpdateBooking, order.Trace, order.RoomingList, order.Payment:
	}
	return out
}

// Required reports whether the field must be filled in.
func (d confirmData) Required(name string) bool { return slices.Contains(d.Card.Needs, name) }

// Value is what the person has already filled in.
func (d confirmData) Value(name string) string {
	return map[string]string{"reason": d.Params.Reason, "group_code": d.Params.GroupCode, "confirmation_number": d.Params.ConfirmationNumber,
		"reservation_no": d.Params.ReservationNo, "cancellation_number": d.Params.CancellationNumber}[name]
}

// Ticked reports whether the person has said yes to a rule.
func (d confirmData) Ticked(name string) bool { return slices.Contains(d.Params.Ticks, name) }

// confirm runs the dialog: the first yes of a two-step change leads to the
// second question, the last one does it. The service checks every step again.
func confirm(v *visit) error {
	ctx, id := v.c.Request.Context(), v.c.Param("id")
	p := confirmParams(v, id)
	res, err := v.s.o.Order.Confirm(ctx, v.By, p)
	if fault.Code(err) == order.CodeSecondStep { // all that the first step asks for has been checked
		card, err := v.s.o.Order.Card(ctx, v.By, id)
		if err != nil {
			return err
		}
		return v.show("confirm", "queue", v.T("confirm.title"), newConfirm(card, p, true))
	}
	if err != nil {
		return v.refuseOnCard(id, err)
	}
	if res.Repeated {
		return v.done("/tasks/"+id, "done.already")
	}
	return v.done("/tasks/"+id, "done.confirmed")
}

func confirmParams(v *visit, id string) order.ConfirmParams {
	f := v.c.PostForm
	return order.ConfirmParams{CardID: id, Version: version(f("version")), OrderVersion: version(f("order_version")),
		Ticks: v.c.PostFormArray("tick"), Reason: f("reason"), GroupCode: f("group_code"), ConfirmationNumber: f("confirmation_number"),
		ReservationNo: f("reservation_no"), CancellationNumber: f("cancellation_number"), SecondStep: f("second") == "1"}
}

type rejectData struct {
	Card    order.CardView
	Reasons []string
}

func rejectForm(v *visit) error {
	card, err := v.s.o.Order.Card(v.c.Request.Context(), v.By, v.c.Param("id"))
	if err != nil {
		return err
	}
	return v.show("reject", "queue", v.T("reject.title"), rejectData{Card: card, Reasons: order.RejectReasons()})
}

func reject(v *visit) error {
	id := v.c.Param("id")
	p := order.RejectParams{CardID: id, Version: version(v.c.PostForm("version")), ReasonCode: v.c.PostForm("reason_code"), Text: v.c.PostForm("text")}
	if _, err := v.s.o.Order.Reject(v.c.Request.Context(), v.By, p); err != nil {
		return v.refuseOnCard(id, err)
	}
	return v.done("/tasks/"+id, "done.rejected")
}

func httpStatus(f *fault.Error) int {
	if f.Kind == fault.Conflict {
		return http.StatusConflict
	}
	return http.StatusUnprocessableEntity
}
