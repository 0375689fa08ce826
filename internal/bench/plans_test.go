package bench_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/app/apptest"
	"thhotel/internal/casequery"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// TestHotQueriesGrowWithNothing runs what the agent calls and what staff look at
// all day, and asks SQLite for the plan of every query behind it: none may scan,
// none may sort what it found, and none may go by columns that every row shares.
func TestHotQueriesGrowWithNothing(t *testing.T) {
	w := apptest.New(t, testkit.DB(t))
	submit(t, w)
	ctx, agent := context.Background(), w.Agent
	staff := access.Caller{HotelID: w.Hotel.ID, Kind: access.Staff, SubjectID: "id-malee", Name: "malee", Role: access.RoleSupervisor, Lang: "zh"}
	page, err := w.Orders.Queue(ctx, staff, order.QueueParams{View: order.ViewOpen, Limit: 2})
	apptest.Must(t, err)
	card := page.Cards[0]
	found, err := w.Orders.Search(ctx, staff, order.SearchParams{Limit: 2})
	apptest.Must(t, err)
	id := found.Orders[0].ID
	for _, c := range []struct {
		name string
		walk bool // reads an index from a place on, in order, up to a limit
		do   func() error
	}{
		{"case context by confirmation number", false, func() error {
			_, err := w.Cases.CaseContext(ctx, agent, casequery.CaseContextParams{ConfirmationNumber: "4032077"})
			return err
		}},
		{"case context by all keys", false, func() error {
			_, err := w.Cases.CaseContext(ctx, agent, casequery.CaseContextParams{ConfirmationNumber: "4032077", GroupCode: "NORDIC0227", ReservationNo: "720933"})
			return err
		}},
		{"object detail", false, func() error {
			_, err := w.Cases.ObjectDetail(ctx, agent, casequery.ObjectDetailParams{ObjectID: "ORDER:" + id})
			return err
		}},
		{"conversation tasks", false, func() error {
			_, err := w.Cases.ConversationTasks(ctx, agent, casequery.ConversationParams{SourceMessageID: "agentbus-ext-0003"})
			return err
		}},
		{"conversation messages", false, func() error {
			_, err := w.Cases.ConversationMessages(ctx, agent, casequery.ConversationParams{SourceMessageID: "agentbus-ext-0003"})
			return err
		}},
		{"submit again", false, func() error { return resubmit(ctx, w) }},
		{"queue", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewOpen}) }},
		{"queue, next page", true, func() error {
			return queue(ctx, w, staff, order.QueueParams{View: order.ViewOpen, Cursor: page.NextCursor})
		}},
		{"queue by arrival", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewOpen, Sort: "arrival"}) }},
		{"queue by newest", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewOpen, Sort: "newest"}) }},
		{"queue, mine", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewMine}) }},
		{"queue, review", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewReview}) }},
		{"queue, waiting", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewWaiting}) }},
		{"queue, closed", true, func() error { return queue(ctx, w, staff, order.QueueParams{View: order.ViewClosed}) }},
		{"counts", true, func() error { _, err := w.Orders.Counts(ctx, staff); return err }},
		{"orders", true, func() error { _, err := w.Orders.Search(ctx, staff, order.SearchParams{}); return err }},
		{"orders, next page", true, func() error {
			_, err := w.Orders.Search(ctx, staff, order.SearchParams{Cursor: found.NextCursor})
			return err
		}},
		{"card", true, func() error { _, err := w.Orders.Card(ctx, staff, card.ID); return err }},
		{"order", true, func() error { _, err := w.Orders.Detail(ctx, staff, id); return err }},
		{"history", true, func() error { _, err := w.Orders.History(ctx, staff, id); return err }},
		{"inbox", true, func() error { _, _, err := w.Inbox.List(ctx, staff, inbox.ListParams{}); return err }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			plans := testkit.Plans(t, w.DB, func() { err = c.do() })
			apptest.Must(t, err)
			if len(plans) == 0 {
				t.Fatal("no query seen")
			}
			for _, p := range plans {
				if bad := p.Bad(); len(bad) > 0 && !excused(p, c.walk) {
					t.Errorf("%q in\n%s", bad, p)
				}
			}
		})
	}
}

// excused: sorting what one key found is nothing, and a walk reads in the order of an index, as far as its limit.
func excused(p testkit.Plan, walk bool) bool {
	sorts := func(step string) bool { return strings.Contains(step, "TEMP B-TREE") }
	bad := p.Bad()
	if !slices.ContainsFunc(bad, func(s string) bool { return !sorts(s) }) {
		return true // what a key found is sorted
	}
	return walk && strings.Contains(p.SQL, "LIMIT") && !slices.ContainsFunc(bad, func(s string) bool { return !strings.HasPrefix(s, "SEARCH ") })
}

func queue(ctx context.Context, w *apptest.World, by access.Caller, p order.QueueParams) error {
	_, err := w.Orders.Queue(ctx, by, p)
	return err
}

// submit sends the demo's packages.
func submit(t *testing.T, w *apptest.World) {
	t.Helper()
	for _, name := range []string{"01-group-new-nordic-choir", "03-group-update-nordic0227", "06-fit-cancel-4032077", "09-trace-thai-tis620"} {
		_, err := w.Intake.Submit(context.Background(), w.Agent, apptest.File(t, name+".v4.json"))
		apptest.Must(t, err)
	}
}

// resubmit sends another package for a mail that has one.
func resubmit(ctx context.Context, w *apptest.World) error {
	_, err := w.Intake.Submit(ctx, w.Agent, packageFile)
	return err
}

var packageFile = []byte(`{"route_code":null,"source_message":{"source_message_id":"agentbus-ext-0006","conversation_id":"conv-harbourfinch-4032077",
"subject":"Re: TH Hotel Riverside - Confirmation 4032077 - Mr Daniel Finch","sender":"g.okafor@harbourfinch.example","sent_at":"2026-11-26T16:48:30+00:00",
"body":"Please cancel.","body_content_type":"text/plain","attachments":[]},
"order_contexts":[{"order_ref":"ORD-1","basic_information":{"account_code":"HARBFIN","manual_review":true}}],
"message_events":[{"order_ref":"ORD-1","event_type":"CANCEL_BOOKING","target_order":{"booking_type":"FIT","locator_type":"CONFIRMATION_NUMBER","locator_value":"4032077"},
"manual_review":true,"arrival_date":"2026-12-02","departure_date":"2026-12-05","rate_code":null,"booking_scenario":null,"guest_name":"FINCH, DANIEL",
"room_items":[],"after":{"status":"CANCELLED","cancellation_reason":"Visa"},"trace_items":[],"attachment_ids":[]}]}`)
