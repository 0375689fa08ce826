package pages_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"thhotel/internal/order"
)

type css = chromedp.CSS

// chromium is the one browser of this test binary; every test gets windows and
// cookies of its own.
var chromium struct {
	once sync.Once
	ctx  context.Context
	stop func()
}

func stopBrowser() {
	if chromium.stop != nil {
		chromium.stop()
	}
}

func startBrowser() {
	bin := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			bin = p
			break
		}
	}
	dir, err := os.MkdirTemp("", "thhotel-chromium")
	if bin == "" || err != nil {
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(bin), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.UserDataDir(dir))
	all, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(all)
	chromium.stop = func() {
		_ = chromedp.Cancel(ctx) // waits for the browser, so that its folder can go
		cancel()
		stop()
		_ = os.RemoveAll(dir)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err == nil {
		chromium.ctx = ctx
	}
}

// browser opens a window with cookies of its own, or skips the test with the reason.
func browser(t *testing.T, width, height int) context.Context {
	t.Helper()
	chromium.once.Do(startBrowser)
	if chromium.ctx == nil {
		t.Skip("no Chromium on this machine: install it with apt-get install chromium to run the browser tests")
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(cancel)
	ready(t, ctx, int64(width), int64(height))
	return ctx
}

// ready sizes a window and lets it take keys wherever it stands among the others.
func ready(t *testing.T, ctx context.Context, width, height int64) {
	t.Helper()
	do(t, ctx, chromedp.EmulateViewport(width, height))
	_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	must(t, err)
}

// window is a second window of the same person: the same cookies.
func window(t *testing.T, of context.Context) context.Context {
	t.Helper()
	ctx, cancel := chromedp.NewContext(of)
	t.Cleanup(cancel)
	ready(t, ctx, 1440, 900)
	return ctx
}

func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

func eval[T any](t *testing.T, ctx context.Context, js string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%s: %v", js[:min(len(js), 80)], err)
	}
	return v
}

func enter(t *testing.T, ctx context.Context, d *desk, name string) {
	t.Helper()
	do(t, ctx, chromedp.Navigate(d.URL+"/signin"), chromedp.SendKeys(css("#username"), name), chromedp.SendKeys(css("#password"), password),
		chromedp.Click(css(".signin .btn-primary")), chromedp.WaitVisible(css(".side")))
}

// wait asks until the page says yes; fetches and navigation take their time, and
// a page that is just being left cannot answer.
func wait(t *testing.T, ctx context.Context, js string) { t.Helper(); waitFor(t, ctx, 400, js) }

// waitLong is wait for what the page does by itself after a while.
func waitLong(t *testing.T, ctx context.Context, js string) { t.Helper(); waitFor(t, ctx, 900, js) }

func waitFor(t *testing.T, ctx context.Context, rounds int, js string) {
	t.Helper()
	for range rounds {
		if yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool](js)); err == nil && yes {
			return
		}
		do(t, ctx, chromedp.Sleep(50*time.Millisecond))
	}
	body, _ := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	t.Fatalf("waited in vain for %s at %s", js, body)
}

// A clerk's round with the keyboard alone: pick a row, claim, confirm with a
// tick in the dialog; the order changes only at the end.
func TestBrowserConfirmByKeyboard(t *testing.T) {
	ctx := browser(t, 1440, 900)
	d := newDesk(t)
	enter(t, ctx, d, "anna")
	c := d.card(order.Trace, "720933")
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks?q=720933"), chromedp.KeyEvent("j"))
	wait(t, ctx, `!!document.querySelector("tr.chosen")`)
	do(t, ctx, chromedp.Navigate(d.URL+"/tasks/"+c.ID), chromedp.KeyEvent("c"))
	wait(t, ctx, `document.querySelector("#ask").open`)
	if got := eval[string](t, ctx, `document.querySelector("h1").innerText`); got == "" {
		t.Error("the card has no heading")
	}
	do(t, ctx, chromedp.Click(css("#ask [value=yes]")))
	wait(t, ctx, `!!document.querySelector("[data-key=a]")`)
	if now, err := d.Order.Card(ctx, d.by, c.ID); err != nil || now.Status != order.CardClaimed {
		t.Fatalf("after claiming: %v %v", now.Status, err)
	}
	do(t, ctx, chromedp.KeyEvent("a"))
	wait(t, ctx, `document.querySelector("#dialog").open && !!document.querySelector("#dialog form")`)
	picture(t, ctx, "dialog-1440-light")
	eval[int](t, ctx, `document.querySelectorAll("#dialog input[type=checkbox]").forEach(b => b.click()), 1`)
	do(t, ctx, chromedp.Click(css("#dialog form button.btn-primary")))
	wait(t, ctx, `(document.querySelector(".flash")?.innerText || "").includes("Confirmed")`)
	now, err := d.Order.Card(ctx, d.by, c.ID)
	must(t, err)
	if now.Status != order.CardConfirmed {
		t.Errorf("card is %s, want CONFIRMED", now.Status)
	}
}

