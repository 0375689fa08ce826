package pages_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/platform"
)

// account finds a person's account.
func (d *desk) account(name string) platform.Staff {
	d.t.Helper()
	list, err := d.options.Platform.ListStaff(context.Background(), d.by)
	must(d.t, err)
	i := slices.IndexFunc(list, func(m platform.Staff) bool { return m.Username == name })
	if i < 0 {
		d.t.Fatalf("no account %s", name)
	}
	return list[i]
}

var secretShown = regexp.MustCompile(`<code class="secret">([^<]+)</code>`)

func secretIn(t *testing.T, a answer) string {
	t.Helper()
	m := secretShown.FindStringSubmatch(a.Body)
	if a.Status != http.StatusOK || m == nil {
		t.Fatalf("no secret shown: %d at %s", a.Status, a.Path)
	}
	return html.UnescapeString(m[1])
}

// adminActs are every page and form of the administration and the agent's page,
// with the roles that may use them.
var adminActs = []struct {
	method, path string
	form         url.Values
	roles        string
}{
	{"GET", "/admin/tools", nil, "root"}, {"GET", "/admin/credentials", nil, "root"}, {"GET", "/admin/staff", nil, "root"},
	{"GET", "/admin/codes", nil, "root"}, {"GET", "/admin/hotel", nil, "root"}, {"GET", "/admin/audit", nil, "somsak root"},
	{"GET", "/agent", nil, "somsak root"}, {"GET", "/agent/mail/{mail}", nil, "somsak root"},
	{"GET", "/export/tasks.csv", nil, "vera anna fah somsak root"}, {"GET", "/export/orders.xlsx", nil, "vera anna fah somsak root"},
	{"POST", "/admin/tools/profile", url.Values{"profile": {"SAFE_WRITE"}}, "root"},
	{"POST", "/admin/tools/switch", url.Values{"tool": {"hotel.find_order_case"}, "on": {"1"}}, "root"},
	{"POST", "/admin/credentials/rotate", url.Values{"id": {"none"}}, "root"},
	{"POST", "/admin/credentials/revoke", url.Values{"id": {"none"}}, "root"},
	{"POST", "/admin/staff", url.Values{"username": {"new"}, "role": {"viewer"}, "lang": {"en"}}, "root"},
	{"POST", "/admin/staff/update", url.Values{"id": {"none"}, "role": {"viewer"}}, "root"},
	{"POST", "/admin/staff/password", url.Values{"id": {"none"}}, "root"},
	{"POST", "/admin/codes", url.Values{"list": {"RATE_CODE"}, "code": {"NEW"}, "name": {"New"}}, "root"},
	{"POST", "/admin/codes/delete", url.Values{"list": {"RATE_CODE"}, "code": {"NEW"}}, "root"},
	{"POST", "/admin/hotel", url.Values{"name": {"TH"}, "time_zone": {"Asia/Bangkok"}, "currency": {"THB"}, "business_date": {"2026-11-30"}, "roll_hour": {"-1"}}, "root"},
}

func TestAdminRoles(t *testing.T) {
	d := newDesk(t)
	m, err := d.Inbox.Locate(context.Background(), d.by, "agentbus-ext-0011")
	must(t, err)
	for _, name := range []string{"vera", "anna", "fah", "somsak", "root"} {
		p := d.as(name)
		for _, act := range adminActs {
			path := strings.ReplaceAll(act.path, "{mail}", m.ID)
			a := p.do(act.method, path, act.form, map[string]string{"Sec-Fetch-Site": "same-origin"})
			may := slices.Contains(strings.Fields(act.roles), name)
			if got := a.Status != http.StatusForbidden; got != may {
				t.Errorf("%s %s as %s: %d", act.method, act.path, name, a.Status)
			}
		}
		body := p.get("/tasks").Body
		for href, roles := range map[string]string{`href="/admin"`: "somsak root", `href="/agent"`: "somsak root"} {
			if may := slices.Contains(strings.Fields(roles), name); strings.Contains(body, href) != may {
				t.Errorf("%s shown to %s: %v", href, name, !may)
			}
		}
	}
	tabs := d.as("somsak").get("/admin")
	if tabs.Path != "/admin/audit" || strings.Contains(tabs.Body, `href="/admin/staff"`) || strings.Contains(tabs.Body, `href="/admin/hotel"`) {
		t.Errorf("a supervisor's administration is at %s with tabs that are not theirs", tabs.Path)
	}
}

