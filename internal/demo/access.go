package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/app"
	"thhotel/internal/fault"
	"thhotel/internal/hotel"
	"thhotel/internal/platform"
)

// Access is demo.json: how to reach a running demo, secrets included.
type Access struct {
	BaseURL         string  `json:"base_url"`
	MCPURL          string  `json:"mcp_url"`
	SuperAgentToken string  `json:"superagent_token"`
	Staff           []Login `json:"staff"`
	Partner         Partner `json:"partner"`
}

// Login is a demo staff account.
type Login struct {
	Username string      `json:"username"`
	Password string      `json:"password"`
	Role     access.Role `json:"role"`
}

// Partner signs its requests (Standard Webhooks).
type Partner struct {
	ID     string `json:"id"`
	Secret string `json:"secret"`
}

// people are the demo's staff, the reservations agent first: the account a
// newcomer should try.
var people = []struct {
	username, name string
	role           access.Role
}{
	{"malee", "Malee P.", access.RoleAgent},
	{"arun", "Arun S.", access.RoleSupervisor},
	{"ploy", "Ploy T.", access.RoleFinance},
	{"nok", "Nok V.", access.RoleViewer},
	{"admin", "Administrator", access.RoleAdmin},
}

const (
	accessFile     = "demo.json"
	superAgentName = "superagent"
	partnerName    = "demo-partner"
)

// grant returns how to get in, the same after every restart. Secrets exist in
// plain only in demo.json; when that is missing or does not hold any more, new
// ones are made.
func grant(ctx context.Context, a *app.App, dir, baseURL string) (Access, error) {
	acc, err := readAccess(dir)
	if err != nil {
		return acc, err
	}
	if acc.SuperAgentToken == "" || !holds(ctx, a, acc.SuperAgentToken) {
		if acc, err = issue(ctx, a); err != nil {
			return acc, err
		}
	}
	acc.BaseURL, acc.MCPURL = baseURL, baseURL+hotel.Path
	return acc, writeAccess(dir, acc)
}

func holds(ctx context.Context, a *app.App, token string) bool {
	_, err := a.Platform.Authenticate(ctx, agent.Credential{Token: token, Audience: hotel.Path})
	return err == nil
}

// issue makes accounts that are missing and gives all of them new secrets.
func issue(ctx context.Context, a *app.App) (acc Access, err error) {
	h, err := a.Platform.Hotel(ctx, access.AsSystem("", "demo"))
	if err != nil {
		return acc, err
	}
	by := access.AsSystem(h.ID, "demo")
	if acc.Staff, err = staff(ctx, a, by); err != nil {
		return acc, err
	}
	subject, err := account(ctx, a, by, superAgentName, access.RoleSuperAgent)
	if err != nil {
		return acc, err
	}
	token, err := a.Platform.IssueToken(ctx, by, platform.IssueParams{
		SubjectID: subject, Name: "demo", Scopes: access.SuperAgentScopes(), Audience: hotel.Path, TTL: platform.MaxTTL,
	})
	if err != nil {
		return acc, err
	}
	acc.SuperAgentToken = token.Token
	acc.Partner, err = partner(ctx, a, by)
	return acc, err
}

func staff(ctx context.Context, a *app.App, by access.Caller) ([]Login, error) {
	have, err := a.Platform.ListStaff(ctx, by)
	if err != nil {
		return nil, err
	}
	var out []Login
	for _, p := range people {
		l := Login{Username: p.username, Password: a.Clock.Secret(9), Role: p.role}
		i := slices.IndexFunc(have, func(s platform.Staff) bool { return s.Username == p.username })
		if i < 0 {
			_, err = a.Platform.CreateStaff(ctx, by, platform.StaffParams{Username: p.username, Password: l.Password, Role: p.role, Name: p.name})
		} else {
			_, err = a.Platform.UpdateStaff(ctx, by, platform.StaffUpdate{ID: have[i].ID, Password: &l.Password})
		}
		if err != nil {
			return nil, fmt.Errorf("staff account %s: %w", p.username, err)
		}
		out = append(out, l)
	}
	return out, nil
}

// account returns the id of a service account, which it makes when missing.
func account(ctx context.Context, a *app.App, by access.Caller, name string, role access.Role) (string, error) {
	have, err := a.Platform.ListServiceAccounts(ctx, by)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(have, func(x platform.Account) bool { return x.Name == name }); i >= 0 {
		return have[i].ID, nil
	}
	made, err := a.Platform.CreateServiceAccount(ctx, by, platform.AccountParams{Name: name, Role: role})
	return made.ID, err
}

func readAccess(dir string) (acc Access, err error) {
	doc, err := os.ReadFile(filepath.Join(dir, accessFile)) //nolint:gosec // the operator's own folder
	if errors.Is(err, os.ErrNotExist) {
		return acc, nil
	}
	if err != nil {
		return acc, err
	}
	if json.Unmarshal(doc, &acc) != nil {
		return Access{}, nil // torn or edited: new secrets are made
	}
	return acc, nil
}

// writeAccess replaces demo.json at once, readable by its owner alone.
func writeAccess(dir string, acc Access) error {
	doc, err := json.MarshalIndent(acc, "", "  ")
	if err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, accessFile+".*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name()) //nolint:errcheck // gone after the rename
	if _, err := tmp.Write(append(doc, '\n')); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := errors.Join(tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), filepath.Join(dir, accessFile))
}

func isMissingHotel(err error) bool { return fault.Code(err) == platform.CodeHotelNotConfigured }
