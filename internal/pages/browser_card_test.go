package pages_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"thhotel/internal/order"
)

func flash(says string) string {
	return fmt.Sprintf(`(document.querySelector(".flash:not([hidden])")?.innerText || "").includes(%q)`, says)
}

// Two people on one card: the second is told who has it, on the open page and when
// trying; whoever loses the lock is told too.
func TestBrowserTwoPeopleOnOneCard(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	anna, somsak := browser(t, 1440, 900), browser(t, 1440, 900)
	enter(t, anna, d, "anna")
	enter(t, somsak, d, "somsak")
	for _, ctx := range []context.Context{anna, somsak} {
		do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+id))
	}
	d.pass(10 * time.Second)
	do(t, anna, chromedp.Click(css("[data-key=c]")))
	wait(t, anna, flash("yours"))
	wait(t, somsak, `!document.querySelector("#moved").hidden`) // by the stream, not by asking
	do(t, somsak, chromedp.Click(css("[data-key=c]")))
	wait(t, somsak, `document.querySelector("[role=alert]:not([hidden])")?.innerText.includes("Anna")`)
	d.pass(10 * time.Second)
	do(t, somsak, chromedp.KeyEvent("c"))
	wait(t, somsak, `document.querySelector("#ask").open && document.querySelector("#ask p").textContent.includes("Anna")`)
	do(t, somsak, chromedp.Click(css("#ask [value=yes]")))
	wait(t, somsak, flash("yours"))
	wait(t, anna, `!document.querySelector("#moved").hidden`)
	if c := d.look(id); c.OwnerName != "Somsak" {
		t.Errorf("the card is %s's", c.OwnerName)
	}
}

// changesOf counts what confirming a card wrote.
func (d *desk) changesOf(c order.CardView) int {
	d.t.Helper()
	list, err := d.Order.History(context.Background(), d.by, c.OrderID)
	must(d.t, err)
	n := 0
	for _, h := range list {
		if h.CardID == c.ID && h.Action == string(c.EventType) {
			n++
		}
	}
	return n
}

// A double click is one confirm; the way back shows what is done and offers it no
// more; a second tab that still shows the button does nothing twice.
func TestBrowserConfirmHappensOnce(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.Trace, "720933").ID
	d.as("anna").post("/tasks/"+id+"/claim", nil)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	tab := window(t, ctx)
	for _, w := range []context.Context{tab, ctx} {
		do(t, w, chromedp.Navigate(d.URL+"/tasks/"+id))
		eval[int](t, w, `document.querySelector("[data-key=a]").click(), 1`) // a window behind another takes no mouse
		wait(t, w, `!!document.querySelector("#dialog form")`)
		eval[int](t, w, `document.querySelectorAll("#dialog input[type=checkbox]").forEach(b => b.click()), 1`)
	}
	eval[int](t, ctx, `(b => { b.click(); b.click(); b.form.requestSubmit(b); })(document.querySelector("#dialog form .btn-primary")), 1`)
	wait(t, ctx, flash("Confirmed"))
	if n := d.changesOf(d.look(id)); n != 1 {
		t.Fatalf("%d changes of one confirm", n)
	}
	do(t, ctx, chromedp.Navigate(d.URL+"/orders"))
	eval[int](t, ctx, `history.back(), 1`) // may come out of the browser's memory: there is no load to wait for
	wait(t, ctx, fmt.Sprintf(`location.pathname === "/tasks/%s"`, id))
	wait(t, ctx, `!document.querySelector("[data-key=a]") && !document.querySelector("#dialog").open`)
	wait(t, tab, `!!document.querySelector("#dialog form .btn-primary")`)
	eval[int](t, tab, `document.querySelector("#dialog form .btn-primary").click(), 1`)
	wait(t, tab, flash("nothing was done twice"))
	if n := d.changesOf(d.look(id)); n != 1 {
		t.Errorf("%d changes after the second tab", n)
	}
}

// A reload in the middle of a dialog changes nothing and loses no claim.
func TestBrowserReloadInTheMiddle(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.CancelBooking, "4032077").ID
	d.as("anna").post("/tasks/"+id+"/claim", nil)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+id), chromedp.KeyEvent("a"))
	wait(t, ctx, `!!document.querySelector("#dialog form")`)
	eval[int](t, ctx, `document.querySelectorAll("#dialog input[type=checkbox]").forEach(b => b.click()), document.querySelector("#dialog form .btn-primary").click(), 1`)
	wait(t, ctx, `!!document.querySelector("#dialog [name=second]")`) // between the two steps
	do(t, ctx, chromedp.Reload())
	wait(t, ctx, `!document.querySelector("#dialog").open && !!document.querySelector("[data-key=a]")`)
	if c := d.look(id); c.Status != order.CardClaimed || c.OwnerName != "Anna" {
		t.Errorf("after the reload: %s of %s", c.Status, c.OwnerName)
	}
}

