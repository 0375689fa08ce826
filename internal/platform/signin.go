package platform

import (
	"context"
	"fmt"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// Codes of signing in.
const (
	CodeSignInFailed    = "AUTH_SIGN_IN_FAILED"
	CodeTooManyAttempts = "AUTH_TOO_MANY_ATTEMPTS"
	CodeAccountDisabled = "AUTH_ACCOUNT_DISABLED"
)

// SignInParams is what the form carries. RemoteAddr is the client's address as
// the door established it, port or not.
type SignInParams struct{ Username, Password, RemoteAddr string }

// Session is a signed-in person. ID is the secret value of the cookie; only
// its digest is stored.
type Session struct {
	ID        string
	StaffID   string
	Lang      string
	ExpiresAt time.Time // slides while the session is used
	EndsAt    time.Time // never beyond
}

// SignIn checks a password and opens a session. by carries only the trace:
// nobody is known yet. An attempt is counted before the password is looked at,
// so that a thousand at once are as bounded as a thousand in a row.
func (s *Service) SignIn(ctx context.Context, by access.Caller, p SignInParams) (Session, error) {
	h, err := s.activeHotel(ctx)
	if err != nil {
		return Session{}, err
	}
	by = access.Caller{HotelID: h.ID, Trace: by.Trace}
	keys := attemptKeys(h.ID, p)
	if err := s.admit(ctx, h.ID, keys); err != nil {
		return Session{}, s.refused(ctx, by, Staff{}, err)
	}
	m, err := s.checkSignIn(ctx, h.ID, p)
	if err != nil {
		return Session{}, s.refused(ctx, by, m, err)
	}
	by.Kind, by.SubjectID, by.Name, by.Role = access.Staff, m.ID, m.Name, m.Role
	return s.openSession(ctx, by, m, keys)
}

// checkSignIn says the same, after the same time, for an unknown user and a
// wrong password. That an account is disabled learns only who knows its password.
func (s *Service) checkSignIn(ctx context.Context, hotelID string, p SignInParams) (Staff, error) {
	m, hash, found, err := s.store.staffByUsername(ctx, hotelID, username(p.Username))
	if err != nil {
		return m, err
	}
	if !found {
		hash = decoy
	}
	same, err := s.samePassword(ctx, p.Password, hash)
	switch {
	case err != nil:
		return m, err
	case !same || !found:
		return m, fault.New(fault.Unauthenticated, CodeSignInFailed, "用户名或密码不正确，请核对后重试。", "The user name or password is not right. Check both and try again.")
	case m.Status != Active:
		return m, fault.New(fault.Forbidden, CodeAccountDisabled, "该账号已停用，请联系管理员。", "This account is disabled. Ask an administrator.")
	}
	return m, nil
}

// refused audits a failed attempt. A name that is no account is not kept: people
// type passwords into that field.
func (s *Service) refused(ctx context.Context, by access.Caller, m Staff, why error) error {
	e := s.event(by, "session.sign_in", audit.Denied)
	e.ErrorCode, e.ResourceType, e.ResourceID, e.PrincipalName = fault.Code(why), "staff", m.ID, m.Username
	if err := s.audit.Append(ctx, e); err != nil {
		return fmt.Errorf("audit refused sign-in: %w", err)
	}
	return why
}

func (s *Service) openSession(ctx context.Context, by access.Caller, m Staff, keys []attemptKey) (Session, error) {
	now := s.clock.Now()
	out := Session{ID: s.clock.Secret(tokenBytes), StaffID: m.ID, Lang: m.Lang, EndsAt: now.Add(s.limits.SessionMax)}
	out.ExpiresAt = s.slideTo(now, out.EndsAt)
	by.CredentialID = s.clock.NewID()
	err := s.change(ctx, by, "session.sign_in", "session", func(ctx context.Context, e *audit.Event) error {
		e.ResourceID = by.CredentialID
		if err := s.store.forgive(ctx, keys); err != nil {
			return err
		}
		return s.store.createSession(ctx, by.CredentialID, m, out, now)
	})
	return out, err
}

// SignOut ends a session; ending one that is gone is fine.
func (s *Service) SignOut(ctx context.Context, by access.Caller, sessionID string) error {
	f, found, err := s.store.bySession(ctx, digest(sessionID))
	if err != nil || !found {
		return err
	}
	owner := f.caller() // holding the secret is the right to end it, whoever by says it is
	owner.Trace = by.Trace
	return s.change(ctx, owner, "session.sign_out", "session", func(ctx context.Context, e *audit.Event) error {
		e.ResourceID = f.credentialID
		return s.store.endSession(ctx, f.credentialID)
	})
}

// attemptKey is a counter: of a user name, or of a remote address.
type attemptKey struct {
	subject string // sha256
	limit   func(Limits) int
	address bool
}

func attemptKeys(hotelID string, p SignInParams) []attemptKey {
	addr := strings.TrimSpace(p.RemoteAddr)
	return []attemptKey{
		{subject: digest("user\x00" + hotelID + "\x00" + username(p.Username)), limit: func(l Limits) int { return l.UserFailures }},
		{subject: digest("addr\x00" + hotelID + "\x00" + network(addr)), limit: func(l Limits) int { return l.AddressFailures }, address: true},
	}
}

// admit counts the attempt under every key, or refuses with the time to wait.
func (s *Service) admit(ctx context.Context, hotelID string, keys []attemptKey) error {
	var wait time.Duration
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		wait = 0
		for _, k := range keys {
			until, err := s.store.count(ctx, hotelID, k, s.clock.Now(), s.limits)
			if err != nil {
				return err
			}
			wait = max(wait, until)
		}
		return nil
	})
	if err != nil || wait == 0 {
		return err
	}
	return tooManyAttempts(wait)
}

func tooManyAttempts(wait time.Duration) error {
	seconds := int((wait + time.Second - 1) / time.Second)
	f := fault.New(fault.Limited, CodeTooManyAttempts, fmt.Sprintf("登录失败次数过多，请在 %d 秒后重试，或请管理员重置密码。", seconds),
		fmt.Sprintf("Too many failed attempts. Try again in %d seconds, or ask an administrator to reset the password.", seconds))
	f.RetryAfter = seconds
	return f
}
