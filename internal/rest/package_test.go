package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/app/apptest"
)

// TestPackageSizes: a package of 9 MiB is accepted whole, one of 11 MiB is
// refused in clear words and leaves nothing.
func TestPackageSizes(t *testing.T) {
	h := newHouse(t)
	const path = "/api/integrations/superagent/task-results"
	base := string(apptest.File(t, "01-group-new-nordic-choir.v4.json"))
	sized := func(total int) []byte {
		pad := strings.Repeat("正文 ", (total-len(base))/7)
		return []byte(strings.Replace(base, `"body": "`, `"body": "`+pad, 1))
	}
	nine, eleven := sized(9<<20), sized(11<<20)
	if len(nine) < 9<<20-64 || len(eleven) < 11<<20-64 {
		t.Fatalf("sizes %d and %d", len(nine), len(eleven))
	}
	w := h.post(access.RoleSuperAgent, path, eleven)
	var refused struct {
		Error struct {
			Code, Message string
			Details       map[string]any
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil || w.Code != 413 || refused.Error.Code != "MCP_REQUEST_BODY_TOO_LARGE" ||
		refused.Error.Message == "" || refused.Error.Details["limit_bytes"] != float64(10<<20) {
		t.Errorf("11 MiB: %d %.300s", w.Code, w.Body)
	}
	if n := h.rows(t, "SELECT COUNT(*) FROM ai_transition_batch"); n[0] != 0 {
		t.Errorf("the refused package left %d batches", n[0])
	}
	if w := h.post(access.RoleSuperAgent, path, nine); !answered(t, w, nil) || w.Code != 200 {
		t.Errorf("9 MiB: %d %.300s", w.Code, w.Body)
	}
	if n := h.rows(t, "SELECT package_size FROM ai_transition_batch"); n[0] != len(nine) {
		t.Errorf("stored %d bytes of %d", n[0], len(nine))
	}
	if w := h.post(access.RoleSuperAgent, path, nine); w.Header().Get("X-Replayed") != "true" {
		t.Errorf("again: %d %.300s", w.Code, w.Body)
	}
}
