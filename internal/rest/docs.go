package rest

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"thhotel/internal/agent"
	"thhotel/internal/httpd"
)

//go:embed assets
var assets embed.FS

// docsPolicy: the page is text and one style sheet of ours; nothing runs.
const docsPolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type docsPage struct {
	Lang, Title, Version, Description string
	MCPPath                           string
	Tools                             []docsTool
	Feeds                             []docsFeed
	Failures                          []docsFailure
}

type docsTool struct {
	agent.ToolInfo
	Input, Output string
}

type docsFeed struct {
	Path, ID, Title, Text, Scope, Input, Output string
}

type docsFailure struct{ Status, What string }

func (d *door) docs(c *gin.Context) {
	var b bytes.Buffer
	t, err := template.ParseFS(assets, "assets/docs.html")
	if err == nil {
		err = t.Execute(&b, d.page(httpd.Lang(c.Request)))
	}
	if err != nil {
		d.o.Log.ErrorContext(c.Request.Context(), "docs page", "error", err)
		httpd.WriteJSON(c.Writer, http.StatusInternalServerError, object{"error": httpd.CodeInternal})
		return
	}
	c.Header("Content-Security-Policy", docsPolicy)
	c.Header("Cache-Control", "no-cache")
	c.Data(http.StatusOK, "text/html; charset=utf-8", b.Bytes())
}

func (d *door) page(lang string) docsPage {
	p := docsPage{Lang: lang, Title: d.main.Title, Version: d.o.Version, Description: introduction.in(lang), MCPPath: d.main.Path}
	for _, t := range d.published() {
		p.Tools = append(p.Tools, docsTool{t, indented(t.InputSchema), indented(outputSchema(t))})
	}
	for _, f := range feeds() {
		p.Feeds = append(p.Feeds, docsFeed{f.Path, f.ID, f.Title.in(lang), f.Text.in(lang), f.Permission.Scope, indented(f.Input), indented(f.Output)})
	}
	for _, status := range slices.Sorted(maps.Keys(failures)) {
		p.Failures = append(p.Failures, docsFailure{status, failures[status].in(lang)})
	}
	return p
}

func indented(doc json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, doc, "", "  ") != nil {
		return string(doc)
	}
	return b.String()
}

func (d *door) docsCSS(c *gin.Context) {
	css, err := assets.ReadFile("assets/docs.css")
	if err != nil { // embedded: it is there
		c.Status(http.StatusNotFound)
		return
	}
	c.Header("Cache-Control", "public, max-age=3600")
	c.Data(http.StatusOK, "text/css; charset=utf-8", css)
}
