package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
	"thhotel/internal/order"
)

// Live bounds the streams that tell open pages what has changed. Zero fields take
// the defaults.
type Live struct {
	Every    time.Duration // how often the database is asked; default 1 s
	Beat     time.Duration // how often a silent stream says that it lives; default 15 s
	Lifetime time.Duration // after which a page connects anew; default 5 min
	Session  int           // streams of one session; default 4, below the 6 connections a browser opens
	Most     int           // streams of this process; default 500
}

func (l Live) withDefaults() Live {
	for d, v := range map[*time.Duration]time.Duration{&l.Every: time.Second, &l.Beat: 15 * time.Second, &l.Lifetime: 5 * time.Minute} {
		if *d <= 0 {
			*d = v
		}
	}
	for n, v := range map[*int]int{&l.Session: 4, &l.Most: 500} {
		if *n <= 0 {
			*n = v
		}
	}
	return l
}

// manyChanges is where a page is told to look afresh instead of card by card.
const manyChanges = 100

var errManyStreams = fault.New(fault.Limited, "TOO_MANY_STREAMS", "同时打开的实时页面过多，本页改为定时刷新。",
	"Too many live pages are open at once; this one refreshes at intervals instead.")

// events streams what changes, as server-sent events, until the page goes away,
// the stream has lived its time, or the server closes. Everything told comes from
// the database, so any replica can go on where another stopped: the id of an event
// is the cursor to go on from.
func (s *site) events(c *gin.Context) {
	by, err := s.listener(c)
	if err == nil {
		err = s.stream(c, by)
	}
	if err != nil { // nothing has left yet: an EventSource reads the status only
		f := fault.As(err)
		if f.Kind == fault.Internal {
			s.o.Log.Error("stream failed", "error", err)
		}
		c.String(httpd.Status(f.Kind), "%s", f.Code)
	}
}

// listener is the person behind a session, as it stands now.
func (s *site) listener(c *gin.Context) (access.Caller, error) {
	by, err := s.o.Platform.Authenticate(c.Request.Context(), agent.Credential{SessionID: httpd.Session(c.Request)})
	if err != nil {
		return by, err
	}
	by.Trace = trace(c)
	return by, by.Require(access.CaseRead)
}

func (s *site) stream(c *gin.Context, by access.Caller) error {
	leave, err := s.streams.enter(by.CredentialID, s.o.Live)
	if err != nil {
		return err
	}
	defer leave()
	// A stream outlives the server's write deadline; its own lifetime bounds it.
	_ = http.NewResponseController(c.Writer).SetWriteDeadline(time.Time{})
	after := c.GetHeader("Last-Event-ID")
	if after == "" {
		after = c.Query("after")
	}
	e := &stream{s: s, c: c, by: by, cursor: after, told: map[string]time.Time{}}
	if err := e.begin(); err != nil {
		return err
	}
	e.run()
	return nil
}

// stream is one open page.
type stream struct {
	s      *site
	c      *gin.Context
	by     access.Caller
	cursor string
	told   map[string]time.Time // card or notice to the change last told: the feed repeats its last seconds
}

// begin checks where to go on, and opens the answer. A cursor that makes no sense
// any more begins at this moment, and the page is told to look afresh.
func (e *stream) begin() error {
	_, err := e.s.o.Order.ChangesSince(e.ctx(), e.by, e.cursor, 1)
	lost := fault.Code(err) == order.CodeCursor
	if lost || e.cursor == "" {
		var now order.Changed
		now, err = e.s.o.Order.ChangesSince(e.ctx(), e.by, "", 1)
		e.cursor = now.Cursor
	}
	if err != nil {
		return err
	}
	h := e.c.Writer.Header()
	h.Set("Content-Type", "text/event-stream; charset=utf-8")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // nginx and its kin: pass every event on at once
	e.c.Status(http.StatusOK)
	e.write("retry: 2000\n\n")
	if lost {
		return e.tell(news{All: true})
	}
	return nil
}

func (e *stream) ctx() context.Context { return e.c.Request.Context() }

// run asks the database and tells the page until one of the ends comes.
func (e *stream) run() {
	clock, live := e.s.o.Clock, e.s.o.Live
	over := clock.After(live.Lifetime + clock.Jitter(live.Lifetime/4+1)) // not all pages at once
	beat := clock.After(0)
	for {
		if err := e.step(); err != nil {
			if e.ctx().Err() == nil {
				e.s.o.Log.Warn("stream ended", "error", err)
			}
			return // the page connects anew, here or elsewhere
		}
		select {
		case <-e.ctx().Done():
			return
		case <-e.s.o.Closing:
			return
		case <-over:
			return
		case <-beat:
			if !e.alive() {
				return
			}
			beat = clock.After(live.Beat)
		case <-clock.After(live.Every):
		}
	}
}

// alive says so to proxies and page, and ends a stream whose session has ended.
func (e *stream) alive() bool {
	by, err := e.s.listener(e.c)
	if err != nil {
		return false
	}
	e.by = by
	e.write("event: beat\nid: " + e.cursor + "\ndata:\n\n")
	return true
}

// news is what a page hears of: names and versions, never a word of a mail. It
// asks for the rest as it would have been asked for by hand.
type news struct {
	All     bool       `json:"all,omitempty"` // look afresh: too much changed to name it
	Cards   []cardNews `json:"cards,omitempty"`
	Notices int        `json:"notices,omitempty"`
	Queue   int        `json:"queue"`
	Open    int        `json:"open_notices"`
}

type cardNews struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
	Order   string `json:"order,omitempty"`
}

// step tells what changed since the last one.
func (e *stream) step() error {
	got, err := e.s.o.Order.ChangesSince(e.ctx(), e.by, e.cursor, manyChanges)
	if err != nil {
		return fmt.Errorf("changes: %w", err)
	}
	e.cursor = got.Cursor
	if got.More {
		if got, err = e.s.o.Order.ChangesSince(e.ctx(), e.by, "", 1); err != nil {
			return fmt.Errorf("changes: %w", err)
		}
		e.cursor = got.Cursor
		return e.tell(news{All: true})
	}
	var n news
	for _, c := range got.Cards {
		if e.fresh(c.ID, c.UpdatedAt) {
			n.Cards = append(n.Cards, cardNews{c.ID, c.Version, c.OrderID})
		}
	}
	for _, c := range got.Notices {
		if e.fresh(c.ID, c.UpdatedAt) {
			n.Notices++
		}
	}
	if len(n.Cards)+n.Notices == 0 {
		return nil
	}
	return e.tell(n)
}

// fresh reports whether a change has not been told, and remembers it for as long
// as the feed may repeat it.
func (e *stream) fresh(id string, at time.Time) bool {
	if e.told[id].Equal(at) {
		return false
	}
	if len(e.told) > 4*manyChanges {
		clear(e.told) // telling something twice does no harm
	}
	e.told[id] = at
	return true
}

func (e *stream) tell(n news) error {
	counts, err := e.s.o.Order.Counts(e.ctx(), e.by)
	if err != nil {
		return fmt.Errorf("counts: %w", err)
	}
	n.Queue, n.Open = counts.Views[order.ViewOpen], counts.Notices
	body, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode news: %w", err)
	}
	e.write(fmt.Sprintf("event: changed\nid: %s\ndata: %s\n\n", e.cursor, body))
	return nil
}

// write sends at once. A page that has gone shows in the request's context.
func (e *stream) write(text string) {
	_, _ = e.c.Writer.WriteString(text)
	e.c.Writer.Flush()
}
