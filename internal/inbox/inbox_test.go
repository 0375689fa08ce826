package inbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/blob"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const hotel = "0192f0c1-0000-7000-8000-000000000001"

var (
	bus    = access.AsSystem(hotel, "agentbus")
	robot  = access.Caller{HotelID: hotel, Kind: access.Service, SubjectID: "sa-1", Name: "superagent", Role: access.RoleSuperAgent, Scopes: access.SuperAgentScopes(), CredentialID: "cred-1", Trace: access.Trace{RequestID: "req-1", TraceID: "trace-1", Adapter: "mcp", Client: "probe/1"}}
	malee  = access.Caller{HotelID: hotel, Kind: access.Staff, SubjectID: "st-1", Name: "malee", Role: access.RoleSupervisor, Trace: access.Trace{RequestID: "req-2", Adapter: "pages"}}
	nobody = access.Caller{HotelID: hotel, Kind: access.Service, SubjectID: "sa-9", Role: access.RoleOperaFeed}
	other  = access.AsSystem("0192f0c1-0000-7000-8000-000000000002", "another hotel")
	ctx    = context.Background()
)

// world is an inbox on an empty database.
type world struct {
	*inbox.Service
	db   *database.DB
	dir  string
	blob *blob.Store
}

func newWorld(t testing.TB, db *database.DB) world {
	t.Helper()
	dir := t.TempDir()
	blobs, err := blob.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	c := clock.Fixed(testkit.Now)
	return world{inbox.New(db, c, blobs, audit.New(db, c)), db, dir, blobs}
}

func everywhere(t *testing.T, f func(t *testing.T, w world)) {
	t.Helper()
	testkit.Databases(t, func(t *testing.T, db *database.DB) { f(t, newWorld(t, db)) })
}

// mailing writes a small mail.
func mailing(id, from, subject string, more ...string) []byte {
	lines := append([]string{"From: " + from, "To: Groups <groups@thhotel.example>", "Subject: " + subject}, more...)
	if id != "" {
		lines = append(lines, "Message-ID: "+id)
	}
	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\nDear team, " + subject + "\r\n")
}

func (w world) deliver(t *testing.T, p inbox.DeliverParams) string {
	t.Helper()
	d, err := w.Deliver(ctx, bus, p)
	if err != nil {
		t.Fatalf("deliver %s: %v", p.ExternalMessageID, err)
	}
	return d.MessageID
}

// bring delivers an import, whose external id is its Message-ID.
func (w world) bring(t *testing.T, id, from, subject string, at time.Time, more ...string) string {
	t.Helper()
	return w.deliver(t, inbox.DeliverParams{Provider: "IMPORT", ExternalMessageID: id, ReceivedAt: at, Raw: mailing(id, from, subject, more...)})
}

func (w world) count(t *testing.T, table, where string, args ...any) int {
	t.Helper()
	var n int
	if err := w.db.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM "+table+" WHERE "+where, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func wantCode(t *testing.T, what string, err error, code string) {
	t.Helper()
	if got := fault.Code(err); got != code {
		t.Errorf("%s: %v, want %s", what, err, code)
	}
}

// demoMail is an entry of the demo's manifest.
type demoMail struct {
	File         string    `json:"file"`
	ExternalID   string    `json:"source_message_id"`
	Conversation string    `json:"conversation_id"`
	MessageID    string    `json:"message_id"`
	Subject      string    `json:"subject"`
	Sender       string    `json:"sender"`
	SentAt       time.Time `json:"sent_at"`
	Attachments  []struct {
		ID, Name, Content_type string
		Size                   int64
	} `json:"attachments"`
	SHA256 string `json:"sha256"`
	raw    []byte
}

func demoMails(t *testing.T) []demoMail {
	t.Helper()
	dir := filepath.Join(testkit.Root(t), "internal", "demo", "data")
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the demo's data is not there")
	}
	var out []demoMail
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil || len(out) == 0 {
		t.Fatalf("manifest: %d entries, %v", len(out), err)
	}
	for i := range out {
		if out[i].raw, err = os.ReadFile(filepath.Join(dir, out[i].File)); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func (m demoMail) params() inbox.DeliverParams {
	p := inbox.DeliverParams{ExternalMessageID: m.ExternalID, ExternalConversationID: m.Conversation, Raw: m.raw, ReceivedAt: m.SentAt}
	for _, a := range m.Attachments {
		p.AttachmentIDs = append(p.AttachmentIDs, a.ID)
	}
	return p
}
