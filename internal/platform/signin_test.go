package platform_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func (b *bench) signIn(user, pass, addr string) (platform.Session, error) {
	return b.SignIn(b.ctx, access.Caller{}, platform.SignInParams{Username: user, Password: pass, RemoteAddr: addr})
}

func TestSession(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		m := b.staff("Malee", access.RoleAgent)
		se := must[platform.Session](t)(b.signIn(" MALEE ", password, "10.0.0.1:5000"))
		cred := agent.Credential{SessionID: se.ID}
		by := must[access.Caller](t)(b.Authenticate(b.ctx, cred))
		if by.SubjectID != m.ID || by.Scopes != nil || by.Kind != access.Staff || by.HotelID != b.hotel.ID || by.CredentialID == se.ID {
			t.Errorf("caller %+v", by)
		}
		for range 3 { // in use: it slides, but never beyond its last moment
			b.now = b.now.Add(7 * time.Hour)
			must[access.Caller](t)(b.Authenticate(b.ctx, cred))
		}
		b.now = se.EndsAt
		_, err := b.Authenticate(b.ctx, cred)
		b.wantCode(err, "unauthenticated")

		idle := must[platform.Session](t)(b.signIn("malee", password, ""))
		b.now = b.now.Add(8 * time.Hour)
		_, err = b.Authenticate(b.ctx, agent.Credential{SessionID: idle.ID})
		b.wantCode(err, "unauthenticated")

		out := must[platform.Session](t)(b.signIn("malee", password, ""))
		b.ok(b.SignOut(b.ctx, by, out.ID))
		b.ok(b.SignOut(b.ctx, by, out.ID))
		_, err = b.Authenticate(b.ctx, agent.Credential{SessionID: out.ID})
		b.wantCode(err, "unauthenticated")
		b.now = b.now.Add(24 * time.Hour)
		if n := must[platform.Pruned](t)(b.Prune(b.ctx, b.admin)); n.Sessions != 2 || n.Attempts != 1 { // one counter: the address's
			t.Errorf("pruned %+v", n)
		}
	})
}

func TestSignInRefuses(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		m := b.staff("malee", access.RoleAgent)
		_, wrong := b.signIn("malee", "not the password", "")
		_, unknown := b.signIn("nobody", password, "")
		_, hostile := b.signIn("\xff\x00'--", strings.Repeat("x", 1<<20), "\xff")
		for _, err := range []error{wrong, unknown, hostile} {
			if f := b.wantCode(err, platform.CodeSignInFailed); f.Text != fault.As(wrong).Text {
				t.Errorf("a stranger can tell the cases apart: %q", f.Text)
			}
		}
		off := platform.Disabled
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Status: &off}))
		_, err := b.signIn("malee", "not the password", "")
		b.wantCode(err, platform.CodeSignInFailed)
		_, err = b.signIn("malee", password, "")
		b.wantCode(err, platform.CodeAccountDisabled)
		denied := 0
		for _, tool := range b.tools() {
			if tool == "session.sign_in denied" {
				denied++
			}
		}
		if denied != 5 {
			t.Errorf("%d refusals audited, want 5", denied)
		}
		var names int
		b.ok(b.db.Reader().QueryRowContext(b.ctx, "SELECT COUNT(*) FROM audit_event WHERE principal_name = 'nobody'").Scan(&names))
		if names != 0 {
			t.Error("what was typed as a user name is kept though it is no account: it may be a password")
		}
	})
}

func TestThrottleUser(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		b.staff("malee", access.RoleAgent)
		fail := func(code string) *fault.Error {
			t.Helper()
			_, err := b.signIn("malee", "not the password", "")
			return b.wantCode(err, code)
		}
		for range 5 {
			fail(platform.CodeSignInFailed)
		}
		if f := fail(platform.CodeTooManyAttempts); f.Kind != fault.Limited || f.RetryAfter != 60 {
			t.Errorf("first block: %d s, kind %d", f.RetryAfter, f.Kind)
		}
		_, err := b.signIn("malee", password, "")
		b.wantCode(err, platform.CodeTooManyAttempts) // the right password too
		b.now = b.now.Add(time.Minute)
		fail(platform.CodeSignInFailed)
		if f := fail(platform.CodeTooManyAttempts); f.RetryAfter != 120 {
			t.Errorf("second block: %d s, want 120", f.RetryAfter)
		}
		b.now = b.now.Add(2 * time.Minute)
		must[platform.Session](t)(b.signIn("malee", password, ""))
		fail(platform.CodeSignInFailed) // success wiped the slate
		for range 3 {
			b.now = b.now.Add(16 * time.Minute)
			fail(platform.CodeSignInFailed) // slowly, as people do
		}
	})
}

func TestThrottleAddress(t *testing.T) {
	b := setUp(t, testkit.DB(t))
	service := platform.NewWithLimits(b.db, testkit.Clock(), b.log, platform.Limits{AddressFailures: 3})
	try := func(user, pass, addr string) string {
		_, err := service.SignIn(b.ctx, access.Caller{}, platform.SignInParams{Username: user, Password: pass, RemoteAddr: addr})
		return fault.Code(err)
	}
	b.staff("malee", access.RoleAgent)
	for i, c := range []struct{ user, pass, addr, want string }{
		{"a", "x", "10.0.0.1:1", platform.CodeSignInFailed},
		{"malee", password, "10.0.0.1:2", ""}, // does not count
		{"b", "x", "::ffff:10.0.0.1", platform.CodeSignInFailed},
		{"c", "x", "10.0.0.1:3", platform.CodeSignInFailed},
		{"d", "x", "10.0.0.1:4", platform.CodeTooManyAttempts},
		{"d", "x", "10.0.0.2:4", platform.CodeSignInFailed},
		{"e", "x", "[2001:db8::1]:4", platform.CodeSignInFailed},
		{"f", "x", "[2001:db8::2]:4", platform.CodeSignInFailed},
		{"g", "x", "2001:db8::ffff:1", platform.CodeSignInFailed},
		{"h", "x", "[2001:db8::3%eth0]:4", platform.CodeTooManyAttempts}, // same /64
	} {
		if got := try(c.user, c.pass, c.addr); got != c.want {
			t.Errorf("%d: %s from %s: %q, want %q", i, c.user, c.addr, got, c.want)
		}
	}
}

