package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"thhotel/internal/demo"
	"thhotel/internal/testkit"
)

// binary is the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "thhotel-bin")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "thhotel")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Printf("build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	testkit.Stop()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running demo.
type process struct {
	cmd    *exec.Cmd
	access demo.Access
	out    string // file with what it printed
}

// startDemo runs `thhotel demo` on a free port and waits until it is healthy.
func startDemo(t *testing.T, dir string, args ...string) *process {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	p := &process{out: out.Name()}
	p.cmd = exec.Command(binary, append([]string{"demo", "--listen", "127.0.0.1:0", "--data", dir}, args...)...)
	p.cmd.Stdout, p.cmd.Stderr = out, out
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := time.Now()
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.kill(); out.Close() })
	p.waitHealthy(t, filepath.Join(dir, "demo.json"), started)
	return p
}

// waitHealthy reads demo.json as this start wrote it, then asks /healthz.
func (p *process) waitHealthy(t *testing.T, file string, started time.Time) {
	t.Helper()
	eventually(t, 60*time.Second, "demo.json and /healthz", func() bool {
		info, err := os.Stat(file)
		if err != nil || info.ModTime().Before(started) {
			return false
		}
		if info.Mode().Perm() != 0o600 {
			t.Fatalf("demo.json has mode %v, want 0600", info.Mode().Perm())
		}
		doc, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		if err := json.Unmarshal(doc, &p.access); err != nil {
			t.Fatalf("demo.json is torn: %v", err)
		}
		res, err := http.Get(p.access.BaseURL + "/healthz")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	}, p.printed)
}

func (p *process) printed() string { b, _ := os.ReadFile(p.out); return string(b) }

// kill is kill -9.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// eventually polls; why says more when it gives up.
func eventually(t *testing.T, limit time.Duration, what string, ok func() bool, why func() string) {
	t.Helper()
	deadline := time.After(limit)
	tick := time.NewTicker(30 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatalf("waited %v for %s\n%s", limit, what, why())
		case <-tick.C:
		}
	}
}

// run runs the program to its end.
func run(t *testing.T, args ...string) (stdout string, code int) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), binary, args...)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}
