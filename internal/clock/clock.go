// Package clock is the only source of time, ids and randomness, so that a test
// can hold all three still.
package clock

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"io"
	"time"

	"github.com/google/uuid"
)

// Clock gives the time and makes ids. Use Real in programs and Fixed in tests.
type Clock struct {
	now  func() time.Time
	rand io.Reader
}

// Real is the machine's clock and the system's randomness.
func Real() Clock { return Clock{now: time.Now, rand: rand.Reader} }

// Fixed stands still at t until moved with a new clock; ids are made from real
// randomness but ordered, so rows still sort by creation.
func Fixed(t time.Time) Clock {
	return Clock{now: func() time.Time { return t }, rand: rand.Reader}
}

// Moving asks now for the time at each call; tests use it to advance by hand.
func Moving(now func() time.Time) Clock { return Clock{now: now, rand: rand.Reader} }

// Now is the current time in UTC, cut to microseconds: what both databases keep.
func (c Clock) Now() time.Time { return c.now().UTC().Truncate(time.Microsecond) }

// Since is the time passed since t.
func (c Clock) Since(t time.Time) time.Duration { return c.now().Sub(t) }

// After waits like time.After; the real timer also in tests, so use small d there.
func (c Clock) After(d time.Duration) <-chan time.Time { return time.After(d) }

// NewID returns a UUIDv7: unique everywhere, sorting by creation time.
func (c Clock) NewID() string {
	id, err := uuid.NewV7FromReader(c.rand)
	if err != nil { // the system has no randomness: nothing sensible can go on
		panic("clock: no randomness: " + err.Error())
	}
	return id.String()
}

// Secret returns n random bytes, URL-safe base64 without padding.
func (c Clock) Secret(n int) string {
	b := c.Bytes(n)
	return base64.RawURLEncoding.EncodeToString(b)
}

// Bytes returns n random bytes.
func (c Clock) Bytes(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(c.rand, b); err != nil {
		panic("clock: no randomness: " + err.Error())
	}
	return b
}

// Jitter returns a random duration below limit, so that many who wait do not
// wake together. limit must be positive.
func (c Clock) Jitter(limit time.Duration) time.Duration {
	n := binary.LittleEndian.Uint64(c.Bytes(8))
	return time.Duration(n % uint64(limit)) //nolint:gosec // below limit, which is positive
}
