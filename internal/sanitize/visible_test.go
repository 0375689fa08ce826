package sanitize_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"thhotel/internal/sanitize"
	"thhotel/internal/testkit"
)

func corpusFile(t *testing.T, path ...string) string {
	t.Helper()
	return read(t, testkit.Corpus(t, path...))
}

// eyes tells for every word of every frame whether a reader sees it, from where
// the browser draws it and in which colours.
const eyes = `(async () => {
	const pad = document.createElement("canvas"); pad.width = pad.height = 1
	const pen = pad.getContext("2d", {willReadFrequently: true})
	const rgba = c => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = "#000"; pen.fillStyle = c; pen.fillRect(0, 0, 1, 1); const d = pen.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255] }
	const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1)
	const apart = (a, b) => Math.max(...[0, 1, 2].map(i => Math.abs(a[i] - b[i])))
	const ground = (e, view) => {
		const layers = []
		let stops = null
		for (; e; e = e.parentElement) {
			const s = view.getComputedStyle(e)
			if (!stops && s.backgroundImage.includes("gradient(")) stops = (s.backgroundImage.match(/(rgba?|oklch|lab|color)\([^()]*\)/g) || []).map(rgba)
			layers.push(rgba(s.backgroundColor))
			if (stops && stops.length) break
			if (layers.at(-1)[3] > .99) break
		}
		let bg = [255, 255, 255, 1]
		for (const l of layers.reverse()) bg = over(l, bg)
		return stops && stops.length ? stops.map(s => over(s, bg)) : [bg]
	}
	const seen = (range, e, view) => {
		const rects = [...range.getClientRects()].filter(r => r.width > 1 && r.height > 2)
		if (!rects.length || !e.checkVisibility({visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true})) return false
		const style = view.getComputedStyle(e)
		if (parseFloat(style.fontSize) <= 2) return false
		if (style.letterSpacing != "normal" && parseFloat(style.letterSpacing) < -parseFloat(style.fontSize) * .4) return false
		let opacity = 1
		let r = rects[0]
		let box = {left: r.left, top: r.top, right: r.right, bottom: r.bottom}
		const cut = b => { box = {left: Math.max(box.left, b.left), top: Math.max(box.top, b.top), right: Math.min(box.right, b.right), bottom: Math.min(box.bottom, b.bottom)} }
		for (let up = e; up; up = up.parentElement) {
			const s = view.getComputedStyle(up)
			opacity *= parseFloat(s.opacity)
			if (s.filter != "none" && /invert|brightness|blur/.test(s.filter)) return false
			if (s.clipPath != "none" || s.maskImage && s.maskImage != "none") return false
			if (s.position == "absolute" && s.clip.startsWith("rect")) { const n = s.clip.match(/[\d.]+/g).map(Number); if (n[2] - n[0] <= 2 || n[1] - n[3] <= 2) return false }
			if (up != up.ownerDocument.body && up != up.ownerDocument.documentElement && s.display != "inline" && (/hidden|clip/.test(s.overflowX) || /hidden|clip/.test(s.overflowY))) cut(up.getBoundingClientRect())
		}
		cut({left: 0, top: 0, right: 4000, bottom: 50000})
		if ((box.right - box.left) * (box.bottom - box.top) < (r.width * r.height) * .25 || box.right <= box.left || box.bottom <= box.top) return false
		const ink = rgba(style.webkitTextFillColor || style.color)
		ink[3] *= opacity
		return ground(e, view).some(bg => apart(over(ink, bg), bg) > 20)
	}
	const out = []
	for (const f of document.querySelectorAll("iframe")) {
		const doc = f.contentDocument, view = f.contentWindow, words = {shown: [], hidden: []}
		const walk = doc.createTreeWalker(doc.documentElement, NodeFilter.SHOW_TEXT)
		for (let n = walk.nextNode(); n; n = walk.nextNode()) {
			const e = n.parentElement
			if (e.closest("details:not([open])") && !e.closest("summary")) { words.hidden.push(...n.data.match(/[\p{L}\p{N}]+/gu) || []); continue }
			if (e.closest("script,style,textarea,select,svg,math,option,progress,meter,rp")) continue
			for (const m of n.data.matchAll(/[\p{L}\p{N}]+/gu)) {
				const range = doc.createRange()
				range.setStart(n, m.index); range.setEnd(n, m.index + m[0].length)
				words[seen(range, e, view) ? "shown" : "hidden"].push(m[0])
			}
		}
		out.push(words)
	}
	return out
})()`

