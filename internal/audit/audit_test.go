package audit_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// event is a full event, so that every column is read back.
func event(n int) audit.Event {
	e := audit.FromCaller(access.Caller{HotelID: "h1", SubjectID: "s1", Name: "malee", CredentialID: "c1",
		Trace: access.Trace{RequestID: fmt.Sprint("r", n), TraceID: "t", Adapter: "mcp", Protocol: "2025-11-25", Client: "test"}})
	e.Tool, e.Owner, e.Risk, e.Status, e.ErrorCode = "desk.get", "desk", "read", audit.Succeeded, "none"
	e.Duration, e.ArgsSize, e.ArgsHash, e.ArgsKeys, e.ResultHash = 1500*time.Microsecond, 12, "aa", "id", "bb"
	e.ResourceType, e.ResourceID, e.SourceDigest, e.At = "order", "o1", "cc", testkit.Now
	return e
}

func appendAll(t *testing.T, l *audit.Log, n int) {
	t.Helper()
	for i := range n {
		if err := l.Append(context.Background(), event(i)); err != nil {
			t.Fatal(err)
		}
	}
}

func list(t *testing.T, l *audit.Log, f audit.Filter) ([]audit.Entry, string) {
	t.Helper()
	if f.HotelID == "" {
		f.HotelID = "h1"
	}
	out, next, err := l.List(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return out, next
}

func exec(t *testing.T, db *database.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.Writer().ExecContext(context.Background(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func TestAppendIsReadBackWhole(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		appendAll(t, l, 1)
		got, next := list(t, l, audit.Filter{})
		if len(got) != 1 || next != "" {
			t.Fatalf("%d entries, next %q", len(got), next)
		}
		if diff := cmp.Diff(audit.Entry{ID: got[0].ID, Event: event(0)}, got[0]); diff != "" {
			t.Error(diff)
		}
		rep := sealAndVerify(t, l, 1)
		got, _ = list(t, l, audit.Filter{})
		if e := got[0]; e.Seq != 1 || e.PrevHash != "" || e.Hash != rep.HeadHash || len(e.Hash) != 64 {
			t.Errorf("sealed entry %+v, head %s", e, rep.HeadHash)
		}
	})
}

// TestLongAndForeignTexts: what a caller chooses must not make the row fail.
func TestLongAndForeignTexts(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		e := event(0)
		e.Client, e.Tool, e.ResourceID = strings.Repeat("酒", 300), "a\xffb\x00c", strings.Repeat("x", 1000)
		if err := l.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
		got, _ := list(t, l, audit.Filter{})
		if want := strings.Repeat("酒", 100); got[0].Client != want {
			t.Errorf("client %q", got[0].Client)
		}
		if got[0].Tool != "a\uFFFDb\x00c" || len(got[0].ResourceID) != 128 {
			t.Errorf("tool %q, resource %d", got[0].Tool, len(got[0].ResourceID))
		}
		sealAndVerify(t, l, 1)
	})
}

func TestConcurrentAppendsAreDurableOnReturn(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		var wg sync.WaitGroup
		for i := range 300 {
			wg.Go(func() {
				if err := l.Append(context.Background(), event(i)); err != nil {
					t.Error(err)
					return
				}
				if got, _ := list(t, l, audit.Filter{RequestID: fmt.Sprint("r", i)}); len(got) != 1 {
					t.Errorf("row %d: found %d on return", i, len(got))
				}
			})
		}
		wg.Wait()
		if got, _ := list(t, l, audit.Filter{Limit: 500}); len(got) != 300 {
			t.Errorf("%d rows, want 300", len(got))
		}
	})
}

func TestAppendJoinsTheTransaction(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		boom := fmt.Errorf("boom")
		err := db.InTx(context.Background(), func(ctx context.Context) error {
			if err := l.Append(ctx, event(1)); err != nil {
				return err
			}
			return boom
		})
		if got, _ := list(t, l, audit.Filter{}); err != boom || len(got) != 0 { //nolint:errorlint // the very error
			t.Fatalf("err %v, %d rows after a rollback", err, len(got))
		}
	})
}

