package database_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/ncruces/go-sqlite3"

	"thhotel/internal/database"
	"thhotel/internal/fault"
)

func TestAway(t *testing.T) {
	for _, c := range []struct {
		err             error
		away, retryable bool
	}{
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, true, true},
		{fmt.Errorf("wrapped: %w", mysql.ErrInvalidConn), true, true},
		{driver.ErrBadConn, true, true},
		{&mysql.MySQLError{Number: 1047}, true, true}, // a node without the majority
		{&mysql.MySQLError{Number: 1213}, false, true},
		{&mysql.MySQLError{Number: 1062}, false, false},
		{sqlite3.BUSY, false, true},
		{sqlite3.ERROR, false, false}, // has Timeout() too, like a net.Error
		{context.DeadlineExceeded, false, false},
		{context.Canceled, false, false},
		{errors.Join(database.ErrOutcomeUnknown, mysql.ErrInvalidConn), true, false},
	} {
		if away, retryable := database.Away(c.err), database.Retryable(c.err); away != c.away || retryable != c.retryable {
			t.Errorf("%v: away %v, retryable %v; want %v, %v", c.err, away, retryable, c.away, c.retryable)
		}
	}
}

func TestPatiently(t *testing.T) {
	runs := 0
	err := database.PatientlyAtOnce(context.Background(), func() error {
		if runs++; runs < 4 {
			return driver.ErrBadConn
		}
		return errors.New("answered")
	})
	if runs != 4 || err == nil || err.Error() != "answered" {
		t.Errorf("%d runs, %v", runs, err)
	}
	err = database.PatientlyAtOnce(context.Background(), func() error { return driver.ErrBadConn })
	if fault.Code(err) != database.CodeUnavailable || !errors.Is(err, driver.ErrBadConn) {
		t.Errorf("after all patience: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	runs = 0
	err = database.PatientlyAtOnce(ended, func() error { runs++; cancel(); return driver.ErrBadConn })
	if runs != 1 || !errors.Is(err, driver.ErrBadConn) {
		t.Errorf("%d runs for a caller who hung up, %v", runs, err)
	}
}
