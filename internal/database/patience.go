package database

import (
	"context"
	"errors"
	"time"

	"github.com/go-sql-driver/mysql"

	"thhotel/internal/fault"
)

// patience is how long a statement waits for a database that is away. A cluster
// that lost a node takes some five seconds to agree on who is left, and a proxy
// two more to notice.
const patience = 15 * time.Second

// MySQL error numbers of a server that is going or not in the majority.
const (
	myShutdown   = 1053
	myNotWritten = 1180 // Galera: the write could not be sent to the others, or perhaps was
	myKilled     = 1927 // MariaDB: the connection was killed
)

// CodeUnavailable is the code of a refusal because the database is away.
const CodeUnavailable = "DATABASE_UNAVAILABLE"

var (
	errAway = &fault.Error{Kind: fault.Unavailable, Code: CodeUnavailable, RetryAfter: 5,
		Text: "数据库暂时无法访问，本次请求没有执行，请几秒后重试。", TextEN: "The database cannot be reached at the moment; nothing was done. Try again in a few seconds."}
	errUnknown = &fault.Error{Kind: fault.Unavailable, Code: "OUTCOME_UNKNOWN", RetryAfter: 5,
		Text: "提交时与数据库的连接中断，无法确定是否已生效；请先查看当前状态，再决定是否重试。", TextEN: "The connection to the database broke while the change was being committed, so it may or may not have happened. Look at the current state, then try again if needed."}
)

// refusal says in words that the database was away; other errors stay as they are.
func refusal(err error) error {
	switch {
	case errors.Is(err, ErrOutcomeUnknown):
		return errUnknown.Because(err)
	case err != nil && Away(err):
		return errAway.Because(err)
	}
	return err
}

// Away reports that the database did not answer: the connection broke or could
// not be made, or the node has no majority. What was sent may have happened.
func Away(err error) bool {
	var m *mysql.MySQLError
	if errors.As(err, &m) {
		switch m.Number {
		case myTooMany, myNotReady, myShutdown, myKilled, myNotWritten:
			return true
		}
		return false
	}
	return connectionLost(err)
}

// syncing is a Galera node's answer to a read that waited for what the others
// have committed, and was in vain: it is cut off, or far behind.
func syncing(err error) bool {
	var m *mysql.MySQLError
	return errors.As(err, &m) && m.Number == myLockTimeout
}

// Patiently runs fn again while the database is away, for some seconds: fn must
// be harmless to repeat, like a read. Callers of InTx need it not.
func (d *DB) Patiently(ctx context.Context, fn func() error) error {
	return patiently(ctx, d.clock, fn)
}

// waiter is what patiently needs of the clock.
type waiter interface {
	After(time.Duration) <-chan time.Time
	Jitter(time.Duration) time.Duration
}

func patiently(ctx context.Context, c waiter, fn func() error) error {
	var waited time.Duration
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		err := fn()
		if err == nil || ctx.Err() != nil || !Away(err) && !syncing(err) {
			return err
		}
		if waited > patience {
			return refusal(err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-c.After(wait/2 + c.Jitter(wait)):
			waited += wait
		}
	}
}
