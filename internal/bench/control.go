package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
)

// A measured server is a child that says on its standard output where it serves
// and answers questions that come on its standard input. Nothing of it is on the
// network, and when the input ends the server stops: none outlives the bench.

// Ready is the child's first line.
type Ready struct {
	Address string `json:"address"`
}

// Stats is what the Go runtime of a server counted so far.
type Stats struct {
	Mallocs  uint64 `json:"mallocs"`
	Bytes    uint64 `json:"bytes"`
	GC       uint32 `json:"gc"`
	Heap     uint64 `json:"heap"`
	Problem  string `json:"problem,omitempty"`
	Routines int    `json:"routines"`
}

// Answer runs in the server's process: it announces the address and answers
// until the input ends, then calls stop.
func Answer(in io.Reader, out io.Writer, address string, stop context.CancelFunc) error {
	defer stop()
	enc := json.NewEncoder(out)
	if err := enc.Encode(Ready{address}); err != nil {
		return fmt.Errorf("bench control: %w", err)
	}
	var profile *os.File
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		s := stats()
		command, arg, _ := strings.Cut(lines.Text(), " ")
		var err error
		switch command {
		case "stats":
		case "profile":
			profile, err = startProfile(arg)
		case "allocs":
			err = writeAllocs(arg)
		case "profiled":
			pprof.StopCPUProfile()
			err = profile.Close()
		default:
			err = errors.New("unknown command " + command)
		}
		if err != nil {
			s.Problem = err.Error()
		}
		if err := enc.Encode(s); err != nil {
			return fmt.Errorf("bench control: %w", err)
		}
	}
	return lines.Err()
}

func stats() Stats {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return Stats{Mallocs: m.Mallocs, Bytes: m.TotalAlloc, GC: m.NumGC, Heap: m.HeapAlloc, Routines: runtime.NumGoroutine()}
}

func startProfile(path string) (*os.File, error) {
	f, err := os.Create(path) //nolint:gosec // the bench's own folder
	if err != nil {
		return nil, err
	}
	return f, pprof.StartCPUProfile(f)
}

// writeAllocs saves what was allocated since the start, by place.
func writeAllocs(path string) error {
	f, err := os.Create(path) //nolint:gosec // the bench's own folder
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
