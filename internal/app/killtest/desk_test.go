package killtest_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"thhotel/internal/app"
)

// gap finds the longest time in which nothing succeeded.
type gap struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	ok, bad int
}

func (g *gap) note(success bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !success {
		g.bad++
		return
	}
	now := time.Now()
	if d := now.Sub(g.last); !g.last.IsZero() && d > g.longest {
		g.longest = d
	}
	g.last, g.ok = now, g.ok+1
}

// take returns the longest gap since the last take, one that is still open included.
func (g *gap) take() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := max(g.longest, time.Since(g.last))
	g.longest = 0
	return d
}

func (g *gap) counts() (ok, bad int) { g.mu.Lock(); defer g.mu.Unlock(); return g.ok, g.bad }

// read asks for orders whose package was acknowledged, until ctx ends: an
// acknowledged order is there, on whatever node and replica.
func (c *crowd) read(ctx context.Context, t *testing.T, url string, g *gap) {
	for ctx.Err() == nil {
		id := c.someOrder()
		if id == "" {
			nap(ctx, 20*time.Millisecond)
			continue
		}
		a, err := c.post(ctx, url, "th_hotel_query_object_detail", []byte(`{"object_id":"ORDER:`+id+`"}`))
		g.note(err == nil && a.Success)
		if err == nil && a.Error != nil && strings.Contains(a.Error.Code, "NOT_FOUND") {
			t.Errorf("order %s was acknowledged and is not found: %+v", id, *a.Error)
		}
		nap(ctx, 20*time.Millisecond)
	}
}

// someOrder is an order of an acknowledged package.
func (c *crowd) someOrder() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range 10 {
		if len(c.started) == 0 {
			return ""
		}
		j := c.started[rand.IntN(len(c.started))]
		j.mu.Lock()
		var id string
		for _, a := range j.acks {
			for _, i := range a.Data.Items {
				if i.OrderID != nil {
					id = *i.OrderID
				}
			}
		}
		j.mu.Unlock()
		if id != "" {
			return id
		}
	}
	return ""
}

// clerk confirms cards in the workbench's pages, as a person without JavaScript does.
type clerk struct {
	url  string
	http *http.Client
	db   *sql.DB // to find cards
	turn int     // of two clerks who share the orders
	gap  gap

	mu   sync.Mutex
	done map[string]string // order confirmed to this clerk's knowledge -> confirmation number
}

func newClerk(t *testing.T, url, dsn string) *clerk {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	db, err := sql.Open("mysql", dsn)
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return &clerk{url: url, db: db, done: map[string]string{}, http: &http.Client{Jar: jar, Timeout: 60 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

func (k *clerk) signIn(t *testing.T) {
	t.Helper()
	status, _, err := k.form("/signin", url.Values{"username": {"clerk"}, "password": {clerkPassword}})
	if err != nil || status != http.StatusSeeOther {
		t.Fatalf("sign in: %d %v", status, err)
	}
}

// work confirms one order after another until ctx ends.
func (k *clerk) work(ctx context.Context, t *testing.T, c *crowd) {
	for n := 0; ctx.Err() == nil; n++ {
		order := c.someOrder()
		if order == "" || k.done[order] != "" || int(order[len(order)-1])%2 != k.turn {
			nap(ctx, 50*time.Millisecond)
			continue
		}
		number := fmt.Sprintf("C%d%06d", rand.IntN(9000)+1000, n)
		ok, err := k.confirm(ctx, order, number)
		k.gap.note(ok)
		if err != nil && ctx.Err() == nil {
			t.Errorf("confirm order %s: %v", order, err)
		}
		if ok {
			k.mu.Lock()
			k.done[order] = number
			k.mu.Unlock()
		}
		nap(ctx, 50*time.Millisecond)
	}
}

var hidden = regexp.MustCompile(`name="(version|order_version|tick)"[^>]* value="([^"]*)"`)

// confirm claims the card and confirms it. It is sent again until the answer is
// known, as a person would who got no answer. An error is an answer nobody should get.
func (k *clerk) confirm(ctx context.Context, order, number string) (bool, error) {
	var card string
	if err := k.db.QueryRowContext(ctx, "SELECT id FROM order_card WHERE order_id = ?", order).Scan(&card); err != nil {
		return false, nil //nolint:nilerr // the cluster is away for a moment
	}
	for try := 0; try < 20 && ctx.Err() == nil; try++ {
		if _, _, err := k.form("/tasks/"+card+"/claim", nil); err != nil {
			nap(ctx, 200*time.Millisecond)
			continue
		}
		status, page, err := k.get("/tasks/" + card + "/confirm")
		if err != nil || status != http.StatusOK {
			nap(ctx, 200*time.Millisecond)
			continue
		}
		form := url.Values{"confirmation_number": {number}}
		for _, m := range hidden.FindAllStringSubmatch(page, -1) {
			form.Add(m[1], m[2])
		}
		switch status, page, err = k.form("/tasks/"+card+"/confirm", form); {
		case err != nil || status >= 500: // unknown: look whether it happened
		case status == http.StatusSeeOther:
			return true, nil
		case try > 5:
			return false, fmt.Errorf("answered %d: %s", status, text([]byte(page[max(0, len(page)-2000):])))
		}
		nap(ctx, 200*time.Millisecond)
	}
	return false, nil
}

// check: every confirmation that this clerk saw is in the order, once.
func (k *clerk) check(t *testing.T, a *app.App) {
	t.Helper()
	for order, number := range k.done {
		r := rows(t, a, "SELECT confirmation_number, status FROM order_record WHERE id = '"+order+"'")
		if len(r) != 1 || text(r[0][0]) != number || text(r[0][1]) == "PENDING_CONFIRMATION" {
			t.Errorf("order %s was confirmed as %s, the database has %v", order, number, r)
		}
	}
}

func (k *clerk) form(path string, values url.Values) (int, string, error) {
	r, err := http.NewRequest(http.MethodPost, k.url+path, strings.NewReader(values.Encode()))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", k.url)
	return k.send(r)
}

func (k *clerk) get(path string) (int, string, error) {
	r, err := http.NewRequest(http.MethodGet, k.url+path, nil)
	if err != nil {
		return 0, "", err
	}
	return k.send(r)
}

func (k *clerk) send(r *http.Request) (int, string, error) {
	res, err := k.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, string(b), err
}
