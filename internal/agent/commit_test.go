package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/testkit"
	"thhotel/migrations"
)

// TestCommitWithoutAnAnswer breaks the connection at COMMIT, once before the
// server saw it and once after it was done. The client sees the same error; the
// work must be there once in both cases, and the caller must be told of success.
func TestCommitWithoutAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		fault int32
		runs  int
	}{
		"lost before the server saw it": {cutBefore, 2},
		"done, and the answer lost":     {cutAfter, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t)
			w := newWorld(t, p.open(t))
			runs := 0
			w.do = func(ctx context.Context, _ access.Caller, _ json.RawMessage) (agent.Result, error) {
				if runs++; runs == 1 {
					p.next.Store(c.fault)
				}
				return agent.Result{Value: map[string]any{"n": runs}}, w.effect(ctx, "x")
			}
			out := w.call("desk.save", "agent", `{`+key+`}`)
			if out.Fault != nil || out.Replayed || runs != c.runs || w.effects() != 1 {
				t.Errorf("%v, replayed %v, %d runs, %d effects", out.Fault, out.Replayed, runs, w.effects())
			}
			if p.cuts.Load() != 1 {
				t.Errorf("the connection was cut %d times", p.cuts.Load())
			}
			if again := w.call("desk.save", "agent", `{`+key+`}`); !again.Replayed || w.effects() != 1 {
				t.Errorf("repeat: %v, %d effects", again.Fault, w.effects())
			}
			if n := w.count("SELECT COUNT(*) FROM audit_event WHERE status = 'succeeded'"); n != 1 {
				t.Errorf("%d succeeded rows", n)
			}
		})
	}
}

// What the proxy does with the next COMMIT.
const (
	pass int32 = iota
	cutBefore
	cutAfter
)

// proxy stands between the driver and the server.
type proxy struct {
	server string
	listen net.Listener
	next   atomic.Int32
	cuts   atomic.Int32
	wg     sync.WaitGroup
	dsn    string
}

func newProxy(t *testing.T) *proxy {
	t.Helper()
	cfg, err := mysql.ParseDSN(testkit.MariaDSN(t))
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "px") // short: a socket's path ends at 107 bytes
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{server: cfg.Addr}
	cfg.Addr = filepath.Join(dir, "s")
	p.dsn = cfg.FormatDSN()
	if p.listen, err = (&net.ListenConfig{}).Listen(context.Background(), "unix", cfg.Addr); err != nil {
		t.Fatal(err)
	}
	p.wg.Go(p.accept)
	t.Cleanup(func() {
		_ = p.listen.Close()
		p.wg.Wait()
		_ = os.RemoveAll(dir)
	})
	return p
}

func (p *proxy) open(t *testing.T) *database.DB {
	t.Helper()
	ctx := context.Background()
	db, err := database.Open(ctx, database.Options{Driver: database.MySQL, DSN: p.dsn}, clock.Real())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // before the proxy's own clean-up
	if err := db.Migrate(ctx, migrations.Files); err != nil {
		t.Fatal(err)
	}
	return db
}

func (p *proxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(context.Background(), "unix", p.server)
		if err != nil {
			_ = client.Close()
			return
		}
		var swallow atomic.Bool
		closeBoth := func() { _ = client.Close(); _ = server.Close() }
		p.wg.Go(func() { // requests
			defer closeBoth()
			pump(client, server, func(b []byte) bool {
				if !bytes.Contains(b, []byte("COMMIT")) {
					return true
				}
				switch p.next.Swap(pass) {
				case cutBefore:
					p.cuts.Add(1)
					return false
				case cutAfter:
					p.cuts.Add(1)
					swallow.Store(true)
				}
				return true
			})
		})
		p.wg.Go(func() { // answers
			defer closeBoth()
			pump(server, client, func([]byte) bool { return !swallow.Load() })
		})
	}
}

// pump copies until an end breaks or keep says no.
func pump(from, to net.Conn, keep func([]byte) bool) {
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if err != nil || !keep(b[:n]) {
			return
		}
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}
