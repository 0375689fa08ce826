package httpd

import (
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/clock"
	"thhotel/internal/fault"
)

// How much of an oversized body is read and thrown away, so that a client which
// is still sending gets to read the 413 instead of a reset connection.
const (
	drainBytes = 32 << 20
	drainTime  = 5 * time.Second
)

// limitedBody refuses with a fault past its limit, after draining.
type limitedBody struct {
	io.ReadCloser
	w     http.ResponseWriter
	clock clock.Clock
	limit int64
	left  int64
	fault *fault.Error

	budget      *budget // shared by all bodies; nil without one
	read, spent int64
}

// LimitBody replaces r.Body with one that ends in a TooLarge fault past limit.
// A body that says it is larger is refused (and drained) at once.
func LimitBody(w http.ResponseWriter, r *http.Request, limit int64, c clock.Clock) *fault.Error {
	if _, done := r.Body.(*limitedBody); done || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	b := &limitedBody{ReadCloser: r.Body, w: w, clock: c, limit: limit, left: limit}
	r.Body = b
	if r.ContentLength <= limit {
		return nil
	}
	// A client that waits for "100 Continue" has sent nothing: reading would ask it to.
	if !strings.EqualFold(r.Header.Get("Expect"), "100-continue") {
		b.drain()
	}
	b.fault = errTooLarge(limit)
	w.Header().Set("Connection", "close")
	return b.fault
}

// Read passes at most limit bytes, then drains and refuses.
func (b *limitedBody) Read(p []byte) (int, error) {
	if b.fault != nil {
		return 0, b.fault
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, b.left = int(b.left), 0
		return n, b.refuse(errTooLarge(b.limit))
	}
	b.left -= int64(n)
	if !b.afford(int64(n)) {
		return n, b.refuse(errBudget())
	}
	return n, err //nolint:wrapcheck // io.EOF must stay itself
}

// refuse ends the body. What is still coming is read away, so that the client
// reads the answer.
func (b *limitedBody) refuse(f *fault.Error) error {
	b.release()
	b.drain()
	b.fault = f
	b.w.Header().Set("Connection", "close")
	return f
}

func (b *limitedBody) drain() {
	ctl := http.NewResponseController(b.w)
	_ = ctl.SetReadDeadline(b.clock.Now().Add(drainTime)) // best effort: recorders have none
	_, _ = io.CopyN(io.Discard, b.ReadCloser, drainBytes)
}

// ReadBody reads the whole limited body.
func ReadBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	b, err := io.ReadAll(r.Body)
	if err != nil {
		if l, ok := r.Body.(*limitedBody); ok && l.fault != nil {
			return nil, l.fault
		}
		return nil, errBodyRead().Because(err)
	}
	return b, nil
}

func (o Options) limitBody(c *gin.Context) {
	limit := o.MaxBody
	if n, ok := o.BodyLimits[c.Request.URL.Path]; ok {
		limit = n
	}
	if f := LimitBody(c.Writer, c.Request, limit, o.Clock); f != nil {
		Refuse(c.Writer, c.Request, f)
		c.Abort()
		return
	}
	if b, ok := c.Request.Body.(*limitedBody); ok {
		b.budget = o.bodies
		defer b.release()
	}
	c.Next()
}
