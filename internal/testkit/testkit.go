// Package testkit gives tests real databases: a migrated SQLite file each, and
// a schema each on one private MariaDB per test binary. Only tests import it.
package testkit

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/migrations"
)

// Now is the moment tests stand at: the demo hotel's business date, in the morning.
var Now = time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)

// template is a migrated SQLite file that every DB of this binary is copied from.
var template = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "thhotel-template")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "t.db")
	ctx := context.Background()
	db, err := database.Open(ctx, database.Options{Driver: database.SQLite, DSN: path}, clock.Real())
	if err != nil {
		return "", err
	}
	if err := db.Migrate(ctx, migrations.Files); err != nil {
		return "", err
	}
	return path, db.Close() // the last connection folds the WAL back into the file
})

// DB returns an empty, migrated SQLite database that goes away with the test.
func DB(t testing.TB) *database.DB {
	t.Helper()
	src, err := template()
	if err != nil {
		t.Fatalf("migrate template: %v", err)
	}
	path := filepath.Join(t.TempDir(), "test.db")
	if err := copyFile(src, path); err != nil {
		t.Fatal(err)
	}
	return open(t, database.Options{Driver: database.SQLite, DSN: path})
}

// Databases runs f on SQLite and on MariaDB, as subtests named after the engine.
// Without MariaDB the second is skipped with the command that installs it (an
// error under CI).
func Databases(t *testing.T, f func(t *testing.T, db *database.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { f(t, DB(t)) })
	t.Run("mariadb", func(t *testing.T) { f(t, MariaDB(t)) })
}

func open(t testing.TB, o database.Options) *database.DB {
	t.Helper()
	db, err := database.Open(context.Background(), o, clock.Real())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func copyFile(src, dst string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.Create(dst)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}

// Clock stands at Now.
func Clock() clock.Clock { return clock.Fixed(Now) }

// Corpus returns the folder of public test data, or skips the test.
func Corpus(t testing.TB, sub ...string) string {
	t.Helper()
	root := os.Getenv("THHOTEL_CORPUS")
	if root == "" {
		root = filepath.Join(Root(t), "..", "shared", "corpus")
	}
	path := filepath.Join(append([]string{root}, sub...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no corpus at %s: set THHOTEL_CORPUS to the folder of public test data", path)
	}
	return path
}

// Root is the repository's top folder.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the test's folder")
		}
		dir = up
	}
}
