package inbox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/inbox"
	"thhotel/internal/testkit"
)

// find pages through a search to its end.
func (w world) find(t *testing.T, by access.Caller, p inbox.ListParams) (got string, pages int) {
	t.Helper()
	var ids []string
	for {
		page, next, err := w.List(ctx, by, p)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		pages++
		for _, m := range page {
			ids = append(ids, strings.TrimPrefix(m.ExternalMessageID, "ext-"))
		}
		if p.Cursor = next; next == "" {
			return strings.Join(ids, " "), pages
		}
	}
}

// TestSearchInBodies: words of any script as parts of bodies and heads, the same
// on either engine.
func TestSearchInBodies(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		for i, body := range []string{
			"Please note: MR MÜLLER arrives late.\r\nConfirmation 4032077.", "请为王小明先生预订豪华双床房，含早餐", "ขอแจ้งความต้องการพิเศษ แพ้อาหารทะเล",
			"ご予約の件、ツインルーム２部屋（ＤＬＸＴ）", "100% sure_thing!",
		} {
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: fmt.Sprintf("ext-%d", i+1), ReceivedAt: testkit.Now.Add(time.Duration(i) * time.Minute),
				Raw: []byte("From: A <a@a.example>\r\nTo: Groups <groups@thhotel.example>\r\nSubject: Re: booking\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + body + "\r\n")})
		}
		for search, want := range map[string]string{
			"müller": "1", "MÜLLER late 4032077": "1", "3207": "1", "小明": "2", "王小明 booking": "2", "แพ้อาหาร": "3", "dlxt 2": "4", "ツイン": "4", "100%": "5", "e_t": "5",
			"groups@thhotel": "5 4 3 2 1", "absent": "", "小明 absent": "", "%": "5", "a!": "", "g!": "5",
		} {
			if got, _ := w.find(t, malee, inbox.ListParams{Search: search}); got != want {
				t.Errorf("%q: found %q, want %q", search, got, want)
			}
		}
		headOnly := robot
		headOnly.Scopes = []string{access.ConversationRead.Scope}
		if got, _ := w.find(t, headOnly, inbox.ListParams{Search: "müller"}); got != "" {
			t.Errorf("who may not read bodies found %q by one", got)
		}
		if got, _ := w.find(t, headOnly, inbox.ListParams{Search: "booking"}); got != "5 4 3 2 1" {
			t.Errorf("heads: %q", got)
		}
		if n := w.count(t, "inbox_access", "1=1"); n != 0 {
			t.Errorf("searching showed no body but left %d access rows", n)
		}
	})
}

// TestSearchIsBounded: a page looks through a window and says where to go on; in
// the end everything was looked at, once.
func TestSearchIsBounded(t *testing.T) {
	everywhere(t, func(t *testing.T, w world) {
		w.SetWindow(7)
		for i := range 40 {
			word := "plain"
			if i%10 == 3 {
				word = "needle"
			}
			w.deliver(t, inbox.DeliverParams{ExternalMessageID: fmt.Sprintf("ext-%d", i), ReceivedAt: testkit.Now.Add(time.Duration(i/3) * time.Minute), // some at one moment
				Raw: mailing("", "a@a.example", word)})
		}
		if got, pages := w.find(t, malee, inbox.ListParams{Search: "needle"}); got != "33 23 13 3" || pages != 6 {
			t.Errorf("found %q in %d pages, want 33 23 13 3 in 6", got, pages)
		}
		if got, pages := w.find(t, malee, inbox.ListParams{Search: "absent"}); got != "" || pages != 6 {
			t.Errorf("found %q in %d pages, want nothing in 6", got, pages)
		}
		if got, _ := w.find(t, malee, inbox.ListParams{Search: "plain", Limit: 2}); len(strings.Fields(got)) != 36 {
			t.Errorf("%d found, want 36", len(strings.Fields(got)))
		}
		since := inbox.ListParams{Search: "needle", Since: testkit.Now.Add(4 * time.Minute), Until: testkit.Now.Add(10 * time.Minute)}
		if got, _ := w.find(t, malee, since); got != "23 13" {
			t.Errorf("between dates: %q, want 23 13", got)
		}
	})
}
