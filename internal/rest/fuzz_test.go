package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/app/apptest"
	"thhotel/internal/casequery"
	"thhotel/internal/hotel"
	"thhotel/internal/httpd"
	"thhotel/internal/intake"
	"thhotel/internal/platform"
	"thhotel/internal/rest"
	"thhotel/internal/testkit"
)

// house is the demo hotel behind the REST door, in this process.
type house struct {
	*apptest.World
	engine *gin.Engine
	tokens map[access.Role]string
}

func newHouse(t testing.TB) *house {
	t.Helper()
	w := apptest.New(t, testkit.DB(t))
	h, ctx := &house{World: w, tokens: map[access.Role]string{}}, context.Background()
	registry := agent.NewRegistry()
	for _, tool := range append(casequery.Tools(w.Cases), intake.Tools(w.Intake)...) {
		_, err := registry.Register(tool)
		apptest.Must(t, err)
	}
	executor, err := agent.NewExecutor(agent.Options{DB: w.DB, Clock: w.Clock, Registry: registry, Services: []agent.Service{hotel.Service("test")}, Auth: w.Platform, Audit: w.Audit})
	apptest.Must(t, err)
	h.engine = httpd.New(httpd.Options{Clock: w.Clock, Rate: httpd.Rate{PerSecond: -1}, BodyLimits: map[string]int64{rest.DeliveryPath: 40 << 20}})
	apptest.Must(t, rest.Mount(h.engine, rest.Options{Executor: executor, Registry: registry, Services: []string{hotel.Name}, Platform: w.Platform, Inbox: w.Inbox, Order: w.Orders, Clock: w.Clock}))
	for _, role := range []access.Role{access.RoleSuperAgent, access.RoleMailBus, access.RoleOperaFeed} {
		a, err := w.Platform.CreateServiceAccount(ctx, w.System, platform.AccountParams{Name: string(role), Role: role})
		apptest.Must(t, err)
		issued, err := w.Platform.IssueToken(ctx, w.System, platform.IssueParams{SubjectID: a.ID, Name: "test", Scopes: a.Scopes, Audience: hotel.Path})
		apptest.Must(t, err)
		h.tokens[role] = issued.Token
	}
	return h
}

func (h *house) post(role access.Role, path string, body []byte, set ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+h.tokens[role])
	for i := 0; i+1 < len(set); i += 2 {
		r.Header.Set(set[i], set[i+1])
	}
	w := httptest.NewRecorder()
	h.engine.ServeHTTP(w, r)
	return w
}

// rows are what a test may compare before and after.
func (h *house) rows(t testing.TB, queries ...string) []int {
	t.Helper()
	out := make([]int, len(queries))
	for i, q := range queries {
		apptest.Must(t, h.DB.Reader().QueryRowContext(context.Background(), q).Scan(&out[i]))
	}
	return out
}

// answered: any body gets one envelope, and never a defect of ours.
func answered(t testing.TB, w *httptest.ResponseRecorder, body []byte) (ok bool) {
	t.Helper()
	var env struct {
		Success *bool
		Error   *struct{ Code, Message string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &env); err != nil || env.Success == nil {
		t.Fatalf("no envelope, %v: %d %s\nfor %q", err, w.Code, w.Body, body)
	}
	ok = w.Code == http.StatusOK
	if w.Code >= 500 || *env.Success != ok || !ok && (env.Error == nil || env.Error.Code == "" || env.Error.Message == "") {
		t.Fatalf("%d %s\nfor %q", w.Code, w.Body, body)
	}
	return ok
}

// node is a place in a JSON tree that a mutation may change.
type node struct{ set func(v any, remove bool) }

func nodes(v any, set func(v any, remove bool)) []node {
	out := []node{{set}}
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, nodes(v[k], func(x any, remove bool) {
				if v[k] = x; remove {
					delete(v, k)
				}
			})...)
		}
	case []any:
		for i := range v {
			out = append(out, nodes(v[i], func(x any, _ bool) { v[i] = x })...)
		}
	}
	return out
}

// mutate changes one place of a document: to value as JSON, to value as a string,
// to nothing; or it takes value for the whole document.
func mutate(doc []byte, at uint16, how uint8, value []byte) []byte {
	var root any
	if how%4 == 3 || json.Unmarshal(doc, &root) != nil {
		return value
	}
	all := nodes(root, func(v any, _ bool) { root = v })
	var v any
	if how%4 != 0 || json.Unmarshal(value, &v) != nil {
		v = strings.ToValidUTF8(string(value), "?")
	}
	all[int(at)%len(all)].set(v, how%4 == 2)
	out, err := json.Marshal(root)
	if err != nil {
		return value
	}
	return out
}

var values = []string{`null`, `0`, `-1`, `1e400`, `9007199254740993`, `""`, `"x"`, `[]`, `{}`, `[null]`, `{"a":{"b":[{}]}}`, `true`, `"2026-02-30"`, `"` + strings.Repeat("长", 5000) + `"`, `"\u0000\u202e"`, "\xff"}

