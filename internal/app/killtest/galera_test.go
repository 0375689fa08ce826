package killtest_test

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql"
)

// galera is a cluster of three nodes, and HAProxy before the nodes and before
// the replicas of the program. The script .ci/galera makes and breaks it.
type galera struct {
	dir  string
	base int // its ports, see the script
}

func newGalera(t *testing.T) *galera {
	t.Helper()
	for _, need := range []string{"/usr/lib/galera/libgalera_smm.so", "/usr/sbin/haproxy", "/usr/bin/rsync", "/usr/bin/lsof", "/usr/sbin/mariadbd"} {
		if _, err := os.Stat(need); err != nil || os.Geteuid() != 0 {
			if os.Getenv("CI") != "" && os.Geteuid() == 0 {
				t.Fatalf("%s is missing", need)
			}
			t.Skip("needs root and: apt-get install mariadb-server galera-4 haproxy rsync lsof")
		}
	}
	dir, err := os.MkdirTemp("", "gal") // short: a Unix socket's path ends at 107 bytes
	must(t, err)
	g := &galera{dir: dir, base: freePorts(t)}
	t.Cleanup(func() { _ = g.command("down").Run() })
	g.do(t, "up")
	g.watch(t)
	g.do(t, "proxy")
	return g
}

// freePorts finds a base after which nobody listens on the ports of the script.
func freePorts(t *testing.T) int {
	t.Helper()
	for base := 20100; base < 32000; base += 100 { // below the ephemeral ports
		free := true
		for _, n := range []int{10, 11, 12, 13, 21, 22, 23, 31, 32, 33, 41, 42, 43, 51, 52, 53, 60, 61, 62} {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", base+n))
			if err != nil {
				free = false
				break
			}
			must(t, l.Close())
		}
		if free {
			return base
		}
	}
	t.Fatal("no free ports")
	return 0
}

func (g *galera) command(args ...string) *exec.Cmd {
	root, _ := filepath.Abs("../../..")
	cmd := exec.Command("bash", append([]string{filepath.Join(root, ".ci", "galera")}, args...)...)
	cmd.Env = append(os.Environ(), "GALERA_DIR="+g.dir, fmt.Sprintf("GALERA_BASE=%d", g.base))
	return cmd
}

func (g *galera) do(t *testing.T, args ...string) {
	t.Helper()
	if out, err := g.command(args...).CombinedOutput(); err != nil {
		t.Fatalf("galera %v: %v\n%s", args, err, out)
	}
}

// dsn goes through the proxy. wsrep_sync_wait: a node that takes over waits for
// what the cluster has committed before it answers a read.
func (g *galera) dsn() string {
	return fmt.Sprintf("app:app@tcp(127.0.0.1:%d)/app?timeout=2s&wsrep_sync_wait=1", g.base+10)
}

func (g *galera) front() string        { return fmt.Sprintf("http://127.0.0.1:%d", g.base+60) }
func (g *galera) replica(i int) string { return fmt.Sprintf("127.0.0.1:%d", g.base+61+i) }
func (g *galera) node(i int) (dsn string) {
	return fmt.Sprintf("app:app@tcp(127.0.0.1:%d)/?timeout=1s&readTimeout=1s", g.base+10+i)
}

// watch answers HAProxy's health checks: a node is well while it is in sync and
// in the part of the cluster that has the majority.
func (g *galera) watch(t *testing.T) {
	t.Helper()
	for i := 1; i <= 3; i++ {
		db, err := sql.Open("mysql", g.node(i))
		must(t, err)
		db.SetConnMaxLifetime(5 * time.Second)
		s := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !inSync(r.Context(), db) {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})}
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", g.base+50+i))
		must(t, err)
		go func() { _ = s.Serve(l) }()
		t.Cleanup(func() { _ = s.Close(); _ = db.Close() })
	}
}

func inSync(ctx context.Context, db *sql.DB) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	var n int
	err := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM information_schema.GLOBAL_STATUS WHERE
		(VARIABLE_NAME = 'wsrep_local_state' AND VARIABLE_VALUE = '4') OR (VARIABLE_NAME = 'wsrep_cluster_status' AND VARIABLE_VALUE = 'Primary')`).Scan(&n)
	return err == nil && n == 2
}
