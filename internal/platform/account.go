package platform

import (
	"context"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

// Account is a service account: SuperAgent, the mail bus, a partner, a feed.
type Account struct {
	ID, HotelID, Name    string
	Role                 access.Role
	Scopes               []string // what a partner's signature may use; tokens carry their own
	Status               Status
	CreatedAt, UpdatedAt time.Time
}

// AccountParams describes a new service account.
type AccountParams struct {
	Name   string
	Role   access.Role
	Scopes []string // nil: every scope that the role can use
}

// CreateServiceAccount makes an account for a program.
func (s *Service) CreateServiceAccount(ctx context.Context, by access.Caller, p AccountParams) (_ Account, err error) {
	defer s.refusal(ctx, by, "service_account.create", "service_account", "", &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return Account{}, err
	}
	now := s.clock.Now()
	a := Account{ID: s.clock.NewID(), Name: username(p.Name), Role: p.Role, Scopes: p.Scopes, Status: Active, CreatedAt: now, UpdatedAt: now}
	if a.Scopes == nil {
		a.Scopes = scopesOf(a.Role)
	}
	if err := checkAccount(by, a); err != nil {
		return Account{}, err
	}
	err = s.change(ctx, by, "service_account.create", "service_account", func(ctx context.Context, e *audit.Event) (err error) {
		if a.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.HotelID, e.ResourceID = a.HotelID, a.ID
		return nameTaken(s.store.createAccount(ctx, a), a.Name)
	})
	return a, err
}

func checkAccount(by access.Caller, a Account) error {
	switch {
	case !isText(a.Name, 100):
		return invalid("/name", "服务账号名称为 1 到 100 字节。", "a name of 1 to 100 bytes")
	case !a.Role.Known() || a.Role == access.RoleSystem:
		return invalid("/role", "服务账号角色无效，例如 superagent、mailbus、operafeed。", "a role such as superagent, mailbus or operafeed")
	}
	return checkScopes(by, a.Scopes)
}

// scopesOf is every scope whose action the role grants. Scopes are named after
// the action they narrow: "hotel:case.read" narrows "case.read".
func scopesOf(role access.Role) []string {
	return slices.DeleteFunc(access.Scopes("hotel"), func(scope string) bool {
		_, action, _ := strings.Cut(scope, ":")
		return !role.Grants(action)
	})
}

// checkScopes refuses what does not exist, and what the issuer's own scoped
// credential does not hold: a token must not breed a stronger one.
func checkScopes(by access.Caller, scopes []string) error {
	all := access.Scopes("hotel")
	for _, sc := range scopes {
		if !slices.Contains(all, sc) {
			return invalid("/scopes", "权限范围 "+sc+" 不存在，可用："+strings.Join(all, " "), "an existing scope instead of "+sc+"; there are: "+strings.Join(all, " "))
		}
		if by.Scopes != nil && !slices.Contains(by.Scopes, sc) {
			return by.Require(access.Permission{Scope: sc})
		}
	}
	return nil
}

// SetAccountStatus disables or enables a service account; it bites on the next call.
func (s *Service) SetAccountStatus(ctx context.Context, by access.Caller, id string, status Status) (err error) {
	defer s.refusal(ctx, by, "service_account.set_status", "service_account", id, &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return err
	}
	if !status.Known() {
		return invalid("/status", "状态必须是 ACTIVE 或 DISABLED。", "ACTIVE or DISABLED")
	}
	return s.change(ctx, by, "service_account.set_status", "service_account", func(ctx context.Context, e *audit.Event) (err error) {
		if e.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.ResourceID = id
		n, err := s.store.setAccountStatus(ctx, e.HotelID, id, status, s.clock.Now())
		if err == nil && n == 0 {
			err = notFound("该服务账号", "service account")
		}
		return err
	})
}

// ListServiceAccounts lists the accounts of programs, by name.
func (s *Service) ListServiceAccounts(ctx context.Context, by access.Caller) (_ []Account, err error) {
	defer s.refusal(ctx, by, "service_account.list", "service_account", "", &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return nil, err
	}
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return nil, err
	}
	return s.store.listAccounts(ctx, hotelID)
}
