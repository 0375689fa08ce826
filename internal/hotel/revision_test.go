package hotel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
	"thhotel/internal/intake"
	"thhotel/internal/testkit"
)

type submitted struct {
	Data     intake.SubmitResult
	Warnings []agent.Warning
}

func (d *door) submitAs(t *testing.T, token string, pkg []byte) submitted {
	t.Helper()
	out := d.executor.Do(context.Background(), agent.Call{Tool: hotel.ToolSubmit, Service: hotel.Name, Arguments: pkg, Lang: "zh",
		Credential: agent.Credential{Token: token, Audience: hotel.Path}, Trace: access.Trace{RequestID: "r", TraceID: "t", Adapter: "mcp"}})
	if out.Fault != nil {
		t.Error(out.Fault)
	}
	var env submitted
	if err := json.Unmarshal(out.Body, &env); err != nil {
		t.Error(err)
	}
	return env
}

func (s submitted) warned(code string) bool {
	return slices.ContainsFunc(s.Warnings, func(w agent.Warning) bool { return w.Code == code })
}

func (d *door) cardsByStatus(t *testing.T, externalID string) map[string]int {
	t.Helper()
	m, err := d.Inbox.Locate(context.Background(), d.System, externalID)
	must(t, err)
	page, err := d.Orders.CardsOfMessages(context.Background(), d.System, []string{m.ID}, "", 200)
	must(t, err)
	out := map[string]int{}
	for _, c := range page.Cards {
		out[c.Status]++
	}
	return out
}

// TestOlderPackageAgain: the answer of then, and a word that it counts no more.
func TestOlderPackageAgain(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		d := newDoor(t, db)
		older := file(t, "04-fit-new-chinese-gbk.v4.json")
		newer := []byte(strings.Replace(string(older), "WANG, XIAOMING", "WANG, XIAOHUA", 1))
		first := d.submitAs(t, d.token, older)
		if again := d.submitAs(t, d.token, older); !again.Data.IdempotentReplay || again.warned(intake.WarnSuperseded) {
			t.Errorf("a replay of the newest package: %+v", again)
		}
		second := d.submitAs(t, d.token, newer)
		cards := d.cardsByStatus(t, "agentbus-ext-0004")
		again := d.submitAs(t, d.token, older)
		if !again.Data.IdempotentReplay || again.Data.BatchID != first.Data.BatchID || again.Data.Revision != 1 || !again.warned(intake.WarnSuperseded) {
			t.Errorf("the older package again: %+v, want its own answer with %s", again, intake.WarnSuperseded)
		}
		if again := d.submitAs(t, d.token, newer); again.Data.BatchID != second.Data.BatchID || again.warned(intake.WarnSuperseded) {
			t.Errorf("the newer package again: %+v", again)
		}
		// Without the executor's record (it may be pruned) the service says the same.
		_, err := db.Writer().ExecContext(context.Background(), "DELETE FROM agent_idempotency")
		must(t, err)
		if again := d.submitAs(t, d.token, older); !again.Data.IdempotentReplay || !again.warned(intake.WarnSuperseded) {
			t.Errorf("from the batch alone: %+v", again)
		}
		if after := d.cardsByStatus(t, "agentbus-ext-0004"); fmt.Sprint(after) != fmt.Sprint(cards) || cards["SUPERSEDED"] != 1 || len(cards) != 2 {
			t.Errorf("cards %v, then %v; want one superseded and one open, untouched by replays", cards, after)
		}
	})
}

// TestTwoAgentsAtOnce: different packages for one mail from two accounts at once
// are revisions in some order; the last one's cards are open, all others are
// superseded, and nothing that was said is lost.
func TestTwoAgentsAtOnce(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		d := newDoor(t, db)
		tokens := []string{d.token, d.tokenWith(t, "hotel:task_result.submit")}
		base := string(file(t, "12-wholesaler-sheet-three-orders.v4.json"))
		const each = 4
		var wg sync.WaitGroup
		results := make([]submitted, 2*each)
		for a, token := range tokens {
			wg.Go(func() {
				for i := range each {
					pkg := strings.Replace(base, `"subject":`, fmt.Sprintf(`"agent": "%d-%d", "subject":`, a, i), 1)
					results[a*each+i] = d.submitAs(t, token, []byte(pkg))
				}
			})
		}
		wg.Wait()
		var revisions []int
		for _, r := range results {
			revisions = append(revisions, r.Data.Revision)
			if r.Data.IdempotentReplay || r.Data.AcceptedCount != 3 || r.Data.Revision > 1 != r.warned(intake.WarnRevision) {
				t.Errorf("%+v", r)
			}
		}
		slices.Sort(revisions)
		if want := []int{1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(revisions, want) {
			t.Errorf("revisions %v, want %v", revisions, want)
		}
		cards := d.cardsByStatus(t, "agentbus-ext-0012")
		open := 0
		for status, n := range cards {
			if status != "SUPERSEDED" {
				open += n
			}
		}
		if cards["SUPERSEDED"] != 3*(2*each-1) || open != 3 {
			t.Errorf("cards %v, want 21 superseded and 3 open", cards)
		}
		d.openOfNewest(t, "agentbus-ext-0012", 2*each)
		for table, want := range map[string]int{"ai_transition_batch": 8, "ai_transition": 24, "order_card": 24} {
			var n int
			must(t, db.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM "+table).Scan(&n))
			if n != want {
				t.Errorf("%s has %d rows, want %d", table, n, want)
			}
		}
	})
}

// openOfNewest: the open cards are those of the newest revision.
func (d *door) openOfNewest(t *testing.T, externalID string, newest int) {
	t.Helper()
	m, err := d.Inbox.Locate(context.Background(), d.System, externalID)
	must(t, err)
	page, err := d.Intake.Batches(context.Background(), d.System, intake.BatchesParams{MessageID: m.ID})
	must(t, err)
	for _, b := range page.Batches {
		view, err := d.Intake.Batch(context.Background(), d.System, b.ID)
		must(t, err)
		for _, tr := range view.Transitions {
			card, err := d.Orders.Card(context.Background(), d.System, tr.CardID)
			must(t, err)
			if open := card.Status != "SUPERSEDED"; open != (b.Revision == newest) {
				t.Errorf("revision %d: a card is %s", b.Revision, card.Status)
			}
		}
	}
}
