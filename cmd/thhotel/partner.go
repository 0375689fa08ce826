package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/platform"
)

type partnerCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	Add     partnerAddCmd     `cmd:"" help:"Add a partner; its secret is shown this once."`
	List    partnerListCmd    `cmd:"" help:"List partners, without their secrets."`
	Rotate  partnerRotateCmd  `cmd:"" help:"Add a new secret and let the old ones end; it is shown this once."`
	Disable partnerDisableCmd `cmd:"" help:"Disable a partner; it bites on the next request."`
	Enable  partnerEnableCmd  `cmd:"" help:"Enable a disabled partner."`
}

type partnerAddCmd struct {
	Name        string `arg:"" help:"What the partner is called."`
	Account     string `help:"Service account it acts as; it is made when missing. Default: the partner's name."`
	Role        string `help:"Role of a new account: partner, mailbus or operafeed." default:"partner"`
	SecretStdin bool   `help:"Read a secret of the partner's own (whsec_…) from standard input."`
}

// Run adds and prints what the partner needs as JSON.
func (c partnerAddCmd) Run(e *env, x *partnerCmd) error {
	if c.Account == "" {
		c.Account = c.Name
	}
	return x.with(e, func(a *app.App, by access.Caller) (err error) {
		p := platform.PartnerParams{Name: c.Name}
		if c.SecretStdin {
			if p.Secret, err = firstLine(e.in); err != nil {
				return err
			}
		}
		if p.AccountID, err = ensureAccount(e, a, by, c.Account, c.Role); err != nil {
			return err
		}
		id, secret, err := a.Platform.CreatePartner(e.ctx, by, p)
		if err != nil {
			return err
		}
		return printSecret(e, map[string]any{"id": id, "name": c.Name, "account_id": p.AccountID}, secret, c.SecretStdin)
	})
}

func printSecret(e *env, out map[string]any, secret string, known bool) error {
	if !known {
		out["secret"] = secret
	}
	return json.NewEncoder(e.out).Encode(out)
}

type partnerListCmd struct{}

// Run prints a table.
func (partnerListCmd) Run(e *env, x *partnerCmd) error {
	return looking(e, x.Data, "partner", func(a *app.App, by access.Caller) error {
		list, err := a.Platform.ListPartners(e.ctx, by)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tSTATE\tSECRETS\tID\tACCOUNT")
		for _, p := range list {
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", p.Name, strings.ToLower(string(p.Status)), p.Secrets, p.ID, p.AccountID)
		}
		return w.Flush()
	})
}

type partnerRotateCmd struct {
	Partner string        `arg:"" help:"Name or id, from list."`
	Overlap time.Duration `help:"How long the old secrets hold beside the new one, at most 2160h; 0s ends them at once." default:"0s"`
}

// Run rotates and prints the new secret as JSON.
func (c partnerRotateCmd) Run(e *env, x *partnerCmd) error {
	return x.on(e, c.Partner, func(a *app.App, by access.Caller, p platform.Partner) error {
		secret, err := a.Platform.RotatePartnerSecret(e.ctx, by, p.ID, c.Overlap)
		if err != nil {
			return err
		}
		return printSecret(e, map[string]any{"id": p.ID, "name": p.Name, "old_ends_at": a.Clock.Now().Add(c.Overlap).UTC()}, secret, false)
	})
}

type partnerDisableCmd struct {
	Partner string `arg:"" help:"Name or id, from list."`
}

// Run disables.
func (c partnerDisableCmd) Run(e *env, x *partnerCmd) error {
	return x.setStatus(e, c.Partner, platform.Disabled)
}

type partnerEnableCmd struct {
	Partner string `arg:"" help:"Name or id, from list."`
}

// Run enables.
func (c partnerEnableCmd) Run(e *env, x *partnerCmd) error {
	return x.setStatus(e, c.Partner, platform.Active)
}

func (x *partnerCmd) setStatus(e *env, partner string, status platform.Status) error {
	return x.on(e, partner, func(a *app.App, by access.Caller, p platform.Partner) error {
		if err := a.Platform.SetPartnerStatus(e.ctx, by, p.ID, status); err != nil {
			return err
		}
		_, err := fmt.Fprintln(e.out, strings.ToLower(string(status)), p.Name)
		return err
	})
}

func (x *partnerCmd) with(e *env, f func(*app.App, access.Caller) error) error {
	return asSystem(e, x.Data, "partner", f)
}

// on runs f for a partner found by name or id.
func (x *partnerCmd) on(e *env, partner string, f func(*app.App, access.Caller, platform.Partner) error) error {
	return x.with(e, func(a *app.App, by access.Caller) error {
		list, err := a.Platform.ListPartners(e.ctx, by)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(list, func(p platform.Partner) bool { return p.ID == partner || strings.EqualFold(p.Name, partner) })
		if i < 0 {
			return fmt.Errorf("there is no partner %q; `thhotel partner list` shows them", partner)
		}
		return f(a, by, list[i])
	})
}
