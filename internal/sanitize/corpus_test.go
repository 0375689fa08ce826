package sanitize_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"thhotel/internal/sanitize"
	"thhotel/internal/testkit"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var allowed = regexp.MustCompile(`^(p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|th|td|b|strong|i|em|u|s|sub|sup|small|blockquote|pre|code|br|hr)$`)

// fault names the first thing in cleaned HTML which may not be there, judged by
// a browser-like parse and not by the tokens.
func fault(src string) string {
	nodes, err := html.ParseFragment(strings.NewReader(src), nil)
	if err != nil {
		return err.Error()
	}
	for _, root := range nodes {
		for n := range root.Descendants() {
			if bad := nodeFault(n); bad != "" {
				return bad
			}
		}
	}
	return ""
}

func nodeFault(n *html.Node) string {
	switch n.Type {
	case html.TextNode:
		return ""
	case html.ElementNode:
	default:
		return "node " + n.Data
	}
	if n.Namespace != "" {
		return "foreign " + n.Data
	}
	implied := n.Data == "html" || n.Data == "head" || n.Data == "body" || n.Data == "colgroup"
	if !implied && !allowed.MatchString(n.Data) {
		return "element " + n.Data
	}
	for _, a := range n.Attr {
		cell := n.Data == "td" || n.Data == "th"
		if !cell || a.Key != "colspan" && a.Key != "rowspan" {
			return "attribute " + n.Data + " " + a.Key
		}
	}
	return ""
}

// check cleans a payload and reports whatever is wrong with the result.
func check(t *testing.T, name, src string) sanitize.Result {
	t.Helper()
	got := sanitize.HTML(src)
	if bad := fault(got.HTML); bad != "" {
		t.Errorf("%s: survives: %s\nin  %q\nout %q", name, bad, src, got.HTML)
	}
	if again := sanitize.HTML(got.HTML); again.HTML != got.HTML || again.Text != got.Text {
		t.Errorf("%s: a second pass changes it\nin  %q\n1st %q\n2nd %q\ntext1 %q\ntext2 %q", name, src, got.HTML, again.HTML, got.Text, again.Text)
	}
	return got
}

func TestDOMPurifyPayloads(t *testing.T) {
	var cases []struct{ Title, Payload string }
	if err := json.Unmarshal([]byte(read(t, testkit.Corpus(t, "html-dompurify", "expect.json"))), &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		check(t, c.Title, c.Payload)
	}
	t.Logf("%d payloads", len(cases))
}

func TestHTML5SecVectors(t *testing.T) {
	var cases []struct{ Name, Data string }
	if err := json.Unmarshal([]byte(read(t, testkit.Corpus(t, "html-h5sc", "items.json"))), &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		check(t, c.Name, c.Data)
	}
	check(t, "all vectors on one page", read(t, testkit.Corpus(t, "html-h5sc", "vectors.txt")))
	t.Logf("%d vectors", len(cases))
}

func TestHTTPLeaks(t *testing.T) {
	src := read(t, testkit.Corpus(t, "html-httpleaks", "leak.html"))
	got := check(t, "leak.html", src)
	t.Logf("%d references in, %d left as visible text: %q", strings.Count(src, "leaking.via"), strings.Count(got.HTML, "leaking.via"), got.Text)
}

var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

// visibleWords is an independent and simple reading of a template.
func visibleWords(src string) []string {
	root, err := html.Parse(strings.NewReader(src))
	if err != nil {
		return nil
	}
	var out []string
	var visit func(*html.Node)
	visit = func(n *html.Node) {
		if n.Type == html.ElementNode {
			switch n.Data {
			case "style", "script", "head", "title":
				return
			}
			for _, a := range n.Attr {
				if a.Key == "class" && a.Val == "preheader" || a.Key == "style" && strings.Contains(a.Val, "display:none") {
					return
				}
			}
		}
		if n.Type == html.TextNode {
			out = append(out, word.FindAllString(n.Data, -1)...)
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c)
		}
	}
	visit(root)
	return out
}

func TestOrdinaryMailSurvives(t *testing.T) {
	dir := testkit.Corpus(t, "html-templates-postmark")
	total, left, files, tables := 0, 0, 0, 0
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || filepath.Ext(path) != ".html" {
			return err
		}
		src := read(t, path)
		got := check(t, path, src)
		have := map[string]int{}
		for _, w := range word.FindAllString(got.Text, -1) {
			have[w]++
		}
		missing := []string{}
		for _, w := range visibleWords(src) {
			total++
			if have[w] > 0 {
				have[w]--
				left++
			} else {
				missing = append(missing, w)
			}
		}
		if len(missing) > 0 {
			t.Logf("%s lost %q", path, missing)
		}
		files++
		in, out := strings.Count(src, "<table"), strings.Count(got.HTML, "<table>")
		tables += out
		if in != out {
			t.Errorf("%s: %d of %d tables left", path, out, in)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d templates, %d of %d visible words, %d tables", files, left, total, tables)
	if left*100 < total*99 {
		t.Errorf("only %d of %d visible words survive", left, total)
	}
}
