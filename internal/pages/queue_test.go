package pages_test

import (
	"bytes"
	"context"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"thhotel/internal/order"
)

// The queue finds cards by keys, names in every script, senders and subjects.
func TestQueueSearch(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	for what, q := range map[string]string{"group code": "NORDIC0227", "part of a code": "nordic02", "confirmation": "4032077", "reservation": "720933",
		"guest": "dubois", "Chinese name": "王晓明", "Chinese sender": "李晓雯", "Thai subject": "ขอแจ้งความต้องการ", "Thai sender": "กมลวรรณ",
		"sender": "Grace Okafor", "subject": "rooming list v1", "account": "SIAMLINK"} {
		body := anna.get("/tasks?q=" + url.QueryEscape(q)).Body
		if !strings.Contains(body, "data-href=") {
			t.Errorf("%s (%s) finds nothing", what, q)
		}
	}
	if body := anna.get("/tasks?q=nothing-like-this").Body; strings.Contains(body, "data-href=") || !strings.Contains(body, "Nothing found") || !strings.Contains(body, `href="/tasks?view=open"`) {
		t.Error("an empty search does not say so, or offers no way back")
	}
}

// Views, filters and sorting go together, and a page leads to the next without
// losing them or showing a card twice.
func TestQueueViewsAndPages(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	for range 60 {
		d.byHand("4032198")
	}
	ids := regexp.MustCompile(`<tr id="c-([0-9a-f-]+)"`)
	seen := map[string]bool{}
	path := "/tasks?sort=newest&type=TRACE_RESERVATION_NOTES"
	for pages := 0; path != ""; pages++ {
		if pages > 5 {
			t.Fatal("the pages do not end")
		}
		body := anna.get(path).Body
		for _, m := range ids.FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("%s is shown twice", m[1])
			}
			seen[m[1]] = true
		}
		next := regexp.MustCompile(`href="([^"]+)" data-next`).FindStringSubmatch(body)
		if path = ""; next != nil {
			path = strings.ReplaceAll(next[1], "&amp;", "&")
			if !strings.Contains(path, "type=TRACE_RESERVATION_NOTES") || !strings.Contains(path, "sort=newest") {
				t.Fatalf("the next page forgets: %s", path)
			}
		}
	}
	if len(seen) < 61 {
		t.Errorf("%d cards on all pages", len(seen))
	}
	body := anna.get("/tasks?q=4032198&view=unclaimed").Body
	if !strings.Contains(body, `/tasks?q=4032198&amp;view=mine`) {
		t.Error("another view forgets the search")
	}
}

// A waiting card's clock stands still, and the queue says so.
func TestQueueShowsPausedClocks(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	id := d.card(order.CancelBooking, "4032077").ID
	anna.post("/tasks/"+id+"/claim", nil)
	form := url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "date": {"2026-12-01"}, "time": {"17:00"}, "text": {"which night?"}}
	if a := anna.post("/tasks/"+id+"/ask", form); a.Status != http.StatusOK {
		t.Fatalf("ask: %d", a.Status)
	}
	body := anna.get("/tasks?view=waiting").Body
	if !strings.Contains(body, "paused until 12-01 17:00") || !strings.Contains(body, `title="1 h left"`) {
		t.Error("the pause or what is left is not shown")
	}
}

// A correction that makes no sense comes back with what was typed, and says at the
// field what is the matter.
func TestRefusedCorrectionsKeepWhatWasTyped(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.UpdateBooking, "4032198").ID
	anna := d.as("anna")
	anna.post("/tasks/"+id+"/claim", nil)
	for lang, says := range map[string]string{"en": "aria-invalid", "zh": "日期"} {
		anna.language(lang)
		a := anna.post("/tasks/"+id+"/edit", url.Values{"version": {fmt.Sprint(d.look(id).Version)}, "f.departure_date": {"2027-02-31"}, "f.rate_code": {"WHSBB"}})
		if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
			t.Fatalf("an impossible date: %d", a.Status)
		}
		for _, want := range []string{`value="2027-02-31"`, `id="e-f.departure_date"`, `form="edit"`, says} {
			if !strings.Contains(a.Body, want) {
				t.Errorf("%s: the form lacks %s", lang, want)
			}
		}
	}
	somsak := d.as("somsak")
	c := d.look(id)
	a := somsak.post("/orders/"+c.OrderID+"/correct", url.Values{"version": {fmt.Sprint(c.OrderVersion)}, "f.arrival_date": {"2027-13-01"}, "reason": {"typing"}})
	if a.Status < 400 || !strings.Contains(a.Body, `value="2027-13-01"`) || !strings.Contains(a.Body, `value="typing"`) {
		t.Errorf("correcting an order: %d, or what was typed is gone", a.Status)
	}
}

// A CSV is shown as plain text in a table; formulas are marked and stay text.
func TestPreview(t *testing.T) {
	d := newDesk(t)
	anna := d.as("anna")
	raw := "From: Agent <a@example.org>\r\nTo: res@th.example\r\nSubject: list\r\nMessage-ID: <p1@example.org>\r\nDate: Mon, 30 Nov 2026 09:00:00 +0700\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nlist\r\n--b\r\nContent-Type: text/csv; name=list.csv\r\nContent-Disposition: attachment; filename=list.csv\r\n\r\n" +
		"Name,Type\r\n<script>alert(1)</script>,DLXK\r\n\"=HYPERLINK(\"\"http://evil.example\"\")\",DLXT\r\n王晓明,SUPK\r\n--b--\r\n"
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	part, err := w.CreateFormFile("file", "new.eml")
	must(t, err)
	_, err = part.Write([]byte(raw))
	must(t, err)
	must(t, w.Close())
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, d.URL+"/inbox/import", &b)
	must(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := anna.client.Do(r)
	must(t, err)
	must(t, res.Body.Close())
	link := regexp.MustCompile(`/inbox/[0-9a-f-]{36}`).FindString(anna.get("/inbox?q=list").Body)
	view := regexp.MustCompile(`/inbox/[^"]+/view`).FindString(anna.get(link).Body)
	if view == "" {
		t.Fatal("no preview is offered")
	}
	a := anna.get(view)
	for _, want := range []string{"王晓明", "&lt;script&gt;alert(1)", `<span class="tag amber">formula</span>`, "=HYPERLINK("} {
		if a.Status != http.StatusOK || !strings.Contains(a.Body, want) {
			t.Errorf("%d, the table lacks %q", a.Status, want)
		}
	}
	if strings.Contains(a.Body, "<script>alert") || strings.Contains(a.Body, `href="http`) {
		t.Error("the file reached the page as more than text")
	}
}
