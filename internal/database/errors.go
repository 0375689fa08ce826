package database

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/go-sql-driver/mysql"
	"github.com/ncruces/go-sqlite3"
	"gorm.io/gorm"
)

// MySQL error numbers. 1020 is MariaDB's snapshot conflict, 1213 also Galera's
// certification failure, which arrives at COMMIT too.
const (
	myDuplicate   = 1062
	myLockTimeout = 1205
	myDeadlock    = 1213
	myChanged     = 1020
	myTooMany     = 1040
	myNotReady    = 1047
)

// IsDuplicate reports a violated unique or primary key.
func IsDuplicate(err error) bool {
	var m *mysql.MySQLError
	if errors.As(err, &m) {
		return m.Number == myDuplicate
	}
	return errors.Is(err, sqlite3.CONSTRAINT_UNIQUE) || errors.Is(err, sqlite3.CONSTRAINT_PRIMARYKEY) || errors.Is(err, gorm.ErrDuplicatedKey)
}

// IsNotFound reports that a query for one row found none.
func IsNotFound(err error) bool {
	return errors.Is(err, gorm.ErrRecordNotFound) || errors.Is(err, sql.ErrNoRows)
}

// Retryable reports an error after which the whole transaction has been rolled
// back and may run again. A lost connection during COMMIT is not: see ErrOutcomeUnknown.
func Retryable(err error) bool {
	if errors.Is(err, ErrOutcomeUnknown) {
		return false
	}
	var m *mysql.MySQLError
	if errors.As(err, &m) {
		switch m.Number {
		case myDeadlock, myLockTimeout, myChanged:
			return true
		}
		return Away(err)
	}
	return errors.Is(err, sqlite3.BUSY) || errors.Is(err, sqlite3.LOCKED) || connectionLost(err)
}

// connectionLost: not every net.Error, which SQLite's errors and a caller's own
// deadline also are.
func connectionLost(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.Is(err, driver.ErrBadConn) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, sql.ErrConnDone) || errors.As(err, &op) || errors.As(err, &dns)
}
