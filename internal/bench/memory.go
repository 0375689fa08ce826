package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"thhotel/internal/hotel"
)

// memoryName is the run that looks for the most memory the server ever needs.
const memoryName = "memory"

// What comes at once: connections that stay open, each having called, and bodies
// of the largest size the contract allows.
const (
	openConnections = 1000
	largeBodies     = 64
	largeBody       = 10 << 20
	mostTries       = 60
)

// Memory is what that came to.
type Memory struct {
	Connections int   `json:"connections"`
	Bodies      int   `json:"bodies"`
	BodyBytes   int   `json:"body_bytes"`
	Accepted    int   `json:"accepted"`
	ComeAgain   int   `json:"come_again"` // answers with 429 or 503 and Retry-After
	Before      int64 `json:"before_bytes"`
	Idle        int64 `json:"idle_bytes"` // with the connections alone
	Peak        int64 `json:"peak_bytes"`
}

// memory opens the connections, sends the bodies all together, again and again
// until each is accepted, and looks at the server's resident set.
func (r *run) memory(ctx context.Context) (Memory, error) {
	pid := r.product.pid()
	m := Memory{Connections: openConnections, Bodies: largeBodies, Before: statusOf(pid, "VmRSS:")}
	conns, err := r.crowd()
	defer func() {
		for _, k := range conns {
			k.close()
		}
	}()
	if err != nil {
		return m, err
	}
	m.Idle = statusOf(pid, "VmRSS:")
	forgetPeak(pid)
	requests := make([]request, largeBodies)
	for i := range requests {
		requests[i] = r.stock.largeSubmission()
	}
	m.BodyBytes = len(requests[0].body)
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	for _, q := range requests {
		wg.Go(func() {
			again, err := r.persist(ctx, q)
			mu.Lock()
			defer mu.Unlock()
			if m.ComeAgain += again; err == nil {
				m.Accepted++
			}
			failed = errors.Join(failed, err)
		})
	}
	wg.Wait()
	m.Peak = peakOf(pid)
	return m, errors.Join(failed, ctx.Err())
}

// crowdedHour adds the memory run to the report.
func (r *run) crowdedHour(ctx context.Context) error {
	if !r.o.wants(memoryName) {
		return nil
	}
	m, err := r.memory(ctx)
	r.report.Memory = &m
	if err != nil {
		return fmt.Errorf("%s: %w", memoryName, err)
	}
	return nil
}

// crowd opens connections that have each made a call and stay.
func (r *run) crowd() (out []*conn, err error) {
	list := r.stock.mcpList(newest)
	for i := range openConnections {
		k, err := dial(r.product.addr)
		if err != nil {
			return out, err
		}
		out = append(out, k)
		q, _ := list(i)
		if status, body, err := k.do(q); err != nil || status != 200 {
			return out, fmt.Errorf("connection %d: status %d, %.200s: %w", i, status, body, err)
		}
	}
	return out, nil
}

// persist sends a request until it is accepted, and counts how often it was asked
// to come again.
func (r *run) persist(ctx context.Context, q request) (again int, err error) {
	for {
		status, body, err := r.once(q)
		switch {
		case err != nil:
			return again, err
		case status == http.StatusOK:
			return again, nil
		case status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable || again == mostTries:
			return again, fmt.Errorf("a large body: status %d: %.300s", status, body)
		}
		again++
		select {
		case <-ctx.Done():
			return again, ctx.Err()
		case <-r.o.Clock.After(time.Second + r.o.Clock.Jitter(2*time.Second)): // Retry-After is 2
		}
	}
}

func (r *run) once(q request) (int, []byte, error) {
	k, err := dial(r.product.addr)
	if err != nil {
		return 0, nil, err
	}
	defer k.close()
	return k.do(q)
}

// largeSubmission is a package whose mail body fills the request up to the limit.
func (s *stock) largeSubmission() request {
	args, _ := s.submission(0)
	q := s.rpc(newest, "tools/call", hotel.ToolSubmit, `"name":"`+hotel.ToolSubmit+`","arguments":`+args, 1)
	q.body = strings.Replace(q.body, "Dear reservations", strings.Repeat("long mail ", (largeBody-len(q.body)-1024)/10)+"Dear reservations", 1)
	return q
}
