// Package archtest keeps the rules of docs/architecture.md true by parsing every
// source file: import rungs, fenced libraries, a caller on every service method,
// one source of time, and sizes a reader can hold in mind.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "thhotel/"

// rung places every package. A package may import only strictly lower rungs, so
// two packages on one rung never know each other.
var rung = map[string]int{
	"migrations": 0, "web": 0,
	"internal/fault": 0, "internal/clock": 0, "internal/config": 0, "internal/sanitize": 0, "internal/mail": 0,
	"internal/sheet":  0,
	"internal/access": 1, "internal/database": 1, "internal/blob": 1,
	"internal/audit":     2,
	"internal/agent":     3,
	"internal/platform":  10,
	"internal/inbox":     11,
	"internal/order":     12,
	"internal/intake":    13,
	"internal/casequery": 14,
	"internal/hotel":     15,
	"internal/telemetry": 19,
	"internal/httpd":     20,
	"internal/rest":      21, "internal/mcpserver": 21, "internal/pages": 21,
	"internal/app":  30,
	"internal/demo": 31, "internal/bench": 31,
	"cmd/thhotel": 32,
}

// testOnly packages may be imported from _test.go files alone.
var testOnly = []string{"internal/testkit", "internal/app/apptest", "internal/archtest"}

// fence names who may import a third-party package.
type fence struct {
	pkg, why string
	allow    func(file string) bool
}

var fences = []fence{
	{"gorm.io/", "rows stay behind a store", isStore},
	{"github.com/gin-gonic/gin", "features do not know HTTP", func(f string) bool {
		return under(f, "internal/httpd", "internal/rest", "internal/pages", "internal/app")
	}},
	{"github.com/modelcontextprotocol/", "only the MCP door speaks MCP; the demo is a client of it, the bench its peer", func(f string) bool {
		return under(f, "internal/mcpserver", "internal/demo", "internal/bench")
	}},
	{module + "internal/config", "features take plain values", func(f string) bool { return under(f, "internal/app", "internal/bench", "cmd") }},
	{"github.com/prometheus/", "metrics have one home", isTelemetry},
	{"go.opentelemetry.io/", "traces have one home", isTelemetry},
	{"math/rand", "randomness comes through clock", func(string) bool { return false }},
	{"github.com/google/uuid", "ids come through clock", func(f string) bool { return under(f, "internal/clock") }},
}

// anonymous names the service methods that run before a caller is known.
var anonymous = []string{"internal/platform.Authenticate"}

// Sizes, in lines: what one screen and one head hold.
const (
	maxFile     = 400
	maxFunction = 60
)

func isStore(f string) bool {
	return strings.HasPrefix(filepath.Base(f), "store") || under(f, "internal/database")
}

func isTelemetry(f string) bool { return under(f, "internal/telemetry") }

func under(f string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(f, d+"/") })
}

// source is one parsed file.
type source struct {
	rel, pkg string
	fset     *token.FileSet
	file     *ast.File
}

