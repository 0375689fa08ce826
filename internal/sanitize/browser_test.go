package sanitize_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// judge is a real browser whose whole network is one recording proxy: whatever
// it asks for, in the clear or not, is seen there and answered with nothing.
type judge struct {
	ctx   context.Context
	mu    sync.Mutex
	pages map[string]page
	asked []string
}

type page struct{ body, policy, watch string }

// newJudge starts the browser, or skips the test with the reason.
func newJudge(t *testing.T) *judge {
	t.Helper()
	bin := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			bin = p
			break
		}
	}
	if bin == "" {
		t.Skip("no Chromium on this machine: install it with apt-get install chromium to run the browser tests")
	}
	j := &judge{pages: map[string]page{}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := &http.Server{Handler: j, ReadHeaderTimeout: time.Minute}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(bin), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("no-first-run", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-domain-reliability", true),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"), chromedp.ProxyServer("http://"+l.Addr().String()),
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1400, 900))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	t.Cleanup(func() { _ = chromedp.Cancel(ctx) })
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	j.ctx = ctx
	return j
}

// ServeHTTP answers the judge's own pages and notes everything else.
func (j *judge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	j.mu.Lock()
	defer j.mu.Unlock()
	p, own := j.pages[r.URL.Path]
	if r.Method != http.MethodGet || r.Host != "judge.test" || !own || r.URL.RawQuery != "" {
		if !housekeeping(r.Host) {
			j.asked = append(j.asked, r.Method+" "+r.Host+r.URL.RequestURI())
		}
		http.Error(w, "no", http.StatusForbidden)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if p.policy != "" {
		w.Header().Set("Content-Security-Policy", p.policy)
	}
	if p.watch != "" {
		w.Header().Set("Content-Security-Policy-Report-Only", p.watch)
	}
	_, _ = w.Write([]byte(p.body))
}

// housekeeping is what the browser asks for by itself, page or no page.
func housekeeping(host string) bool {
	host, _, _ = strings.Cut(host, ":")
	return slices.Contains([]string{"accounts.google.com", "clients2.google.com", "update.googleapis.com", "optimizationguide-pa.googleapis.com",
		"android.clients.google.com", "content-autofill.googleapis.com", "www.google.com", "safebrowsing.googleapis.com", "mtalk.google.com",
		"clientservices.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com"}, host)
}

func (j *judge) requests() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.asked)
}

