package platform

import (
	"context"
	"fmt"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Lifetimes of tokens.
const (
	DefaultTTL = 30 * 24 * time.Hour
	MaxTTL     = 90 * 24 * time.Hour
	// DefaultAudience is the hotel service, its REST twins and feeds included.
	DefaultAudience = "/mcp"
)

// CodeNotActive is the code of a credential that can no longer be rotated.
const CodeNotActive = "CREDENTIAL_NOT_ACTIVE"

// IssueParams describes a new token.
type IssueParams struct {
	SubjectID string        // a staff or service account
	Name      string        // what it is for
	Scopes    []string      // required: a token without scopes allows nothing
	Audience  string        // service URL or path; default /mcp; "*" every service
	TTL       time.Duration // default 30 days, most 90
}

// Issued is a new token. Token is shown this once; nobody can read it again.
type Issued struct {
	Token, ID, Prefix string
	ExpiresAt         time.Time
}

// Credential is what is known about an issued token.
type Credential struct {
	ID, HotelID, Prefix, Name string
	SubjectKind               access.Kind
	SubjectID, SubjectName    string
	Scopes                    []string
	Audience, CreatedBy       string
	CreatedAt, ExpiresAt      time.Time
	RevokedAt                 time.Time // zero while it holds
	RotatedTo                 string    // the credential that replaces it
}

// Active reports whether the token is accepted at that moment.
func (c Credential) Active(now time.Time) bool {
	return c.RevokedAt.IsZero() && now.Before(c.ExpiresAt)
}

// IssueToken makes a token for an account.
func (s *Service) IssueToken(ctx context.Context, by access.Caller, p IssueParams) (_ Issued, err error) {
	defer s.refusal(ctx, by, "credential.issue", "credential", "", &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return Issued{}, err
	}
	if p, err = p.checked(by); err != nil {
		return Issued{}, err
	}
	var out Issued
	err = s.change(ctx, by, "credential.issue", "credential", func(ctx context.Context, e *audit.Event) (err error) {
		if e.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		kind, err := s.subjectKind(ctx, e.HotelID, p.SubjectID)
		if err != nil {
			return err
		}
		out, err = s.addToken(ctx, Credential{HotelID: e.HotelID, Name: p.Name, SubjectKind: kind, SubjectID: p.SubjectID,
			Scopes: p.Scopes, Audience: p.Audience, CreatedBy: by.SubjectID}, p.TTL)
		e.ResourceID = out.ID
		return err
	})
	return out, err
}

func (p IssueParams) checked(by access.Caller) (IssueParams, error) {
	p.Name, p.Audience = strings.TrimSpace(p.Name), audiencePath(strings.TrimSpace(p.Audience))
	if p.TTL == 0 {
		p.TTL = DefaultTTL
	}
	if p.Audience == "" {
		p.Audience = DefaultAudience
	}
	switch {
	case p.TTL < 0 || p.TTL > MaxTTL:
		return p, invalid("/ttl", fmt.Sprintf("有效期必须大于零且不超过 %d 天。", MaxTTL/(24*time.Hour)), fmt.Sprintf("more than nothing, at most %d days", MaxTTL/(24*time.Hour)))
	case len(p.Scopes) == 0:
		return p, invalid("/scopes", "至少选择一个权限范围。", "at least one scope")
	case p.Name != "" && !isText(p.Name, 100):
		return p, invalid("/name", "名称不超过 100 字节，且不含控制字符。", "at most 100 bytes without control characters")
	case p.Audience != AnyAudience && (p.Audience[0] != '/' || !isText(p.Audience, 200)):
		return p, invalid("/audience", "受众必须是服务地址或路径，例如 /mcp，或 * 表示全部。", "a service address or path such as /mcp, or * for all")
	}
	return p, checkScopes(by, p.Scopes)
}

// subjectKind finds out whose account it is, and that it may be used.
func (s *Service) subjectKind(ctx context.Context, hotelID, id string) (access.Kind, error) {
	m, found, err := s.store.staff(ctx, hotelID, id)
	kind, status := access.Staff, m.Status
	if err == nil && !found {
		var a Account
		a, found, err = s.store.accountOf(ctx, hotelID, id)
		kind, status = access.Service, a.Status
	}
	switch {
	case err != nil:
		return "", err
	case !found:
		return "", notFound("该账号", "account")
	case status != Active:
		return "", disabledAccount()
	}
	return kind, nil
}

func disabledAccount() error {
	return fault.New(fault.Unprocessable, CodeAccountDisabled, "该账号已停用，请先启用或联系管理员。", "This account is disabled. Ask an administrator to enable it.")
}

// addToken stores the digest of a new secret; the secret itself only leaves in Issued.
func (s *Service) addToken(ctx context.Context, c Credential, ttl time.Duration) (Issued, error) {
	token := tokenPrefix + s.clock.Secret(tokenBytes)
	c.ID, c.Prefix, c.CreatedAt = s.clock.NewID(), token[:len(tokenPrefix)+6], s.clock.Now()
	c.ExpiresAt = c.CreatedAt.Add(ttl)
	out := Issued{Token: token, ID: c.ID, Prefix: c.Prefix, ExpiresAt: c.ExpiresAt}
	return out, s.store.createCredential(ctx, c, digest(token))
}

// RotateToken issues a successor with the same rights and lifetime. The old
// token ends after overlap (0: at once), so that a client can be moved without a gap.
func (s *Service) RotateToken(ctx context.Context, by access.Caller, id string, overlap time.Duration) (_ Issued, err error) {
	defer s.refusal(ctx, by, "credential.rotate", "credential", id, &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return Issued{}, err
	}
	if overlap < 0 || overlap > MaxTTL {
		return Issued{}, invalid("/overlap", "重叠期不能为负，也不能超过 90 天。", "an overlap of 0 to 90 days")
	}
	var out Issued
	err = s.change(ctx, by, "credential.rotate", "credential", func(ctx context.Context, e *audit.Event) (err error) {
		if e.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.ResourceID = id
		out, err = s.rotate(ctx, by, e.HotelID, id, overlap)
		return err
	})
	return out, err
}

func (s *Service) rotate(ctx context.Context, by access.Caller, hotelID, id string, overlap time.Duration) (Issued, error) {
	old, found, err := s.store.credential(ctx, hotelID, id)
	if err != nil {
		return Issued{}, err
	}
	if !found {
		return Issued{}, notFound("该凭证", "credential")
	}
	if err := checkScopes(by, old.Scopes); err != nil {
		return Issued{}, err
	}
	now, next := s.clock.Now(), old
	next.CreatedBy = by.SubjectID
	out, err := s.addToken(ctx, next, old.ExpiresAt.Sub(old.CreatedAt))
	if err != nil {
		return Issued{}, err
	}
	ends := now.Add(overlap)
	if ends.After(old.ExpiresAt) {
		ends = old.ExpiresAt
	}
	n, err := s.store.supersede(ctx, old.ID, out.ID, ends, now)
	if err == nil && n == 0 { // revoked, expired or rotated, perhaps this moment by someone else
		err = fault.New(fault.Conflict, CodeNotActive, "该凭证已吊销、过期或已轮换，请直接签发新凭证。",
			"This credential is revoked, expired or already rotated. Issue a new one instead.")
	}
	if err != nil {
		return Issued{}, err
	}
	return out, nil
}

// RevokeCredential ends a token; it bites on the next call. Revoking twice is fine.
func (s *Service) RevokeCredential(ctx context.Context, by access.Caller, id string) (err error) {
	defer s.refusal(ctx, by, "credential.revoke", "credential", id, &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return err
	}
	return s.change(ctx, by, "credential.revoke", "credential", func(ctx context.Context, e *audit.Event) (err error) {
		if e.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.ResourceID = id
		_, found, err := s.store.credential(ctx, e.HotelID, id)
		if err == nil && !found {
			err = notFound("该凭证", "credential")
		}
		if err != nil {
			return err
		}
		return s.store.revoke(ctx, id, database.At(s.clock.Now()))
	})
}

// ListCredentials lists all tokens, newest first; never the tokens themselves.
func (s *Service) ListCredentials(ctx context.Context, by access.Caller) (_ []Credential, err error) {
	defer s.refusal(ctx, by, "credential.list", "credential", "", &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return nil, err
	}
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return nil, err
	}
	return s.store.listCredentials(ctx, hotelID)
}
