package intake_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
)

// TestDemoPackages: all twelve are accepted without a contract error, and again
// as replays that change nothing.
func TestDemoPackages(t *testing.T) {
	orders := map[string][]bool{ // does each item know its order?
		"01": {true}, "02": {false}, "03": {false, false}, "04": {true}, "05": {false, false}, "06": {true}, "07": {true, false},
		"08": {false}, "09": {true}, "10": {false}, "11": {false}, "12": {true, true, true},
	}
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		first := map[string]intake.SubmitResult{}
		for _, path := range demoPackages(t) {
			name := caseName(path)[:2]
			got := w.submit(t, read(t, path))
			var known []bool
			for _, item := range got.Items {
				known = append(known, item.OrderID != nil)
				if len(item.AdapterContractError) > 0 {
					t.Errorf("%s: contract errors %v", name, item.AdapterContractError)
				}
				if item.TaskID != nil || item.TaskStatus != nil {
					t.Errorf("%s: old task fields are set", name)
				}
			}
			if got.IdempotentReplay || got.Revision != 1 || got.AcceptedCount != len(got.Items) || !slices.Equal(known, orders[name]) {
				t.Errorf("%s: got %+v with orders %v, want a first revision with orders %v", name, got, known, orders[name])
			}
			first[name] = got
		}
		before := w.count(t)
		for _, path := range demoPackages(t) {
			name := caseName(path)[:2]
			want := first[name]
			want.IdempotentReplay = true
			again := w.submit(t, respaced(t, read(t, path)))
			if diff := cmp.Diff(asJSON(t, want), asJSON(t, again)); diff != "" {
				t.Errorf("%s replayed: -want +got\n%s", name, diff)
			}
		}
		if after := w.count(t); after != before {
			t.Errorf("replays changed rows: %v before, %v after", before, after)
		}
		if want := (counts{batches: 12, transitions: 17, cards: 15, notices: 2}); before != want {
			t.Errorf("rows %+v, want %+v", before, want)
		}
	})
}

// TestFlaggedPackages: event-level problems never refuse; they are recorded in
// full and send the card to review.
func TestFlaggedPackages(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		for _, path := range packages(t, "flagged") {
			t.Run(caseName(path), func(t *testing.T) {
				pkg := read(t, path)
				got := w.submit(t, pkg)
				var b strings.Builder
				for i, item := range got.Items {
					b.WriteString("item " + string(rune('0'+i)) + "\n" + lines(item.AdapterContractError))
				}
				b.WriteString("warnings\n" + w.warningsOf(t, got.BatchID))
				golden(t, path, b.String())
				w.inReview(t, got)
				if again := w.submit(t, pkg); !again.IdempotentReplay || again.BatchID != got.BatchID {
					t.Errorf("again: %+v, want a replay of %s", again, got.BatchID)
				}
			})
		}
	})
}

// inReview checks that every flagged event has a card that people must look at.
func (w *world) inReview(t *testing.T, got intake.SubmitResult) {
	t.Helper()
	view, err := w.Intake.Batch(context.Background(), w.System, got.BatchID)
	must(t, err)
	for _, tr := range view.Transitions {
		if view.RouteCode != "" {
			if tr.NoticeID == "" {
				t.Errorf("notice %s has no row", tr.ID)
			}
			continue
		}
		card, err := w.Orders.Card(context.Background(), w.System, tr.CardID)
		must(t, err)
		if len(tr.ContractErrors) > 0 && card.Status != order.CardNeedsReview {
			t.Errorf("card of event %d is %s, want %s", tr.Position, card.Status, order.CardNeedsReview)
		}
		if diff := cmp.Diff(tr.ContractErrors, card.ContractErrors); diff != "" && len(tr.ContractErrors) > 0 {
			t.Errorf("the card tells other contract errors: -transition +card\n%s", diff)
		}
	}
}

func TestSourceRefusals(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		pkg := string(file(t, "04-fit-new-chinese-gbk.v4.json"))
		if _, err := w.Inbox.Deliver(context.Background(), w.System, inbox.DeliverParams{Channel: "OUTLOOK", ExternalMessageID: "agentbus-ext-0004",
			Raw: file(t, "04-fit-new-chinese-gbk.eml")}); err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct{ pkg, code string }{
			"unknown mail":      {strings.Replace(pkg, "agentbus-ext-0004", "agentbus-ext-9999", 1), "SOURCE_MESSAGE_NOT_FOUND"},
			"in two channels":   {pkg, "SOURCE_MESSAGE_AMBIGUOUS"},
			"old root":          {`{"ai_task_results":[]}`, intake.CodeV4Required},
			"extra root fields": {strings.Replace(pkg, `"route_code"`, `"hotel_id": "1", "route_code"`, 1), intake.CodePayloadInvalid},
		} {
			_, err := w.Intake.Submit(context.Background(), w.Agent, json.RawMessage(c.pkg))
			if got := fault.Code(err); got != c.code {
				t.Errorf("%s: %v, want %s", name, err, c.code)
			}
		}
		if got := w.count(t); got != (counts{}) {
			t.Errorf("refusals left rows: %+v", got)
		}
	})
}

