package pages_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"thhotel/internal/order"
)

// byHand opens a card on an order, as a colleague would.
func (d *desk) byHand(key string) string {
	d.t.Helper()
	d.pass(10 * time.Second)
	found, err := d.Order.FindByKeys(context.Background(), d.by, order.Keys{ConfirmationNumber: key}, 5)
	must(d.t, err)
	id, err := d.Order.OpenManual(context.Background(), d.by, order.ManualParams{OrderID: found.Records[0].ID, EventType: order.Trace, Text: "late arrival"})
	must(d.t, err)
	return id
}

const streaming = `document.querySelector("#live-state").dataset.is === "live"`

// A new row appears and a changed row changes on an open page, which is not
// reloaded; the focus stays, and what has it stays where it is on the screen.
func TestBrowserRowsAreLive(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks?sort=newest"))
	wait(t, ctx, streaming)
	c := d.card(order.Trace, "720933")
	eval[int](t, ctx, fmt.Sprintf(`window.same = 1; document.querySelector("#c-%s a").focus(); 1`, c.ID))
	top := fmt.Sprintf(`document.querySelector("#c-%s").getBoundingClientRect().top`, c.ID)
	before := eval[float64](t, ctx, top)
	made := d.byHand("4032198")
	wait(t, ctx, fmt.Sprintf(`!!document.querySelector("#c-%s")`, made))
	if got := eval[string](t, ctx, `document.activeElement.closest("tr").id`); got != "c-"+c.ID {
		t.Errorf("the focus went to %q", got)
	}
	if got := eval[float64](t, ctx, top); got < before-1 || got > before+1 {
		t.Errorf("the row under the hand moved from %v to %v", before, got)
	}
	if first := eval[string](t, ctx, `document.querySelector("[data-rows] tr").id`); first != "c-"+made {
		t.Errorf("the newest row is %s, want %s", first, made)
	}
	wait(t, ctx, `document.querySelector("#announce").textContent.startsWith("1 new")`)
	d.pass(10 * time.Second)
	d.as("ben").post("/tasks/"+made+"/claim", nil)
	wait(t, ctx, fmt.Sprintf(`document.querySelector("#c-%s").innerText.includes("Ben")`, made))
	if eval[int](t, ctx, `window.same || 0`) != 1 {
		t.Error("the page was reloaded")
	}
}

// What the mouse points at stays under it when rows come and go above.
func TestBrowserRowsStayUnderTheMouse(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks?sort=newest"))
	wait(t, ctx, streaming)
	do(t, ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 700, 420))
	under := eval[string](t, ctx, `document.elementFromPoint(700,420).closest("tr").id`)
	for range 3 { // more than fits without scrolling
		made := d.byHand("4032198")
		wait(t, ctx, fmt.Sprintf(`!!document.querySelector("#c-%s")`, made))
	}
	if got := eval[string](t, ctx, `document.elementFromPoint(700,420).closest("tr").id`); got != under {
		t.Errorf("the mouse points at %s, it pointed at %s", got, under)
	}
	// A row above it is decided: it stays as a shadow until the mouse has gone.
	gone := eval[string](t, ctx, `document.querySelector("[data-rows] tr").id`)
	id := strings.TrimPrefix(gone, "c-")
	d.pass(10 * time.Second)
	ben := d.as("ben")
	ben.post("/tasks/"+id+"/claim", nil)
	ben.post("/tasks/"+id+"/reject", map[string][]string{"version": {fmt.Sprint(d.look(id).Version)}, "reason_code": {"duplicate"}})
	wait(t, ctx, fmt.Sprintf(`document.querySelector("#%s").classList.contains("gone")`, gone))
	if got := eval[string](t, ctx, `document.elementFromPoint(700,420).closest("tr").id`); got != under {
		t.Errorf("the mouse points at %s, it pointed at %s", got, under)
	}
	do(t, ctx, chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 5, 5))
	made := d.byHand("4032198")
	wait(t, ctx, fmt.Sprintf(`!!document.querySelector("#c-%s") && !document.querySelector("#%s")`, made, gone))
}

// The server restarts: the page goes on by itself and misses nothing.
func TestBrowserRowsSurviveARestart(t *testing.T) {
	d := newDesk(t)
	ctx := browser(t, 1440, 900)
	first := d.serve("127.0.0.1:0")
	d.URL = first.URL
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks"))
	wait(t, ctx, streaming)
	first.Stop()
	wait(t, ctx, `document.querySelector("#live-state").dataset.is !== "live"`)
	made := d.byHand("4032198") // while nobody serves
	d.serve(strings.TrimPrefix(first.URL, "http://"))
	wait(t, ctx, fmt.Sprintf(`!!document.querySelector("#c-%s")`, made))
	wait(t, ctx, streaming)
}

// Without a stream the page asks by itself.
func TestBrowserRowsWithoutAStream(t *testing.T) {
	d := newDesk(t)
	d.options.Live.Session = -1
	d.options.Live.Most = 1
	blocked := d.serve("127.0.0.1:0")
	_, events := d.as("ben").listen(blocked.URL, "", nil)
	next(t, events, "beat") // the only place is taken
	d.URL = blocked.URL
	ctx := browser(t, 1440, 900)
	enter(t, ctx, d, "anna")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks"))
	wait(t, ctx, `document.querySelector("#live-state").dataset.is === "poll"`)
	made := d.byHand("4032198")
	waitLong(t, ctx, fmt.Sprintf(`!!document.querySelector("#c-%s")`, made))
}
