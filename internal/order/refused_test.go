package order_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// TestRefusedActionsAreAudited: who wanted what, and why not, although the action's
// transaction wrote nothing. The dialog's own questions and a stale page leave no row.
func TestRefusedActionsAreAudited(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		viewer := w.caller(access.Staff, "eve", access.RoleViewer)
		id := w.submitFile("06-fit-cancel-4032077.v4.json")[0].CardID
		ambiguous := w.submitFile("07-ambiguous-same-as-last-time.v4.json")[0].CardID
		c, err := w.orders.Claim(ctx, w.malee, order.ClaimParams{CardID: id})
		must(t, err)

		_, _ = w.orders.Claim(ctx, viewer, order.ClaimParams{CardID: id})
		_, _ = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: id})
		_, _ = w.orders.Claim(ctx, w.nok, order.ClaimParams{CardID: id, TakeOver: true})
		_, _ = w.orders.Renew(ctx, w.nok, id) // the page does that by itself
		_, _ = w.orders.Reject(ctx, w.nok, order.RejectParams{CardID: id, Version: c.Version, ReasonCode: "hostile"})
		_, _ = w.orders.Confirm(ctx, w.nok, yes(w.card(id)))
		_, _ = w.orders.Confirm(ctx, w.malee, yes(w.card(ambiguous))) // a rule says no
		_, _ = w.orders.HandOver(ctx, viewer, order.HandOverParams{CardID: id})
		_, _ = w.orders.Release(ctx, w.malee, ambiguous)
		_, _ = w.orders.Correct(ctx, w.malee, order.CorrectParams{OrderID: "o"})
		_, _ = w.orders.ConfirmPayment(ctx, w.finance, "p")
		_, _ = w.orders.AcknowledgeNotice(ctx, w.malee, "n", "")
		_, _ = w.orders.OpenManual(ctx, viewer, order.ManualParams{})

		routine := yes(w.card(id))
		routine.SecondStep = false
		_, _ = w.orders.Confirm(ctx, w.malee, routine)
		routine.Ticks = nil
		_, _ = w.orders.Confirm(ctx, w.malee, routine)
		routine.Version--
		_, _ = w.orders.Confirm(ctx, w.malee, routine)
		_, _ = w.orders.Note(ctx, w.malee, id, " ")

		want := []string{
			"eve card.claim denied permission_denied", "nok card.claim failed CARD_CLAIMED", "nok card.claim denied permission_denied",
			"nok card.reject failed CARD_CLAIMED", "nok card.confirm failed CARD_CLAIMED", "malee card.confirm failed RULE_REFUSES",
			"eve card.hand_over denied permission_denied", "malee card.release failed CARD_NOT_CLAIMED", "malee order.correct denied permission_denied",
			"finance payment.confirm failed PAYMENT_NOT_FOUND", "malee notice.acknowledge failed NOTICE_NOT_FOUND",
			"eve card.open_manual denied permission_denied",
		}
		if diff := cmp.Diff(want, w.refusals()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// refusals lists the audited refusals, oldest first.
func (w *world) refusals() []string {
	w.t.Helper()
	list, _, err := w.audit.List(ctx, audit.Filter{HotelID: w.hotel.ID, Limit: 500})
	must(w.t, err)
	var out []string
	for _, e := range slices.Backward(list) {
		if e.Status == audit.Denied || e.Status == audit.Failed {
			out = append(out, e.PrincipalName+" "+e.Tool+" "+string(e.Status)+" "+e.ErrorCode)
		}
	}
	return out
}
