package killtest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"thhotel/internal/app"
)

// halves are counts that are zero whenever nothing runs, however processes have
// died: a package left everything or nothing, and nothing twice.
var halves = map[string]string{
	"batches without all their transitions":          `SELECT COUNT(*) FROM ai_transition_batch b WHERE event_count <> (SELECT COUNT(*) FROM ai_transition t WHERE t.batch_id = b.id)`,
	"transitions without their batch":                `SELECT COUNT(*) FROM ai_transition t WHERE NOT EXISTS (SELECT 1 FROM ai_transition_batch b WHERE b.id = t.batch_id)`,
	"transitions without card and notice":            `SELECT COUNT(*) FROM ai_transition WHERE (card_id = '') = (notice_id = '')`,
	"transitions without their card":                 `SELECT COUNT(*) FROM ai_transition t WHERE card_id <> '' AND NOT EXISTS (SELECT 1 FROM order_card c WHERE c.id = t.card_id AND c.transition_id = t.id AND c.batch_id = t.batch_id AND c.order_id = t.order_id)`,
	"transitions without their notice":               `SELECT COUNT(*) FROM ai_transition t WHERE notice_id <> '' AND NOT EXISTS (SELECT 1 FROM order_notice n WHERE n.id = t.notice_id AND n.transition_id = t.id AND n.batch_id = t.batch_id)`,
	"cards without their transition":                 `SELECT COUNT(*) FROM order_card c WHERE NOT EXISTS (SELECT 1 FROM ai_transition t WHERE t.id = c.transition_id AND t.card_id = c.id)`,
	"notices without their transition":               `SELECT COUNT(*) FROM order_notice n WHERE NOT EXISTS (SELECT 1 FROM ai_transition t WHERE t.id = n.transition_id AND t.notice_id = n.id)`,
	"tasks without a card":                           `SELECT COUNT(*) FROM order_task k WHERE NOT EXISTS (SELECT 1 FROM order_card c WHERE c.task_id = k.id AND c.batch_id = k.batch_id)`,
	"bookings without their order":                   `SELECT COUNT(*) FROM order_card c WHERE event_type = 'NEW_BOOKING' AND NOT EXISTS (SELECT 1 FROM order_record r WHERE r.id = c.order_id AND r.source_message_id = c.message_id)`,
	"orders without exactly one card":                `SELECT COUNT(*) FROM order_record r WHERE (SELECT COUNT(*) FROM order_card c WHERE c.order_id = r.id) <> 1`,
	"orders without their two room lines":            `SELECT COUNT(*) FROM order_record r WHERE (SELECT COUNT(*) FROM order_room_line l WHERE l.order_id = r.id) <> 2`,
	"orders without a history row per decision":      `SELECT COUNT(*) FROM order_record r WHERE (SELECT COUNT(*) FROM order_change h WHERE h.order_id = r.id) <> 1 + (SELECT COUNT(*) FROM order_card c WHERE c.order_id = r.id AND c.status = 'CONFIRMED')`,
	"confirmed cards without exactly one audit row":  `SELECT COUNT(*) FROM order_card c WHERE c.status = 'CONFIRMED' AND (SELECT COUNT(*) FROM audit_event e WHERE e.tool = 'card.confirm' AND e.status = 'succeeded' AND e.resource_id = c.id) <> 1`,
	"mails with more than one batch":                 `SELECT COUNT(*) FROM (SELECT message_id FROM ai_transition_batch GROUP BY message_id HAVING COUNT(*) > 1) AS m`,
	"batches without exactly one DONE key":           oneEach(`SELECT resource_id, COUNT(*) AS n FROM agent_idempotency WHERE state = 'DONE' GROUP BY resource_id`),
	"batches without exactly one succeeded row":      oneEach(`SELECT resource_id, COUNT(*) AS n FROM audit_event WHERE tool = '` + tool + `' AND status = 'succeeded' GROUP BY resource_id`),
	"DONE keys without a batch":                      `SELECT COUNT(*) FROM agent_idempotency k WHERE state = 'DONE' AND NOT EXISTS (SELECT 1 FROM ai_transition_batch b WHERE b.id = k.resource_id)`,
	"succeeded rows without a batch":                 `SELECT COUNT(*) FROM audit_event e WHERE tool = '` + tool + `' AND status = 'succeeded' AND NOT EXISTS (SELECT 1 FROM ai_transition_batch b WHERE b.id = e.resource_id)`,
	"keys whose result does not go with their state": `SELECT COUNT(*) FROM agent_idempotency WHERE (state = 'DONE') <> (result IS NOT NULL)`,
}

