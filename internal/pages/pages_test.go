package pages_test

import (
	"context"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"thhotel/internal/inbox"
	"thhotel/internal/intake"
	"thhotel/internal/order"
	"thhotel/internal/testkit"
	"thhotel/web"
)

// everyPage names one address of every page, for people who may see them all.
func (d *desk) everyPage() map[string]string {
	d.t.Helper()
	ctx := context.Background()
	m, err := d.Inbox.Locate(ctx, d.by, "agentbus-ext-0011")
	must(d.t, err)
	batches, err := d.Intake.Batches(ctx, d.by, intake.BatchesParams{})
	must(d.t, err)
	found, err := d.Order.FindByKeys(ctx, d.by, order.Keys{GroupCode: "NORDIC0227"}, 10)
	must(d.t, err)
	out := map[string]string{
		"tasks": "/tasks", "tasks-closed": "/tasks?view=closed", "tasks-none": "/tasks?q=nothing-like-this", "orders": "/orders", "orders-found": "/orders?q=NORDIC",
		"order": "/orders/" + found.Records[0].ID, "inbox": "/inbox", "message": "/inbox/" + m.ID, "message-html": "/inbox/" + m.ID + "?mail=whole",
		"notices": "/notices", "notices-all": "/notices?status=ALL", "agent": "/agent", "batch": "/agent/" + batches.Batches[0].ID,
		"batch-whole": "/agent/" + batches.Batches[0].ID + "/package", "admin-tools": "/admin/tools", "admin-credentials": "/admin/credentials",
		"admin-audit": "/admin/audit?verify=1", "admin-audit-narrowed": "/admin/audit?from=2026-01-01&to=2026-12-31&status=succeeded&unknown=1",
		"admin-staff": "/admin/staff", "admin-codes": "/admin/codes", "admin-accounts": "/admin/codes?list=ACCOUNT", "admin-hotel": "/admin/hotel",
		"agent-range": "/agent?from=2026-09-01&to=2026-12-31", "follow": "/agent/mail/" + m.ID, "error": "/orders/none", "notice-task": "/notices/none/task",
	}
	for _, kind := range order.EventTypes() {
		id := d.card(kind, "").ID
		name := strings.ToLower(string(kind))
		out["task-"+name], out["confirm-"+name] = "/tasks/"+id, "/tasks/"+id+"/confirm"
		out["edit-"+name] = "/tasks/" + id + "?edit=1"
		out["reject"], out["ask"], out["handover"] = "/tasks/"+id+"/reject", "/tasks/"+id+"/ask", "/tasks/"+id+"/handover"
	}
	list, _, err := d.Inbox.List(ctx, d.by, inbox.ListParams{Limit: 50})
	must(d.t, err)
	for _, m := range list {
		for _, a := range m.Attachments {
			if strings.HasSuffix(a.Name, ".csv") {
				out["preview"] = "/inbox/" + m.ID + "/files/" + a.ID + "/view"
			} else {
				out["preview-none"] = "/inbox/" + m.ID + "/files/" + a.ID + "/view"
			}
		}
	}
	return out
}

// noText finds a key that the catalogue does not know and a Go value that
// slipped through: both would be read by a person.
var noText = regexp.MustCompile(`%!|&lt;nil&gt;|<nil>|ZgotmplZ|0001-01-01`)

// Every page renders in both languages, claimed and in edit mode too.
func TestEveryPageInBothLanguages(t *testing.T) {
	d := newDesk(t)
	p := d.as("root")
	for name, path := range d.everyPage() {
		for _, lang := range []string{"zh", "en"} {
			p.language(lang)
			a := p.get(path)
			want := http.StatusOK
			if name == "error" {
				want = http.StatusNotFound
			}
			if a.Status != want {
				t.Errorf("%s in %s: status %d\n%s", name, lang, a.Status, a.Body)
				continue
			}
			htmlLang := map[string]string{"zh": "zh-CN", "en": "en"}[lang]
			if !strings.Contains(a.Body, `<html lang="`+htmlLang+`"`) {
				t.Errorf("%s is not in %s", name, lang)
			}
			if bad := noText.FindString(a.Body); bad != "" {
				t.Errorf("%s in %s contains %q", name, lang, bad)
			}
			if !strings.Contains(a.Body, "2026-11-30") {
				t.Errorf("%s does not show the business date", name)
			}
		}
	}
	for _, kind := range order.EventTypes() {
		id := d.card(kind, "").ID
		p.post("/tasks/"+id+"/claim", nil)
		for _, lang := range []string{"zh", "en"} {
			p.language(lang)
			a := p.get("/tasks/" + id + "?edit=1")
			if a.Status != http.StatusOK || !strings.Contains(a.Body, `name="version"`) {
				t.Errorf("editing %s in %s: status %d", kind, lang, a.Status)
			}
			if bad := noText.FindString(a.Body); bad != "" {
				t.Errorf("editing %s contains %q", kind, bad)
			}
		}
	}
}

