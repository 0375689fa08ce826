package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"thhotel/internal/clock"
)

// child is a server in a process of its own.
type child struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	log  *os.File
	addr string
}

// launch starts the program with arguments and waits until it says where it serves.
func launch(o Options, name string, environ []string, args ...string) (*child, error) {
	log, err := os.Create(o.file(name + ".log"))
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c := &child{name: name, log: log}
	// Without the context: a child ends when its input does, in order.
	c.cmd = exec.CommandContext(context.Background(), o.Program[0], append(o.Program[1:len(o.Program):len(o.Program)], args...)...) //nolint:gosec // ourselves
	c.cmd.Env, c.cmd.Stderr, c.cmd.Dir = environ, log, o.Dir
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // an interrupt is for us; we stop it in order
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	c.out = json.NewDecoder(bufio.NewReader(out))
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	var ready Ready
	if err := c.out.Decode(&ready); err != nil {
		c.stop(o.Clock)
		said, _ := os.ReadFile(o.file(name + ".log"))
		return nil, fmt.Errorf("%s did not start: %w\n%.2000s", name, err, said)
	}
	c.addr = ready.Address
	return c, nil
}

func (c *child) pid() int { return c.cmd.Process.Pid }

// ask sends a command and reads the answer.
func (c *child) ask(command string) (Stats, error) {
	var s Stats
	if _, err := io.WriteString(c.in, command+"\n"); err != nil {
		return s, fmt.Errorf("%s: %w", c.name, err)
	}
	if err := c.out.Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", c.name, err)
	}
	if s.Problem != "" {
		return s, errors.New(c.name + ": " + s.Problem)
	}
	return s, nil
}

// stop ends the input, which ends the server, and waits for it; one that hangs
// is killed.
func (c *child) stop(k clock.Clock) {
	_ = c.in.Close()
	done := make(chan struct{})
	go func() { _ = c.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-k.After(40 * time.Second):
		_ = c.cmd.Process.Kill()
		<-done
	}
	_ = c.log.Close()
}