func TestSubmitNeedsPermission(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	pkg := file(t, "01-group-new-nordic-choir.v4.json")
	unscoped := w.Agent
	unscoped.Scopes = []string{access.CaseRead.Scope}
	viewer := w.Agent
	viewer.Role = access.RoleViewer
	onlySubmit := w.Agent
	onlySubmit.Scopes = []string{access.TaskResultSubmit.Scope}
	ctx := context.Background()
	for name, c := range map[string]struct {
		by   access.Caller
		code string
	}{"scope missing": {unscoped, access.CodeScope}, "role too low": {viewer, access.CodePermission}, "submit alone is enough": {onlySubmit, ""}} {
		if _, err := w.Intake.Submit(ctx, c.by, pkg); fault.Code(err) != c.code {
			t.Errorf("%s: %v, want %q", name, err, c.code)
		}
	}
	if _, err := w.Intake.Batches(ctx, w.Agent, intake.BatchesParams{}); fault.Code(err) != access.CodeScope {
		t.Errorf("Batches: %v, want %s", err, access.CodeScope)
	}
	if _, err := w.Intake.Batch(ctx, viewer, "x"); fault.Code(err) != access.CodeScope {
		t.Errorf("Batch: %v", err)
	}
	if _, err := w.Intake.Package(ctx, viewer, "x"); fault.Code(err) != access.CodeScope {
		t.Errorf("Package: %v", err)
	}
}

// TestAllOrNothing: when the surrounding transaction fails, nothing stays.
func TestAllOrNothing(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		boom := errors.New("boom")
		err := db.InTx(context.Background(), func(ctx context.Context) error {
			if _, err := w.Intake.Submit(ctx, w.Agent, file(t, "12-wholesaler-sheet-three-orders.v4.json")); err != nil {
				return err
			}
			return boom
		})
		if !errors.Is(err, boom) {
			t.Fatal(err)
		}
		if got := w.count(t); got != (counts{}) {
			t.Errorf("rows stayed: %+v", got)
		}
	})
}

// TestRaces: the same package at once is one batch; different packages for one
// mail at once are different revisions of it.
func TestRaces(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		pkg := file(t, "04-fit-new-chinese-gbk.v4.json")
		var batches []string
		replays := 0
		for _, r := range w.together(t, pkg, pkg, respaced(t, pkg), pkg) {
			batches = append(batches, r.BatchID)
			if r.IdempotentReplay {
				replays++
			}
		}
		slices.Sort(batches)
		if len(slices.Compact(batches)) != 1 || replays != 3 {
			t.Errorf("batches %v, %d replays; want one batch and 3 replays", batches, replays)
		}
		if got := w.count(t); got.batches != 1 || got.cards != 1 {
			t.Errorf("rows %+v, want one batch and one card", got)
		}
		other := func(name string) []byte { return []byte(strings.Replace(string(pkg), "WANG, XIAOMING", name, 1)) }
		var revisions []int
		for _, r := range w.together(t, other("A, A"), other("B, B"), other("C, C")) {
			revisions = append(revisions, r.Revision)
		}
		slices.Sort(revisions)
		if !slices.Equal(revisions, []int{2, 3, 4}) {
			t.Errorf("revisions %v, want 2, 3, 4", revisions)
		}
		if open := w.openCards(t, "agentbus-ext-0004"); len(open) != 1 {
			t.Errorf("%d open cards, want only the last revision's", len(open))
		}
	})
}

// together submits the packages at the same time.
func (w *world) together(t *testing.T, pkgs ...[]byte) []intake.SubmitResult {
	t.Helper()
	out, errs := make([]intake.SubmitResult, len(pkgs)), make([]error, len(pkgs))
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i, p := range pkgs {
		wg.Go(func() {
			<-start
			out[i], errs[i] = w.Intake.Submit(context.Background(), w.Agent, p)
		})
	}
	close(start)
	wg.Wait()
	must(t, errors.Join(errs...))
	return out
}