// Pages carry no inline script or style and load nothing from elsewhere.
func TestPagesAreStrict(t *testing.T) {
	d := newDesk(t)
	p := d.as("root")
	inline := regexp.MustCompile(`<script(?:\s[^>]*)?>[^<]|<[a-z][^<>]*\s(?:on[a-z]+|style)=|<style|="javascript:`)
	remote := regexp.MustCompile(`(?:src|href)="(?:https?:)?//`)
	for name, path := range d.everyPage() {
		a := p.get(path)
		if m := inline.FindString(a.Body); m != "" {
			t.Errorf("%s has inline code: %q", name, m)
		}
		if m := remote.FindString(a.Body); m != "" {
			t.Errorf("%s loads from elsewhere: %q", name, m)
		}
		csp := a.Header.Get("Content-Security-Policy")
		for _, part := range []string{"default-src 'none'", "script-src 'self'", "frame-src 'self'", "img-src 'self' data:", "frame-ancestors 'none'"} {
			if !strings.Contains(csp, part) {
				t.Errorf("%s: policy %q lacks %s", name, csp, part)
			}
		}
		if strings.Contains(csp, "unsafe") || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: policy %q, cache %q", name, csp, a.Header.Get("Cache-Control"))
		}
	}
}

func TestStaticFilesAreCachedAndCompressed(t *testing.T) {
	d := newDesk(t)
	body := d.anybody().get("/signin").Body
	found := regexp.MustCompile(`/static/[a-z.]+\?v=[0-9a-f]+`).FindAllString(body, -1)
	if len(found) < 5 {
		t.Fatalf("only %v", found)
	}
	for _, path := range found {
		a := d.anybody().get(path)
		if a.Status != http.StatusOK || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || len(a.Body) == 0 {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
		again := d.anybody().do(http.MethodGet, path, nil, map[string]string{"If-None-Match": a.Header.Get("ETag")})
		if again.Status != http.StatusNotModified {
			t.Errorf("%s with its ETag: %d", path, again.Status)
		}
	}
	if a := d.anybody().get("/static/nothing.js"); a.Status != http.StatusNotFound {
		t.Errorf("missing file: %d", a.Status)
	}
}

// Every foreign or own file that pages load is listed with version and licence.
func TestAssetsAreListed(t *testing.T) {
	readme := string(read(t, filepath.Join(testkit.Root(t), "web", "static"), "README.md"))
	files, err := fs.Glob(web.Static(), "*")
	must(t, err)
	for _, name := range files {
		if name != "README.md" && !strings.Contains(readme, "`"+name+"`") {
			t.Errorf("web/static/%s is not in the README's table", name)
		}
	}
}

func TestNobodyGetsIn(t *testing.T) {
	d := newDesk(t)
	for name, path := range d.everyPage() {
		if a := d.anybody().get(path); a.Path != "/signin" {
			t.Errorf("%s ended at %s", name, a.Path)
		}
	}
	part := d.anybody().do(http.MethodGet, "/tasks", nil, map[string]string{"X-Requested-With": "live"})
	if part.Status != http.StatusNoContent || part.Header.Get("X-Location") != "/signin?next=%2Ftasks" {
		t.Errorf("a part of a page: %d %q", part.Status, part.Header.Get("X-Location"))
	}
}

func TestSignIn(t *testing.T) {
	d := newDesk(t)
	p := d.anybody()
	a := p.post("/signin", url.Values{"username": {"anna"}, "password": {"wrong"}, "next": {"/orders"}})
	if a.Status != http.StatusUnauthorized || !strings.Contains(a.Body, `value="anna"`) || strings.Contains(a.Body, "wrong") {
		t.Errorf("wrong password: %d", a.Status)
	}
	for _, next := range []string{"https://evil.example/", "//evil.example/", `/\evil.example`, "javascript:alert(1)"} {
		a := d.anybody().post("/signin", url.Values{"username": {"anna"}, "password": {password}, "next": {next}})
		if a.Path != "/tasks" {
			t.Errorf("next=%q led to %s", next, a.Path)
		}
	}
	p = d.as("anna")
	u, err := url.Parse(d.URL)
	must(t, err)
	if len(p.client.Jar.Cookies(u)) == 0 {
		t.Fatal("no cookie")
	}
	if a := p.post("/signout", nil); a.Path != "/signin" {
		t.Errorf("sign-out ended at %s", a.Path)
	}
	if a := p.get("/tasks"); a.Path != "/signin" {
		t.Errorf("after sign-out: %s", a.Path)
	}
}

func TestSessionCookieIsGuarded(t *testing.T) {
	d := newDesk(t)
	p := d.anybody()
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a := p.post("/signin", url.Values{"username": {"anna"}, "password": {password}})
	cookie := strings.Join(a.Header.Values("Set-Cookie"), "\n")
	for _, part := range []string{"thhotel_session=", "HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, part) {
			t.Errorf("cookie %q lacks %s", cookie, part)
		}
	}
}

// Forms that another site sends with our cookie change nothing.
func TestForeignFormsAreRefused(t *testing.T) {
	d := newDesk(t)
	p := d.as("anna")
	c := d.card(order.Trace, "720933")
	for _, headers := range []map[string]string{{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}} {
		for _, path := range []string{"/tasks/" + c.ID + "/claim", "/signin", "/signout", "/preferences"} {
			if a := p.do(http.MethodPost, path, url.Values{}, headers); a.Status != http.StatusForbidden {
				t.Errorf("%s with %v: %d", path, headers, a.Status)
			}
		}
	}
	if now := d.card(order.Trace, "720933"); now.OwnerID != "" {
		t.Errorf("claimed by %s", now.OwnerName)
	}
}