// FuzzPackage: whatever is submitted, the answer is an envelope that is no 500,
// a refusal leaves nothing, and an accepted package leaves one whole batch.
func FuzzPackage(f *testing.F) {
	h := newHouse(f)
	bases := files(f, "internal/demo/data/*.v4.json", "internal/intake/testdata/flagged/*.json")
	for i := range bases {
		for j := range 4 {
			f.Add(uint8(i), uint16(i*31+j*7), uint8(j), []byte(values[(4*i+j)%len(values)]))
		}
	}
	counts := []string{"SELECT COUNT(*) FROM ai_transition_batch", "SELECT COUNT(*) FROM ai_transition", "SELECT COALESCE(SUM(event_count), 0) FROM ai_transition_batch",
		"SELECT COUNT(*) FROM ai_transition WHERE card_id <> '' OR notice_id <> ''", "SELECT COUNT(*) FROM order_card", "SELECT COUNT(*) FROM order_notice"}
	f.Fuzz(func(t *testing.T, base uint8, at uint16, how uint8, value []byte) {
		body := mutate(bases[int(base)%len(bases)], at, how, value)
		before := h.rows(t, counts...)
		w := h.post(access.RoleSuperAgent, "/api/integrations/superagent/task-results", body)
		ok := answered(t, w, body)
		after := h.rows(t, counts...)
		fresh := ok && w.Header().Get("X-Replayed") == "" && !strings.Contains(w.Body.String(), `"idempotent_replay":true`)
		switch {
		case !fresh && !slices.Equal(before, after):
			t.Fatalf("%d, and rows went from %v to %v for %q", w.Code, before, after, body)
		case fresh && (after[0] != before[0]+1 || after[1] == before[1]):
			t.Fatalf("accepted, and rows went from %v to %v for %q", before, after, body)
		case after[1] != after[2] || after[1] != after[3] || after[1] != after[4]+after[5]:
			t.Fatalf("a half-written batch: %v for %q", after, body)
		}
	})
}

// FuzzDelivery: whatever is delivered, the answer is an envelope that is no 500,
// a refusal leaves nothing, and what is accepted is one message with its original.
func FuzzDelivery(f *testing.F) {
	h := newHouse(f)
	bases := [][]byte{
		[]byte(`{"hotel_id":null,"source":{"provider":"AGENTBUS","channel":"EMAIL","external_message_id":"e","external_conversation_id":"c"},"headers":{"Message-ID":"<1@a.example>","References":["<0@a.example>"],"Reply-To":"x@y.example"},"subject":"s","sender":{"name":"A","email":"a@a.example"},"recipients":{"to":["b@b.example"],"cc":"c@c.example"},"sent_at":"2026-11-30T11:05:13+07:00","text_body":"hello","html_body":"<p>hello</p>","attachments":[{"id":"a","name":"n.csv","content_type":"text/csv","size":3,"content_base64":"YSxi"}]}`),
		[]byte(`{"source":{"external_message_id":"f"},"headers":[{"name":"Subject","value":"v"}],"message_id":"<2@a.example>","in_reply_to":"<1@a.example>","references":"<0@a.example><1@a.example>","sender":["A <a@a.example>"],"recipients":"b@b.example","reply_to":[{"address":"z@z.example"}],"cc":null,"received_at":"2026-11-30T11:05:13Z","body":"<b>x</b>","body_content_type":"text/html","bodies":{"text":"t","html":"h"},"attachments":[{"id":null}]}`),
		[]byte(`{"source":{"external_message_id":"g","channel":"OUTLOOK"},"raw_mime_base64":"RnJvbTogYUBhLmV4YW1wbGUNCk1lc3NhZ2UtSUQ6IDwzQGEuZXhhbXBsZT4NCg0KaGVsbG8=","attachments":[{"id":"q"}]}`),
	}
	for i := range bases {
		for j, v := range values {
			f.Add(uint8(i), uint16(i*17+j*5), uint8(j%4), []byte(v))
		}
	}
	counts := []string{"SELECT COUNT(*) FROM platform_source_message_inbox", "SELECT COUNT(*) FROM inbox_text", "SELECT COUNT(*) FROM inbox_attachment"}
	n := 0
	f.Fuzz(func(t *testing.T, base uint8, at uint16, how uint8, value []byte) {
		n++
		body := mutate(bytes.Replace(bases[int(base)%len(bases)], []byte(`"external_message_id":"`), []byte(fmt.Sprintf(`"external_message_id":"%d-`, n)), 1), at, how, value)
		before := h.rows(t, counts...)
		ok := answered(t, h.post(access.RoleMailBus, rest.DeliveryPath, body), body)
		after := h.rows(t, counts...)
		if !ok && !slices.Equal(before, after) || after[0] != after[1] || ok && after[0] > before[0]+1 {
			t.Fatalf("rows went from %v to %v, ok %v, for %q", before, after, ok, body)
		}
	})
}

// FuzzProjections: the same for what OPERA says.
func FuzzProjections(f *testing.F) {
	h := newHouse(f)
	base := []byte(`{"projections":[{"kind":"RESERVATION","group_code":"G","confirmation_number":"1","reservation_no":"2","status":"RESERVED","arrival_date":"2026-12-01","departure_date":"2026-12-03","guest_name":"A, B","room_items":[{"room_type_code":"DLXK","room_count":1}],"as_of":"2026-11-30T01:00:00Z","raw":{"x":[1]}},{"kind":"BLOCK","group_code":"H"}]}`)
	for j, v := range values {
		for at := range 8 {
			f.Add(uint16(at*3+j), uint8(j%4), []byte(v))
		}
	}
	f.Fuzz(func(t *testing.T, at uint16, how uint8, value []byte) {
		body := mutate(base, at, how, value)
		answered(t, h.post(access.RoleOperaFeed, opera, body), body)
	})
}

func files(t testing.TB, patterns ...string) [][]byte {
	t.Helper()
	var out [][]byte
	for _, p := range patterns {
		names, err := filepath.Glob(filepath.Join(testkit.Root(t), p))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", p, len(names), err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			apptest.Must(t, err)
			out = append(out, b)
		}
	}
	return out
}