// The order changed since the card was looked at: the confirm is refused, and the
// card says what changed.
func TestBrowserStaleCardShowsWhatChanged(t *testing.T) {
	d := newDesk(t)
	id := d.card(order.UpdateBooking, "4032001").ID
	d.as("anna").post("/tasks/"+id+"/claim", nil)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+id), chromedp.Click(css("[data-key=a]")))
	wait(t, ctx, `!!document.querySelector("#dialog form")`)
	c := d.look(id)
	d.pass(10 * time.Second)
	a := d.as("somsak").post("/orders/"+c.OrderID+"/correct", url.Values{"version": {fmt.Sprint(c.OrderVersion)}, "f.departure_date": {"2026-12-17"}, "reason": {"phone call"}})
	if !strings.Contains(a.Body, "Correction saved") {
		t.Fatalf("correct: %d", a.Status)
	}
	eval[int](t, ctx, `document.querySelectorAll("#dialog input[type=checkbox]").forEach(b => b.click()), document.querySelector("#dialog form .btn-primary").click(), 1`)
	wait(t, ctx, `!!document.querySelector("#dialog .oops")`)
	do(t, ctx, chromedp.Click(css("#dialog .btn-primary")))
	wait(t, ctx, `document.querySelector("#since")?.innerText.includes("2026-12-17")`)
	if got := eval[string](t, ctx, `document.querySelector(".diff tbody").innerText`); !strings.Contains(eval[string](t, ctx, `document.querySelector("#change").innerText`), "changed since") {
		t.Errorf("the difference does not say so: %s", got)
	}
}

// The basic path without JavaScript: sign in, claim, confirm; reject another.
func TestBrowserWithoutJavaScript(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	enter(t, ctx, d, "anna")
	yes, no := d.card(order.Trace, "720933").ID, d.card(order.Payment, "").ID
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks"), chromedp.Click(css("#c-"+yes+" a")), chromedp.WaitVisible(css(".actions")),
		chromedp.Click(css("[data-key=c]")), chromedp.WaitVisible(css("[data-key=a]")), chromedp.Click(css("[data-key=a]")), chromedp.WaitVisible(css("main #dialog-body form")))
	for i := range d.look(yes).Rules {
		if r := d.look(yes).Rules[i]; r.Level == order.Review {
			do(t, ctx, chromedp.Click(css(fmt.Sprintf("input[value='%s']", r.Name))))
		}
	}
	do(t, ctx, chromedp.Click(css("main #dialog-body .btn-primary")), chromedp.WaitVisible(css(".flash")))
	if c := d.look(yes); c.Status != order.CardConfirmed {
		t.Errorf("card is %s, want CONFIRMED", c.Status)
	}
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+no), chromedp.Click(css("[data-key=c]")), chromedp.WaitVisible(css("[data-key=r]")), chromedp.Click(css("[data-key=r]")),
		chromedp.WaitVisible(css("[value=already_done]")), chromedp.Click(css("[value=already_done]")), chromedp.Click(css("main #dialog-body .btn-danger")), chromedp.WaitVisible(css(".flash")))
	if c := d.look(no); c.Status != order.CardRejected {
		t.Errorf("card is %s, want REJECTED", c.Status)
	}
}

// Single keys do nothing on their own: each that could asks first.
func TestBrowserKeysAskFirst(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	c := d.card(order.Trace, "720933")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+c.ID))
	for _, key := range []string{"c", "Escape", "a", "r", "e", "x", "k", "j"} {
		do(t, ctx, chromedp.KeyEvent(map[string]string{"Escape": "\u001b"}[key]+strings.TrimPrefix(key, "Escape")))
	}
	if now := d.look(c.ID); now.Version != c.Version || now.OwnerID != "" {
		t.Errorf("keys changed the card: version %d, owner %q", now.Version, now.OwnerName)
	}
	d.as("anna").post("/tasks/"+c.ID+"/claim", nil)
	for _, key := range []string{"a", "r"} {
		was := d.look(c.ID).Version
		do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+c.ID), chromedp.KeyEvent(key))
		wait(t, ctx, `document.querySelector("#dialog").open && document.querySelector("#dialog").contains(document.activeElement)`)
		do(t, ctx, chromedp.KeyEvent("\u001b"))
		wait(t, ctx, fmt.Sprintf(`!document.querySelector("#dialog").open && document.activeElement.dataset.key === %q`, key)) // back to where it was
		if now := d.look(c.ID); now.Version != was {
			t.Errorf("%s alone changed the card", key)
		}
	}
	do(t, ctx, chromedp.KeyEvent("?"))
	wait(t, ctx, `document.querySelector("#keys").open`)
	do(t, ctx, chromedp.KeyEvent("\u001b"), chromedp.KeyEvent("/"))
	wait(t, ctx, `document.activeElement.matches("[data-search]")`)
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+c.ID), chromedp.KeyEvent("e"))
	wait(t, ctx, `!!document.querySelector("input[name='version']") && !!document.querySelector("textarea[name='trace.text']")`)
}

// watch collects the addresses of every request a window makes.
func watch(t *testing.T, ctx context.Context) func() []string {
	t.Helper()
	var mu sync.Mutex
	var urls []string
	_, err := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	must(t, err)
	must(t, chromedp.Listen(ctx, func(ev any) {
		if e, ok := ev.(*network.EventRequestWillBeSent); ok {
			mu.Lock()
			urls = append(urls, e.Request.URL)
			mu.Unlock()
		}
	}))
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string{}, urls...)
	}
}

// Every mail of the demo, whole and formatted: no request leaves for elsewhere.
func TestBrowserMailsLoadNothing(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	requests := watch(t, ctx)
	for i := 1; i <= 12; i++ {
		m, err := d.Inbox.Locate(context.Background(), d.by, fmt.Sprintf("agentbus-ext-%04d", i))
		if err != nil {
			continue
		}
		do(t, ctx, chromedp.Navigate(d.URL+"/inbox/"+m.ID+"?mail=whole"))
	}
	got := requests()
	for _, u := range got {
		if !strings.HasPrefix(u, d.URL) && !strings.HasPrefix(u, "data:") && !strings.HasPrefix(u, "about:") {
			t.Errorf("a request left the workbench: %s", u)
		}
	}
	if len(got) < 24 {
		t.Errorf("only %d requests were seen: the watch is blind", len(got))
	}
}
