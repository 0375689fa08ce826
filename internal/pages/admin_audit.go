package pages

import (
	"net/url"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
)

type auditData struct {
	Filter     audit.Filter
	Since, Due string // the days as they stand in the form, both included
	Narrowed   bool
	Entries    []audit.Entry
	Report     *audit.Report
	Waited     time.Duration // age of the oldest row without a seal
	Next       string
	Verify     string // this list with the chain's state
}

func auditList(v *visit) error {
	if err := v.By.Require(access.AuditRead); err != nil {
		return err
	}
	ctx, q := v.c.Request.Context(), v.c.Request.URL.Query()
	d := v.auditFilter(q)
	var err error
	var next string
	if d.Entries, next, err = v.s.o.Audit.List(ctx, d.Filter); err != nil {
		return err
	}
	if next != "" {
		d.Next = with("/admin/audit", q, "cursor", next)
	}
	d.Verify = with("/admin/audit", q, "verify", "1")
	if q.Get("verify") == "1" {
		report, err := v.s.o.Audit.Verify(ctx)
		if err != nil {
			return err
		}
		d.Report = &report
		if report.OldestUnsealed != nil {
			d.Waited = v.now.Sub(*report.OldestUnsealed)
		}
	}
	return v.show("admin_audit", "admin", v.T("admin.audit"), d)
}

// auditFilter reads the form. Days are the hotel's; one that does not exist does
// not narrow, and its field comes back empty.
func (v *visit) auditFilter(q url.Values) auditData {
	get := func(name string) string { return strings.TrimSpace(q.Get(name)) }
	f := audit.Filter{HotelID: v.By.HotelID, Unattributed: q.Get("unknown") == "1", PrincipalName: get("person"), Tool: get("tool"),
		ErrorCode: get("code"), RequestID: get("request"), ResourceType: get("kind"), ResourceID: get("resource"),
		Status: audit.Status(q.Get("status")), Adapter: get("through"), Cursor: q.Get("cursor")}
	var d auditData
	if day, ok := v.day(q.Get("from")); ok {
		d.Since, f.From = q.Get("from"), day
	}
	if day, ok := v.day(q.Get("to")); ok {
		d.Due, f.Until = q.Get("to"), day.AddDate(0, 0, 1)
	}
	d.Filter = f
	f.HotelID, f.Cursor = "", ""
	d.Narrowed = f != audit.Filter{}
	return d
}

// day is the first moment of a day at the hotel.
func (v *visit) day(text string) (time.Time, bool) {
	day, err := time.ParseInLocation(time.DateOnly, text, v.Hotel.Location())
	return day, err == nil
}

// Statuses are what the list can be narrowed to.
func (auditData) Statuses() []audit.Status {
	return []audit.Status{audit.Started, audit.Succeeded, audit.Failed, audit.Denied, audit.Replayed}
}

// Adapters are the doors a call can come through.
func (auditData) Adapters() []string { return []string{"pages", "mcp", "rest", "cli", "system"} }