// A new person gets a password that is shown once, holds, and is nowhere again.
func TestStaffIsAddedResetAndDisabled(t *testing.T) {
	d := newDesk(t)
	p := d.as("root")
	secret := secretIn(t, p.post("/admin/staff", url.Values{"username": {"Nok"}, "name": {"Nok"}, "role": {"agent"}, "lang": {"en"}}))
	if strings.Contains(p.get("/admin/staff").Body, secret) {
		t.Error("the password is shown twice")
	}
	nok := d.anybody()
	if a := nok.post("/signin", url.Values{"username": {"nok"}, "password": {secret}}); a.Path != "/tasks" {
		t.Fatalf("the new password does not open: %s", a.Path)
	}
	id := d.account("nok").ID
	again := secretIn(t, p.post("/admin/staff/password", url.Values{"id": {id}}))
	if again == secret {
		t.Error("the password is the old one")
	}
	if a := nok.get("/tasks"); a.Path != "/signin" {
		t.Errorf("the session outlived the reset: %s", a.Path)
	}
	if a := p.post("/admin/staff/update", url.Values{"id": {id}, "status": {"DISABLED"}}); a.Path != "/admin/staff" {
		t.Errorf("disable ended at %s", a.Path)
	}
	if a := d.anybody().post("/signin", url.Values{"username": {"nok"}, "password": {again}}); a.Status == http.StatusOK && a.Path == "/tasks" {
		t.Error("a disabled account signs in")
	}
	p.post("/admin/staff/update", url.Values{"id": {id}, "status": {"ACTIVE"}})
	p.post("/admin/staff/update", url.Values{"id": {id}, "role": {"finance"}})
	if m := d.account("nok"); m.Status != platform.Active || m.Role != access.RoleFinance {
		t.Errorf("account is %+v", m)
	}
}

// What was typed comes back with why it was refused.
func TestRefusedStaffKeepsTheForm(t *testing.T) {
	p := newDesk(t).as("root")
	p.language("en")
	a := p.post("/admin/staff", url.Values{"username": {"anna"}, "name": {"Another Anna"}, "role": {"finance"}, "lang": {"en"}})
	if a.Status != http.StatusConflict || !strings.Contains(a.Body, "is taken") || !strings.Contains(a.Body, `value="Another Anna"`) || secretShown.MatchString(a.Body) {
		t.Errorf("a taken name: %d\n%s", a.Status, a.Body)
	}
}

func TestLastAdminStays(t *testing.T) {
	d := newDesk(t)
	p, id := d.as("root"), d.account("root").ID
	p.language("en")
	for _, change := range []url.Values{{"role": {"viewer"}}, {"status": {"DISABLED"}}} {
		change.Set("id", id)
		if a := p.post("/admin/staff/update", change); a.Status != http.StatusUnprocessableEntity || !strings.Contains(a.Body, "last active administrator") {
			t.Errorf("%v: %d", change, a.Status)
		}
	}
	if m := d.account("root"); m.Role != access.RoleAdmin || m.Status != platform.Active {
		t.Errorf("the last administrator is %+v", m)
	}
}

// The successor's token is shown once and works; the old one ends as chosen.
func TestCredentialIsRotated(t *testing.T) {
	d := newDesk(t)
	ctx, p := context.Background(), d.as("root")
	accounts, err := d.options.Platform.ListServiceAccounts(ctx, d.by)
	must(t, err)
	form := url.Values{"subject": {accounts[0].ID}, "name": {"test"}, "scope": access.SuperAgentScopes(), "audience": {"/mcp"}, "days": {"30"}}
	first := secretIn(t, p.post("/admin/credentials", form))
	list, err := d.options.Platform.ListCredentials(ctx, d.by)
	must(t, err)
	second := secretIn(t, p.post("/admin/credentials/rotate", url.Values{"id": {list[0].ID}, "overlap": {"0"}}))
	if first == second || strings.Contains(p.get("/admin/credentials").Body, second) {
		t.Error("the successor is the old token, or is shown twice")
	}
	if a := p.post("/admin/credentials/rotate", url.Values{"id": {list[0].ID}}); a.Status != http.StatusConflict {
		t.Errorf("rotating a rotated one: %d", a.Status)
	}
	list, err = d.options.Platform.ListCredentials(ctx, d.by)
	must(t, err)
	active := 0
	for _, c := range list {
		if c.Active(d.options.Clock.Now()) {
			active++
		}
	}
	if len(list) != 2 || active != 1 {
		t.Errorf("%d credentials, %d hold", len(list), active)
	}
}

