package pages_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"thhotel/internal/order"
)

// Reading a mail on a card leaves a row that says who and why.
func TestReadingIsAudited(t *testing.T) {
	d := newDesk(t)
	c := d.card(order.Trace, "720933")
	before, err := d.Inbox.Accesses(context.Background(), d.by, c.MessageID, "", 50)
	must(t, err)
	if a := d.as("anna").get("/tasks/" + c.ID); a.Status != http.StatusOK {
		t.Fatal(a.Status)
	}
	after, err := d.Inbox.Accesses(context.Background(), d.by, c.MessageID, "", 50)
	must(t, err)
	if len(after) != len(before)+1 {
		t.Errorf("%d rows before, %d after", len(before), len(after))
	}
}

func TestFrameAndDownloads(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	m, err := d.Inbox.Locate(context.Background(), d.by, "agentbus-ext-0002")
	must(t, err)
	if len(m.Attachments) == 0 {
		t.Fatal("no attachment")
	}
	frame := anna.get("/inbox/" + m.ID + "/html")
	if csp := frame.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; style-src 'unsafe-inline'") || !strings.Contains(csp, "sandbox") {
		t.Errorf("frame policy %q", csp)
	}
	for _, path := range []string{"/inbox/" + m.ID + "/files/" + m.Attachments[0].ID, "/inbox/" + m.ID + "/original"} {
		a := anna.get(path)
		if a.Status != http.StatusOK || len(a.Body) == 0 || a.Header.Get("Content-Type") != "application/octet-stream" ||
			!strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d %v", path, a.Status, a.Header)
		}
		if a := d.as("vera").get(path); a.Status != http.StatusForbidden {
			t.Errorf("a viewer at %s: %d", path, a.Status)
		}
	}
	if a := anna.get("/inbox/" + m.ID + "/files/none"); a.Status != http.StatusNotFound {
		t.Errorf("missing file: %d", a.Status)
	}
}

func TestImport(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", "new.eml")
	must(t, err)
	_, err = part.Write([]byte("From: Guest <guest@example.org>\r\nTo: res@th.example\r\nSubject: A late question\r\nMessage-ID: <q1@example.org>\r\nDate: Mon, 30 Nov 2026 09:00:00 +0700\r\n\r\nIs the pool open?\r\n"))
	must(t, err)
	must(t, w.Close())
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, d.URL+"/inbox/import", &b)
	must(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := anna.client.Do(r)
	must(t, err)
	must(t, res.Body.Close())
	if res.StatusCode != http.StatusOK {
		t.Fatalf("import: %d", res.StatusCode)
	}
	if a := anna.get("/inbox?q=late"); !strings.Contains(a.Body, "A late question") {
		t.Error("the imported mail is not listed")
	}
	if a := anna.post("/inbox/import", url.Values{}); a.Status != http.StatusBadRequest {
		t.Errorf("import of nothing: %d", a.Status)
	}
}

func TestAdmin(t *testing.T) {
	d := newDesk(t)
	root := d.as("root")
	root.language("en")
	page := root.get("/admin/credentials").Body
	_, rest, _ := strings.Cut(page, `<option value="`)
	subject, _, _ := strings.Cut(rest, `"`)
	issued := root.post("/admin/credentials", url.Values{"subject": {subject}, "name": {"test"}, "audience": {"/mcp"}, "days": {"7"}, "scope": {"hotel:case.read"}})
	if issued.Status != http.StatusOK || !strings.Contains(issued.Body, "thh_") {
		t.Fatalf("issue: %d\n%s", issued.Status, issued.Body)
	}
	_, rest, _ = strings.Cut(issued.Body, `class="secret">`)
	token, _, _ := strings.Cut(rest, "<")
	if again := root.get("/admin/credentials").Body; strings.Contains(again, token) {
		t.Error("the token is shown twice")
	}
	_, rest, _ = strings.Cut(issued.Body, `name="id" value="`)
	id, _, _ := strings.Cut(rest, `"`)
	if a := root.post("/admin/credentials/revoke", url.Values{"id": {id}}); !strings.Contains(a.Body, "Revoked") {
		t.Errorf("revoke: %d", a.Status)
	}
	root.post("/admin/tools/profile", url.Values{"profile": {"read_only"}})
	root.post("/admin/tools/switch", url.Values{"tool": {"th_hotel_query_case_context"}, "on": {"0"}})
	tools := root.get("/admin/tools").Body
	if !strings.Contains(tools, `value="read_only" checked`) || !strings.Contains(tools, "Turn on") {
		t.Error("profile or switch not kept")
	}
	if a := root.get("/admin/audit?tool=credential.issue"); !strings.Contains(a.Body, "credential.issue") {
		t.Error("the audit does not show the credential")
	}
}
