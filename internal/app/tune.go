package app

import (
	"os"
	"runtime/debug"

	"thhotel/internal/config"
)

// TuneRuntime sets how the garbage collector works, for the whole process. A call
// leaves some tens of kilobytes behind while little lives on, so collecting more
// rarely than by default saves a third of some requests' cost; the limit keeps that
// from filling the machine.
func TuneRuntime(r config.Runtime) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(r.GCPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(r.MemoryLimit))
	}
}
