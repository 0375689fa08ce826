package intake_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

func (w *world) submit(t *testing.T, pkg []byte) intake.SubmitResult {
	t.Helper()
	r, err := w.Intake.Submit(context.Background(), w.Agent, pkg)
	must(t, err)
	return r
}

// counts are the rows that packages leave.
type counts struct{ batches, transitions, cards, notices int }

func (w *world) count(t *testing.T) counts {
	t.Helper()
	var c counts
	for table, n := range map[string]*int{"ai_transition_batch": &c.batches, "ai_transition": &c.transitions, "order_card": &c.cards, "order_notice": &c.notices} {
		must(t, w.DB.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM "+table).Scan(n))
	}
	return c
}

// cards lists the cards of one mail.
func (w *world) cards(t *testing.T, externalID string) []order.CardBrief {
	t.Helper()
	m, err := w.Inbox.Locate(context.Background(), w.System, externalID)
	must(t, err)
	page, err := w.Orders.CardsOfMessages(context.Background(), w.System, []string{m.ID}, "", 200)
	must(t, err)
	return page.Cards
}

func (w *world) openCards(t *testing.T, externalID string) []order.CardBrief {
	t.Helper()
	var out []order.CardBrief
	for _, c := range w.cards(t, externalID) {
		if c.Open() {
			out = append(out, c)
		}
	}
	return out
}

func (w *world) warningsOf(t *testing.T, batchID string) string {
	t.Helper()
	b, err := w.Intake.Batch(context.Background(), w.System, batchID)
	must(t, err)
	var s strings.Builder
	for _, x := range b.Warnings {
		s.WriteString(x.Code + "\n")
	}
	return s.String()
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	must(t, err)
	return string(b)
}

// respaced is the same package with other white space and field order.
func respaced(t *testing.T, pkg []byte) []byte {
	t.Helper()
	var v any
	dec := json.NewDecoder(bytes.NewReader(pkg))
	dec.UseNumber()
	must(t, dec.Decode(&v))
	b, err := json.MarshalIndent(v, "", "\t")
	must(t, err)
	return b
}

// TestRevisions: another package supersedes what nobody has touched, keeps what
// somebody has, and an earlier package still replays.
func TestRevisions(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ctx, mail := context.Background(), "agentbus-ext-0005"
		pkg := file(t, "05-fit-update-trace-chinese.v4.json") // UPDATE and TRACE
		first := w.submit(t, pkg)
		cards := w.openCards(t, mail)
		if len(cards) != 2 {
			t.Fatalf("%d open cards, want 2", len(cards))
		}
		staff := w.System
		staff.Kind, staff.SubjectID, staff.Name, staff.Role = access.Staff, "staff-1", "malee", access.RoleAgent
		claimed := cards[0]
		_, err := w.Orders.Claim(ctx, staff, order.ClaimParams{CardID: claimed.ID})
		must(t, err)

		second := w.submit(t, []byte(strings.Replace(string(pkg), "peanut allergy", "severe peanut allergy", 1)))
		if second.Revision != 2 || second.BatchID == first.BatchID || second.IdempotentReplay {
			t.Errorf("second: %+v, want revision 2", second)
		}
		status := map[string]string{}
		marks := 0
		for _, c := range w.cards(t, mail) {
			status[c.ID] = c.Status
			if c.Mark == order.MarkAlreadyHandled && c.RepeatOf == claimed.ID {
				marks++
			}
		}
		if status[claimed.ID] != order.CardClaimed || status[cards[1].ID] != order.CardSuperseded || marks != 1 {
			t.Errorf("claimed %s, untouched %s, %d marked; want CLAIMED, SUPERSEDED, 1", status[claimed.ID], status[cards[1].ID], marks)
		}
		replay := w.submit(t, pkg)
		want := first
		want.IdempotentReplay = true
		if diff := cmp.Diff(asJSON(t, want), asJSON(t, replay)); diff != "" {
			t.Errorf("replay of revision 1: -want +got\n%s", diff)
		}
		if n := len(w.openCards(t, mail)); n != 2 {
			t.Errorf("%d open cards after the replay, want the claimed one and the new trace", n)
		}
	})
}

