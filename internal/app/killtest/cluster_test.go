package killtest_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"thhotel/internal/app"
)

// TestCluster: two servers behind HAProxy on a three-node Galera cluster, under
// constant submits, confirmations and reads, while nodes and servers die, are cut
// off, come back and are upgraded. See docs/reliability.md.
func TestCluster(t *testing.T) {
	rounds := 1
	if n, err := strconv.Atoi(os.Getenv("THHOTEL_CLUSTER_ROUNDS")); err == nil && n > 0 {
		rounds = n
	}
	g := newGalera(t)
	bin, err := build()
	must(t, err)
	c := newCluster(t, g, bin)
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for range 12 {
		all.Go(func() { c.crowd.work(ctx, t) })
	}
	for range 4 {
		all.Go(func() { c.crowd.read(ctx, t, g.front(), &c.reads) })
	}
	for _, k := range c.clerks {
		all.Go(func() { k.work(ctx, t, c.crowd) })
	}
	c.step(t, "nothing breaks", func() {})
	for range rounds {
		c.round(t)
	}
	c.upgrade(t)
	stop()
	all.Wait()
	c.settle(t)
}

// cluster is a run.
type cluster struct {
	*field
	g       *galera
	servers []*server
	reads   gap
	clerks  []*clerk
}

func newCluster(t *testing.T, g *galera, bin string) *cluster {
	t.Helper()
	w := newClusterWorld(t, g)
	c := &cluster{g: g, field: &field{w: w}}
	front := &server{}
	url := g.front()
	front.url.Store(&url)
	c.crowd = newCrowd([]*server{front}, w.tokens)
	c.crowd.away = map[string]bool{"MCP_AUDIT_UNAVAILABLE": true, "MCP_UNAVAILABLE": true}
	for i := range w.replicas {
		s := &server{bin: bin, vars: w.at(g.replica(i)), problems: map[string]int{}}
		t.Cleanup(s.kill)
		c.servers = append(c.servers, s)
		s.spawn(t)
		s.await(t)
	}
	c.restock(t, false)
	c.await(t, func() bool {
		status, _, err := newClerk(t, url, g.dsn()).get("/readyz")
		return err == nil && status == 200
	})
	for turn := range 2 {
		k := newClerk(t, url, g.dsn())
		k.turn = turn
		k.signIn(t)
		c.clerks = append(c.clerks, k)
	}
	return c
}

// step breaks something and says how long clients then went without success.
func (c *cluster) step(t *testing.T, what string, do func()) {
	t.Helper()
	if t.Failed() {
		return
	}
	c.restock(t, false)
	c.take()
	began := time.Now()
	do()
	rest(4 * time.Second)
	c.await(t, c.flowing())
	submit, read, confirm := c.take()
	t.Logf("%-32s %6.1f s; longest without a success: reads %.1f s, submits %.1f s, confirmations %.1f s", what, time.Since(began).Seconds(), read.Seconds(), submit.Seconds(), confirm.Seconds())
}

func (c *cluster) take() (submit, read, confirm time.Duration) {
	for _, k := range c.clerks {
		confirm = max(confirm, k.gap.take())
	}
	return c.crowd.gap.take(), c.reads.take(), confirm
}

// flowing holds once every kind of client has succeeded since it was asked first.
func (c *cluster) flowing() func() bool {
	submits, _ := c.crowd.gap.counts()
	reads, _ := c.reads.counts()
	confirms := 0
	for _, k := range c.clerks {
		ok, _ := k.gap.counts()
		confirms += ok
	}
	return func() bool {
		s, _ := c.crowd.gap.counts()
		r, _ := c.reads.counts()
		n := 0
		for _, k := range c.clerks {
			ok, _ := k.gap.counts()
			n += ok
		}
		return s > submits && r > reads && n > confirms
	}
}

func (c *cluster) await(t *testing.T, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !holds(); rest(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the clients did not recover in a minute")
		}
	}
}

// round breaks one thing after another and lets each come back.
func (c *cluster) round(t *testing.T) {
	t.Helper()
	c.step(t, "writing node killed", func() { c.g.do(t, "kill", "1") })
	c.step(t, "node comes back", func() { c.g.do(t, "start", "1") })
	c.step(t, "server killed", func() { c.servers[0].kill() })
	c.step(t, "server comes back", func() { c.servers[0].spawn(t); c.servers[0].await(t) })
	c.step(t, "writing node cut off", func() { c.g.do(t, "cut", "1") })
	c.step(t, "node rejoins", func() { c.g.do(t, "mend", "1") })
}

// upgrade restarts one server after the other with the next release, whose
// first start migrates while the other still serves.
func (c *cluster) upgrade(t *testing.T) {
	t.Helper()
	bin := buildNext(t)
	c.w.newer = true // this process must not mind
	for i, s := range c.servers {
		c.step(t, fmt.Sprintf("server %d upgraded, migrates", i+1), func() {
			s.stop(t)
			s.bin = bin
			s.spawn(t)
			s.await(t)
		})
	}
}

// settle gives every client its answer and compares all of them with the database.
func (c *cluster) settle(t *testing.T) {
	t.Helper()
	c.w.with(t, func(a *app.App) { age(t, a) })
	c.finish(t)
	c.awaitSeals(t)
	for _, s := range c.servers {
		s.stop(t)
	}
	c.w.with(t, func(a *app.App) {
		checkWhole(t, a)
		checkAcks(t, a, c.crowd.started)
		for _, k := range c.clerks {
			k.check(t, a)
		}
	})
	sealed, unsealed := checkChain(t, c.servers[0])
	if unsealed > 0 {
		t.Errorf("%d audit rows are still unsealed after an orderly stop", unsealed)
	}
	c.tell(t, sealed)
}

func (c *cluster) tell(t *testing.T, sealed int64) {
	t.Helper()
	reads, badReads := c.reads.counts()
	confirms := 0
	for _, k := range c.clerks {
		confirms += len(k.done)
	}
	d := c.crowd
	t.Logf("%d packages, %d acknowledgements, %d confirmations, %d reads (%d failed); %d calls lost, %d hung up, %d told to come again, %d refused for want of the database; %d audit rows sealed",
		len(d.started), d.acks.Load(), confirms, reads, badReads, d.lost.Load(), d.hungUp.Load(), d.pending.Load(), d.refused.Load(), sealed)
	for i, s := range c.servers {
		for problem, n := range s.problems {
			t.Logf("server %d logged %d times: %s", i+1, n, problem)
		}
	}
}
