package platform

import (
	"context"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// SetOwnLang keeps the language a person chose for themselves.
func (s *Service) SetOwnLang(ctx context.Context, by access.Caller, lang string) error {
	if by.Kind != access.Staff || by.SubjectID == "" {
		return noCredential()
	}
	return s.change(ctx, by, "staff.set_own_lang", "staff", func(ctx context.Context, e *audit.Event) error {
		m, err := s.lockedStaff(ctx, by, by.SubjectID)
		if err != nil {
			return err
		}
		m.Lang, m.UpdatedAt, e.ResourceID = lang, s.clock.Now(), m.ID
		if err := checkStaff(m); err != nil {
			return err
		}
		return s.store.updateStaff(ctx, m, "")
	})
}

// ChangeOwnPassword lets people change their password. Their other sessions
// end; guesses at the old one count like failed sign-ins.
func (s *Service) ChangeOwnPassword(ctx context.Context, by access.Caller, old, password string) error {
	if by.Kind != access.Staff || by.SubjectID == "" {
		return noCredential()
	}
	m, err := s.provedPassword(ctx, by, old)
	if err != nil {
		return err
	}
	if err := checkPassword(password, m.Username); err != nil {
		return err
	}
	hash, err := s.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	return s.change(ctx, by, "staff.change_own_password", "staff", func(ctx context.Context, e *audit.Event) error {
		m, err := s.lockedStaff(ctx, by, by.SubjectID)
		if err != nil {
			return err
		}
		m.UpdatedAt, e.ResourceID = s.clock.Now(), m.ID
		if err := s.store.updateStaff(ctx, m, hash); err != nil {
			return err
		}
		return s.store.endSessions(ctx, m.ID, by.CredentialID)
	})
}

func (s *Service) provedPassword(ctx context.Context, by access.Caller, password string) (Staff, error) {
	m, found, err := s.store.staff(ctx, by.HotelID, by.SubjectID)
	if err == nil && !found {
		err = noCredential()
	}
	if err != nil {
		return m, err
	}
	keys := attemptKeys(by.HotelID, SignInParams{Username: m.Username})[:1]
	if err := s.admit(ctx, by.HotelID, keys); err != nil {
		return m, s.refused(ctx, by, m, err)
	}
	if _, err := s.checkSignIn(ctx, by.HotelID, SignInParams{Username: m.Username, Password: password}); err != nil {
		if fault.Code(err) == CodeSignInFailed {
			err = invalid("/old_password", "原密码不正确。", "the present password")
		}
		return m, s.refused(ctx, by, m, err)
	}
	return m, s.db.InTx(ctx, func(ctx context.Context) error { return s.store.forgive(ctx, keys) })
}