func oneEach(counts string) string {
	return `SELECT COUNT(*) FROM ai_transition_batch b LEFT JOIN (` + counts + `) AS k ON k.resource_id = b.id WHERE COALESCE(k.n, 0) <> 1`
}

// checkWhole finds what a kill left half done or doubled, whatever clients saw.
func checkWhole(t *testing.T, a *app.App) {
	t.Helper()
	for what, query := range halves {
		if n := number(t, a, query); n != 0 {
			t.Errorf("%d %s", n, what)
		}
	}
}

// checkLeases: no claim may bar its key for longer than one call can last.
func checkLeases(t *testing.T, a *app.App) (running int, last time.Time) {
	t.Helper()
	now := a.Clock.Now()
	for _, r := range rows(t, a, "SELECT lease_until FROM agent_idempotency WHERE state <> 'DONE'") {
		micros, ok := r[0].(int64)
		if !ok {
			t.Fatalf("lease_until is a %T", r[0])
		}
		until := time.UnixMicro(micros)
		if until.Sub(now) > lease {
			t.Errorf("a key is barred for %v, more than %v", until.Sub(now), lease)
		}
		if running++; until.After(last) {
			last = until
		}
	}
	return running, last
}

// stored is a package as the database has it.
type stored struct {
	id, request, pkg string
	transitions      []string // in the package's order
	orders           []string // of the same, "" for none
}

// trail is what the audit log says of one request.
type trail struct {
	args     string
	statuses []string
}

// checkAcks compares every answer that a client got with the database.
func checkAcks(t *testing.T, a *app.App, jobs []*job) {
	t.Helper()
	batches, trails, done := load(t, a)
	for _, j := range jobs {
		list := batches[j.external]
		if len(list) != 1 || len(j.acks) == 0 {
			t.Errorf("mail %d: %d batches, %d acknowledgements", j.n, len(list), len(j.acks))
			continue
		}
		j.check(t, list[0], trails, done[j.args()])
		delete(batches, j.external)
	}
	if len(batches) > 0 {
		t.Errorf("%d batches that nobody submitted", len(batches))
	}
}

func (j *job) args() string { sum := sha256.Sum256(j.pkg); return hex.EncodeToString(sum[:]) }

// check holds one mail's answers to its batch; done are the requests with a
// succeeded row for these arguments.
func (j *job) check(t *testing.T, b *stored, trails map[string]*trail, done []string) {
	t.Helper()
	orders := len(b.orders) - len(slices.DeleteFunc(slices.Clone(b.orders), func(id string) bool { return id != "" }))
	if b.pkg != string(j.pkg) || len(b.transitions) != j.events || orders != j.bookings {
		t.Errorf("mail %d: %d transitions and %d orders, want %d and %d; package kept as sent: %v", j.n, len(b.transitions), orders, j.events, j.bookings, b.pkg == string(j.pkg))
	}
	if len(done) != 1 || done[0] != b.request {
		t.Errorf("mail %d: written by request %s, audited as succeeded: %v", j.n, b.request, done)
	}
	fresh := 0
	for _, a := range j.acks {
		want := "succeeded"
		if a.Data.Replay {
			want = "replayed"
		} else {
			fresh++
		}
		if tr := trails[a.RequestID]; tr == nil || tr.args != j.args() || !slices.Equal(tr.statuses, []string{"started", want}) {
			t.Errorf("mail %d: request %s was answered (replay %v) and audited %+v", j.n, a.RequestID, a.Data.Replay, tr)
		}
		if a.Data.BatchID != b.id || a.Data.Accepted != j.events || a.Data.Revision != 1 || !a.names(b) {
			t.Errorf("mail %d: answer %+v does not tell of batch %+v", j.n, a.Data, *b)
		}
	}
	if fresh > 1 {
		t.Errorf("mail %d: %d answers say that they wrote it", j.n, fresh)
	}
}

