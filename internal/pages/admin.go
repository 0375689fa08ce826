package pages

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/platform"
)

func (s *site) adminRoutes(r gin.IRouter) {
	r.GET("/admin", s.staff(adminHome))
	r.GET("/admin/tools", s.staff(tools))
	r.POST("/admin/tools/profile", s.staff(setProfile))
	r.POST("/admin/tools/switch", s.staff(setSwitch))
	r.GET("/admin/credentials", s.staff(credentials))
	r.POST("/admin/credentials", s.staff(issueCredential))
	r.POST("/admin/credentials/revoke", s.staff(revokeCredential))
	r.GET("/admin/audit", s.staff(auditList))
}

// adminHome leads to the first section the person may see.
func adminHome(v *visit) error {
	for _, section := range []string{"tools", "credentials", "audit"} {
		if v.Can(section) {
			v.c.Redirect(http.StatusSeeOther, "/admin/"+section)
			return nil
		}
	}
	return v.By.Require(access.ToolAdmin)
}

type toolsData struct {
	Profile  agent.Profile
	Profiles []agent.Profile
	Tools    []toolRow
	Revision string
}

type toolRow struct {
	agent.ToolInfo
	On bool
}

func tools(v *visit) error {
	if err := v.By.Require(access.ToolAdmin); err != nil {
		return err
	}
	p, err := v.s.o.Executor.Policy(v.c.Request.Context(), v.By)
	if err != nil {
		return err
	}
	snapshot := v.s.o.Registry.Snapshot()
	d := toolsData{Profile: p.Profile, Profiles: []agent.Profile{agent.ReadOnly, agent.SafeWrite}, Revision: snapshot.Revision}
	for _, info := range snapshot.Tools {
		on, switched := p.Switches[info.Name]
		d.Tools = append(d.Tools, toolRow{info, on || !switched})
	}
	return v.show("admin_tools", "admin", v.T("admin.tools"), d)
}

func setProfile(v *visit) error {
	if err := v.s.o.Executor.SetProfile(v.c.Request.Context(), v.By, agent.Profile(v.c.PostForm("profile"))); err != nil {
		return err
	}
	return v.done("/admin/tools", "done.saved")
}

func setSwitch(v *visit) error {
	if err := v.s.o.Executor.SetSwitch(v.c.Request.Context(), v.By, v.c.PostForm("tool"), v.c.PostForm("on") == "1"); err != nil {
		return err
	}
	return v.done("/admin/tools", "done.saved")
}

type credentialsData struct {
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

// Preset reports whether a scope is ticked from the start.
func (d credentialsData) Preset(scope string) bool {
	for _, u := range d.Usual {
		if u == scope {
			return true
		}
	}
	return false
}

func credentials(v *visit) error { return v.showCredentials(nil) }

func (v *visit) showCredentials(issued *platform.Issued) error {
	ctx := v.c.Request.Context()
	list, err := v.s.o.Platform.ListCredentials(ctx, v.By)
	if err != nil {
		return err
	}
	accounts, err := v.s.o.Platform.ListServiceAccounts(ctx, v.By)
	if err != nil {
		return err
	}
	d := credentialsData{Accounts: accounts, Scopes: access.Scopes("hotel"), Usual: access.SuperAgentScopes(), Audience: v.s.o.ServicePath, Issued: issued}
	for _, c := range list {
		d.List = append(d.List, credentialRow{c, c.Active(v.now)})
	}
	return v.show("admin_credentials", "admin", v.T("admin.credentials"), d)
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
		return err
	}
	return v.showCredentials(&issued)
}

func revokeCredential(v *visit) error {
	if err := v.s.o.Platform.RevokeCredential(v.c.Request.Context(), v.By, v.c.PostForm("id")); err != nil {
		return err
	}
	return v.done("/admin/credentials", "done.revoked")
}

type auditData struct {
	Filter  audit.Filter
	Entries []audit.Entry
	Report  *audit.Report
	Next    string
}

func auditList(v *visit) error {
	if err := v.By.Require(access.AuditRead); err != nil {
		return err
	}
	ctx, q := v.c.Request.Context(), v.c.Request.URL.Query()
	f := audit.Filter{HotelID: v.By.HotelID, Tool: q.Get("tool"), RequestID: q.Get("request"), ResourceID: q.Get("resource"),
		Status: audit.Status(q.Get("status")), Cursor: q.Get("cursor")}
	entries, next, err := v.s.o.Audit.List(ctx, f)
	if err != nil {
		return err
	}
	d := auditData{Filter: f, Entries: entries}
	if next != "" {
		d.Next = with("/admin/audit", q, "cursor", next)
	}
	if q.Get("verify") == "1" {
		report, err := v.s.o.Audit.Verify(ctx)
		if err != nil {
			return err
		}
		d.Report = &report
	}
	return v.show("admin_audit", "admin", v.T("admin.audit"), d)
}

// Statuses are what the list can be narrowed to.
func (auditData) Statuses() []audit.Status {
	return []audit.Status{audit.Started, audit.Succeeded, audit.Failed, audit.Denied, audit.Replayed}
}
