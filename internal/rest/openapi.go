package rest

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/httpd"
)

// object is a JSON object under construction; encoding/json sorts its keys, so
// the document is the same on every replica.
type object = map[string]any

// specCache keeps the document of one catalogue revision.
type specCache struct {
	mu       sync.Mutex
	revision string
	doc      []byte
}

func (d *door) openAPI(c *gin.Context) {
	doc, err := d.document()
	if err != nil {
		d.o.Log.ErrorContext(c.Request.Context(), "openapi", "error", err)
		httpd.WriteJSON(c.Writer, http.StatusInternalServerError, object{"error": httpd.CodeInternal})
		return
	}
	httpd.WriteBytes(c.Writer, http.StatusOK, doc)
}

// document describes the API as the registry has it now.
func (d *door) document() ([]byte, error) {
	snapshot := d.o.Registry.Snapshot()
	d.spec.mu.Lock()
	defer d.spec.mu.Unlock()
	if d.spec.revision == snapshot.Revision && d.spec.doc != nil {
		return d.spec.doc, nil
	}
	doc, err := json.MarshalIndent(d.describe(), "", " ")
	if err != nil {
		return nil, err //nolint:wrapcheck // logged by openAPI
	}
	d.spec.revision, d.spec.doc = snapshot.Revision, doc
	return doc, nil
}

func (d *door) describe() object {
	paths, schemas := object{}, object{"Failure": json.RawMessage(failureSchema)}
	for _, f := range feeds() {
		schemas[f.In], schemas[f.Out] = f.Input, f.Output
	}
	for _, t := range d.published() {
		paths[t.REST] = object{"post": operation(t)}
		schemas[t.Name+".input"], schemas[t.Name+".output"] = t.InputSchema, outputSchema(t)
	}
	feedPaths(paths)
	probePaths(paths)
	doc := object{
		"openapi":    "3.1.0",
		"info":       object{"title": d.main.Title + " API", "version": orElse(d.o.Version, "dev"), "description": introduction.en},
		"paths":      paths,
		"components": object{"schemas": schemas, "responses": failureResponses(), "securitySchemes": securitySchemes()},
		"tags":       []object{{"name": "tools", "description": "POST twins of the MCP tools"}, {"name": "feeds"}, {"name": "probes"}},
	}
	if d.o.BaseURL != "" {
		doc["servers"] = []object{{"url": d.o.BaseURL}}
	}
	return doc
}

func orElse(v, fallback string) string {
	if v == "" {
		return fallback
	}
	return v
}

// published are the tools with a route, in their services' order.
func (d *door) published() []agent.ToolInfo {
	var out []agent.ToolInfo
	for _, s := range d.services {
		for _, name := range s.Tools {
			if info, ok := d.o.Registry.Lookup(name); ok && info.REST != "" {
				out = append(out, info)
			}
		}
	}
	return out
}

func outputSchema(t agent.ToolInfo) json.RawMessage {
	if len(t.OutputSchema) == 0 {
		return json.RawMessage(`{"type":"object"}`)
	}
	return t.OutputSchema
}

func operation(t agent.ToolInfo) object {
	op := operationOf("tools", t.Name, t.Title, t.Description, t.Permission, t.Name+".input", t.Name+".output")
	op["x-mutability"], op["x-risk"], op["x-idempotent"] = t.Mutability, t.Risk, t.Idempotent
	return op
}

func feedPaths(paths object) {
	for _, f := range feeds() {
		op := operationOf("feeds", f.ID, f.Title.zh, f.Text.en, f.Permission, f.In, f.Out)
		op["x-max-body-mib"] = f.DefaultMaxMegabyte
		paths[f.Path] = object{"post": op}
	}
}

// operationOf is one POST.
func operationOf(tag, id, title, description string, p access.Permission, input, output string) object {
	ok := object{"$ref": "#/components/schemas/" + output}
	responses := object{"200": object{"description": "Success; a repeat is answered the same way, with X-Replayed: true.",
		"headers": object{headerReplayed: object{"schema": object{"type": "string"}}},
		"content": object{"application/json": object{"schema": ok}}}}
	for status := range failures {
		responses[status] = object{"$ref": "#/components/responses/Failure" + status}
	}
	return object{
		"tags": []string{tag}, "operationId": id, "summary": title, "description": description,
		"parameters": []object{header("X-Request-Id", "Id of this request, echoed in the answer."), header("traceparent", "W3C trace context."),
			header("Accept-Language", "zh (default) or en, for messages.")},
		"requestBody": object{"required": true, "content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/" + input}}}},
		"responses":   responses,
		"security": []object{{"bearer": []string{p.Scope}},
			{"partnerId": []string{}, "webhookId": []string{}, "webhookTimestamp": []string{}, "webhookSignature": []string{}}},
		"x-required-scope": p.Scope, "x-required-action": p.Action,
	}
}

func header(name, description string) object {
	return object{"name": name, "in": "header", "required": false, "description": description, "schema": object{"type": "string"}}
}

func probePaths(paths object) {
	for path, summary := range map[string]string{"/healthz": "The process lives.", "/readyz": "Calls can be served; else 503 with the failing check."} {
		ok := object{"description": "Yes.", "content": object{"application/json": object{"schema": object{"type": "object"}}}}
		responses := object{"200": ok}
		if path == "/readyz" {
			responses["503"] = object{"description": "No.", "content": ok["content"]}
		}
		paths[path] = object{"get": object{"tags": []string{"probes"}, "operationId": path[1:], "summary": summary,
			"security": []object{}, "responses": responses}}
	}
}
