// Package database opens SQLite or MySQL, carries a transaction in the context,
// retries what the engines ask to be retried, and runs the migrations. It knows
// no table of any feature.
package database

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/gormlite"
	gormmysql "gorm.io/driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"thhotel/internal/clock"
)

// Driver names an engine.
type Driver string

// The engines. MySQL also stands for MariaDB and clusters that speak its protocol.
const (
	SQLite Driver = "sqlite"
	MySQL  Driver = "mysql"
)

// Options says which database to open.
type Options struct {
	Driver Driver
	// DSN is a file path for SQLite and a go-sql-driver DSN for MySQL.
	DSN string
	// MaxConns bounds the pool (readers only on SQLite, which has one writer). 0 means 16.
	MaxConns int
	// Begin, when set, hears of every transaction that begins and, by the function it
	// returns, how it ended (traces). It gives the context the transaction runs with.
	Begin func(ctx context.Context) (context.Context, func(error))
}

// DB is an open database. SQLite has two handles: many readers that cannot
// write, and one writer, so that writers queue in Go instead of polling a lock.
type DB struct {
	Driver Driver
	trace  tracing
	clock  clock.Clock
	read   *gorm.DB
	write  *gorm.DB
	begin  func(context.Context) (context.Context, func(error))
}

// Open connects, sets the engine's session up and checks that it answers.
func Open(ctx context.Context, o Options, c clock.Clock) (*DB, error) {
	if o.MaxConns <= 0 {
		o.MaxConns = 16
	}
	switch o.Driver {
	case SQLite:
		return openSQLite(ctx, o, c)
	case MySQL:
		return openMySQL(ctx, o, c)
	}
	return nil, fmt.Errorf("database driver %q is not known; use sqlite or mysql", o.Driver)
}

func openSQLite(ctx context.Context, o Options, c clock.Clock) (*DB, error) {
	// synchronous(full): an acknowledged commit survives a power cut, not only a crash.
	base := "file:" + (&url.URL{Path: o.DSN}).EscapedPath() + "?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=synchronous(full)&_pragma=foreign_keys(on)&_pragma=cache_size(-32768)"
	write, err := firstHandle(ctx, base+"&_txlock=immediate", c)
	if err != nil {
		return nil, err
	}
	read, err := sqliteHandle(ctx, base+"&_pragma=query_only(on)&_txlock=deferred", o.MaxConns)
	if err != nil {
		_ = write.Close()
		return nil, err
	}
	d := &DB{Driver: SQLite, clock: c, begin: o.Begin}
	if d.write, err = gorm.Open(gormlite.OpenDB(d.keep(write)), d.gormConfig()); err != nil {
		return nil, err
	}
	d.read, err = gorm.Open(gormlite.OpenDB(d.keep(read)), d.gormConfig())
	return d, err
}

// firstHandle opens the writer. Turning a new file to WAL needs it alone, and
// SQLite answers others who try at that moment without waiting: wait here.
func firstHandle(ctx context.Context, dsn string, c clock.Clock) (*sql.DB, error) {
	for try := 1; ; try++ {
		db, err := sqliteHandle(ctx, dsn, 1)
		if err == nil || try == 50 || !Retryable(err) {
			return db, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-c.After(20*time.Millisecond + c.Jitter(20*time.Millisecond)):
		}
	}
}

func openMySQL(ctx context.Context, o Options, c clock.Clock) (*DB, error) {
	cfg, err := mysql.ParseDSN(o.DSN)
	if err != nil {
		return nil, fmt.Errorf("database DSN: %w", err)
	}
	// clientFoundRows: an UPDATE that matches but changes nothing counts as 1;
	// optimistic locking needs that. Strict mode: too long is an error, not a cut.
	cfg.ParseTime, cfg.ClientFoundRows, cfg.Loc = true, true, time.UTC
	cfg.Collation = "utf8mb4_bin"
	if cfg.Params == nil {
		cfg.Params = map[string]string{}
	}
	cfg.Params["sql_mode"] = "'TRADITIONAL,ONLY_FULL_GROUP_BY'"
	cfg.Params["time_zone"] = "'+00:00'"
	pool, err := sql.Open("mysql", cfg.FormatDSN())
	if err == nil {
		err = ready(ctx, pool, o.MaxConns)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	d := &DB{Driver: MySQL, clock: c, begin: o.Begin}
	d.write, err = gorm.Open(gormmysql.New(gormmysql.Config{Conn: d.keep(pool)}), d.gormConfig())
	d.read = d.write
	return d, err
}

// sqliteHandle opens a pool whose statements keep their plan. Without that SQLite
// prepares some of ours anew at every execution, to look at the bound values: a
// seventh of what a lookup cost.
func sqliteHandle(ctx context.Context, dsn string, conns int) (*sql.DB, error) {
	pool, err := driver.Open(dsn, func(c *sqlite3.Conn) error {
		_, err := c.Config(sqlite3.DBCONFIG_ENABLE_QPSG, true)
		return err
	})
	if err == nil {
		err = ready(ctx, pool, conns)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	return pool, nil
}

// ready bounds a pool and checks that the database answers.
func ready(ctx context.Context, pool *sql.DB, conns int) error {
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	pool.SetConnMaxLifetime(time.Hour)
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return fmt.Errorf("reach database: %w", err)
	}
	return nil
}

func (d *DB) gormConfig() *gorm.Config {
	return &gorm.Config{
		Logger:                 logger.Discard, // statements carry guests' data; callers log errors
		NowFunc:                d.clock.Now,
		SkipDefaultTransaction: true,
	}
}

// Writer is the raw handle that may write; on SQLite it has one connection.
// For the group-committing audit writer and for migrations.
func (d *DB) Writer() *sql.DB { return rawHandle(d.write) }

// Reader is the raw handle for prepared reads outside a transaction.
func (d *DB) Reader() *sql.DB { return rawHandle(d.read) }

func rawHandle(g *gorm.DB) *sql.DB {
	pool, err := g.DB()
	if err != nil { // only for handles that are not pools, which Open never makes
		panic("database: " + err.Error())
	}
	return pool
}

// Ping checks that the database answers and, on a Galera node, is in sync.
func (d *DB) Ping(ctx context.Context) error { return d.Writer().PingContext(ctx) }

// Close closes both handles.
func (d *DB) Close() error {
	err := d.Writer().Close()
	if d.read != d.write {
		if e := d.Reader().Close(); err == nil {
			err = e
		}
	}
	return err
}
