package rest_test

import (
	"bytes"
	"context"
	"flag"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden file")

func TestOpenAPI(t *testing.T) {
	k := newKit(t)
	a := k.send(t, http.MethodGet, "/openapi.json", "")
	if a.status != 200 {
		t.Fatalf("%d %s", a.status, a.raw)
	}
	doc, err := openapi3.NewLoader().LoadFromData(a.raw)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/api/kit/v1/kit_read", "/api/kit/v1/kit_write", "/api/integrations/agentbus/messages", "/api/integrations/opera/projections"} {
		item := doc.Paths.Find(path)
		if item == nil || item.Post == nil || item.Post.Security == nil || len(*item.Post.Security) != 2 {
			t.Errorf("%s is not described with its two kinds of credential", path)
		}
	}
	golden(t, "testdata/openapi.json", a.raw)
}

func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	got = append(bytes.TrimSpace(got), '\n')
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), -update rewrites it:\n%s", path, diff)
	}
}

func TestDocsPage(t *testing.T) {
	k := newKit(t)
	a := k.send(t, http.MethodGet, "/docs", "", "Accept-Language", "en")
	page := string(a.raw)
	if a.status != 200 || !strings.Contains(page, "POST /api/kit/v1/kit_read") || !strings.Contains(page, "Refusals") ||
		!strings.Contains(page, `<li><a href="#deliver_bus_message">`) || !strings.Contains(page, `<li><a href="#upsert_opera_projections">`) || !strings.Contains(page, "POST /api/integrations/agentbus/messages") {
		t.Errorf("%d %s", a.status, page)
	}
	for _, never := range []string{"<script", "https://", "style="} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
	if csp := a.header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		t.Errorf("policy %q", csp)
	}
	if css := k.send(t, http.MethodGet, "/docs/docs.css", ""); css.status != 200 || !strings.HasPrefix(css.header.Get("Content-Type"), "text/css") {
		t.Errorf("style sheet: %d %v", css.status, css.header)
	}
}
