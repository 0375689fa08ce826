package app_test

import (
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/app"
	"thhotel/internal/clock"
	"thhotel/internal/config"
	"thhotel/internal/demo"
	"thhotel/internal/hotel"
	"thhotel/internal/platform"
)

var update = flag.Bool("update", false, "rewrite testdata/catalogue")

// world is the whole product with the demo hotel, serving on a free port of this machine.
type world struct {
	*app.App
	access demo.Access
	by     access.Caller // the program itself, for the hotel
	stop   func()        // in good order
}

func newWorld(t *testing.T, choose ...func(*config.Settings)) *world {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	must(t, err)
	s := app.Embedded(config.Defaults(), t.TempDir())
	s.Server.BaseURL = "http://" + listener.Addr().String()
	s.Limit = config.Limit{PerSecond: 10_000, Burst: 10_000}
	for _, f := range choose {
		f(&s)
	}
	w := &world{}
	w.App, err = app.New(ctx, s, app.Options{Version: "test", Clock: clock.Real(), Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	ready, ended := make(chan demo.Access, 1), make(chan error, 1)
	go func() {
		ended <- demo.Run(ctx, demo.Options{App: w.App, Dir: s.DataDir, Listener: listener, Out: io.Discard, Ready: func(a demo.Access) { ready <- a }})
	}()
	w.stop = sync.OnceFunc(func() {
		cancel()
		<-ended
		_ = w.Close()
	})
	t.Cleanup(w.stop)
	select {
	case w.access = <-ready:
	case err := <-ended:
		ended <- err
		t.Fatal(err)
	case <-time.After(time.Minute):
		t.Fatal("the demo hotel is not ready after a minute")
	}
	h, err := w.Platform.Hotel(ctx, access.AsSystem("", "test"))
	must(t, err)
	w.by = access.AsSystem(h.ID, "test")
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// token issues one for an account.
func (w *world) token(t *testing.T, subject string, scopes ...string) platform.Issued {
	t.Helper()
	issued, err := w.Platform.IssueToken(context.Background(), w.by, platform.IssueParams{SubjectID: subject, Name: "test", Scopes: scopes, Audience: hotel.Path})
	must(t, err)
	return issued
}

func (w *world) serviceAccount(t *testing.T, name string, role access.Role) string {
	t.Helper()
	a, err := w.Platform.CreateServiceAccount(context.Background(), w.by, platform.AccountParams{Name: name, Role: role})
	must(t, err)
	return a.ID
}

// pkg is a demo mail's package with another text in the mail's body, which
// makes it another package.
func pkg(t *testing.T, mail int, body string) string {
	t.Helper()
	mails, err := demo.Mails()
	must(t, err)
	var p map[string]json.RawMessage
	must(t, json.Unmarshal(mails[mail-1].Package, &p))
	var source map[string]any
	must(t, json.Unmarshal(p["source_message"], &source))
	source["body"] = body
	p["source_message"], err = json.Marshal(source)
	must(t, err)
	out, err := json.Marshal(p)
	must(t, err)
	return string(out)
}

// orderID asks the product itself for the demo's order with that confirmation number.
func (w *world) orderID(t *testing.T, confirmation string) string {
	t.Helper()
	out := w.Executor.Do(context.Background(), agent.Call{Tool: hotel.ToolCaseContext, Service: hotel.Name,
		Arguments: []byte(`{"confirmation_number":"` + confirmation + `"}`), Trace: access.Trace{RequestID: "setup"},
		Credential: agent.Credential{Token: w.access.SuperAgentToken, Audience: hotel.Path}})
	if out.Fault != nil {
		t.Fatal(out.Fault)
	}
	id := find(decoded(t, out.Body), "object_id")
	if id == "" {
		t.Fatalf("no object_id in %s", out.Body)
	}
	return id
}

// find returns the first string under that key, wherever it is.
func find(v any, key string) string {
	switch v := v.(type) {
	case map[string]any:
		if s, ok := v[key].(string); ok {
			return s
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if s := find(v[k], key); s != "" {
				return s
			}
		}
	case []any:
		for _, inner := range v {
			if s := find(inner, key); s != "" {
				return s
			}
		}
	}
	return ""
}

func decoded(t *testing.T, doc []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(doc, &v); err != nil {
		t.Fatalf("%v in %.300s", err, doc)
	}
	return v
}
