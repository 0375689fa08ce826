package database

import (
	"context"
	"time"
)

// hurried is a clock on which every wait is over at once.
type hurried struct{}

func (hurried) Jitter(time.Duration) time.Duration { return 0 }
func (hurried) After(d time.Duration) <-chan time.Time {
	c := make(chan time.Time, 1)
	c <- time.Time{}.Add(d)
	return c
}

// PatientlyAtOnce is Patiently without waiting.
func PatientlyAtOnce(ctx context.Context, fn func() error) error {
	return patiently(ctx, hurried{}, fn)
}

// Kept reports whether the writing pool keeps a statement prepared.
func Kept(d *DB, text string) bool {
	p, ok := d.write.Statement.ConnPool.(*prepared)
	if !ok {
		return false
	}
	_, kept := p.stmts.Load(text)
	return kept
}
