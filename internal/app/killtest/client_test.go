package killtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// job is one mail's package and every answer that a client got for it.
type job struct {
	n                int
	external         string
	pkg              []byte
	notice           bool
	events, bookings int

	mu   sync.Mutex
	acks []ack
}

// ack is an acknowledgement as a client saw it.
type ack struct {
	RequestID string `json:"request_id"`
	Success   bool
	Data      struct {
		BatchID  string `json:"batch_id"`
		Replay   bool   `json:"idempotent_replay"`
		Accepted int    `json:"accepted_count"`
		Revision int
		Items    []struct {
			Transition string  `json:"ai_transition_id"`
			OrderID    *string `json:"order_id"`
		}
	}
	Error *struct{ Code, Message string }
}

var errNoServer = errors.New("the proxy found no server")

func (j *job) acked() bool { j.mu.Lock(); defer j.mu.Unlock(); return len(j.acks) > 0 }

// crowd is the clients. They go on while servers come and go.
type crowd struct {
	servers []*server
	tokens  []string
	http    *http.Client

	mu        sync.Mutex
	fresh     []*job // nobody has sent them
	parked    []*job // sent and not acknowledged: their key waits for its lease
	started   []*job // ever sent
	inFlight  atomic.Int64
	acks      atomic.Int64 // acknowledgements
	lost      atomic.Int64 // calls whose server died under them, or that met none
	hungUp    atomic.Int64 // calls that the client gave up
	pending   atomic.Int64 // calls told to come again
	refused   atomic.Int64 // calls refused because the database was away
	surprises sync.Map     // other refusals -> true

	away map[string]bool // codes of a refusal that a database which is away excuses
	gap  gap
}

func newCrowd(servers []*server, tokens []string) *crowd {
	return &crowd{servers: servers, tokens: tokens, http: &http.Client{
		Transport: &http.Transport{MaxIdleConnsPerHost: 100, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext}}}
}

func (c *crowd) give(jobs []*job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fresh = append(c.fresh, jobs...)
}

func (c *crowd) waiting() (fresh int) { c.mu.Lock(); defer c.mu.Unlock(); return len(c.fresh) }

// next takes a new job, or one that waited, or one that was done long ago.
func (c *crowd) next() *job {
	c.mu.Lock()
	defer c.mu.Unlock()
	dice := rand.IntN(100)
	switch {
	case len(c.parked) > 0 && dice < 15:
		i := rand.IntN(len(c.parked))
		j := c.parked[i]
		c.parked[i] = c.parked[len(c.parked)-1]
		c.parked = c.parked[:len(c.parked)-1]
		return j
	case len(c.fresh) > 0 && dice < 95:
		j := c.fresh[0]
		c.fresh = c.fresh[1:]
		c.started = append(c.started, j)
		return j
	case len(c.started) > 0:
		return c.started[rand.IntN(len(c.started))]
	}
	return nil
}

// work sends packages until ctx ends: some from three clients at once. What is
// not acknowledged after a few tries is put aside for anybody to try again.
func (c *crowd) work(ctx context.Context, t *testing.T) {
	for ctx.Err() == nil {
		j := c.next()
		if j == nil {
			nap(ctx, 10*time.Millisecond)
			continue
		}
		var together sync.WaitGroup
		for range 1 + max(0, rand.IntN(6)-3) {
			together.Go(func() { c.submit(ctx, t, j, 4) })
		}
		together.Wait()
		if !j.acked() {
			c.mu.Lock()
			c.parked = append(c.parked, j)
			c.mu.Unlock()
		}
	}
}

// submit tries until the package is acknowledged to this client, or the tries
// in which a server was there are used up.
func (c *crowd) submit(ctx context.Context, t *testing.T, j *job, tries int) bool {
	for tries > 0 && ctx.Err() == nil {
		s := c.servers[rand.IntN(len(c.servers))]
		url := s.url.Load()
		if url == nil {
			nap(ctx, 5*time.Millisecond)
			continue
		}
		a, err := c.call(*url, j)
		switch {
		case err == nil && a.Success:
			j.mu.Lock()
			j.acks = append(j.acks, a)
			j.mu.Unlock()
			c.acks.Add(1)
			c.gap.note(true)
			return true
		case err == nil && a.Error != nil && a.Error.Code == "MCP_CONFLICT":
			c.pending.Add(1)
			tries--
		case err == nil && c.away[a.Error.Code]:
			c.refused.Add(1)
			tries--
		case err == nil:
			if _, seen := c.surprises.LoadOrStore(a.Error.Code, true); !seen {
				t.Errorf("mail %d was refused: %+v", j.n, *a.Error)
			}
			tries--
		case errors.Is(err, context.DeadlineExceeded):
			c.hungUp.Add(1)
		default:
			c.lost.Add(1)
			tries--
		}
		nap(ctx, time.Duration(5+rand.IntN(30))*time.Millisecond)
	}
	return false
}

// call is one tools/call. One in ten clients is impatient and hangs up.
func (c *crowd) call(url string, j *job) (a ack, err error) {
	c.inFlight.Add(1)
	defer c.inFlight.Add(-1)
	limit := 100 * time.Second
	if rand.IntN(10) == 0 {
		limit = time.Duration(1+rand.IntN(40)) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	return c.post(ctx, url, tool, j.pkg)
}

// post calls a tool over /mcp and returns its envelope.
func (c *crowd) post(ctx context.Context, url, tool string, args []byte) (a ack, err error) {
	body := append([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`), args...)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/mcp", bytes.NewReader(append(body, "}}"...)))
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", "Bearer "+c.tokens[rand.IntN(len(c.tokens))])
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	res, err := c.http.Do(r)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body) // a kill may cut the answer: then there is none
	if err != nil {
		return a, err
	}
	if res.Header.Get("Content-Type") == "text/html" {
		return a, errNoServer // the proxy's own page
	}
	return a, a.decode(b)
}

// decode takes the envelope out of the JSON-RPC answer.
func (a *ack) decode(b []byte) error {
	var msg struct {
		Result struct {
			Structured json.RawMessage `json:"structuredContent"`
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(b, &msg); err != nil || msg.Result.Structured == nil {
		a.Error = &struct{ Code, Message string }{"NO_ENVELOPE", string(b)}
		return nil
	}
	err := json.Unmarshal(msg.Result.Structured, a)
	if err == nil && !a.Success && a.Error == nil {
		a.Error = &struct{ Code, Message string }{"NO_ERROR", string(b)}
	}
	return err
}

// nap waits, but not beyond ctx.
func nap(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
