package platform_test

import (
	"context"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// bench is a service with a hotel, and a clock that moves by hand.
type bench struct {
	*platform.Service
	t     *testing.T
	db    *database.DB
	log   *audit.Log
	ctx   context.Context
	now   time.Time
	hotel platform.Hotel
	admin access.Caller // the program itself
}

func bare(t *testing.T, db *database.DB) *bench {
	t.Helper()
	b := &bench{t: t, db: db, ctx: context.Background(), now: testkit.Now, admin: access.AsSystem("", "test")}
	c := clock.Moving(func() time.Time { return b.now })
	b.log = audit.New(db, c)
	b.Service = platform.New(db, c, b.log)
	return b
}

func setUp(t *testing.T, db *database.DB) *bench {
	t.Helper()
	b := bare(t, db)
	hour := 4
	h, err := b.CreateHotel(b.ctx, b.admin, platform.HotelParams{Name: "TH Hotel", TimeZone: "Asia/Bangkok", Currency: "thb", BusinessDate: "2026-11-30", RollHour: &hour})
	if err != nil {
		t.Fatal(err)
	}
	b.hotel, b.admin.HotelID = h, h.ID
	return b
}

func each(t *testing.T, f func(t *testing.T, b *bench)) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) { f(t, setUp(t, db)) })
}

func (b *bench) wantCode(err error, code string) *fault.Error {
	b.t.Helper()
	if err == nil || fault.Code(err) != code {
		b.t.Fatalf("got %v, want %s", err, code)
	}
	f := fault.As(err)
	if f.Text == "" || f.TextEN == "" {
		b.t.Errorf("%s lacks a language: %q, %q", code, f.Text, f.TextEN)
	}
	return f
}

// must fails the test on an error, and returns the value.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

const password = "correct horse battery"

func (b *bench) staff(name string, role access.Role) platform.Staff {
	b.t.Helper()
	return must[platform.Staff](b.t)(b.CreateStaff(b.ctx, b.admin, platform.StaffParams{Username: name, Password: password, Role: role}))
}

func (b *bench) account(name string, role access.Role) platform.Account {
	b.t.Helper()
	return must[platform.Account](b.t)(b.CreateServiceAccount(b.ctx, b.admin, platform.AccountParams{Name: name, Role: role}))
}

func (b *bench) token(subjectID string, scopes ...string) platform.Issued {
	b.t.Helper()
	return must[platform.Issued](b.t)(b.IssueToken(b.ctx, b.admin, platform.IssueParams{SubjectID: subjectID, Scopes: scopes}))
}

// tools lists the audited acts, oldest first, as "tool status".
func (b *bench) tools() []string {
	b.t.Helper()
	rows, err := b.db.Reader().QueryContext(b.ctx, "SELECT tool, status FROM audit_event ORDER BY id")
	b.ok(err)
	defer rows.Close()
	var out []string
	for rows.Next() {
		var tool, status string
		b.ok(rows.Scan(&tool, &status))
		out = append(out, tool+" "+status)
	}
	b.ok(rows.Err())
	return out
}
