package killtest_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
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
)

// build compiles the program under test, once.
var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "thhotel-kill")
	if err != nil {
		return "", err
	}
	return compile(filepath.Join(dir, "thhotel"))
})

func compile(bin string, flags ...string) (string, error) {
	args := append([]string{"build", "-o", bin}, flags...)
	if out, err := exec.Command("go", append(args, "thhotel/cmd/thhotel")...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return bin, nil
}

// buildNext compiles the release after this one: the same with one migration more.
func buildNext(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	migrations, err := filepath.Abs("../../../migrations")
	must(t, err)
	overlay := map[string]map[string]string{"Replace": {}}
	for _, engine := range []string{"sqlite", "mysql"} {
		file := filepath.Join(dir, engine+".sql")
		must(t, os.WriteFile(file, []byte("-- +goose Up\nCREATE TABLE next_release (id INTEGER PRIMARY KEY);\n-- +goose Down\nDROP TABLE next_release;\n"), 0o600))
		overlay["Replace"][filepath.Join(migrations, engine, "9000_next_release.sql")] = file
	}
	b, err := json.Marshal(overlay)
	must(t, err)
	list := filepath.Join(dir, "overlay.json")
	must(t, os.WriteFile(list, b, 0o600))
	bin, err := compile(filepath.Join(dir, "thhotel"), "-overlay", list)
	must(t, err)
	return bin
}

// server is a place for a process of `thhotel serve`, started again and again.
type server struct {
	bin  string
	vars map[string]string

	url   atomic.Pointer[string] // nil while nobody listens
	cmd   *exec.Cmd
	ready chan string   // the address, once it listens
	done  chan struct{} // closed when the process has ended
	err   error         // how it ended

	mu       sync.Mutex
	problems map[string]int // messages of its log's errors
	last     string
}

// spawn starts the process and does not wait for it to listen.
func (s *server) spawn(t *testing.T) {
	t.Helper()
	s.cmd = exec.Command(s.bin, "serve")
	s.cmd.Env = s.environ()
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // dies with the test binary
	out, err := s.cmd.StderrPipe()
	must(t, err)
	s.ready, s.done = make(chan string, 1), make(chan struct{})
	started := make(chan error, 1)
	go func(cmd *exec.Cmd, ready chan string, done chan struct{}) {
		runtime.LockOSThread() // Pdeathsig is tied to the thread that forked (golang.org/issue/27505)
		err := cmd.Start()
		started <- err
		if err == nil {
			s.follow(out, ready)
			s.err = cmd.Wait()
		}
		close(done)
	}(s.cmd, s.ready, s.done)
	must(t, <-started)
}

// follow reads the log: where the server listens, and what went wrong in it.
func (s *server) follow(out io.Reader, ready chan<- string) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var l struct {
			Level, Msg, Address, Error, Route string
			Status                            int
		}
		if json.Unmarshal(lines.Bytes(), &l) == nil && l.Msg == "serving" {
			url := "http://" + l.Address
			s.url.Store(&url)
			ready <- url
		}
		s.mu.Lock()
		s.last = lines.Text()
		if l.Level == "ERROR" {
			s.problems[strings.TrimSpace(fmt.Sprintf("%s: %s %s %d", l.Msg, l.Error, l.Route, l.Status))]++
		}
		s.mu.Unlock()
	}
}

// await waits until the server listens.
func (s *server) await(t *testing.T) {
	t.Helper()
	select {
	case <-s.ready:
	case <-s.done:
		t.Fatalf("the server ended at start: %v\n%s", s.err, s.line())
	case <-time.After(60 * time.Second):
		t.Fatalf("the server did not start in 60 s\n%s", s.line())
	}
}

func (s *server) line() string { s.mu.Lock(); defer s.mu.Unlock(); return s.last }

// kill is kill -9.
func (s *server) kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	<-s.done
	s.url.Store(nil)
}

// stop asks the server to end and expects that it does so in good order.
func (s *server) stop(t *testing.T) {
	t.Helper()
	must(t, s.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case <-s.done:
	case <-time.After(60 * time.Second):
		t.Fatal("the server did not stop in 60 s")
	}
	s.url.Store(nil)
	if s.err != nil {
		t.Errorf("the server stopped with %v\n%s", s.err, s.line())
	}
}

// run runs another command of the program on the same database.
func (s *server) run(args ...string) (string, error) {
	cmd := exec.Command(s.bin, args...)
	cmd.Env = s.environ()
	out, err := cmd.Output()
	return string(out), err
}

func (s *server) environ() []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	for k, v := range s.vars {
		env = append(env, k+"="+v)
	}
	return env
}
