package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/config"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

type tokenCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	Issue  tokenIssueCmd  `cmd:"" help:"Issue a token; it is shown this once."`
	List   tokenListCmd   `cmd:"" help:"List tokens, without the secrets."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke a token; it bites on the next call."`
}

type tokenIssueCmd struct {
	Account string        `help:"Service account; it is made when missing." default:"superagent"`
	Role    string        `help:"Role of a new account." default:"superagent"`
	Name    string        `help:"What the token is for."`
	Scopes  []string      `help:"Scopes; default: those SuperAgent needs."`
	TTL     time.Duration `help:"Lifetime, at most 2160h." default:"720h"`
}

// Run issues a token and prints it as JSON.
func (c tokenIssueCmd) Run(e *env, t *tokenCmd) error {
	return t.with(e, func(a *app.App, by access.Caller) error {
		id, err := c.account(e, a, by)
		if err != nil {
			return err
		}
		if len(c.Scopes) == 0 {
			c.Scopes = access.SuperAgentScopes()
		}
		got, err := a.Platform.IssueToken(e.ctx, by, platform.IssueParams{SubjectID: id, Name: c.Name, Scopes: c.Scopes, TTL: c.TTL})
		if err != nil {
			return err
		}
		return json.NewEncoder(e.out).Encode(map[string]any{"id": got.ID, "token": got.Token, "scopes": c.Scopes, "expires_at": got.ExpiresAt})
	})
}

func (c tokenIssueCmd) account(e *env, a *app.App, by access.Caller) (string, error) {
	have, err := a.Platform.ListServiceAccounts(e.ctx, by)
	if err != nil {
		return "", err
	}
	if i := slices.IndexFunc(have, func(x platform.Account) bool { return strings.EqualFold(x.Name, c.Account) }); i >= 0 {
		return have[i].ID, nil
	}
	made, err := a.Platform.CreateServiceAccount(e.ctx, by, platform.AccountParams{Name: c.Account, Role: access.Role(c.Role)})
	return made.ID, err
}

type tokenListCmd struct{}

// Run prints a table.
func (tokenListCmd) Run(e *env, t *tokenCmd) error {
	return t.with(e, func(a *app.App, by access.Caller) error {
		list, err := a.Platform.ListCredentials(e.ctx, by)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tPREFIX\tACCOUNT\tNAME\tSTATE\tEXPIRES\tSCOPES")
		for _, c := range list {
			state := "active"
			if !c.RevokedAt.IsZero() {
				state = "revoked"
			} else if !c.Active(a.Clock.Now()) {
				state = "expired"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", c.ID, c.Prefix, c.SubjectName, c.Name, state, c.ExpiresAt.Format(time.DateOnly), strings.Join(c.Scopes, " "))
		}
		return w.Flush()
	})
}

type tokenRevokeCmd struct {
	ID string `arg:"" help:"The token's id, from list."`
}

// Run revokes.
func (c tokenRevokeCmd) Run(e *env, t *tokenCmd) error {
	return t.with(e, func(a *app.App, by access.Caller) error {
		if err := a.Platform.RevokeCredential(e.ctx, by, c.ID); err != nil {
			return err
		}
		fmt.Fprintln(e.out, "revoked", c.ID)
		return nil
	})
}

// with opens the chosen database and acts as the system for its hotel.
func (t *tokenCmd) with(e *env, f func(*app.App, access.Caller) error) error {
	return asSystem(e, t.Data, "token", f)
}

// asSystem opens the settings' database, or the embedded one in dir, and runs f
// as the program itself for the one hotel.
func asSystem(e *env, dir, name string, f func(*app.App, access.Caller) error) error {
	s, err := e.settings()
	if err != nil {
		return err
	}
	if dir != "" {
		if s, err = existing(s, dir); err != nil {
			return err
		}
	}
	a, err := open(e, s, e.err)
	if err != nil {
		return err
	}
	defer a.Close()
	h, err := a.Platform.Hotel(e.ctx, access.AsSystem("", name))
	if err != nil {
		if fault.Code(err) == platform.CodeHotelNotConfigured {
			return fmt.Errorf("%w\nRun `thhotel setup --hotel NAME`, or `thhotel demo` for a demo hotel", err)
		}
		return err
	}
	return f(a, access.AsSystem(h.ID, name))
}

// existing are the settings for the embedded database in dir, which must be
// there: a mistyped folder is an error, not a new empty database.
func existing(s config.Settings, dir string) (config.Settings, error) {
	s = app.Embedded(s, dir)
	if _, err := os.Stat(string(s.Database.DSN)); err != nil {
		return s, fmt.Errorf("no database in %s (%w); `thhotel demo --data %s` makes one", dir, err, dir)
	}
	return s, nil
}
