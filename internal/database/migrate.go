package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

// lockFor is how long a migrating process may be silent before another takes over.
const lockFor = 5 * time.Minute

// Migrate brings the schema up to what files holds (one folder per driver,
// goose's NNNN_name.sql) and refuses a schema that is newer than this program.
// Replicas may call it together: one works, the others wait. A start that finds
// nothing to do takes no lock, so that one killed meanwhile holds no other up.
func (d *DB) Migrate(ctx context.Context, files fs.FS) error {
	p, err := d.provider(files)
	if err != nil {
		return err
	}
	if d.hasSchema(ctx) {
		if pending, err := isPending(ctx, p); err != nil || !pending {
			return err
		}
	}
	unlock, err := d.lockSchema(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if pending, err := isPending(ctx, p); err != nil || !pending { // another was first
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// hasSchema says whether migrations have run here before. On an empty database
// goose would make its table, which is for the one who holds the lock.
func (d *DB) hasSchema(ctx context.Context) bool {
	var n int
	err := d.Writer().QueryRowContext(ctx, "SELECT COUNT(*) FROM "+goose.DefaultTablename+" WHERE version_id > 0").Scan(&n)
	return err == nil && n > 0
}

// isPending says whether there is something to migrate, and refuses a newer schema.
func isPending(ctx context.Context, p *goose.Provider) (bool, error) {
	have, want, err := p.GetVersions(ctx)
	if err != nil {
		return false, fmt.Errorf("read schema version: %w", err)
	}
	if have > want {
		return false, fmt.Errorf("the database schema is version %d and this program knows %d; run a newer program", have, want)
	}
	pending, err := p.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("compare the schema with this program: %w", err)
	}
	return pending, nil
}

// SchemaVersion returns the version in the database and the newest this program knows.
func (d *DB) SchemaVersion(ctx context.Context, files fs.FS) (have, want int64, err error) {
	p, err := d.provider(files)
	if err != nil {
		return 0, 0, err
	}
	return p.GetVersions(ctx)
}

func (d *DB) provider(files fs.FS) (*goose.Provider, error) {
	sub, err := fs.Sub(files, string(d.Driver))
	if err != nil {
		return nil, err
	}
	dialect := goose.DialectSQLite3
	if d.Driver == MySQL {
		dialect = goose.DialectMySQL
	}
	p, err := goose.NewProvider(dialect, d.Writer(), sub, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	return p, nil
}

// lockSchema takes a lease in a one-row table, which works alike on SQLite,
// MySQL and a cluster (GET_LOCK is local to a Galera node).
func (d *DB) lockSchema(ctx context.Context) (unlock func(), err error) {
	db, owner := d.Writer(), d.clock.NewID()
	if _, err := db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS schema_lock (id INT NOT NULL PRIMARY KEY, owner VARCHAR(36) NOT NULL, held_until BIGINT NOT NULL)"); err != nil {
		return nil, fmt.Errorf("schema lock: %w", err)
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO schema_lock (id, owner, held_until) VALUES (1, '', 0)"); err != nil && !IsDuplicate(err) {
		return nil, fmt.Errorf("schema lock: %w", err)
	}
	for {
		got, err := d.tryLock(ctx, db, owner)
		if err != nil && !Retryable(err) {
			return nil, fmt.Errorf("schema lock: %w", err)
		}
		if got {
			return func() { d.releaseLock(db, owner) }, nil
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(errors.New("another process is migrating the database"), ctx.Err())
		case <-d.clock.After(50 * time.Millisecond):
		}
	}
}

func (d *DB) tryLock(ctx context.Context, db *sql.DB, owner string) (bool, error) {
	now := d.clock.Now()
	res, err := db.ExecContext(ctx, "UPDATE schema_lock SET owner = ?, held_until = ? WHERE id = 1 AND held_until < ?",
		owner, now.Add(lockFor).UnixMicro(), now.UnixMicro())
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// releaseLock uses its own context: a cancelled start must not hold the others up.
func (d *DB) releaseLock(db *sql.DB, owner string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = db.ExecContext(ctx, "UPDATE schema_lock SET owner = '', held_until = 0 WHERE id = 1 AND owner = ?", owner)
}
