package pages_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/casequery"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/pages"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
	"thhotel/migrations"
)

const password = "correct horse battery"

// desk is the workbench over the real services on a SQLite of its own, with the
// demo hotel's orders and mails, and the agent's packages submitted.
type desk struct {
	t       testing.TB
	URL     string
	options pages.Options
	close   func()
	passed  atomic.Int64  // since testkit.Now
	by      access.Caller // the program, for set-up
	Order   *order.Service
	Inbox   *inbox.Service
	Intake  *intake.Service
	Audit   *audit.Log
}

func newDesk(t testing.TB, change ...func(*pages.Options)) *desk {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(furnished(t))))
	d := openDesk(t, dir)
	for _, f := range change {
		f(&d.options)
	}
	h, err := d.options.Platform.Hotel(context.Background(), access.AsSystem("", "test"))
	must(t, err)
	d.by = access.AsSystem(h.ID, "test")
	d.URL = d.serve("127.0.0.1:0").URL
	return d
}

// openDesk wires the services over the database and mail store in a folder.
func openDesk(t testing.TB, dir string) *desk {
	t.Helper()
	d := &desk{t: t}
	c := clock.Moving(func() time.Time { return testkit.Now.Add(time.Duration(d.passed.Load())) })
	db, err := database.Open(context.Background(), database.Options{Driver: database.SQLite, DSN: filepath.Join(dir, "t.db")}, c)
	must(t, err)
	d.close = sync.OnceFunc(func() { must(t, db.Close()) })
	t.Cleanup(d.close)
	must(t, db.Migrate(context.Background(), migrations.Files))
	blobs, err := blob.Open(filepath.Join(dir, "blobs"))
	must(t, err)
	d.Audit = audit.New(db, c)
	p := platform.New(db, c, d.Audit)
	d.Inbox = inbox.New(db, c, blobs, d.Audit)
	d.Order = order.New(order.Options{DB: db, Clock: c, Audit: d.Audit, Platform: p, Inbox: d.Inbox})
	d.Intake = intake.New(intake.Options{DB: db, Clock: c, Platform: p, Inbox: d.Inbox, Order: d.Order})
	registry := agent.NewRegistry()
	for _, tool := range append(casequery.Tools(casequery.New(p, d.Inbox, d.Order)), intake.Tools(d.Intake)...) {
		_, err := registry.Register(tool)
		must(t, err)
	}
	executor, err := agent.NewExecutor(agent.Options{DB: db, Clock: c, Registry: registry, Auth: p, Audit: d.Audit, Services: []agent.Service{hotel.Service("test")}})
	must(t, err)
	d.options = pages.Options{Platform: p, Inbox: d.Inbox, Order: d.Order, Intake: d.Intake, Executor: executor, Registry: registry,
		Audit: d.Audit, Clock: c, Log: slog.New(slog.NewTextHandler(logTo{t}, nil)), Live: pages.Live{Every: 100 * time.Millisecond}}
	return d
}

// server is one replica of the workbench.
type server struct {
	URL  string
	Stop func() // closes as the program does: streams end, calls under way finish
}

// serve starts a replica over the desk's database.
func (d *desk) serve(address string) server {
	d.t.Helper()
	o, closing := d.options, make(chan struct{})
	o.Closing = closing
	engine := httpd.New(httpd.Options{Clock: o.Clock, Rate: httpd.Rate{PerSecond: -1}})
	must(d.t, pages.Mount(engine, o))
	l, err := net.Listen("tcp", address)
	must(d.t, err)
	s := httpd.Server(address, engine, o.Log)
	go func() { _ = s.Serve(l) }()
	stop := sync.OnceFunc(func() {
		close(closing)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := httpd.Shutdown(ctx, s); err != nil {
			d.t.Errorf("the server did not drain: %v", err)
		}
	})
	d.t.Cleanup(stop)
	return server{"http://" + l.Addr().String(), stop}
}

// pass lets time go by.
func (d *desk) pass(t time.Duration) { d.passed.Add(int64(t)) }

// logTo shows the pages' log beside the test that caused it.
type logTo struct{ t testing.TB }

func (l logTo) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// card finds an open card of a type, and of a key where one is given.
func (d *desk) card(kind order.EventType, key string) order.CardBrief {
	d.t.Helper()
	page, err := d.Order.Queue(context.Background(), d.by, order.QueueParams{View: order.ViewOpen, EventType: kind})
	must(d.t, err)
	for _, c := range page.Cards {
		if key == "" || c.Key == key {
			return c
		}
	}
	d.t.Fatalf("no open card %s %s among %d", kind, key, len(page.Cards))
	return order.CardBrief{}
}

// person is a browser with somebody signed in.
type person struct {
	d      *desk
	client *http.Client
}

func (d *desk) anybody() person {
	jar, err := cookiejar.New(nil)
	must(d.t, err)
	return person{d, &http.Client{Jar: jar}}
}

func (d *desk) as(name string) person {
	d.t.Helper()
	p := d.anybody()
	page := p.post("/signin", url.Values{"username": {name}, "password": {password}, "next": {"/orders"}})
	if page.Path != "/orders" || page.Status != http.StatusOK {
		d.t.Fatalf("sign in as %s: %d at %s\n%s", name, page.Status, page.Path, page.Body)
	}
	return p
}

// answer is what came back after redirects.
type answer struct {
	Status     int
	Path, Body string
	Header     http.Header
}

func (p person) get(path string) answer { return p.do(http.MethodGet, path, nil, nil) }

func (p person) post(path string, form url.Values) answer {
	return p.do(http.MethodPost, path, form, map[string]string{"Sec-Fetch-Site": "same-origin"})
}

func (p person) do(method, path string, form url.Values, headers map[string]string) answer {
	p.d.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, p.d.URL+path, strings.NewReader(form.Encode()))
	must(p.d.t, err)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	res, err := p.client.Do(r)
	must(p.d.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	must(p.d.t, err)
	return answer{res.StatusCode, res.Request.URL.Path, string(body), res.Header}
}

func (p person) language(lang string) {
	p.post("/preferences", url.Values{"lang": {lang}, "back": {"/tasks"}})
}

func read(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	must(t, err)
	return b
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