type sight struct{ Shown, Hidden []string }

// comparison counts how the cleaned text agrees with what the browser shows.
type comparison struct {
	shown, kept, hidden, leaked int
	lost, leaks                 []string
}

// compare sets what a reader sees against what the sanitiser lets through.
func (c *comparison) compare(s sight, got sanitize.Result) {
	c.shown += len(s.Shown)
	c.hidden += len(s.Hidden)
	for _, form := range [][]string{word.FindAllString(got.Text, -1), textWords(got.HTML)} {
		have := map[string]int{}
		for _, w := range form {
			have[w]++
		}
		for _, w := range s.Shown {
			if have[w]--; have[w] < 0 {
				c.lost = append(c.lost, w)
			}
		}
		for _, w := range s.Hidden {
			if have[w]--; have[w] >= 0 {
				c.leaks = append(c.leaks, w)
			}
		}
	}
	c.kept, c.leaked = c.shown-len(c.lost)/2, len(c.leaks)
}

func textWords(src string) []string {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil
	}
	var out []string
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			out = append(out, word.FindAllString(n.Data, -1)...)
		}
	}
	return out
}

// stricter lists own cases in which the sanitiser hides what this browser shows,
// on purpose: nobody can tell, or other readers do not show it.
var stricter = []string{"first line", "object", "behind the page", "max height", "xml island", "pale grey", "hidden until found", "outlook", "filter", "overlay"}

func TestBrowserAgreesOnOwnCases(t *testing.T) {
	j := newJudge(t)
	var names, docs []string
	for _, cases := range []map[string]string{hiddenCases, trickCases, plainCases} {
		for name, src := range cases {
			names, docs = append(names, name), append(docs, src)
		}
	}
	var all comparison
	at := 0
	for part := range slices.Chunk(docs, 60) {
		for i, s := range show[[]sight](t, j, framed(part), eyes) {
			var one comparison
			got := sanitize.HTML(part[i])
			one.compare(s, got)
			all.compare(s, got)
			if slices.Contains(s.Shown, "SECRET") && !slices.Contains(stricter, names[at]) {
				t.Errorf("%s: the browser shows what the case calls hidden", names[at])
			}
			if len(one.leaks) > 0 || slices.Contains(one.lost, "open") {
				t.Errorf("%s: leaks %q, lost %q\n%s", names[at], one.leaks, one.lost, part[i])
			}
			at++
		}
	}
	t.Logf("%d cases: %d of %d visible words kept, %d of %d hidden words leak", at, all.kept, all.shown, all.leaked, all.hidden)
}

func TestBrowserAgreesOnOrdinaryMail(t *testing.T) {
	j := newJudge(t)
	var docs, names []string
	for _, folder := range []string{"html-templates-postmark", "replies-talon"} {
		err := filepath.WalkDir(testkit.Corpus(t, folder), func(path string, d os.DirEntry, err error) error {
			if err == nil && filepath.Ext(path) == ".html" {
				names, docs = append(names, path), append(docs, read(t, path))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all comparison
	at := 0
	for part := range slices.Chunk(docs, 12) {
		for i, s := range show[[]sight](t, j, framed(part), eyes) {
			var one comparison
			got := sanitize.HTML(part[i])
			one.compare(s, got)
			all.compare(s, got)
			if len(one.lost)+len(one.leaks) > 0 {
				t.Logf("%s: lost %q, leaks %q", names[at], one.lost, one.leaks)
			}
			at++
		}
	}
	t.Logf("%d mails: %d of %d visible words kept, %d of %d hidden words leak", at, all.kept, all.shown, all.leaked, all.hidden)
	if all.shown < 3000 || all.kept*100 < all.shown*99 || all.leaked > 0 {
		t.Errorf("lost %q, leaks %q", all.lost, all.leaks)
	}
}
