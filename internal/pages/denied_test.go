package pages_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/audit"
	"thhotel/internal/order"
)

// TestDeniedPagesAreAudited: a page that a person may not open, and a form that a
// service refused, leave one row each.
func TestDeniedPagesAreAudited(t *testing.T) {
	d := newDesk(t)
	viewer := d.as("vera")
	card := d.card(order.CancelBooking, "4032077")
	for _, got := range []answer{viewer.get("/admin/tools"), viewer.post("/tasks/"+card.ID+"/claim", url.Values{})} {
		if got.Status != http.StatusForbidden {
			t.Errorf("%s: %d, want 403", got.Path, got.Status)
		}
	}
	list, _, err := d.Audit.List(context.Background(), audit.Filter{HotelID: d.by.HotelID, Status: audit.Denied})
	must(t, err)
	var rows []string
	for _, e := range slices.Backward(list) {
		rows = append(rows, e.Tool+" "+e.ErrorCode+" "+e.ResourceID)
	}
	want := []string{"page.get permission_denied /admin/tools", "card.claim permission_denied " + card.ID}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