// Guesses at the same moment are counted before any password is looked at.
func TestThrottleParallel(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		b.staff("malee", access.RoleAgent)
		var wg sync.WaitGroup
		var mu sync.Mutex
		got := map[string]int{}
		for range 12 {
			wg.Go(func() {
				_, err := b.signIn("malee", "not the password", "")
				mu.Lock()
				defer mu.Unlock()
				got[fault.Code(err)]++
			})
		}
		wg.Wait()
		if got[platform.CodeSignInFailed] != 5 || got[platform.CodeTooManyAttempts] != 7 {
			t.Errorf("got %v, want 5 looked at and 7 refused", got)
		}
	})
}

func TestStaff(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		for name, p := range map[string]platform.StaffParams{
			"no name":        {Password: password, Role: access.RoleAgent},
			"blank inside":   {Username: "a b", Password: password, Role: access.RoleAgent},
			"short password": {Username: "a", Password: "123456789", Role: access.RoleAgent},
			"one character":  {Username: "a", Password: "1111111111111", Role: access.RoleAgent},
			"name in it":     {Username: "malee", Password: "malee-malee-1", Role: access.RoleAgent},
			"program's role": {Username: "a", Password: password, Role: access.RoleSuperAgent},
			"language":       {Username: "a", Password: password, Role: access.RoleAgent, Lang: "th"},
		} {
			if _, err := b.CreateStaff(b.ctx, b.admin, p); err == nil {
				t.Errorf("%s: accepted", name)
			} else {
				b.wantCode(err, "invalid_arguments")
			}
		}
		one, two := b.staff("one", access.RoleAdmin), b.staff("two", access.RoleAdmin)
		_, err := b.CreateStaff(b.ctx, b.admin, platform.StaffParams{Username: "ONE", Password: password, Role: access.RoleAgent})
		b.wantCode(err, platform.CodeNameTaken)

		// Two administrators demote each other at the same moment: one of them stays.
		viewer := access.RoleViewer
		errs := make([]error, 2)
		var wg sync.WaitGroup
		for i, m := range []platform.Staff{one, two} {
			wg.Go(func() {
				_, errs[i] = b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Role: &viewer})
			})
		}
		wg.Wait()
		if (errs[0] == nil) == (errs[1] == nil) {
			t.Fatalf("both demoted or none: %v, %v", errs[0], errs[1])
		}
		for _, err := range errs {
			if err != nil {
				b.wantCode(err, platform.CodeLastAdmin)
			}
		}
		_, err = b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: b.hotel.ID})
		b.wantCode(err, "not_found")
		b.staff("zoe", access.RoleAgent)
		people := must[[]platform.Colleague](t)(b.Colleagues(b.ctx, b.admin))
		if len(people) != 2 || people[1].Username != "zoe" {
			t.Errorf("colleagues %+v, want the administrator and zoe", people)
		}
	})
}

func TestPasswordChange(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		m := b.staff("malee", access.RoleAgent)
		first := must[platform.Session](t)(b.signIn("malee", password, ""))
		second := must[platform.Session](t)(b.signIn("malee", password, ""))
		by := must[access.Caller](t)(b.Authenticate(b.ctx, agent.Credential{SessionID: second.ID}))
		b.wantCode(b.ChangeOwnPassword(b.ctx, by, "not the password", "another good one"), "invalid_arguments")
		b.wantCode(b.ChangeOwnPassword(b.ctx, by, password, "short"), "invalid_arguments")
		b.wantCode(b.ChangeOwnPassword(b.ctx, access.AsSystem(b.hotel.ID, "x"), password, "another good one"), "unauthenticated")
		b.ok(b.ChangeOwnPassword(b.ctx, by, password, "another good one"))
		_, err := b.Authenticate(b.ctx, agent.Credential{SessionID: first.ID})
		b.wantCode(err, "unauthenticated")
		must[access.Caller](t)(b.Authenticate(b.ctx, agent.Credential{SessionID: second.ID}))
		_, err = b.signIn("malee", password, "")
		b.wantCode(err, platform.CodeSignInFailed)

		b.ok(b.SetOwnLang(b.ctx, by, "en"))
		b.wantCode(b.SetOwnLang(b.ctx, by, "tlh"), "invalid_arguments")
		if by := must[access.Caller](t)(b.Authenticate(b.ctx, agent.Credential{SessionID: second.ID})); by.Lang != "en" {
			t.Errorf("language %q, want en", by.Lang)
		}
		reset := "a third good one"
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Password: &reset}))
		_, err = b.Authenticate(b.ctx, agent.Credential{SessionID: second.ID})
		b.wantCode(err, "unauthenticated")
		must[platform.Session](t)(b.signIn("malee", reset, ""))
	})
}
