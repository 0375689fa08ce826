package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/fault"
	"thhotel/internal/platform"
)

type staffCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	Add      staffAddCmd      `cmd:"" help:"Add a person; the password is shown this once."`
	List     staffListCmd     `cmd:"" help:"List people, with role and state."`
	Disable  staffDisableCmd  `cmd:"" help:"Disable an account; it bites on the next call and ends its sessions."`
	Enable   staffEnableCmd   `cmd:"" help:"Enable a disabled account."`
	Role     staffRoleCmd     `cmd:"" help:"Give a person another role; it bites on the next call."`
	Password staffPasswordCmd `cmd:"" help:"Reset a password; it ends the person's sessions."`
}

func (c *staffCmd) with(e *env, f func(*app.App, access.Caller) error) error {
	return asSystem(e, c.Data, "staff", f)
}

// update changes a person found by user name.
func (c *staffCmd) update(e *env, username string, change func(*app.App, *platform.StaffUpdate) error, done func(platform.Staff) error) error {
	return c.with(e, func(a *app.App, by access.Caller) error {
		m, err := person(e, a, by, username)
		if err != nil {
			return err
		}
		p := platform.StaffUpdate{ID: m.ID}
		if err := change(a, &p); err != nil {
			return err
		}
		if m, err = a.Platform.UpdateStaff(e.ctx, by, p); err != nil {
			return err
		}
		return done(m)
	})
}

func person(e *env, a *app.App, by access.Caller, username string) (platform.Staff, error) {
	list, err := a.Platform.ListStaff(e.ctx, by)
	if err != nil {
		return platform.Staff{}, err
	}
	i := slices.IndexFunc(list, func(m platform.Staff) bool { return strings.EqualFold(m.Username, strings.TrimSpace(username)) })
	if i < 0 {
		return platform.Staff{}, fmt.Errorf("there is no staff account %q; `thhotel staff list` shows them", username)
	}
	return list[i], nil
}

type staffAddCmd struct {
	Username string `arg:"" help:"What the person signs in with."`
	Role     string `help:"viewer, agent, finance, supervisor or admin." required:""`
	Name     string `help:"The person's name; default: the user name."`
	Lang     string `help:"Language of the pages." enum:"zh,en" default:"zh"`
	passwordFlag
}

// Run adds and prints the account with its password as JSON.
func (c staffAddCmd) Run(e *env, s *staffCmd) error {
	return s.with(e, func(a *app.App, by access.Caller) error {
		password, err := c.choose(e, a)
		if err != nil {
			return err
		}
		m, err := a.Platform.CreateStaff(e.ctx, by, platform.StaffParams{Username: c.Username, Name: c.Name, Role: access.Role(c.Role), Lang: c.Lang, Password: password})
		if err != nil {
			return err
		}
		return c.print(e, m, password)
	})
}

// passwordFlag lets the operator choose a password without it standing on the
// command line, where others can see it.
type passwordFlag struct {
	PasswordStdin bool `help:"Read the password from standard input instead of making one."`
}

func (f passwordFlag) choose(e *env, a *app.App) (string, error) {
	if !f.PasswordStdin {
		return a.Clock.Secret(12), nil
	}
	return firstLine(e.in)
}

// print shows a password that was made here; one that was given is not repeated.
func (f passwordFlag) print(e *env, m platform.Staff, password string) error {
	out := map[string]any{"id": m.ID, "username": m.Username, "role": m.Role}
	if !f.PasswordStdin {
		out["password"] = password
	}
	return json.NewEncoder(e.out).Encode(out)
}

// firstLine reads a secret; what ends its line is no part of it.
func firstLine(in io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(in, 4096)).ReadString('\n')
	if line = strings.TrimRight(line, "\r\n"); line != "" {
		return line, nil
	}
	if err == nil || err == io.EOF { //nolint:errorlint // the very error
		err = fmt.Errorf("nothing came on standard input")
	}
	return "", err
}

type staffListCmd struct{}

// Run prints a table.
func (staffListCmd) Run(e *env, s *staffCmd) error {
	return looking(e, s.Data, "staff", func(a *app.App, by access.Caller) error {
		list, err := a.Platform.ListStaff(e.ctx, by)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "USERNAME\tNAME\tROLE\tLANG\tSTATE\tID")
		for _, m := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", m.Username, m.Name, m.Role, m.Lang, strings.ToLower(string(m.Status)), m.ID)
		}
		return w.Flush()
	})
}

type staffDisableCmd struct {
	Username string `arg:""`
}

// Run disables.
func (c staffDisableCmd) Run(e *env, s *staffCmd) error {
	return setStaffStatus(e, s, c.Username, platform.Disabled)
}

