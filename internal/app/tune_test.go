package app_test

import (
	"runtime/debug"
	"testing"

	"thhotel/internal/app"
	"thhotel/internal/config"
)

// TestTuneRuntime: the settings hold, and the runtime's own variables win over them.
func TestTuneRuntime(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	now := func() (int, int64) {
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p, debug.SetMemoryLimit(-1)
	}
	for _, set := range []bool{false, true} {
		env := ""
		if set {
			env = "given"
		}
		t.Setenv("GOGC", env)
		t.Setenv("GOMEMLIMIT", env)
		debug.SetGCPercent(123)
		debug.SetMemoryLimit(1 << 40)
		app.TuneRuntime(config.Runtime{GCPercent: 321, MemoryLimit: 1 << 30})
		p, l := now()
		if set && (p != 123 || l != 1<<40) || !set && (p != 321 || l != 1<<30) {
			t.Errorf("variables set %v: %d %%, %d bytes", set, p, l)
		}
	}
}