// names says whether the answer has the batch's transitions and orders.
func (a ack) names(b *stored) bool {
	var transitions, orders []string
	for _, i := range a.Data.Items {
		transitions = append(transitions, i.Transition)
		if i.OrderID == nil {
			orders = append(orders, "")
		} else {
			orders = append(orders, *i.OrderID)
		}
	}
	return slices.Equal(transitions, b.transitions) && slices.Equal(orders, b.orders)
}

// load reads batches by mail, audit trails by request, and the succeeded
// requests by the hash of their arguments.
func load(t *testing.T, a *app.App) (batches map[string][]*stored, trails map[string]*trail, done map[string][]string) {
	t.Helper()
	batches, trails, done = map[string][]*stored{}, map[string]*trail{}, map[string][]string{}
	byID := map[string]*stored{}
	for _, r := range rows(t, a, "SELECT id, external_message_id, request_id, package FROM ai_transition_batch") {
		b := &stored{id: text(r[0]), request: text(r[2]), pkg: text(r[3])}
		byID[b.id] = b
		batches[text(r[1])] = append(batches[text(r[1])], b)
	}
	for _, r := range rows(t, a, "SELECT batch_id, id, order_id FROM ai_transition ORDER BY batch_id, position") {
		if b := byID[text(r[0])]; b != nil {
			b.transitions, b.orders = append(b.transitions, text(r[1])), append(b.orders, text(r[2]))
		}
	}
	for _, r := range rows(t, a, "SELECT request_id, status, args_hash FROM audit_event WHERE tool = '"+tool+"' ORDER BY id") {
		request, status, args := text(r[0]), text(r[1]), text(r[2])
		if trails[request] == nil {
			trails[request] = &trail{args: args}
		}
		trails[request].statuses = append(trails[request].statuses, status)
		if status == "succeeded" {
			done[args] = append(done[args], request)
		}
	}
	return batches, trails, done
}

// checkChain runs `thhotel audit verify` and returns how many rows it found sealed.
func checkChain(t *testing.T, s *server) (sealed, unsealed int64) {
	t.Helper()
	out, err := s.run("audit", "verify")
	var rep struct {
		Sealed, Unsealed int64
		Broken           *struct{ What string }
	}
	if jsonErr := json.Unmarshal([]byte(out), &rep); err != nil || jsonErr != nil || rep.Broken != nil {
		t.Errorf("audit verify: %v\n%s", err, strings.TrimSpace(out))
	}
	return rep.Sealed, rep.Unsealed
}

func number(t *testing.T, a *app.App, query string) (n int64) {
	t.Helper()
	must(t, a.DB.Reader().QueryRowContext(context.Background(), query).Scan(&n))
	return n
}

func rows(t *testing.T, a *app.App, query string) (out [][]any) {
	t.Helper()
	r, err := a.DB.Reader().QueryContext(context.Background(), query)
	must(t, err)
	defer r.Close()
	names, err := r.Columns()
	must(t, err)
	for r.Next() {
		row, into := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			into[i] = &row[i]
		}
		must(t, r.Scan(into...))
		out = append(out, row)
	}
	must(t, r.Err())
	return out
}

func text(v any) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	s, _ := v.(string)
	return s
}