// show serves a page and runs a script on it.
func show[T any](t *testing.T, j *judge, p page, js string) T {
	t.Helper()
	j.mu.Lock()
	path := fmt.Sprintf("/%d", len(j.pages))
	j.pages[path] = p
	j.mu.Unlock()
	if err := chromedp.Do(j.ctx, chromedp.Navigate("http://judge.test"+path)); err != nil {
		t.Fatal(err)
	}
	v, err := chromedp.Run(j.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// watchPage shows cases without any protection; its own script only notes what
// they do. The policy is report-only: it hinders nothing and tells everything.
func watchPage(cases []string) page {
	var b strings.Builder
	b.WriteString(`<!doctype html><html><head><title>judge</title><link rel=icon href="data:,"><script nonce=own>
		window.seen = []
		for (const n of ["alert", "confirm", "prompt", "print", "open"]) window[n] = (...a) => { seen.push(n + ": " + a) }
		document.addEventListener("securitypolicyviolation", e => { seen.push("policy: " + e.effectiveDirective + " " + e.blockedURI + " " + e.sample) })
		</script></head><body>`)
	for i, c := range cases {
		fmt.Fprintf(&b, "<div class=judged id=case%d>%s</div>\n", i, c)
	}
	b.WriteString("<p id=end>end</p></body></html>")
	return page{body: b.String(), watch: "default-src 'none'; script-src 'nonce-own' 'report-sample'; form-action 'none'; base-uri 'none'; img-src data:"}
}

// inspection looks at every element, puts the HTML through the parser once more,
// plays a reader who touches everything, and tells what was wrong.
const inspection = `(async () => {
	const allowed = new Set("p div h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption colgroup thead tbody tfoot tr th td b strong i em u s sub sup small blockquote pre code br hr".split(" "))
	const bad = []
	const look = (root, when) => {
		for (const e of root.querySelectorAll("*")) {
			if (!allowed.has(e.localName) || e.namespaceURI != "http://www.w3.org/1999/xhtml") bad.push(root.id + " " + when + " element " + e.outerHTML.slice(0, 200))
			for (const a of e.attributes) if (a.name != "colspan" && a.name != "rowspan") bad.push(root.id + " " + when + " attribute " + e.outerHTML.slice(0, 200))
		}
	}
	document.addEventListener("click", e => e.preventDefault(), true)
	const cases = document.querySelectorAll("body > .judged")
	for (const c of cases) {
		look(c, "as sent")
		c.innerHTML = c.innerHTML
		look(c, "parsed again")
		for (const e of c.querySelectorAll("*"))
			for (const kind of ["load", "error", "click", "mouseover", "focus", "toggle", "animationstart", "beforeinput"])
				e.dispatchEvent(new MouseEvent(kind, {bubbles: true, cancelable: true}))
	}
	for (let i = 0; i < 3; i++) await new Promise(done => setTimeout(done, 50))
	if (document.title != "judge") bad.push("title " + document.title)
	if (document.body.lastElementChild.id != "end" || document.body.children.length != cases.length + 1 || document.head.children.length != 3) bad.push("a case left its place")
	if (document.links.length + document.forms.length + document.images.length + document.embeds.length + document.scripts.length != 1) bad.push("links, forms or scripts")
	return {cases: cases.length, bad, seen, at: location.href}
})()`

type verdict struct {
	Cases     int
	Bad, Seen []string
	At        string
}

func TestBrowserNothingSurvives(t *testing.T) {
	j := newJudge(t)
	count := 0
	for name, list := range hostileCorpus(t) {
		for part := range slices.Chunk(list, 120) {
			var clean []string
			for _, src := range part {
				clean = append(clean, check(t, name, src).HTML)
			}
			got := show[verdict](t, j, watchPage(clean), inspection)
			if got.Cases != len(part) || len(got.Bad)+len(got.Seen) > 0 || !strings.HasPrefix(got.At, "http://judge.test/") {
				t.Errorf("%s: %+v", name, got)
			}
			count += len(part)
		}
	}
	if asked := j.requests(); len(asked) > 0 {
		t.Errorf("something was loaded: %q", asked)
	}
	t.Logf("%d cleaned payloads in a browser: nothing loaded, linked or ran", count)
}

// TestBrowserJudgeSees shows that the judge is not blind: what is not cleaned is caught.
func TestBrowserJudgeSees(t *testing.T) {
	j := newJudge(t)
	raw := []string{`<img src="http://leak.test/a">`, `<img src="x" onerror="alert(1)">`, `<a href="http://leak.test/b">x</a>`,
		`<div style="background:url(//leak.test/c)">x</div>`, `<svg><title>x</title></svg>`, `<script>document.title="taken"</script>`,
		`<form action="http://leak.test/d"></form>`, `</div><p>out</p>`, `<link rel=stylesheet href="https://leak.test/e">`}
	got := show[verdict](t, j, watchPage(raw), inspection)
	report := strings.Join(append(got.Bad, got.Seen...), "\n")
	for _, want := range []string{"case0 as sent element", "alert: 1", "case2 as sent", "case3 as sent attribute", "case4", "title taken", "left its place", "links, forms",
		"policy: script-src"} {
		if !strings.Contains(report, want) {
			t.Errorf("the judge does not see %q:\n%s", want, report)
		}
	}
	asked := strings.Join(j.requests(), "\n")
	for _, want := range []string{"leak.test/a", "leak.test/c", "CONNECT leak.test:443"} {
		if !strings.Contains(asked, want) {
			t.Errorf("request %q not seen:\n%s", want, asked)
		}
	}
}

// hostileCorpus are the payloads of the public collections.
func hostileCorpus(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	var purify []struct{ Payload string }
	var vectors []struct{ Data string }
	decode(t, corpusFile(t, "html-dompurify", "expect.json"), &purify)
	decode(t, corpusFile(t, "html-h5sc", "items.json"), &vectors)
	for _, c := range purify {
		out["html-dompurify"] = append(out["html-dompurify"], c.Payload)
	}
	for _, c := range vectors {
		out["html-h5sc"] = append(out["html-h5sc"], c.Data)
	}
	out["html-h5sc"] = append(out["html-h5sc"], corpusFile(t, "html-h5sc", "vectors.txt"))
	leaks := corpusFile(t, "html-httpleaks", "leak.html")
	out["html-httpleaks"] = append(strings.Split(leaks, "\n"), leaks)
	for _, src := range trickCases {
		out["own"] = append(out["own"], src)
	}
	return out
}

func decode(t *testing.T, src string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(src), into); err != nil {
		t.Fatal(err)
	}
}

// framed puts documents into frames of a screen's size, scripts and loads shut off.
func framed(docs []string) page {
	var b strings.Builder
	b.WriteString(`<!doctype html><title>judge</title><link rel=icon href="data:,"><body>`)
	for _, d := range docs {
		fmt.Fprintf(&b, `<iframe style="width:1280px;height:800px;border:0;display:block" srcdoc="%s"></iframe>`, html.EscapeString(d))
	}
	return page{body: b.String(), policy: "default-src 'none'; style-src 'unsafe-inline' data:; img-src data:; form-action 'none'; base-uri 'none'"}
}
