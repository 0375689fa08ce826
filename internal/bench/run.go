package bench

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/config"
	"thhotel/internal/database"
	"thhotel/internal/order"
)

// run is one measurement from the empty database to the report.
type run struct {
	o       Options
	stock   *stock
	report  Report
	db      *database.DB // for the bare transactions
	product *child
	bare    *child
	counter map[string]*atomic.Int64
}

// settings are the product's own, but for where it lives and the limit on calls.
func (o Options) settings() config.Settings {
	s := app.Embedded(config.Defaults(), o.Dir)
	if o.Database != "" {
		s.Database.Driver, s.Database.DSN = string(database.MySQL), config.DSN(o.Database)
	}
	return s
}

// load fills the database in this process, which then closes it.
func (r *run) load(ctx context.Context) error {
	a, err := app.New(ctx, r.o.settings(), app.Options{Version: "bench", Clock: r.o.Clock, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer a.Close()
	s := &stock{o: r.o, tools: a.Registry.Snapshot().Tools}
	if s.acc, err = found(ctx, a); err != nil {
		return err
	}
	p, err := sow(ctx, a, s.acc.HotelID)
	if err != nil {
		return err
	}
	for i := range events() {
		s.packets = append(s.packets, packageOf(i))
	}
	f, err := fill(ctx, r.o, a, p)
	if err != nil {
		return err
	}
	s.orders, s.cards, s.from = f.orders, f.cards, f.from
	if err := index(ctx, r.o, a, s.acc.HotelID); err != nil {
		return err
	}
	if s.deep, err = deepCursor(ctx, a, s.acc.HotelID, r.o.Cards); err != nil {
		return err
	}
	r.stock = s
	doc, err := encoded(s.tools)
	if err != nil {
		return err
	}
	return os.WriteFile(r.o.file("tools.json"), doc, 0o600)
}

// index fills the search index, which a running server does little by little.
func index(ctx context.Context, o Options, a *app.App, hotelID string) error {
	began := o.Clock.Now()
	for {
		n, err := a.Order.IndexSearch(ctx, access.AsSystem(hotelID, "bench"))
		if err != nil {
			return fmt.Errorf("search index: %w", err)
		}
		if n == 0 {
			fmt.Fprintf(o.Log, "indexed for search in %s\n", o.Clock.Since(began).Round(time.Second))
			return nil
		}
	}
}

// deepCursor walks to about the middle of the queue, at most fifty thousand cards.
func deepCursor(ctx context.Context, a *app.App, hotelID string, cards int) (string, error) {
	by := access.AsSystem(hotelID, "bench")
	cursor := ""
	for seen := 0; seen < min(cards/2, 50_000); {
		page, err := a.Order.Queue(ctx, by, order.QueueParams{View: order.ViewOpen, Cursor: cursor, Limit: 200})
		if err != nil {
			return "", fmt.Errorf("walk the queue: %w", err)
		}
		if page.NextCursor == "" {
			break
		}
		seen, cursor = seen+len(page.Cards), page.NextCursor
	}
	return cursor, nil
}

// start runs the two servers, each in a process of its own.
func (r *run) start(ctx context.Context) (err error) {
	if r.product, err = launch(r.o, "product", r.o.environ(), "bench-serve"); err != nil {
		return err
	}
	s := r.o.settings()
	r.bare, err = launch(r.o, "bare", r.o.Environ, "bench-bare", "--driver", s.Database.Driver, "--dsn", string(s.Database.DSN),
		"--hotel", r.stock.acc.HotelID, "--tools", r.o.file("tools.json"))
	if err != nil {
		return err
	}
	r.db, err = database.Open(ctx, r.durableOptions(), r.o.Clock)
	return err
}

// durableOptions: on SQLite a file of its own, since the product's has one
// writer and it is the product's; on MySQL the same server.
func (r *run) durableOptions() database.Options {
	o := app.DatabaseOptions(r.o.settings())
	if o.Driver == database.SQLite {
		o.DSN = r.o.file("durable.db")
	}
	return o
}

// environ is the product's environment: what it inherits without other settings
// of ours, and those of the bench.
func (o Options) environ() []string {
	s := o.settings()
	var out []string
	for _, pair := range o.Environ {
		if !strings.HasPrefix(pair, config.Prefix) {
			out = append(out, pair)
		}
	}
	return append(out, "THHOTEL_DATA_DIR="+s.DataDir, "THHOTEL_DATABASE_DRIVER="+s.Database.Driver, "THHOTEL_DATABASE_DSN="+string(s.Database.DSN),
		"THHOTEL_SERVER_LISTEN=127.0.0.1:0", "THHOTEL_LIMIT_PER_SECOND=1000000", "THHOTEL_LIMIT_BURST=1000000")
}

func (r *run) stop() {
	for _, c := range []*child{r.product, r.bare} {
		if c != nil {
			c.stop(r.o.Clock)
		}
	}
	if r.db != nil {
		_ = r.db.Close()
	}
}

// measure goes through everything once a round, so that a machine that slows
// down slows all of it.
func (r *run) measure(ctx context.Context) error {
	r.counter = map[string]*atomic.Int64{}
	for round := 1; round <= r.o.Rounds; round++ {
		for _, c := range r.o.Concurrency {
			if err := r.round(ctx, round, c); err != nil {
				return err
			}
		}
		fmt.Fprintf(r.o.Log, "round %d of %d done\n", round, r.o.Rounds)
	}
	return nil
}

func (r *run) round(ctx context.Context, round, c int) error {
	for _, op := range r.stock.operations() {
		if !r.o.wants(op.name) {
			continue
		}
		s, err := r.one(ctx, op, round, c)
		if err != nil {
			return fmt.Errorf("%s at %d: %w", op.name, c, err)
		}
		r.report.Samples = append(r.report.Samples, s)
	}
	if !r.o.wants(durableName) {
		return nil
	}
	s, err := durable(ctx, r.db, r.o, r.calls(0.5, c), c)
	s.Round, s.Concurrency = round, c
	r.report.Samples = append(r.report.Samples, s)
	return err
}

// calls is how many calls a measurement makes: a share of those asked for, and
// some for each caller.
func (r *run) calls(share float64, c int) int { return max(int(share*float64(r.o.Calls)), 2*c, 1) }

// one measures an operation: a tenth of the calls to warm up, then the calls.
func (r *run) one(ctx context.Context, op operation, round, c int) (Sample, error) {
	server := r.product
	if op.target == bare {
		server = r.bare
	}
	if r.counter[op.name] == nil {
		r.counter[op.name] = new(atomic.Int64)
	}
	d := &driver{addr: server.addr, op: op, clock: r.o.Clock, next: r.counter[op.name]}
	n := r.calls(op.share, c)
	if err := d.calls(ctx, max(n/10, c), c); err != nil {
		return Sample{}, err
	}
	if r.o.Profile != "" && round == 1 {
		if err := r.profile(ctx, server, d, n, c); err != nil {
			return Sample{}, err
		}
	}
	return r.between(ctx, server, d, n, c, round)
}

// between makes the calls and takes the server's own figures before and after.
func (r *run) between(ctx context.Context, server *child, d *driver, n, c, round int) (Sample, error) {
	forgetPeak(server.pid())
	before, err := server.ask("stats")
	if err != nil {
		return Sample{}, err
	}
	cpu, err := cpuOf(server.pid())
	if err != nil {
		return Sample{}, err
	}
	began := r.o.Clock.Now()
	if err := d.calls(ctx, n, c); err != nil {
		return Sample{}, err
	}
	took := r.o.Clock.Since(began)
	used, err := cpuOf(server.pid())
	if err != nil {
		return Sample{}, err
	}
	after, err := server.ask("stats")
	if err != nil {
		return Sample{}, err
	}
	s := d.sample()
	each := max(float64(s.Calls), 1)
	s.Round, s.Concurrency, s.Took = round, c, took
	s.CPU = (used - cpu) / time.Duration(max(s.Calls, 1))
	s.Allocs, s.AllocBytes = float64(after.Mallocs-before.Mallocs)/each, float64(after.Bytes-before.Bytes)/each
	s.Peak = peakOf(server.pid())
	return s, nil
}

// profile makes the calls once more under the server's CPU profiler.
func (r *run) profile(ctx context.Context, server *child, d *driver, n, c int) error {
	name := strings.NewReplacer(" ", "-", "/", "-").Replace(d.op.name)
	if _, err := server.ask(fmt.Sprintf("profile %s/%s-%d.pprof", r.o.Profile, name, c)); err != nil {
		return err
	}
	err := d.calls(ctx, n, c)
	if _, e := server.ask("profiled"); err == nil {
		err = e
	}
	if _, e := server.ask(fmt.Sprintf("allocs %s/%s-%d.allocs", r.o.Profile, name, c)); err == nil { // of all so far: --only narrows it
		err = e
	}
	return err
}
