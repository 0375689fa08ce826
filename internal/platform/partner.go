package platform

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// Partner is a system that signs its requests.
type Partner struct {
	ID, HotelID, Name string
	AccountID         string // the service account a verified signature acts as
	Status            Status
	CreatedAt         time.Time
	Secrets           int // how many are accepted now
}

// PartnerParams describes a new partner.
type PartnerParams struct {
	Name, AccountID string
	Secret          string // "whsec_…" when the partner brings its own; default: a new one
}

// maxSecrets is how many secrets of a partner may hold at a time.
const maxSecrets = 4

// CodeTooManySecrets is the code of a rotation while earlier ones still overlap.
const CodeTooManySecrets = "TOO_MANY_SECRETS"

// CreatePartner makes a partner and returns its secret, which is shown this once.
func (s *Service) CreatePartner(ctx context.Context, by access.Caller, p PartnerParams) (id, secret string, err error) {
	defer s.refusal(ctx, by, "partner.create", "partner", "", &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return "", "", err
	}
	m := Partner{ID: s.clock.NewID(), Name: strings.TrimSpace(p.Name), AccountID: p.AccountID, Status: Active, CreatedAt: s.clock.Now()}
	if !isText(m.Name, 100) {
		return "", "", invalid("/name", "合作方名称为 1 到 100 字节。", "a name of 1 to 100 bytes")
	}
	if secret, err = s.secretOr(p.Secret); err != nil {
		return "", "", err
	}
	err = s.change(ctx, by, "partner.create", "partner", func(ctx context.Context, e *audit.Event) (err error) {
		if m.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.HotelID, e.ResourceID = m.HotelID, m.ID
		if err := s.checkPartnerAccount(ctx, by, m); err != nil {
			return err
		}
		if err := nameTaken(s.store.createPartner(ctx, m), m.Name); err != nil {
			return err
		}
		return s.store.addSecret(ctx, s.clock.NewID(), m, secret, s.clock.Now())
	})
	if err != nil {
		return "", "", err
	}
	return m.ID, secret, nil
}

func (s *Service) secretOr(given string) (string, error) {
	if given == "" {
		return secretPrefix + base64.StdEncoding.EncodeToString(s.clock.Bytes(secretBytes)), nil
	}
	given = strings.TrimSpace(given)
	_, err := secretKey(given)
	return given, err
}

// checkPartnerAccount wants a service account, and scopes the issuer could hand
// out in a token too.
func (s *Service) checkPartnerAccount(ctx context.Context, by access.Caller, m Partner) error {
	a, found, err := s.store.accountOf(ctx, m.HotelID, m.AccountID)
	switch {
	case err != nil:
		return err
	case !found:
		return notFound("该服务账号", "service account")
	case a.Status != Active:
		return disabledAccount()
	}
	return checkScopes(by, a.Scopes)
}

// RotatePartnerSecret adds a secret; those that hold now go on holding for
// overlap, so that the partner can change over without a gap. 0 ends them at once.
func (s *Service) RotatePartnerSecret(ctx context.Context, by access.Caller, partnerID string, overlap time.Duration) (secret string, err error) {
	defer s.refusal(ctx, by, "partner.rotate_secret", "partner", partnerID, &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return "", err
	}
	if overlap < 0 || overlap > MaxTTL {
		return "", invalid("/overlap", "重叠期不能为负，也不能超过 90 天。", "an overlap of 0 to 90 days")
	}
	if secret, err = s.secretOr(""); err != nil {
		return "", err
	}
	err = s.changePartner(ctx, by, "partner.rotate_secret", partnerID, func(ctx context.Context, m Partner) error {
		now := s.clock.Now()
		if err := s.store.expireSecrets(ctx, m.ID, now.Add(overlap)); err != nil {
			return err
		}
		have, err := s.store.secrets(ctx, m.ID, now)
		if err != nil {
			return err
		}
		if len(have) >= maxSecrets {
			return fault.New(fault.Conflict, CodeTooManySecrets, "该合作方已有过多仍有效的密钥，请先以 0 重叠期轮换。",
				"This partner has too many secrets that still hold. Rotate with an overlap of 0 first.")
		}
		return s.store.addSecret(ctx, s.clock.NewID(), m, secret, now)
	})
	if err != nil {
		return "", err
	}
	return secret, nil
}

// SetPartnerStatus disables or enables a partner; it bites on the next request.
func (s *Service) SetPartnerStatus(ctx context.Context, by access.Caller, partnerID string, status Status) (err error) {
	defer s.refusal(ctx, by, "partner.set_status", "partner", partnerID, &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return err
	}
	if !status.Known() {
		return invalid("/status", "状态必须是 ACTIVE 或 DISABLED。", "ACTIVE or DISABLED")
	}
	return s.changePartner(ctx, by, "partner.set_status", partnerID, func(ctx context.Context, m Partner) error {
		return s.store.setPartnerStatus(ctx, m.ID, status)
	})
}

func (s *Service) changePartner(ctx context.Context, by access.Caller, tool, id string, fn func(context.Context, Partner) error) error {
	return s.change(ctx, by, tool, "partner", func(ctx context.Context, e *audit.Event) error {
		hotelID, err := s.hotelID(ctx, by)
		if err != nil {
			return err
		}
		m, found, err := s.store.partner(ctx, hotelID, id)
		if err == nil && !found {
			err = notFound("该合作方", "partner")
		}
		if err != nil {
			return err
		}
		e.HotelID, e.ResourceID = hotelID, m.ID
		return fn(ctx, m)
	})
}

// ListPartners lists the partners, by name; never their secrets.
func (s *Service) ListPartners(ctx context.Context, by access.Caller) (_ []Partner, err error) {
	defer s.refusal(ctx, by, "partner.list", "partner", "", &err)
	if err := by.Require(access.CredentialAdmin); err != nil {
		return nil, err
	}
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return nil, err
	}
	return s.store.listPartners(ctx, hotelID, s.clock.Now())
}

// VerifyPartner checks a signature and returns the service account the partner
// acts as, for agent.Credential.AccountID. by carries only the trace: nobody is
// known yet. It reads and never writes: keeping the answer is Record's work.
func (s *Service) VerifyPartner(ctx context.Context, by access.Caller, r SignedRequest) (accountID string, err error) {
	h, err := s.activeHotel(ctx)
	if err != nil {
		return "", err
	}
	if by.HotelID != "" && by.HotelID != h.ID {
		return "", mismatch()
	}
	m, found, err := s.store.partner(ctx, h.ID, r.PartnerID)
	if err != nil {
		return "", err
	}
	var secrets []string
	if found && m.Status == Active {
		if secrets, err = s.store.secrets(ctx, m.ID, s.clock.Now()); err != nil {
			return "", err
		}
	}
	if err := r.verify(secrets, s.clock.Now()); err != nil { // with no secret: the same answer as for a wrong one
		return "", s.refusedSignature(ctx, by, m, err)
	}
	return m.AccountID, nil
}

func (s *Service) refusedSignature(ctx context.Context, by access.Caller, m Partner, why error) error {
	e := s.event(access.Caller{HotelID: m.HotelID, Trace: by.Trace}, "partner.verify", audit.Denied)
	e.ErrorCode, e.ResourceType, e.ResourceID = fault.Code(why), "partner", m.ID
	if err := s.audit.Append(ctx, e); err != nil {
		return fmt.Errorf("audit refused signature: %w", err)
	}
	return why
}
