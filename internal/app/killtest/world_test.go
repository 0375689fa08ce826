package killtest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"path/filepath"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/clock"
	"thhotel/internal/config"
	"thhotel/internal/inbox"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

const clerkPassword = "a long password for the test"

// world is one hotel on one database, which the servers under test share with
// this process. This process opens it only for moments, so that on SQLite the
// restarted server is the one that recovers the journal.
type world struct {
	vars     map[string]string // settings, as the servers' environment
	hotelID  string
	tokens   []string // of several accounts
	mails    int      // delivered so far
	replicas int      // servers on this database
	newer    bool     // the servers have migrated beyond what this process knows
}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{replicas: 1, vars: serverVars(dir)}
	if engine == "mariadb" {
		w.replicas = 2 // a key may be retried on the server that was not killed
		w.vars["THHOTEL_DATABASE_DRIVER"], w.vars["THHOTEL_DATABASE_DSN"] = "mysql", testkit.MariaDSN(t)
	}
	w.with(t, func(a *app.App) { w.found(t, a) })
	return w
}

// newClusterWorld is two servers on a Galera cluster.
func newClusterWorld(t *testing.T, g *galera) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{replicas: 2, vars: serverVars(dir)}
	w.vars["THHOTEL_DATABASE_DRIVER"], w.vars["THHOTEL_DATABASE_DSN"] = "mysql", g.dsn()
	w.with(t, func(a *app.App) { w.found(t, a) })
	return w
}

func serverVars(dir string) map[string]string {
	return map[string]string{
		"THHOTEL_DATA_DIR": dir, "THHOTEL_SERVER_LISTEN": "127.0.0.1:0", "THHOTEL_SERVER_TRUSTED_HOSTS": "*",
		"THHOTEL_LIMIT_PER_SECOND": "1000000", "THHOTEL_LIMIT_BURST": "1000000",
		"THHOTEL_DATABASE_DRIVER": "sqlite", "THHOTEL_DATABASE_DSN": filepath.Join(dir, "thhotel.db"),
	}
}

// at gives the settings of a server that listens on a fixed address.
func (w *world) at(address string) map[string]string {
	vars := maps.Clone(w.vars)
	vars["THHOTEL_SERVER_LISTEN"] = address
	return vars
}

// with opens the database as the servers do, and closes it.
func (w *world) with(t *testing.T, f func(*app.App)) {
	t.Helper()
	s, err := config.Load(func(name string) string { return w.vars[name] }, "")
	must(t, err)
	a, err := app.New(context.Background(), s, app.Options{Version: "killtest", Clock: clock.Real(), Log: slog.New(slog.DiscardHandler), KeepSchema: w.newer})
	must(t, err)
	defer func() { must(t, a.Close()) }()
	f(a)
}

func (w *world) found(t *testing.T, a *app.App) {
	t.Helper()
	ctx := context.Background()
	h, err := a.Platform.CreateHotel(ctx, access.AsSystem("", "test"), platform.HotelParams{Name: "Kill Hotel", TimeZone: "Asia/Bangkok", Currency: "THB", BusinessDate: "2026-11-30"})
	must(t, err)
	w.hotelID = h.ID
	by := access.AsSystem(h.ID, "test")
	must(t, a.Platform.SetCodeLists(ctx, by, platform.CodeLists{
		RoomTypes: []platform.RoomType{{Code: "DLXK", Name: "Deluxe King", Capacity: 2}, {Code: "SUPT", Name: "Superior Twin", Capacity: 2}},
		RateCodes: []platform.Code{{Code: "BAR", Name: "BAR"}},
	}))
	_, err = a.Platform.CreateStaff(ctx, by, platform.StaffParams{Username: "clerk", Password: clerkPassword, Role: access.RoleSupervisor})
	must(t, err)
	for i := range 3 {
		acc, err := a.Platform.CreateServiceAccount(ctx, by, platform.AccountParams{Name: fmt.Sprintf("agent-%d", i), Role: access.RoleSuperAgent})
		must(t, err)
		tok, err := a.Platform.IssueToken(ctx, by, platform.IssueParams{SubjectID: acc.ID, Name: "kill", Scopes: access.SuperAgentScopes()})
		must(t, err)
		w.tokens = append(w.tokens, tok.Token)
	}
}