// TestNoticeAfterCardsAndBack: a revision may change its mind about the route.
func TestNoticeAfterCardsAndBack(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		mail := "agentbus-ext-0001"
		pkg := file(t, "01-group-new-nordic-choir.v4.json")
		w.submit(t, pkg)
		var p map[string]any
		decode(t, pkg, &p)
		p["route_code"], p["order_contexts"], p["message_events"] = "S99", []any{}, []any{}
		got := w.submit(t, []byte(asJSON(t, p)))
		if got.Revision != 2 || len(got.Items) != 1 || got.Items[0].OrderID != nil {
			t.Errorf("notice: %+v, want revision 2 with one item and no order", got)
		}
		if open := w.openCards(t, mail); len(open) != 0 {
			t.Errorf("%d cards stayed open after the notice", len(open))
		}
		w.submit(t, []byte(strings.Replace(string(pkg), `"adults": 34`, `"adults": 33`, 1)))
		notices, err := w.Orders.Notices(context.Background(), w.System, order.NoticeListParams{})
		must(t, err)
		if len(notices.Notices) != 0 || len(w.openCards(t, mail)) != 1 {
			t.Errorf("%d open notices, %d open cards; want 0 and 1", len(notices.Notices), len(w.openCards(t, mail)))
		}
	})
}

// TestBatchesForTheAgentPage: lists, pages, shows a package without the mail's
// body, and the whole package only against a trace of the reading.
func TestBatchesForTheAgentPage(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ctx := context.Background()
		for _, p := range demoPackages(t) {
			w.submit(t, read(t, p))
		}
		var seen []string
		cursor := ""
		for {
			page, err := w.Intake.Batches(ctx, w.System, intake.BatchesParams{Cursor: cursor, Limit: 5})
			must(t, err)
			for _, b := range page.Batches {
				seen = append(seen, b.ExternalMessageID)
			}
			if cursor = page.NextCursor; cursor == "" {
				break
			}
		}
		if len(seen) != 12 || seen[0] != "agentbus-ext-0012" || seen[11] != "agentbus-ext-0001" {
			t.Errorf("batches %v, want twelve, newest first", seen)
		}
		wrong, err := w.Intake.Batches(ctx, w.System, intake.BatchesParams{ErrorsOnly: true})
		must(t, err)
		if len(wrong.Batches) != 0 {
			t.Errorf("%d batches with errors, want none", len(wrong.Batches))
		}
		got := w.submit(t, file(t, "06-fit-cancel-4032077.v4.json"))
		view, err := w.Intake.Batch(ctx, w.System, got.BatchID)
		must(t, err)
		if strings.Contains(view.Package, "visa has been delayed") || !strings.Contains(view.Package, "penalty_waiver_requested") {
			t.Errorf("the package is shown as %s", view.Package)
		}
		if view.RequestID != "req-1" || view.SubmittedByName != "superagent" || view.EventCount != 1 || view.Transitions[0].EventType != "CANCEL_BOOKING" {
			t.Errorf("batch %+v", view.Batch)
		}
		whole, err := w.Intake.Package(ctx, w.System, got.BatchID)
		must(t, err)
		if whole != string(file(t, "06-fit-cancel-4032077.v4.json")) {
			t.Error("the package is not byte for byte what was submitted")
		}
		var reads int
		must(t, db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM inbox_access").Scan(&reads))
		if reads != 1 {
			t.Errorf("%d recorded readings, want 1", reads)
		}
		if _, err := w.Intake.Batch(ctx, w.System, "none"); fault.Code(err) != intake.CodeBatchNotFound {
			t.Errorf("unknown batch: %v", err)
		}
	})
}
