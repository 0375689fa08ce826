package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"thhotel/internal/clock"
)

// operation is one kind of call. Make builds the n-th; n never repeats within a
// run. Want is what each answer must hold, as bytes of the n-th call.
type operation struct {
	name   string
	target string // whose server: product, bare
	share  float64
	make   func(n int) (request, string)
}

// Sample is one measurement: an operation, at one concurrency, in one round.
type Sample struct {
	Operation   string        `json:"operation"`
	Round       int           `json:"round"`
	Concurrency int           `json:"concurrency"`
	Calls       int           `json:"calls"`
	Errors      int           `json:"errors"`
	FirstError  string        `json:"first_error,omitempty"`
	Took        time.Duration `json:"took"`
	P50         time.Duration `json:"p50"`
	P99         time.Duration `json:"p99"`
	CPU         time.Duration `json:"cpu_per_call"` // of the server's process
	Allocs      float64       `json:"allocs_per_call"`
	AllocBytes  float64       `json:"alloc_bytes_per_call"`
	Peak        int64         `json:"peak_bytes"` // resident set of the server
	AnswerBytes int           `json:"answer_bytes"`
}

// PerSecond is the throughput.
func (s Sample) PerSecond() float64 { return float64(s.Calls) / max(s.Took.Seconds(), 1e-9) }

// driver makes calls of one operation from several connections at once.
type driver struct {
	addr  string
	op    operation
	clock clock.Clock
	next  *atomic.Int64 // shared by all measurements of the operation

	left  atomic.Int64
	mu    sync.Mutex
	took  []time.Duration
	bytes int
	fails int
	first string
}

// calls makes n calls over c connections and keeps what they took.
func (d *driver) calls(ctx context.Context, n, c int) error {
	d.left.Store(int64(n))
	d.took, d.bytes, d.fails, d.first = nil, 0, 0, ""
	errs := make(chan error, c)
	for range c {
		go func() { errs <- d.worker(ctx) }()
	}
	var failed error
	for range c {
		failed = errors.Join(failed, <-errs)
	}
	return failed
}

func (d *driver) worker(ctx context.Context) error {
	k, err := dial(d.addr)
	if err != nil {
		return err
	}
	defer k.close()
	var took []time.Duration
	answer, fails, first := 0, 0, ""
	for d.left.Add(-1) >= 0 && ctx.Err() == nil {
		q, want := d.op.make(int(d.next.Add(1)))
		began := d.clock.Now()
		status, body, err := k.do(q)
		took = append(took, d.clock.Since(began))
		answer += len(body)
		if err != nil {
			return err
		}
		if err := judge(status, body, want); err != nil {
			fails++
			first = fmt.Sprintf("%v: %.300s", err, body)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.took, d.bytes, d.fails = append(d.took, took...), d.bytes+answer, d.fails+fails
	if d.first == "" {
		d.first = first
	}
	return ctx.Err()
}

// judge: a fast refusal must not look like a fast answer.
func judge(status int, body []byte, want string) error {
	switch {
	case status != 200:
		return fmt.Errorf("status %d", status)
	case !bytes.Contains(body, []byte(want)):
		return fmt.Errorf("the answer does not hold %q", want)
	case bytes.Contains(body, []byte(`"isError":true`)), bytes.Contains(body, []byte(`"success":false`)):
		return errors.New("the tool refused")
	}
	return nil
}

// sample is what the driver's last calls came to.
func (d *driver) sample() Sample {
	slices.Sort(d.took)
	s := Sample{Operation: d.op.name, Calls: len(d.took), Errors: d.fails, FirstError: d.first}
	s.P50, s.P99 = quantile(d.took, 0.5), quantile(d.took, 0.99)
	s.AnswerBytes = d.bytes / max(len(d.took), 1)
	return s
}

func quantile(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}
