package main_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"thhotel/internal/access"
	"thhotel/internal/demo"
)

// window is a real Chromium in which one member of staff works at a time.
type window struct {
	t     *testing.T
	ctx   context.Context //nolint:containedctx // chromedp keeps the browser in it
	demo  *process
	who   string
	proxy *outside
}

// outside stands for the rest of the world: a proxy that the browser must use
// for every host but the program's own, and that remembers what was asked of it.
// Unlike the devtools of one page it sees every process of the browser.
type outside struct {
	url   string
	mu    sync.Mutex
	asked []string
}

// vendor is whom Chromium calls on its own account (updates, autofill). The demo
// mails name only hosts under .example.
var vendor = regexp.MustCompile(`\.(google|googleapis|gvt1)\.com$`)

func newOutside(t *testing.T) *outside {
	o := &outside{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !vendor.MatchString(r.URL.Hostname()) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.asked = append(o.asked, r.Method+" "+r.RequestURI)
		}
		http.Error(w, "nothing out here", http.StatusBadGateway)
	}))
	t.Cleanup(server.Close)
	o.url = server.URL
	return o
}

// requests lists what left for other hosts so far.
func (o *outside) requests() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.asked)
}

// chromium finds the browser. A developer may lack one; the build may not.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	const why = "no Chromium on this machine: install it with apt-get install chromium to run the browser tests"
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}

// openWindow starts a headless Chromium, or skips the test with the reason.
func openWindow(t *testing.T, bin string, p *process) *window {
	t.Helper()
	w := &window{t: t, demo: p, proxy: newOutside(t)}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(bin), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true),
		chromedp.ProxyServer(w.proxy.url), chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1440, 900))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) }) // waits for the browser, so that its folder can go
	w.ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	return w
}

func (w *window) do(steps ...chromedp.Action[chromedp.Void]) {
	w.t.Helper()
	if err := chromedp.Do(w.ctx, steps...); err != nil {
		w.t.Fatalf("%v\n%s", err, w.sees())
	}
}

func (w *window) open(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.demo.access.BaseURL + path))
}

// sees is what stands in the window, for the test's report.
func (w *window) sees() string {
	body, err := chromedp.Run(w.ctx, chromedp.Evaluate[string](`location.href + "\n" + document.body.innerText`))
	if err != nil {
		return err.Error()
	}
	return body
}

func ask[T any](w *window, js string) T {
	w.t.Helper()
	v, err := chromedp.Run(w.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		w.t.Fatalf("%s: %v\n%s", js, err, w.sees())
	}
	return v
}

// text is what a person reads in the elements of a selector, "" for none.
func (w *window) text(selector string) string {
	w.t.Helper()
	return ask[string](w, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.innerText).join("\n")`, selector))
}

// waitFor asks until the page says yes: a page that is just being left cannot answer.
func (w *window) waitFor(js string) {
	w.t.Helper()
	eventually(w.t, 10*time.Second, js, func() bool {
		yes, err := chromedp.Run(w.ctx, chromedp.Evaluate[bool](js))
		return err == nil && yes
	}, w.sees)
}

// waitFlash waits for the sentence a page shows once after a change.
func (w *window) waitFlash(sentence string) {
	w.t.Helper()
	w.waitFor(fmt.Sprintf(`[...document.querySelectorAll("main > .flash")].some(e => e.innerText.includes(%q))`, sentence))
}

// click presses an element with the mouse once it can be seen.
func (w *window) click(selector string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.WaitVisible(chromedp.CSS(selector)), chromedp.Click(chromedp.CSS(selector))); err != nil {
		w.t.Fatalf("click %s: %v\n%s", selector, err, w.sees())
	}
}

// follow presses what leads to another page, and waits for that one.
func (w *window) follow(selector string) {
	w.t.Helper()
	ask[bool](w, `window.left = true`)
	w.click(selector)
	w.waitFor(`!window.left && document.readyState == "complete"`)
}

// typed replaces what a field holds.
func (w *window) typed(selector, text string) {
	w.t.Helper()
	w.waitFor(fmt.Sprintf(`!!document.querySelector(%q)`, selector))
	ask[bool](w, fmt.Sprintf(`(document.querySelector(%q).value = "") == ""`, selector))
	w.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// signIn makes somebody of that role sit down, in English.
func (w *window) signIn(role access.Role) {
	w.t.Helper()
	i := slices.IndexFunc(w.demo.access.Staff, func(l demo.Login) bool { return l.Role == role })
	if i < 0 {
		w.t.Fatalf("demo.json has nobody of the role %s", role)
	}
	l := w.demo.access.Staff[i]
	if w.who == l.Username {
		return
	}
	w.open("/tasks")
	if w.who != "" {
		w.click("details.menu summary")
		w.follow("form[action='/signout'] button")
		w.open("/tasks")
	}
	w.follow("button[name=lang][value=en]")
	w.typed("#username", l.Username)
	w.typed("#password", l.Password)
	w.follow(".signin .btn-primary")
	w.waitFor(`!!document.querySelector(".side") && document.documentElement.lang == "en"`)
	w.who = l.Username
}
