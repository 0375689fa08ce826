package pages_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"thhotel/internal/order"
	"thhotel/internal/pages"
)

// told is one event of a stream.
type told struct {
	Kind, ID string
	News     struct {
		All   bool
		Cards []struct {
			ID      string
			Version int64
		}
		Notices, Queue int
		Open           int `json:"open_notices"`
	}
}

// listen opens a stream and hands its events on; the channel closes with it.
func (p person) listen(base, after string, headers map[string]string) (*http.Response, <-chan told) {
	p.d.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p.d.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/events?after="+url.QueryEscape(after), nil)
	must(p.d.t, err)
	for k, v := range headers {
		r.Header.Set(k, v)
	}
	res, err := p.client.Do(r)
	must(p.d.t, err)
	out := make(chan told, 100)
	go func() {
		defer close(out)
		defer func() { _ = res.Body.Close() }()
		var e told
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.Kind = value
			case "id":
				e.ID = value
			case "data":
				_ = json.Unmarshal([]byte(value), &e.News)
			case "":
				if e.Kind != "" {
					out <- e
				}
				e = told{}
			}
		}
	}()
	return res, out
}

// next waits for an event of a kind.
func next(t *testing.T, events <-chan told, kind string) told {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case e, open := <-events:
			if !open {
				t.Fatalf("the stream ended before %q", kind)
			}
			if e.Kind == kind {
				return e
			}
		case <-late:
			t.Fatalf("no %q in time", kind)
		}
	}
}

func ended(t *testing.T, events <-chan told) {
	t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case _, open := <-events:
			if !open {
				return
			}
		case <-late:
			t.Fatal("the stream did not end")
		}
	}
}

// cursor is where the page as it is now would go on from.
func (p person) cursor() string {
	p.d.t.Helper()
	m := regexp.MustCompile(`data-cursor="([^"]+)"`).FindStringSubmatch(p.get("/orders").Body)
	if m == nil {
		p.d.t.Fatal("the page carries no cursor")
	}
	return m[1]
}

// A page hears of a change within its stream, is told names and not contents, and
// goes on after a break where it stopped, on another replica too.
func TestStreamTellsChangesAcrossReplicas(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	id := d.card(order.Trace, "720933").ID
	from := anna.cursor()
	res, events := anna.listen(d.URL, from, nil)
	if res.StatusCode != http.StatusOK || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") ||
		res.Header.Get("X-Accel-Buffering") != "no" || !strings.Contains(res.Header.Get("Cache-Control"), "no-store") {
		t.Fatalf("stream: %d %v", res.StatusCode, res.Header)
	}
	next(t, events, "beat")
	d.pass(10 * time.Second)
	d.as("ben").post("/tasks/"+id+"/claim", nil)
	e := next(t, events, "changed")
	if len(e.News.Cards) != 1 || e.News.Cards[0].ID != id || e.News.Cards[0].Version != d.look(id).Version || e.News.Queue == 0 || e.ID == "" {
		t.Errorf("told %+v, want card %s", e, id)
	}
	// Missed while away, told by the other replica: the browser sends the last id.
	d.pass(10 * time.Second)
	d.as("ben").post("/tasks/"+id+"/release", nil)
	other := d.serve("127.0.0.1:0")
	_, again := anna.listen(other.URL, from, map[string]string{"Last-Event-ID": e.ID})
	if got := next(t, again, "changed"); len(got.News.Cards) != 1 || got.News.Cards[0].Version != d.look(id).Version {
		t.Errorf("after the break: %+v", got)
	}
}

func TestStreamStartsAfreshWithABrokenCursor(t *testing.T) {
	d := newDesk(t)
	_, events := d.as("anna").listen(d.URL, "no cursor", nil)
	if e := next(t, events, "changed"); !e.News.All || e.ID == "" {
		t.Errorf("told %+v", e)
	}
}

func TestStreamIsForStaffAndEndsWithTheSession(t *testing.T) {
	d := newDesk(t, func(o *pages.Options) { o.Live.Beat = 50 * time.Millisecond })
	if res, _ := d.anybody().listen(d.URL, "", nil); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a session: %d", res.StatusCode)
	}
	anna := d.as("anna")
	_, events := anna.listen(d.URL, "", nil)
	next(t, events, "beat")
	anna.post("/signout", nil)
	ended(t, events)
}

// Too many pages of one browser would take all its connections.
func TestStreamsAreLimited(t *testing.T) {
	d := newDesk(t, func(o *pages.Options) { o.Live.Session, o.Live.Most = 2, 3 })
	anna, ben := d.as("anna"), d.as("ben")
	want := []int{200, 200, 429}
	for i, code := range want {
		if res, _ := anna.listen(d.URL, "", nil); res.StatusCode != code {
			t.Errorf("stream %d of Anna: %d, want %d", i+1, res.StatusCode, code)
		}
	}
	for i, code := range []int{200, 429} {
		if res, _ := ben.listen(d.URL, "", nil); res.StatusCode != code {
			t.Errorf("stream %d of Ben: %d, want %d", i+1, res.StatusCode, code)
		}
	}
}

// A stream lives its time, and a closing server does not wait for it.
func TestStreamsEnd(t *testing.T) {
	d := newDesk(t, func(o *pages.Options) { o.Live.Lifetime = 300 * time.Millisecond })
	anna := d.as("anna")
	_, events := anna.listen(d.URL, "", nil)
	ended(t, events)
	long := newDesk(t)
	other := long.serve("127.0.0.1:0")
	_, events = long.as("anna").listen(other.URL, "", nil)
	next(t, events, "beat")
	other.Stop() // fails the test when it has to cut
	ended(t, events)
}

// Reading in the background does not use up the sentence meant for the person.
func TestBackgroundRequestsLeaveTheFlash(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	id := d.card(order.Trace, "720933").ID
	anna.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	anna.post("/tasks/"+id+"/claim", nil)
	_, events := anna.listen(d.URL, "", nil)
	next(t, events, "beat")
	anna.do(http.MethodGet, "/tasks", nil, map[string]string{"X-Requested-With": "live"})
	if a := anna.get("/tasks/" + id); !strings.Contains(a.Body, "Claimed: the card is yours.") {
		t.Error("the sentence is gone")
	}
}
