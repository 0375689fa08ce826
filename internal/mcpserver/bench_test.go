package mcpserver_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkDoor measures the door in process, executor, database and durable audit
// included, with 16 callers at once. The processor's time counts, not the clock's,
// which waits for the disk.
func BenchmarkDoor(b *testing.B) {
	k := newKit(b)
	for _, version := range []string{v2026, v2025} {
		for method, params := range map[string]string{"tools/call": `"name":"kit_echo","arguments":{"text":"x"}`, "tools/list": ""} {
			body, headers := message(version, method, params)
			l := letter{body: body, header: k.header(append(headers, "Mcp-Protocol-Version", version)...)}
			for name, door := range map[string]http.Handler{"fast": k.door, "sdk": k.twin} {
				b.Run(version+"/"+strings.TrimPrefix(method, "tools/")+"/"+name, func(b *testing.B) {
					b.ReportAllocs()
					b.SetParallelism(8) // times two processors
					before := processorTime(b)
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							if w := l.deliver(door); w.Code != http.StatusOK {
								b.Errorf("%d %s", w.Code, w.Body)
							}
						}
					})
					b.ReportMetric(float64((processorTime(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
				})
			}
		}
	}
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