type staffEnableCmd struct {
	Username string `arg:""`
}

// Run enables.
func (c staffEnableCmd) Run(e *env, s *staffCmd) error {
	return setStaffStatus(e, s, c.Username, platform.Active)
}

func setStaffStatus(e *env, s *staffCmd, username string, status platform.Status) error {
	return s.update(e, username, func(_ *app.App, p *platform.StaffUpdate) error {
		p.Status = &status
		return nil
	}, func(m platform.Staff) error {
		_, err := fmt.Fprintln(e.out, strings.ToLower(string(m.Status)), m.Username)
		return err
	})
}

type staffRoleCmd struct {
	Username string `arg:""`
	Role     string `arg:"" help:"viewer, agent, finance, supervisor or admin."`
}

// Run changes the role.
func (c staffRoleCmd) Run(e *env, s *staffCmd) error {
	role := access.Role(c.Role)
	return s.update(e, c.Username, func(_ *app.App, p *platform.StaffUpdate) error {
		p.Role = &role
		return nil
	}, func(m platform.Staff) error {
		_, err := fmt.Fprintln(e.out, m.Username, "is", m.Role)
		return err
	})
}

type staffPasswordCmd struct {
	Username string `arg:""`
	passwordFlag
}

// Run resets the password and prints the new one as JSON.
func (c staffPasswordCmd) Run(e *env, s *staffCmd) error {
	password := ""
	return s.update(e, c.Username, func(a *app.App, p *platform.StaffUpdate) (err error) {
		password, err = c.choose(e, a)
		p.Password = &password
		return err
	}, func(m platform.Staff) error { return c.print(e, m, password) })
}

type accountCmd struct {
	Data string `help:"Folder of an embedded database (a demo's), instead of the settings' one." type:"path"`

	List    accountListCmd    `cmd:"" help:"List service accounts, with role, scopes and state."`
	Disable accountDisableCmd `cmd:"" help:"Disable an account with all its tokens; it bites on the next call."`
	Enable  accountEnableCmd  `cmd:"" help:"Enable a disabled account."`
}

type accountListCmd struct{}

// Run prints a table.
func (accountListCmd) Run(e *env, c *accountCmd) error {
	return looking(e, c.Data, "account", func(a *app.App, by access.Caller) error {
		list, err := a.Platform.ListServiceAccounts(e.ctx, by)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(e.out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "NAME\tROLE\tSTATE\tID\tSCOPES")
		for _, m := range list {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, m.Role, strings.ToLower(string(m.Status)), m.ID, strings.Join(m.Scopes, " "))
		}
		return w.Flush()
	})
}

type accountDisableCmd struct {
	Name string `arg:""`
}

// Run disables.
func (c accountDisableCmd) Run(e *env, x *accountCmd) error {
	return setAccountStatus(e, x.Data, c.Name, platform.Disabled)
}

type accountEnableCmd struct {
	Name string `arg:""`
}

// Run enables.
func (c accountEnableCmd) Run(e *env, x *accountCmd) error {
	return setAccountStatus(e, x.Data, c.Name, platform.Active)
}

func setAccountStatus(e *env, dir, name string, status platform.Status) error {
	return asSystem(e, dir, "account", func(a *app.App, by access.Caller) error {
		m, found, err := findAccount(e, a, by, name)
		if err == nil && !found {
			err = fmt.Errorf("there is no service account %q; `thhotel account list` shows them", name)
		}
		if err != nil {
			return err
		}
		if err := a.Platform.SetAccountStatus(e.ctx, by, m.ID, status); err != nil {
			return err
		}
		_, err = fmt.Fprintln(e.out, strings.ToLower(string(status)), m.Name)
		return err
	})
}

func findAccount(e *env, a *app.App, by access.Caller, name string) (platform.Account, bool, error) {
	list, err := a.Platform.ListServiceAccounts(e.ctx, by)
	i := slices.IndexFunc(list, func(x platform.Account) bool { return strings.EqualFold(x.Name, strings.TrimSpace(name)) })
	if err != nil || i < 0 {
		return platform.Account{}, false, err
	}
	return list[i], true, nil
}

// ensureAccount returns the id of a service account and makes it when missing.
func ensureAccount(e *env, a *app.App, by access.Caller, name, role string) (string, error) {
	m, found, err := findAccount(e, a, by, name)
	if err != nil || found {
		return m.ID, err
	}
	m, err = a.Platform.CreateServiceAccount(e.ctx, by, platform.AccountParams{Name: name, Role: access.Role(role)})
	if fault.Code(err) == platform.CodeNameTaken { // another command was faster
		m, _, err = findAccount(e, a, by, name)
	}
	return m.ID, err
}
