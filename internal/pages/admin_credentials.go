package pages

import (
	"slices"
	"strconv"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/platform"
)

type credentialsData struct {
	again
	List     []credentialRow
	Accounts []platform.Account
	Scopes   []string
	Usual    []string // ticked from the start: what SuperAgent needs
	Audience string
	Issued   *platform.Issued
}

type credentialRow struct {
	platform.Credential
	Holds bool
}

// Preset reports whether a scope is ticked: as it was sent, else from the start.
func (d credentialsData) Preset(scope string) bool {
	if d.Bad() {
		return slices.Contains(d.typed["scope"], scope)
	}
	return slices.Contains(d.Usual, scope)
}

func credentials(v *visit) error { return v.showCredentials(credentialsData{}) }

func (v *visit) showCredentials(d credentialsData) error {
	ctx := v.c.Request.Context()
	list, err := v.s.o.Platform.ListCredentials(ctx, v.By)
	if err != nil {
		return err
	}
	if d.Accounts, err = v.s.o.Platform.ListServiceAccounts(ctx, v.By); err != nil {
		return err
	}
	d.Scopes, d.Usual, d.Audience = access.Scopes("hotel"), access.SuperAgentScopes(), v.s.o.ServicePath
	for _, c := range list {
		d.List = append(d.List, credentialRow{c, c.Active(v.now)})
	}
	return v.section("admin_credentials", v.T("admin.credentials"), d.again, d)
}

// refusedCredential shows the list again with why nothing was issued.
func (v *visit) refusedCredential(err error) error {
	a, err := v.refusedAgain(err)
	if err != nil {
		return err
	}
	return v.showCredentials(credentialsData{again: a})
}

// issueCredential answers with the token itself: it is shown this once, so there
// is no redirect that would have to carry it.
func issueCredential(v *visit) error {
	days, err := strconv.Atoi(v.c.PostForm("days"))
	if err != nil {
		days = 30
	}
	p := platform.IssueParams{SubjectID: v.c.PostForm("subject"), Name: v.c.PostForm("name"), Scopes: v.c.PostFormArray("scope"),
		Audience: v.c.PostForm("audience"), TTL: time.Duration(days) * 24 * time.Hour}
	issued, err := v.s.o.Platform.IssueToken(v.c.Request.Context(), v.By, p)
	if err != nil {
		return v.refusedCredential(err)
	}
	return v.showCredentials(credentialsData{Issued: &issued})
}

// rotateCredential shows the successor's token this once. The old one goes on for
// the hours chosen; without a number it ends at once.
func rotateCredential(v *visit) error {
	hours, err := strconv.Atoi(v.c.PostForm("overlap"))
	if err != nil {
		hours = 0
	}
	issued, err := v.s.o.Platform.RotateToken(v.c.Request.Context(), v.By, v.c.PostForm("id"), time.Duration(hours)*time.Hour)
	if err != nil {
		return v.refusedCredential(err)
	}
	return v.showCredentials(credentialsData{Issued: &issued})
}

func revokeCredential(v *visit) error {
	if err := v.s.o.Platform.RevokeCredential(v.c.Request.Context(), v.By, v.c.PostForm("id")); err != nil {
		return err
	}
	return v.done("/admin/credentials", "done.revoked")
}