func TestCodesAndHotelAreChanged(t *testing.T) {
	d := newDesk(t)
	ctx, p := context.Background(), d.as("root")
	a := p.post("/admin/codes", url.Values{"list": {"ROOM_TYPE"}, "code": {"penth"}, "name": {"Penthouse"}, "capacity": {"4"}})
	if !strings.Contains(a.Body, "PENTH") {
		t.Errorf("the code is not listed: %d", a.Status)
	}
	if a := p.post("/admin/codes", url.Values{"list": {"ROOM_TYPE"}, "code": {"X"}, "name": {"Kept"}, "capacity": {"many"}}); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, `value="Kept"`) {
		t.Errorf("a capacity that is no number: %d", a.Status)
	}
	p.post("/admin/codes/delete", url.Values{"list": {"ROOM_TYPE"}, "code": {"SUPK"}})
	lists, err := d.options.Platform.CodeLists(ctx, d.by)
	must(t, err)
	if room, ok := lists.RoomType("PENTH"); !ok || room.Capacity != 4 {
		t.Errorf("the new type is %+v", room)
	}
	if _, ok := lists.RoomType("SUPK"); ok {
		t.Error("the deleted type is there")
	}
	form := url.Values{"name": {"TH Hotel"}, "time_zone": {"Asia/Tokyo"}, "currency": {"JPY"}, "business_date": {"2026-12-01"}, "roll_hour": {"3"}}
	if a := p.post("/admin/hotel", form); a.Path != "/admin/hotel" || a.Status != http.StatusOK || !strings.Contains(a.Body, "2026-12-01") {
		t.Errorf("the hotel: %d", a.Status)
	}
	form.Set("time_zone", "Mars/Olympus")
	if a := p.post("/admin/hotel", form); a.Status != http.StatusBadRequest || !strings.Contains(a.Body, `value="Mars/Olympus"`) {
		t.Errorf("a zone that is none: %d", a.Status)
	}
	h, err := d.options.Platform.Hotel(ctx, d.by)
	must(t, err)
	if h.TimeZone != "Asia/Tokyo" || h.Currency != "JPY" || h.BusinessDate != "2026-12-01" || h.RollHour != 3 {
		t.Errorf("the hotel is %+v", h)
	}
}

func TestAuditIsSearched(t *testing.T) {
	d := newDesk(t)
	ctx, p := context.Background(), d.as("somsak")
	p.language("en")
	for i, e := range []audit.Event{
		{Tool: "one.find", PrincipalName: "anna", ErrorCode: "E_ONE", Status: audit.Failed, ResourceType: "thing", ResourceID: "r-1"},
		{Tool: "two.find", PrincipalName: "ben", Status: audit.Succeeded, ResourceType: "other", ResourceID: "r-2"},
	} {
		e.HotelID, e.Adapter, e.At = d.by.HotelID, "pages", d.options.Clock.Now().AddDate(0, 0, -40*(2-i))
		must(t, d.Audit.Append(ctx, e))
	}
	first := d.options.Clock.Now().AddDate(0, 0, -81).Format(time.DateOnly)
	last := d.options.Clock.Now().AddDate(0, 0, -79).Format(time.DateOnly)
	for _, query := range []string{"tool=one.find", "person=anna", "code=E_ONE", "kind=thing", "resource=r-1", "from=" + first + "&to=" + last} {
		a := p.get("/admin/audit?" + query)
		if !strings.Contains(a.Body, ">one.find<") || strings.Contains(a.Body, ">two.find<") {
			t.Errorf("%s does not find the one row", query)
		}
	}
	if a := p.get("/admin/audit?verify=1"); !strings.Contains(a.Body, "longer than they may") {
		t.Error("rows without a seal do not warn")
	}
	must(t, d.Audit.Finish(ctx))
	if a := p.get("/admin/audit?verify=1"); strings.Contains(a.Body, "longer than they may") || !strings.Contains(a.Body, "The chain is intact") {
		t.Error("a sealed chain warns")
	}
}
