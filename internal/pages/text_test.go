package pages_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"thhotel/internal/order"
	"thhotel/internal/testkit"
	"thhotel/web"
)

func texts(t *testing.T, lang string) map[string]string {
	t.Helper()
	raw, err := fs.ReadFile(web.Locale(), lang+".json")
	must(t, err)
	var m map[string]string
	must(t, json.Unmarshal(raw, &m))
	return m
}

// Both languages have the same keys, the same placeholders and no empty text.
func TestCataloguesMatch(t *testing.T) {
	zh, en := texts(t, "zh"), texts(t, "en")
	holes := regexp.MustCompile(`\{\d\}`)
	for key, text := range zh {
		other, ok := en[key]
		if !ok {
			t.Errorf("%s is missing in English", key)
			continue
		}
		a, b := holes.FindAllString(text, -1), holes.FindAllString(other, -1)
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s: placeholders %v and %v", key, a, b)
		}
		if strings.TrimSpace(text) == "" || strings.TrimSpace(other) == "" {
			t.Errorf("%s is empty", key)
		}
	}
	for key := range en {
		if _, ok := zh[key]; !ok {
			t.Errorf("%s is missing in Chinese", key)
		}
	}
}

// Every text a template or handler asks for exists, and none is left over.
func TestCatalogueIsWhatPagesUse(t *testing.T) {
	zh := texts(t, "zh")
	used := usedInTemplates(t)
	for key := range usedInCode(t) {
		used[key] = true
	}
	for key := range used {
		if _, ok := zh[key]; !ok {
			t.Errorf("text %q is used and not in the catalogue", key)
		}
	}
	for key := range zh {
		if !used[key] && !openList(key) {
			t.Errorf("text %q is in the catalogue and not used", key)
		}
	}
}

// openList are the texts looked up by a code at run time.
func openList(key string) bool {
	prefix, _, _ := strings.Cut(key, ".")
	return slices.Contains([]string{"event", "status", "notice", "route", "booking", "locator", "state", "level", "mark", "trace", "reject", "role", "profile",
		"profilehelp", "risk", "audit", "act", "action", "voucher", "paykind", "flag", "fact", "field", "rule", "night", "view", "nav", "done"}, prefix) ||
		strings.HasPrefix(key, "error.kind.")
}

func usedInTemplates(t *testing.T) map[string]bool {
	t.Helper()
	used, call := map[string]bool{}, regexp.MustCompile(`\bt "([^"]+)"`)
	names, err := fs.Glob(web.Templates(), "*.html")
	must(t, err)
	for _, name := range names {
		raw, err := fs.ReadFile(web.Templates(), name)
		must(t, err)
		for _, m := range call.FindAllStringSubmatch(string(raw), -1) {
			used[m[1]] = true
		}
	}
	return used
}

// usedInCode finds v.T("key") and v.done(to, "key") with constant keys.
func usedInCode(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(testkit.Root(t), "internal", "pages", "*.go"))
	must(t, err)
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		must(t, err)
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				textKeys(call, used)
			}
			return true
		})
	}
	return used
}

func textKeys(call *ast.CallExpr, used map[string]bool) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "T" && sel.Sel.Name != "done" {
		return
	}
	for _, arg := range call.Args {
		lit, ok := arg.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			continue
		}
		if key, err := strconv.Unquote(lit.Value); err == nil && !strings.HasPrefix(key, "/") {
			used[key] = true
		}
	}
}

// Codes of closed lists that pages show have a name in the catalogue.
func TestClosedListsHaveNames(t *testing.T) {
	zh := texts(t, "zh")
	var keys []string
	for _, e := range order.EventTypes() {
		keys = append(keys, "event."+string(e), "action."+string(e))
	}
	for _, r := range order.RejectReasons() {
		keys = append(keys, "reject."+r)
	}
	for _, v := range order.Views() {
		keys = append(keys, "view."+v)
	}
	for _, key := range keys {
		if zh[key] == "" {
			t.Errorf("no text %q", key)
		}
	}
}