// deliver brings n new mails in and returns a package for each.
func (w *world) deliver(t *testing.T, a *app.App, n int) []*job {
	t.Helper()
	jobs := make([]*job, 0, n)
	for range n {
		w.mails++
		j := newJob(t, w.mails)
		raw := fmt.Sprintf("From: Agent <agent@example.test>\r\nTo: desk@hotel.example\r\nSubject: Booking %d\r\nMessage-ID: <%s@example.test>\r\n"+
			"Date: Mon, 30 Nov 2026 08:00:00 +0700\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPlease book, our reference K-%d.\r\n", j.n, j.external, j.n)
		_, err := a.Inbox.Deliver(context.Background(), access.AsSystem(w.hotelID, "test"), inbox.DeliverParams{
			ExternalMessageID: j.external, Raw: []byte(raw), ReceivedAt: time.Date(2026, 11, 30, 1, 0, 0, 0, time.UTC)})
		must(t, err)
		jobs = append(jobs, j)
	}
	return jobs
}

// newJob makes mail n's package: one to three bookings, at times with an event
// that names no order, at times a notice.
func newJob(t *testing.T, n int) *job {
	t.Helper()
	j := &job{n: n, external: fmt.Sprintf("kill-%06d", n)}
	var route any
	contexts, events := []any{}, []any{}
	if n%9 == 0 {
		route, j.notice, j.events = "S10", true, 1
	} else {
		for i := range 1 + n%3 {
			j.bookings++
			events = append(events, event(i, "NEW_BOOKING", map[string]any{"arrival_date": "2027-02-10", "departure_date": "2027-02-12",
				"guest_name": fmt.Sprintf("GUEST, N%d-%d", n, i), "rate_code": "BAR", "booking_scenario": "FIT_CORPORATE",
				"room_items": []any{map[string]any{"room_type_code": "DLXK", "room_count": 1}, map[string]any{"room_type_code": "SUPT", "room_count": 2}},
				"after":      map[string]any{"external_reference": fmt.Sprintf("K-%d-%d", n, i), "adults": 2}}))
		}
		if n%4 == 0 {
			events = append(events, event(len(events), "UPDATE_BOOKING", map[string]any{"guest_name": "NOBODY, KNOWN", "manual_review": true}))
		}
		for i := range events {
			contexts = append(contexts, map[string]any{"order_ref": ref(i), "basic_information": map[string]any{"account_code": nil, "manual_review": false}})
		}
		j.events = len(events)
	}
	pkg, err := json.Marshal(map[string]any{
		"route_code": route, "order_contexts": contexts, "message_events": events,
		"source_message": map[string]any{"source_message_id": j.external, "subject": nil, "sender": nil, "sent_at": nil, "body": nil,
			"body_content_type": "text/plain", "attachments": []any{}},
	})
	must(t, err)
	j.pkg = pkg
	return j
}

func ref(i int) string { return fmt.Sprintf("ORD-%d", i+1) }

func event(i int, kind string, more map[string]any) map[string]any {
	e := map[string]any{"order_ref": ref(i), "event_type": kind, "target_order": map[string]any{"booking_type": "FIT", "locator_type": nil, "locator_value": nil},
		"manual_review": false, "arrival_date": nil, "departure_date": nil, "rate_code": nil, "booking_scenario": nil, "guest_name": nil,
		"room_items": []any{}, "after": map[string]any{}, "trace_items": []any{}, "attachment_ids": []any{}}
	for k, v := range more {
		e[k] = v
	}
	return e
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