// sources parses every Go file; parsing, rather than asking go list, also covers
// files that build tags leave out.
func sources(t *testing.T) (code, tests []source) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		s := source{rel, filepath.ToSlash(filepath.Dir(rel)), fset, f}
		if strings.HasSuffix(path, "_test.go") || slices.Contains(testOnly, s.pkg) {
			tests = append(tests, s)
		} else {
			code = append(code, s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return code, tests
}

func TestImports(t *testing.T) {
	code, _ := sources(t)
	seen := map[string]bool{}
	for _, s := range code {
		if _, ok := rung[s.pkg]; !ok && !seen[s.pkg] {
			t.Errorf("%s has no rung: place it in arch_test.go", s.pkg)
		}
		seen[s.pkg] = true
		for _, imp := range s.file.Imports {
			checkImport(t, s, imp)
		}
	}
	for p := range rung {
		if !seen[p] {
			t.Errorf("rung names %s, which does not exist", p)
		}
	}
}

func checkImport(t *testing.T, s source, imp *ast.ImportSpec) {
	t.Helper()
	p, _ := strconv.Unquote(imp.Path.Value)
	if to, ours := strings.CutPrefix(p, module); ours {
		switch {
		case slices.Contains(testOnly, to):
			t.Errorf("%s imports %s outside a test", s.rel, to)
		case rung[to] >= rung[s.pkg]:
			t.Errorf("%s: %s (rung %d) may not import %s (rung %d)", s.rel, s.pkg, rung[s.pkg], to, rung[to])
		}
	}
	for _, f := range fences {
		if strings.HasPrefix(p, f.pkg) && !f.allow(s.rel) {
			t.Errorf("%s imports %s: %s", s.rel, p, f.why)
		}
	}
}

func TestCallsAndMethods(t *testing.T) {
	code, _ := sources(t)
	for _, s := range code {
		r := rung[s.pkg]
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				checkSelector(t, s, n)
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					t.Errorf("%s: init; do it where it is used", s.fset.Position(n.Pos()))
				}
				if r >= 10 && r < 20 && isServiceMethod(n) && !takesCaller(n) && !slices.Contains(anonymous, s.pkg+"."+n.Name.Name) {
					t.Errorf("%s: Service.%s must take (ctx, access.Caller, ...)", s.fset.Position(n.Pos()), n.Name.Name)
				}
			}
			return true
		})
	}
}

func checkSelector(t *testing.T, s source, sel *ast.SelectorExpr) {
	t.Helper()
	// database.DB.Conn hands out a GORM handle without an import of gorm.
	if sel.Sel.Name == "Conn" && !isStore(s.rel) {
		if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "net" { // net.Conn is a type
			t.Errorf("%s: Conn outside a store file", s.fset.Position(sel.Pos()))
		}
	}
	x, ok := sel.X.(*ast.Ident)
	if ok && x.Name == "time" && (sel.Sel.Name == "Now" || sel.Sel.Name == "Sleep") && s.pkg != "internal/clock" {
		t.Errorf("%s: time.%s; use clock", s.fset.Position(sel.Pos()), sel.Sel.Name)
	}
}

func TestSizes(t *testing.T) {
	code, tests := sources(t)
	for _, s := range append(code, tests...) {
		if n := s.fset.Position(s.file.End()).Line; n > maxFile {
			t.Errorf("%s has %d lines, more than %d: split it by what a reader looks for", s.rel, n, maxFile)
		}
	}
	for _, s := range code {
		for _, d := range s.file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := s.fset.Position(fn.End()).Line - s.fset.Position(fn.Pos()).Line + 1; n > maxFunction {
				t.Errorf("%s: %s has %d lines, more than %d", s.fset.Position(fn.Pos()), fn.Name.Name, n, maxFunction)
			}
		}
	}
}

func TestPackageComments(t *testing.T) {
	code, _ := sources(t)
	has := map[string]bool{}
	for _, s := range code {
		has[s.pkg] = has[s.pkg] || s.file.Doc != nil
	}
	for pkg, ok := range has {
		if !ok {
			t.Errorf("%s has no package comment: say what it holds and what it refuses to know", pkg)
		}
	}
}

func isServiceMethod(fn *ast.FuncDecl) bool {
	if fn.Recv == nil || !fn.Name.IsExported() {
		return false
	}
	star, ok := fn.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	id, ok := star.X.(*ast.Ident)
	return ok && id.Name == "Service"
}

func takesCaller(fn *ast.FuncDecl) bool {
	var types []string
	for _, p := range fn.Type.Params.List {
		name := ""
		if sel, ok := p.Type.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				name = x.Name + "." + sel.Sel.Name
			}
		}
		for range max(1, len(p.Names)) {
			types = append(types, name)
		}
	}
	return len(types) >= 2 && types[0] == "context.Context" && types[1] == "access.Caller"
}
