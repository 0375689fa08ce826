// Package killtest_test holds the proof of "exactly once": the real program,
// under concurrent load, killed at random moments and started again, on both
// engines. What clients were told is then compared with the database, row by row.
package killtest_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"thhotel/internal/app"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	tool = "th_hotel_submit_task_results"
	// lease is how long a claim bars its key: the tool's timeout (60 s), the wait
	// for a slot (5 s) and the margin (30 s).
	lease = 95 * time.Second

	shortRun  = 8  // kills per engine where THHOTEL_KILLS says nothing
	patientAt = 40 // with as many kills, the run waits for the last leases by the clock
	clients   = 24
	stock     = 120 // mails that nobody has submitted, at every start
)

// TestKill: see docs/reliability.md.
func TestKill(t *testing.T) {
	kills := shortRun
	if n, err := strconv.Atoi(os.Getenv("THHOTEL_KILLS")); err == nil && n > 0 {
		kills = n
	}
	bin, err := build()
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(bin)) })
	for _, engine := range []string{"sqlite", "mariadb"} {
		t.Run(engine, func(t *testing.T) { run(t, bin, newWorld(t, engine), kills) })
	}
}

func run(t *testing.T, bin string, w *world, kills int) {
	began := time.Now()
	f := newField(t, bin, w)
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	defer all.Wait() // also when the test ends early
	defer stop()
	for range clients {
		all.Go(func() { f.crowd.work(ctx, t) })
	}
	f.start(t)
	for i := range kills {
		f.killOne(t, i == kills-1)
		if t.Failed() {
			break
		}
	}
	stop()
	all.Wait()
	f.settle(t, kills >= patientAt)
	f.report(t, time.Since(began))
}

// field is a run: servers, clients and the database they share.
type field struct {
	w     *world
	crowd *crowd

	kills, busy, starting int // all; with calls under way; before the server listened
	calls                 int // under way at kills
	aged                  int // rounds after which leases had run out
	left, taken           int // claims of the dead at the end, and the acknowledgements that came of them
	sealed                int64
}

func newField(t *testing.T, bin string, w *world) *field {
	t.Helper()
	var servers []*server
	for range w.replicas {
		s := &server{bin: bin, vars: w.vars, problems: map[string]int{}}
		t.Cleanup(s.kill)
		servers = append(servers, s)
	}
	f := &field{w: w, crowd: newCrowd(servers, w.tokens)}
	f.restock(t, false)
	return f
}

func (f *field) start(t *testing.T) {
	t.Helper()
	for _, s := range f.crowd.servers {
		s.spawn(t)
		s.await(t)
	}
}

// restock brings mails in while a server is down; at times so much later that
// the leases of the dead have run out.
func (f *field) restock(t *testing.T, later bool) {
	t.Helper()
	f.w.with(t, func(a *app.App) {
		f.crowd.give(f.w.deliver(t, a, stock-f.crowd.waiting()))
		if later {
			f.aged++
			age(t, a)
		}
	})
}

// age moves every lease back by its whole length, as if that time had passed. A
// claim that is still alive, on the other server, loses its key too: then only
// one of two may commit.
func age(t *testing.T, a *app.App) {
	t.Helper()
	for _, query := range []string{
		"UPDATE agent_idempotency SET lease_until = lease_until - ? WHERE state = 'RUNNING'",
		"UPDATE audit_chain SET held_until = held_until - ?",
	} {
		_, err := a.DB.Writer().ExecContext(context.Background(), query, lease.Microseconds())
		must(t, err)
	}
}

// killOne kills a server at a random moment: mostly under load, at times while
// it starts. The last one is not started again.
func (f *field) killOne(t *testing.T, last bool) {
	t.Helper()
	s := f.crowd.servers[rand.IntN(len(f.crowd.servers))]
	rest(time.Duration(20+rand.IntN(700)) * time.Millisecond)
	f.strike(s)
	if last {
		return
	}
	if rand.IntN(3) > 0 { // else the server itself meets what the dead one left
		f.restock(t, rand.IntN(2) == 0)
	}
	s.spawn(t)
	if rand.IntN(6) == 0 {
		rest(time.Duration(rand.IntN(250)) * time.Millisecond)
		f.strike(s)
		s.spawn(t)
	}
	s.await(t)
}

func (f *field) strike(s *server) {
	n := int(f.crowd.inFlight.Load())
	listening := s.url.Load() != nil
	s.kill()
	f.kills++
	if !listening {
		f.starting++
	} else if n > 0 {
		f.busy++
		f.calls += n
	}
}

// settle lets the dead's leases end and every client have its answer, then
// compares all answers with the database.
func (f *field) settle(t *testing.T, patient bool) {
	t.Helper()
	for _, s := range f.crowd.servers {
		s.kill()
	}
	var until time.Time
	f.w.with(t, func(a *app.App) {
		checkWhole(t, a)
		f.left, until = checkLeases(t, a)
		if !patient {
			age(t, a)
			until = a.Clock.Now()
		}
	})
	f.start(t)
	rest(time.Until(until))
	f.finish(t)
	f.awaitSeals(t)
	for _, s := range f.crowd.servers {
		s.stop(t)
	}
	f.w.with(t, func(a *app.App) {
		checkWhole(t, a)
		if running, _ := checkLeases(t, a); running > 0 {
			t.Errorf("%d keys are stuck: their leases are over and every client was answered", running)
		}
		checkAcks(t, a, f.crowd.started)
	})
	var unsealed int64
	if f.sealed, unsealed = checkChain(t, f.crowd.servers[0]); unsealed > 0 {
		t.Errorf("%d audit rows are still unsealed after an orderly stop", unsealed)
	}
}

// finish submits, from all clients at once, what was never acknowledged.
func (f *field) finish(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	work := make(chan *job, len(f.crowd.started))
	for _, j := range f.crowd.started {
		if !j.acked() {
			f.taken++
			work <- j
		}
	}
	close(work)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for j := range work {
				if !f.crowd.submit(ctx, t, j, 20) {
					t.Errorf("mail %d: no acknowledgement after its lease", j.n)
				}
			}
		})
	}
	all.Wait()
}

// awaitSeals waits until the sealer has caught up; a dead one's lease lasts 30 s.
func (f *field) awaitSeals(t *testing.T) {
	t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	f.w.with(t, func(a *app.App) {
		for number(t, a, "SELECT COUNT(*) FROM audit_event WHERE seq IS NULL") > 0 {
			if time.Now().After(deadline) {
				t.Error("the audit log is not sealed a minute after the last call")
				return
			}
			rest(100 * time.Millisecond)
		}
	})
}

func (f *field) report(t *testing.T, took time.Duration) {
	t.Helper()
	c := f.crowd
	t.Logf("%d kills in %v: %d with calls under way (%d calls), %d while starting; leases over after %d of them", f.kills, took.Round(time.Second), f.busy, f.calls, f.starting, f.aged)
	t.Logf("%d packages, %d acknowledgements; %d calls lost, %d hung up, %d told to come again; %d claims of the dead at the end, %d packages acknowledged after them; %d audit rows sealed",
		len(c.started), c.acks.Load(), c.lost.Load(), c.hungUp.Load(), c.pending.Load(), f.left, f.taken, f.sealed)
	for i, s := range c.servers {
		for problem, n := range s.problems {
			t.Errorf("server %d logged %d times: %s", i, n, problem)
		}
	}
	if f.busy < f.kills/2 {
		t.Errorf("only %d of %d kills met calls under way: the run proves little", f.busy, f.kills)
	}
}

// rest waits.
func rest(d time.Duration) { nap(context.Background(), d) }
