package mcpserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkDoor measures the door in process, executor and database included.
func BenchmarkDoor(b *testing.B) {
	k := newKit(b)
	for _, version := range []string{v2026, v2025} {
		for method, params := range map[string]string{"tools/call": `"name":"kit_echo","arguments":{"text":"x"}`, "tools/list": ""} {
			body, headers := message(version, method, params)
			b.Run(version+"/"+strings.TrimPrefix(method, "tools/"), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
					r.Header = http.Header{"Authorization": {"Bearer " + k.token}, "Content-Type": {"application/json"}, "Mcp-Protocol-Version": {version}}
					for i := 0; i+1 < len(headers); i += 2 {
						r.Header.Set(headers[i], headers[i+1])
					}
					w := httptest.NewRecorder()
					k.door.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Fatalf("%d %s", w.Code, w.Body)
					}
				}
			})
		}
	}
}
