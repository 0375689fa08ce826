package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/platform"
)

type tokenCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	Issue  tokenIssueCmd  `cmd:"" help:"Issue a token; it is shown this once."`
	List   tokenListCmd   `cmd:"" help:"List tokens, without the secrets."`
	Rotate tokenRotateCmd `cmd:"" help:"Replace a token by one with the same rights; it is shown this once."`
	Revoke tokenRevokeCmd `cmd:"" help:"Revoke a token; it bites on the next call."`
}

type tokenIssueCmd struct {
	Account  string        `help:"Service account; it is made when missing." default:"superagent"`
	Role     string        `help:"Role of a new account." default:"superagent"`
	Staff    string        `help:"User name of a person whose token it is, instead of a service account."`
	Name     string        `help:"What the token is for."`
	Scopes   []string      `help:"Scopes; default: those SuperAgent needs."`
	Audience string        `help:"Path of the service it is good for; * is every service." default:"/mcp"`
	TTL      time.Duration `help:"Lifetime, more than zero, at most 2160h (90 days)." default:"720h"`
}

// Run issues a token and prints it as JSON.
func (c tokenIssueCmd) Run(e *env, t *tokenCmd) error {
	if c.TTL <= 0 || c.TTL > platform.MaxTTL {
		return fmt.Errorf("--ttl %s: a token's lifetime is more than zero and at most %s (90 days); leave --ttl out for %s", c.TTL, platform.MaxTTL, platform.DefaultTTL)
	}
	return t.with(e, func(a *app.App, by access.Caller) error {
		id, err := c.account(e, a, by)
		if err != nil {
			return err
		}
		if len(c.Scopes) == 0 {
			c.Scopes = access.SuperAgentScopes()
		}
		got, err := a.Platform.IssueToken(e.ctx, by, platform.IssueParams{SubjectID: id, Name: c.Name, Scopes: c.Scopes, Audience: c.Audience, TTL: c.TTL})
		if err != nil {
			return err
		}
		return json.NewEncoder(e.out).Encode(map[string]any{"id": got.ID, "token": got.Token, "scopes": c.Scopes, "expires_at": got.ExpiresAt})
	})
}

func (c tokenIssueCmd) account(e *env, a *app.App, by access.Caller) (string, error) {
	if c.Staff != "" {
		m, err := person(e, a, by, c.Staff)
		return m.ID, err
	}
	return ensureAccount(e, a, by, c.Account, c.Role)
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

type tokenRotateCmd struct {
	ID      string        `arg:"" help:"The token's id, from list."`
	Overlap time.Duration `help:"How long the old token holds beside the new one, at most 2160h; 0s ends it at once." default:"0s"`
}

// Run rotates and prints the successor as JSON.
func (c tokenRotateCmd) Run(e *env, t *tokenCmd) error {
	return t.with(e, func(a *app.App, by access.Caller) error {
		got, err := a.Platform.RotateToken(e.ctx, by, c.ID, c.Overlap)
		if err != nil {
			return err
		}
		return json.NewEncoder(e.out).Encode(map[string]any{"id": got.ID, "token": got.Token, "expires_at": got.ExpiresAt, "replaces": c.ID,
			"old_ends_at": a.Clock.Now().Add(c.Overlap).UTC()})
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