// A mail that is full of trackers and scripts is shown without one request
// leaving for anywhere else.
func TestBrowserHostileMailLoadsNothing(t *testing.T) {
	ctx := browser(t, 1440, 900)
	d := newDesk(t)
	enter(t, ctx, d, "anna")
	m, err := d.Inbox.Locate(ctx, d.by, "agentbus-ext-0011")
	must(t, err)
	do(t, ctx, chromedp.Navigate(d.URL+"/inbox/"+m.ID+"?mail=whole"), chromedp.WaitVisible(css("iframe.mailframe")))
	got := eval[[]string](t, ctx, `performance.getEntriesByType("resource").map(e => e.name).filter(n => !n.startsWith(location.origin))`)
	if len(got) > 0 {
		t.Errorf("requests left the workbench: %v", got)
	}
	frame := d.as("anna").get("/inbox/" + m.ID + "/html")
	if csp := frame.Header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") {
		t.Errorf("frame policy %q", csp)
	}
	for _, bad := range []string{"<script", "<img", "<a ", "href=", "src=", "SYSTEM NOTICE"} {
		if strings.Contains(frame.Body[len("<!doctype"):], bad) {
			t.Errorf("the frame contains %q", bad)
		}
	}
}

type violation struct {
	ID, Impact string
	Nodes      []string
}

// axe finds no fault on any page, light and dark, wide and narrow; the window
// never scrolls sideways. THHOTEL_SHOTS names a folder for pictures, THHOTEL_PAGES
// a beginning of names, for a look at some pages only.
func TestBrowserPagesAreAccessible(t *testing.T) {
	d := newDesk(t)
	root := d.as("root")
	for _, kind := range order.EventTypes() {
		root.post("/tasks/"+d.card(kind, "").ID+"/claim", nil)
	}
	axe := string(read(t, "testdata", "axe.min.js"))
	for _, width := range []int{1440, 390} {
		for _, theme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d-%s", width, theme), func(t *testing.T) {
				ctx := browser(t, width, 900)
				enter(t, ctx, d, "root")
				prefer(t, ctx, theme, languages[theme+strconv.Itoa(width)])
				for name, path := range d.everyPage() {
					if !strings.HasPrefix(name, os.Getenv("THHOTEL_PAGES")) {
						continue
					}
					checkPage(t, ctx, axe, name, d.URL+path, width, theme)
				}
				d2 := browser(t, width, 900)
				do(t, d2, chromedp.Navigate(d.URL+"/signin"))
				prefer(t, d2, theme, languages[theme+strconv.Itoa(width)])
				checkPage(t, d2, axe, "signin", d.URL+"/signin", width, theme)
			})
		}
	}
}

// languages go with themes and widths so that each is seen with each of the others.
var languages = map[string]string{"light1440": "en", "dark1440": "zh", "light390": "zh", "dark390": "en"}

func prefer(t *testing.T, ctx context.Context, theme, lang string) {
	t.Helper()
	eval[int](t, ctx, fmt.Sprintf(`fetch("/preferences",{method:"POST",body:new URLSearchParams({theme:%q,lang:%q,back:"/static/none"})}).then(()=>1)`, theme, lang))
}

func checkPage(t *testing.T, ctx context.Context, axe, name, url string, width int, theme string) {
	t.Helper()
	do(t, ctx, chromedp.EmulateViewport(int64(width), 900), chromedp.Navigate(url))
	shot := fmt.Sprintf("%s-%d-%s", name, width, theme)
	picture(t, ctx, shot)
	if tall := eval[int64](t, ctx, `document.documentElement.scrollHeight`); tall > 950 && os.Getenv("THHOTEL_SHOTS") != "" {
		do(t, ctx, chromedp.EmulateViewport(int64(width), min(tall, 4000)))
		picture(t, ctx, shot+"-tall")
		do(t, ctx, chromedp.EmulateViewport(int64(width), 900))
	}
	if over := eval[int](t, ctx, `document.documentElement.scrollWidth - window.innerWidth`); over > 0 {
		t.Errorf("%s is %d pixels wider than the window", name, over)
	}
	// A tall window: what the bar at the foot happens to cover while one scrolls is no fault.
	do(t, ctx, chromedp.EmulateViewport(int64(width), 6000))
	eval[int](t, ctx, axe+";0")
	out := eval[string](t, ctx, `axe.run(document,{runOnly:["wcag2a","wcag2aa","wcag21a","wcag21aa","wcag22aa","best-practice"]}).then(r=>JSON.stringify(r.violations.map(v=>({ID:v.id,Impact:v.impact,Nodes:v.nodes.slice(0,3).map(n=>n.html.slice(0,160)+" | "+(n.any[0]||n.all[0]||n.none[0]||{message:""}).message.slice(0,160))}))))`)
	var found []violation
	must(t, json.Unmarshal([]byte(out), &found))
	for _, v := range found {
		t.Errorf("%s: %s (%s)\n  %s", name, v.ID, v.Impact, strings.Join(v.Nodes, "\n  "))
	}
}

// picture keeps what the window shows, where THHOTEL_SHOTS asks for it.
func picture(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("THHOTEL_SHOTS")
	if dir == "" {
		return
	}
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o600))
}
