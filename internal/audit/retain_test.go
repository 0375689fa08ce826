package audit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/testkit"
)

// operator may prune; the clock of these tests stands an hour after the events.
var operator = access.AsSystem("h1", "audit-prune")

func later() clock.Clock { return clock.Fixed(testkit.Now.Add(time.Hour)) }

// file is a file in memory. broken makes its Sync fail.
type file struct {
	bytes.Buffer
	broken error
}

func (f *file) Sync() error { return f.broken }

// sealed appends n events a minute apart, from first on, and seals them.
func sealed(t *testing.T, l *audit.Log, first, n int) {
	t.Helper()
	for i := range n {
		e := event(first + i)
		e.At = testkit.Now.Add(time.Duration(first+i) * time.Minute)
		if err := l.Append(context.Background(), e); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Seal(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func prune(t *testing.T, l *audit.Log, minutes int) (audit.Pruned, *file) {
	t.Helper()
	f := &file{}
	p, err := l.Prune(context.Background(), operator, testkit.Now.Add(time.Duration(minutes)*time.Minute), f)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

func verifyFile(t *testing.T, f string) audit.Report {
	t.Helper()
	rep, err := audit.VerifyFile(strings.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func rows(t *testing.T, db *database.DB, where string) (n int) {
	t.Helper()
	if err := db.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM audit_event WHERE "+where).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestPruneKeepsTheChain: files and database are one chain, in any number of
// parts, also when nothing sealed remains.
func TestPruneKeepsTheChain(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		now := later().Now()
		l := audit.New(db, clock.Moving(func() time.Time { return now }))
		sealed(t, l, 0, 10)
		before := verify(t, l)
		p, first := prune(t, l, 4)
		sum := sha256.Sum256(first.Bytes())
		if p.Rows != 4 || p.FromSeq != 0 || p.UpToSeq != 4 || p.SHA256 != hex.EncodeToString(sum[:]) || strings.Count(first.String(), "\n") != 4 {
			t.Fatalf("pruned %+v, file\n%s", p, first)
		}
		rep := verify(t, l) // the prune's own row is not sealed yet
		if rep.Broken != nil || rep.FromSeq != 4 || rep.FromHash != p.UpToHash || rep.Sealed != 6 || rep.Unsealed != 1 || rep.HeadHash != before.HeadHash {
			t.Errorf("after the prune: %+v", rep)
		}
		if f := verifyFile(t, first.String()); f.Broken != nil || f.Sealed != 4 || f.FromSeq != 0 || f.FromHash != "" || f.HeadHash != p.UpToHash {
			t.Errorf("first file: %+v", f)
		}
		sealed(t, l, 10, 5)
		if p, f := prune(t, l, 4); p != (audit.Pruned{}) || f.Len() > 0 {
			t.Errorf("pruned again: %+v", p)
		}
		now = now.Add(time.Hour) // else the first prune's own row is too new
		if _, err := l.Seal(context.Background()); err != nil {
			t.Fatal(err)
		}
		second, f2 := prune(t, l, 90)
		if f := verifyFile(t, f2.String()); second.Rows != 12 || f.Broken != nil || f.FromSeq != 4 || f.FromHash != p.UpToHash || f.HeadHash != second.UpToHash {
			t.Errorf("second file: %+v of %+v", f, second)
		}
		if n := rows(t, db, "seq IS NOT NULL"); n != 0 {
			t.Errorf("%d sealed rows remain", n)
		}
		sealed(t, l, 15, 3)
		if rep := verify(t, l); rep.Broken != nil || rep.FromSeq != 16 || rep.Sealed != 4 || rep.HeadSeq != 20 || rep.Unsealed != 0 {
			t.Errorf("at the end: %+v", rep)
		}
		whole := first.String() + f2.String()
		var rest bytes.Buffer
		n, err := l.Export(context.Background(), &rest, time.Time{}, time.Time{})
		if f := verifyFile(t, whole+rest.String()); err != nil || n != 4 || f.Broken != nil || f.Sealed != 20 {
			t.Errorf("files and export together: %+v, %d, %v", f, n, err)
		}
	})
}

// TestPruneLeavesARecord: who did it, and the file's digest, in the chain.
func TestPruneLeavesARecord(t *testing.T) {
	l := audit.New(testkit.DB(t), later())
	sealed(t, l, 0, 5)
	p, _ := prune(t, l, 3)
	got, _ := list(t, l, audit.Filter{ResourceType: "audit_checkpoint"})
	if len(got) != 1 || got[0].Tool != "audit.prune" || got[0].Principal != "system" || got[0].SourceDigest != p.SHA256 ||
		got[0].ResourceID != fmt.Sprint(p.UpToSeq, ":", p.UpToHash) || got[0].Status != audit.Succeeded {
		t.Errorf("records %+v of %+v", got, p)
	}
}

// TestVerifyAfterAPrune: a prune is no way to hide something.
func TestVerifyAfterAPrune(t *testing.T) {
	const forge = "UPDATE audit_checkpoint SET hash = (SELECT hash FROM audit_event WHERE seq = 6), seq = 6"
	for name, c := range map[string]struct {
		do   []string
		seq  int64
		what string
	}{
		"edit":                  {[]string{"UPDATE audit_event SET tool = 'x' WHERE seq = 5"}, 5, "edited"},
		"first one deleted":     {[]string{"DELETE FROM audit_event WHERE seq = 4"}, 4, "missing"},
		"checkpoint moved":      {[]string{forge, "DELETE FROM audit_event WHERE seq <= 6"}, 6, "removed without a record"},
		"checkpoint rewritten":  {[]string{"UPDATE audit_checkpoint SET hash = (SELECT hash FROM audit_event WHERE seq = 5)"}, 3, "removed without a record"},
		"record of it deleted":  {[]string{"DELETE FROM audit_event WHERE tool = 'audit.prune'"}, 3, "removed without a record"},
		"checkpoint deleted":    {[]string{"DELETE FROM audit_checkpoint"}, 1, "missing"},
		"checkpoint beyond":     {[]string{"UPDATE audit_checkpoint SET seq = 99"}, 99, "beyond the end"},
		"everything is deleted": {[]string{"DELETE FROM audit_event"}, 3, "removed without a record"},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Databases(t, func(t *testing.T, db *database.DB) {
				l := audit.New(db, later())
				sealed(t, l, 0, 8)
				prune(t, l, 3)
				sealed(t, l, 8, 2)
				if rep := verify(t, l); rep.Broken != nil || rep.Sealed != 8 {
					t.Fatalf("before: %+v", rep)
				}
				for _, q := range c.do {
					exec(t, db, q)
				}
				if b := verify(t, l).Broken; b == nil || b.Seq != c.seq || b.What != c.what {
					t.Errorf("got %+v, want row %d %s", b, c.seq, c.what)
				}
			})
		})
	}
}

// TestPruneRefuses: whatever goes wrong before the checkpoint, all rows are there.
func TestPruneRefuses(t *testing.T) {
	disk := errors.New("disk full")
	for name, c := range map[string]struct {
		by     access.Caller
		do     string
		before time.Duration
		file   *file
		code   string
	}{
		"edited row":     {operator, "UPDATE audit_event SET tool = 'x' WHERE seq = 2", time.Hour, &file{}, audit.CodeChainBroken},
		"missing row":    {operator, "DELETE FROM audit_event WHERE seq = 2", time.Hour, &file{}, audit.CodeChainBroken},
		"in the future":  {operator, "", 2 * time.Hour, &file{}, audit.CodePruneTooNew},
		"disk full":      {operator, "", time.Hour, &file{broken: disk}, fault.CodeInternal},
		"a supervisor":   {access.Caller{HotelID: "h1", Role: access.RoleSupervisor}, "", time.Hour, &file{}, access.CodePermission},
		"admin's token":  {access.Caller{HotelID: "h1", Role: access.RoleAdmin, Scopes: access.Scopes("hotel")}, "", time.Hour, &file{}, access.CodeScope},
		"no audit table": {operator, "DROP TABLE audit_checkpoint", time.Hour, &file{}, fault.CodeInternal},
	} {
		t.Run(name, func(t *testing.T) {
			db := testkit.DB(t)
			l := audit.New(db, later())
			sealed(t, l, 0, 5)
			if c.do != "" {
				exec(t, db, c.do)
			}
			had := rows(t, db, "seq IS NOT NULL")
			_, err := l.Prune(context.Background(), c.by, testkit.Now.Add(c.before), c.file)
			if fault.Code(err) != c.code || rows(t, db, "seq IS NOT NULL") != had {
				t.Errorf("%v, want %s; %d rows of %d", err, c.code, rows(t, db, "seq IS NOT NULL"), had)
			}
		})
	}
}

// TestPruneIsFinished: a process killed while it deletes leaves rows that are
// in the file already; the chain holds, and the next prune takes them away.
func TestPruneIsFinished(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, later())
		sealed(t, l, 0, 6)
		exec(t, db, "CREATE TABLE kept AS SELECT * FROM audit_event WHERE seq IN (2, 3)")
		prune(t, l, 4)
		exec(t, db, "INSERT INTO audit_event SELECT * FROM kept")
		if rep := verify(t, l); rep.Broken != nil || rep.Sealed != 2 {
			t.Errorf("with rows left over: %+v", rep)
		}
		if p, _ := prune(t, l, 4); p.Rows != 0 || rows(t, db, "seq <= 4") != 0 {
			t.Errorf("not finished: %+v, %d rows", p, rows(t, db, "seq <= 4"))
		}
	})
}

// TestPruneBesideWriters: appends, sealing and verifying go on meanwhile.
func TestPruneBesideWriters(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		l := audit.New(db, later())
		sealed(t, l, 0, 400)
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for j := range 25 {
					if err := l.Append(context.Background(), event(1000+25*i+j)); err != nil {
						t.Error(err)
					}
					if rep, err := l.Verify(context.Background()); err != nil || rep.Broken != nil {
						t.Errorf("%+v, %v", rep, err)
					}
				}
			})
		}
		for minutes := 10; minutes < 60; minutes += 10 {
			prune(t, l, minutes)
		}
		wg.Wait()
		if _, err := l.Seal(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rep := verify(t, l); rep.Broken != nil || rep.FromSeq != 50 || rep.HeadSeq != 400+100+5 {
			t.Errorf("%+v", rep)
		}
	})
}