func TestAppendFails(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, testkit.Clock())
		canceled, cancel := context.WithCancel(context.Background())
		cancel()
		if err := l.Append(canceled, event(0)); err == nil {
			t.Error("a row was taken from a call that had ended")
		}
		exec(t, db, "DROP TABLE audit_event")
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := l.Append(context.Background(), event(0)); err == nil {
					t.Error("no error without a table")
				}
			})
		}
		wg.Wait()
	})
}

func TestList(t *testing.T) { testkit.Databases(t, testList) }

func testList(t *testing.T, db *database.DB) {
	l := audit.New(db, testkit.Clock())
	appendAll(t, l, 7)
	other := event(8)
	other.HotelID = "h2"
	nobody := event(9)
	nobody.HotelID, nobody.Status, nobody.ErrorCode, nobody.At = "", audit.Denied, "unauthenticated", testkit.Now.Add(time.Hour)
	for _, e := range []audit.Event{other, nobody} {
		if err := l.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	var pages []string
	f := audit.Filter{Limit: 3}
	for {
		got, next := list(t, l, f)
		for _, e := range got {
			pages = append(pages, e.RequestID)
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if diff := cmp.Diff([]string{"r6", "r5", "r4", "r3", "r2", "r1", "r0"}, pages); diff != "" {
		t.Error(diff)
	}
	for name, c := range map[string]struct {
		f    audit.Filter
		want int
	}{
		"status":       {audit.Filter{Status: audit.Failed}, 0},
		"resource":     {audit.Filter{ResourceType: "order", ResourceID: "o1"}, 7},
		"request":      {audit.Filter{RequestID: "r3"}, 1},
		"tool":         {audit.Filter{Tool: "desk.get"}, 7},
		"adapter":      {audit.Filter{Adapter: "pages"}, 0},
		"principal":    {audit.Filter{Principal: "s1"}, 7},
		"name":         {audit.Filter{PrincipalName: "malee"}, 7},
		"nobody":       {audit.Filter{PrincipalName: "mal"}, 0},
		"other hotel":  {audit.Filter{HotelID: "h2"}, 1},
		"unattributed": {audit.Filter{Unattributed: true, ErrorCode: "unauthenticated"}, 1},
		"from":         {audit.Filter{Unattributed: true, From: testkit.Now.Add(time.Minute)}, 1},
		"until":        {audit.Filter{Unattributed: true, Until: testkit.Now.Add(time.Minute)}, 7},
	} {
		if got, _ := list(t, l, c.f); len(got) != c.want {
			t.Errorf("%s: %d rows, want %d", name, len(got), c.want)
		}
	}
	if _, _, err := l.List(context.Background(), audit.Filter{HotelID: "h1", Cursor: "x"}); err == nil {
		t.Error("a foreign cursor was taken")
	}
	if _, _, err := l.List(context.Background(), audit.Filter{}); err == nil {
		t.Error("a list without a hotel")
	}
}

func sealAndVerify(t *testing.T, l *audit.Log, want int64) audit.Report {
	t.Helper()
	if _, err := l.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
	rep := verify(t, l)
	if rep.Broken != nil || rep.Sealed != want || rep.Unsealed != 0 || rep.HeadSeq != want {
		t.Fatalf("report %+v, want %d sealed rows that hold", rep, want)
	}
	return rep
}

func verify(t *testing.T, l *audit.Log) audit.Report {
	t.Helper()
	rep, err := l.Verify(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestSealersDoNotCollide(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		first := audit.New(db, clock.Real())
		appendAll(t, first, 450) // more than two batches
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if _, err := audit.New(db, clock.Real()).Seal(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if rep := verify(t, first); rep.Broken != nil || rep.Sealed != 450 {
			t.Errorf("report %+v", rep)
		}
	})
}

func TestLeaseIsTakenOver(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		now := testkit.Now
		c := clock.Moving(func() time.Time { return now })
		dead, next := audit.New(db, c), audit.New(db, c)
		appendAll(t, dead, 3)
		sealAndVerify(t, dead, 3)
		appendAll(t, next, 2)
		if n, err := next.Seal(context.Background()); n != 0 || err != nil {
			t.Fatalf("sealed %d, %v beside a living sealer", n, err)
		}
		if rep := verify(t, next); rep.Unsealed != 2 {
			t.Errorf("unsealed tail %d, want 2", rep.Unsealed)
		}
		now = now.Add(time.Minute)
		sealAndVerify(t, next, 5)
	})
}

func TestVerifyNamesTheFirstBrokenRow(t *testing.T) {
	for name, c := range map[string]struct {
		do   []string
		seq  int64
		what string
	}{
		"edit":            {[]string{"UPDATE audit_event SET status = 'denied' WHERE seq = 4"}, 4, "edited"},
		"edit and rehash": {[]string{"UPDATE audit_event SET hash = prev_hash WHERE seq = 4"}, 4, "edited"},
		"deletion":        {[]string{"DELETE FROM audit_event WHERE seq = 6"}, 6, "missing"},
		"deleted end":     {[]string{"DELETE FROM audit_event WHERE seq >= 9"}, 9, "missing"},
		"closed gap": {[]string{"DELETE FROM audit_event WHERE seq = 3", "UPDATE audit_event SET seq = -seq WHERE seq > 3",
			"UPDATE audit_event SET seq = -seq - 1 WHERE seq < 0", "UPDATE audit_chain SET head_seq = head_seq - 1"}, 3, "edited"},
		"reorder": {[]string{"UPDATE audit_event SET seq = -1 WHERE seq = 7", "UPDATE audit_event SET seq = 7 WHERE seq = 8",
			"UPDATE audit_event SET seq = 8 WHERE seq = -1"}, 7, "edited"},
		"everything deleted": {[]string{"DELETE FROM audit_event"}, 1, "missing"},
		"added beyond": {[]string{"UPDATE audit_chain SET head_seq = 9, head_hash = (SELECT hash FROM audit_event WHERE seq = 9)"},
			10, "beyond the end"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Databases(t, func(t *testing.T, db *database.DB) {
				l := audit.New(db, testkit.Clock())
				appendAll(t, l, 10)
				sealAndVerify(t, l, 10)
				for _, q := range c.do {
					exec(t, db, q)
				}
				b := verify(t, l).Broken
				if b == nil || b.Seq != c.seq || b.What != c.what {
					t.Fatalf("got %+v, want row %d %s", b, c.seq, c.what)
				}
				t.Log(b)
			})
		})
	}
}

// TestSealedBefore is the point of "out of order": a row that was properly
// sealed for this place, but after another predecessor.
func TestSealedBefore(t *testing.T) {
	a, b := testkit.DB(t), testkit.DB(t)
	la, lb := audit.New(a, testkit.Clock()), audit.New(b, testkit.Clock())
	for _, l := range []*audit.Log{la, lb} {
		appendAll(t, l, 3)
		sealAndVerify(t, l, 3)
	}
	var id, prev, hash string
	if err := b.Reader().QueryRowContext(context.Background(), "SELECT id, prev_hash, hash FROM audit_event WHERE seq = 2").Scan(&id, &prev, &hash); err != nil {
		t.Fatal(err)
	}
	exec(t, a, "UPDATE audit_event SET id = ?, prev_hash = ?, hash = ?, request_id = 'r1' WHERE seq = 2", id, prev, hash)
	if got := verify(t, la).Broken; got == nil || got.Seq != 2 || got.What != "out of order" {
		t.Errorf("got %+v, want row 2 out of order", got)
	}
}

func TestRunSealsWhatIsLeft(t *testing.T) {
	db := testkit.DB(t)
	l := audit.New(db, clock.Real())
	appendAll(t, l, 5)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l.Run(ctx)
	if rep := verify(t, l); rep.Sealed != 5 {
		t.Errorf("report %+v", rep)
	}
}
