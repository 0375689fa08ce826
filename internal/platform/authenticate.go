package platform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/agent"
)

const (
	tokenPrefix = "thh_"
	tokenBytes  = 32 // 256 bits
	tokenLength = len(tokenPrefix) + 43
	// AnyAudience in a credential means every service of this backend.
	AnyAudience = "*"
	// slideStep is how much of a session's life may pass before it is
	// extended: it keeps all but a few calls free of writes.
	slideStep = 5 * time.Minute
)

// Authenticate turns a credential into the caller behind it. Everything is
// read afresh: a revoked token, a disabled account or a lowered role bites on
// the next call, on every replica. Tokens come first, then sessions, then the
// account of a partner whose signature the door has verified.
func (s *Service) Authenticate(ctx context.Context, c agent.Credential) (access.Caller, error) {
	switch {
	case c.Token != "":
		return s.byToken(ctx, c)
	case c.SessionID != "":
		return s.bySession(ctx, c.SessionID)
	case c.AccountID != "":
		return s.byAccount(ctx, c.AccountID)
	}
	return access.Caller{}, noCredential()
}

func (s *Service) byToken(ctx context.Context, c agent.Credential) (access.Caller, error) {
	if len(c.Token) != tokenLength || !strings.HasPrefix(c.Token, tokenPrefix) {
		return access.Caller{}, unknownToken()
	}
	f, found, err := s.store.byToken(ctx, digest(c.Token))
	if err != nil {
		return access.Caller{}, err
	}
	if !found {
		return access.Caller{}, unknownToken()
	}
	if err := s.checkToken(f, c.Audience); err != nil {
		return access.Caller{}, err
	}
	by := f.caller()
	by.Scopes = splitScopes(f.scopes)
	return by, checkSubject(f)
}

func (s *Service) checkToken(f subject, audience string) error {
	switch {
	case f.revoked:
		return unauthenticated("REVOKED", "该令牌已被吊销，请向管理员申请新令牌。", "This token has been revoked. Ask an administrator for a new one.")
	case !s.clock.Now().Before(f.expires):
		return unauthenticated("EXPIRED", "该令牌已过期，请向管理员申请新令牌。", "This token has expired. Ask an administrator for a new one.")
	case f.audience != AnyAudience && f.audience != audiencePath(audience):
		return unauthenticated("AUDIENCE", "该令牌只能用于 "+f.audience+"，请使用为本服务签发的令牌。",
			"This token is for "+f.audience+" only. Use one that was issued for this service.")
	}
	return nil
}

func unknownToken() error {
	return unauthenticated("UNKNOWN", "令牌无效：请核对是否完整复制，或向管理员申请新令牌。",
		"This token is not known. Check that it was copied whole, or ask an administrator for a new one.")
}

func checkSubject(f subject) error {
	if f.status != Active || !f.role.Known() {
		return unauthenticated("DISABLED", "凭证所属的账号已停用，请联系管理员。", "The account behind this credential is disabled. Ask an administrator.")
	}
	return nil
}

func (s *Service) bySession(ctx context.Context, secret string) (access.Caller, error) {
	f, found, err := s.store.bySession(ctx, digest(secret))
	if err != nil {
		return access.Caller{}, err
	}
	now := s.clock.Now()
	if !found || !now.Before(f.expires) {
		return access.Caller{}, unauthenticated("SESSION", "登录已失效，请重新登录。", "Your session has ended. Sign in again.")
	}
	if err := checkSubject(f); err != nil {
		return access.Caller{}, err
	}
	if until := s.slideTo(now, f.ends); until.Sub(f.expires) >= slideStep {
		// Best effort: when the extension cannot be written the session is still good now.
		_ = s.db.InTx(ctx, func(ctx context.Context) error { return s.store.slide(ctx, f.credentialID, until) })
	}
	return f.caller(), nil
}

// slideTo is when a session used now ends, never after its last moment.
func (s *Service) slideTo(now, ends time.Time) time.Time {
	until := now.Add(s.limits.SessionIdle)
	if until.After(ends) {
		return ends
	}
	return until
}

func (s *Service) byAccount(ctx context.Context, id string) (access.Caller, error) {
	f, found, err := s.store.byAccount(ctx, id)
	if err != nil {
		return access.Caller{}, err
	}
	if !found {
		return access.Caller{}, unauthenticated("UNKNOWN", "签名方没有对应的服务账号，请联系管理员。", "The partner has no service account. Ask an administrator.")
	}
	by := f.caller()
	by.Scopes = splitScopes(f.scopes)
	return by, checkSubject(f)
}

// subject is what one query says about a credential and the account behind it.
type subject struct {
	credentialID, hotelID, subjectID string
	kind                             access.Kind
	name, lang                       string
	role                             access.Role
	status                           Status
	scopes, audience                 string
	revoked                          bool
	expires, ends                    time.Time
}

func (f subject) caller() access.Caller {
	return access.Caller{HotelID: f.hotelID, Kind: f.kind, SubjectID: f.subjectID, Name: f.name, Role: f.role,
		CredentialID: f.credentialID, Lang: f.lang}
}

// digest is what is stored of a secret with 256 bits: no salt or stretching is
// needed, and it can be looked up.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// audiencePath reduces a service URL to its path, which is what tokens are bound
// to: the same backend may be reached under several host names.
func audiencePath(audience string) string {
	if u, err := url.Parse(audience); err == nil && u.Host != "" {
		audience = u.Path
	}
	if len(audience) > 1 {
		audience = strings.TrimRight(audience, "/")
	}
	return audience
}

// splitScopes never returns nil: a token without scopes allows nothing.
func splitScopes(scopes string) []string { return append([]string{}, strings.Fields(scopes)...) }
