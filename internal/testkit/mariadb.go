package testkit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"thhotel/internal/database"
	"thhotel/migrations"
)

// server is a throw-away MariaDB that listens on a Unix socket of its own.
type server struct {
	dir, socket string
	cmd         *exec.Cmd
	done        chan struct{}
	schemas     atomic.Int64
}

var shared = sync.OnceValues(start)

// MariaDB returns an empty, migrated schema on this binary's private server.
func MariaDB(t testing.TB) *database.DB {
	t.Helper()
	dsn := MariaDSN(t)
	db := open(t, database.Options{Driver: database.MySQL, DSN: dsn})
	if err := db.Migrate(context.Background(), migrations.Files); err != nil {
		t.Fatal(err)
	}
	return db
}

// MariaDSN returns the DSN of an empty schema, not migrated.
func MariaDSN(t testing.TB) string {
	t.Helper()
	s, err := shared()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	name := fmt.Sprintf("t%d", s.schemas.Add(1))
	admin, err := sql.Open("mysql", s.dsn(""))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	if _, err := admin.ExecContext(context.Background(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return s.dsn(name)
}

// Main runs a package's tests and stops its MariaDB; call it from TestMain where
// Databases or MariaDB is used.
func Main(m *testing.M) {
	code := m.Run()
	stopShared()
	os.Exit(code)
}

var running atomic.Pointer[server]

// Stop stops this binary's MariaDB, for a TestMain that has more to do than Main.
func Stop() { stopShared() }

func stopShared() {
	if s := running.Load(); s != nil {
		s.stop()
	}
}

func start() (*server, error) {
	bin, err := find("mariadbd", "mysqld")
	if err != nil {
		return nil, err
	}
	tpl, err := dataTemplate(bin)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "mdb") // short: a Unix socket's path ends at 107 bytes
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, socket: filepath.Join(dir, "s"), done: make(chan struct{})}
	data := filepath.Join(dir, "d")
	if out, err := exec.Command("cp", "-a", tpl, data).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("copy data directory: %w %s", err, out)
	}
	if err := s.launch(bin, data); err != nil {
		return nil, err
	}
	running.Store(s)
	return s, s.wait()
}

func (s *server) launch(bin, data string) error {
	args := []string{
		"--no-defaults", "--datadir=" + data, "--socket=" + s.socket, "--pid-file=" + filepath.Join(s.dir, "pid"),
		"--log-error=" + filepath.Join(s.dir, "err"), "--skip-networking", "--skip-name-resolve", "--skip-log-bin",
		"--performance-schema=OFF", "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M", "--innodb-flush-log-at-trx-commit=0",
		"--innodb-flush-method=nosync", "--innodb-doublewrite=0", "--innodb-buffer-pool-load-at-startup=OFF", "--innodb-buffer-pool-dump-at-shutdown=OFF",
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_bin", "--max-connections=300", "--table-open-cache=400",
	}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	s.cmd = exec.Command(bin, args...)
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL} // dies with the test binary
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // Pdeathsig is tied to the thread that forked (golang.org/issue/27505)
		err := s.cmd.Start()
		started <- err
		if err == nil {
			_ = s.cmd.Wait()
		}
		close(s.done)
	}()
	return <-started
}

func (s *server) wait() error {
	db, err := sql.Open("mysql", s.dsn(""))
	if err != nil {
		return err
	}
	defer db.Close()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if err = db.PingContext(context.Background()); err == nil {
			return nil
		}
		select {
		case <-s.done:
			log, _ := os.ReadFile(filepath.Join(s.dir, "err"))
			return fmt.Errorf("mariadbd exited:\n%s", log)
		case <-deadline:
			return fmt.Errorf("mariadbd not ready in 30 s: %w", err)
		case <-tick.C:
		}
	}
}

func (s *server) dsn(schema string) string {
	c := mysql.NewConfig()
	c.User, c.Net, c.Addr, c.DBName = "root", "unix", s.socket, schema
	c.Logger = &mysql.NopLogger{}
	return c.FormatDSN()
}

func (s *server) stop() {
	_ = s.cmd.Process.Kill() // the data is thrown away: no orderly shutdown
	<-s.done
	_ = os.RemoveAll(s.dir)
}

// dataTemplate makes the system tables once per server version and machine.
func dataTemplate(bin string) (string, error) {
	v, err := exec.Command(bin, "--no-defaults", "--version").Output()
	if err != nil {
		return "", err
	}
	key := strings.NewReplacer(" ", "", "/", "", ":", "", "(", "", ")", "").Replace(strings.TrimSpace(strings.TrimPrefix(string(v), bin)))
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dst := filepath.Join(cache, "thhotel-mariadb", key)
	if exists(filepath.Join(dst, "mysql")) {
		return dst, nil
	}
	if err := os.MkdirAll(filepath.Dir(dst), 0o750); err != nil {
		return "", err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dst), "new-")
	if err != nil {
		return "", err
	}
	if err := install(tmp); err != nil {
		return "", errors.Join(err, os.RemoveAll(tmp))
	}
	if err := os.Rename(tmp, dst); err != nil && !exists(filepath.Join(dst, "mysql")) { // else another package won the race
		return "", err
	}
	return dst, nil
}

func install(dir string) error {
	inst, err := find("mariadb-install-db", "mysql_install_db")
	if err != nil {
		return err
	}
	args := []string{"--no-defaults", "--datadir=" + dir, "--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve", "--innodb-log-file-size=16M"}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	if out, err := exec.Command(inst, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", inst, err, out)
	}
	return nil
}

func find(names ...string) (string, error) {
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p, nil
		}
		if p := "/usr/sbin/" + n; exists(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("none of %v found; install it with: apt-get install mariadb-server", names)
}

func exists(p string) bool { _, err := os.Stat(p); return err == nil }
