package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// tick is USER_HZ: Linux counts processes' time in hundredths of a second for
// everybody, whatever the kernel itself uses.
const tick = 10 * time.Millisecond

// cpuOf is the user and system time of a process so far.
func cpuOf(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:])) // the name may hold spaces
	if len(fields) < 15 {
		return 0, fmt.Errorf("processor time: %d fields", len(fields))
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	if err != nil {
		return 0, fmt.Errorf("processor time: %w", err)
	}
	return time.Duration(user+system) * tick, nil
}

// peakOf is the most resident memory of a process since forgetPeak.
func peakOf(pid int) int64 { return statusOf(pid, "VmHWM:") }

func statusOf(pid int, name string) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64) // the kernel's own number
			return kib << 10
		}
	}
	return 0
}

// forgetPeak starts the peak anew; where it may not, the peak is the process's.
func forgetPeak(pid int) { _ = os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0) }

// Machine says what the figures were taken on.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Memory int64  `json:"memory"`
	System string `json:"system"`
	Go     string `json:"go"`
}

func machine() Machine {
	m := Machine{CPU: "unknown", Cores: runtime.NumCPU(), System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version()}
	info, _ := os.ReadFile("/proc/cpuinfo") // absent elsewhere: the figures stand without it
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			m.CPU = strings.TrimSpace(value)
		}
	}
	memory, _ := os.ReadFile("/proc/meminfo")
	if rest, ok := strings.CutPrefix(string(memory), "MemTotal:"); ok {
		kib, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		m.Memory = kib << 10
	}
	return m
}
