//nolint:staticcheck // the suite tests deprecated features too: sampling, roots, logging
package mcpserver_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"thhotel/internal/clock"
)

// The fixtures that the official conformance suite calls by name. What each must
// do is the suite's; see its everything-server.

type (
	callReq  = mcp.CallToolRequest
	callRes  = mcp.CallToolResult
	callFunc = func(context.Context, *callReq) (*callRes, error)
)

const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

func bytesOf(s string) []byte { b, _ := base64.StdEncoding.DecodeString(s); return b }

func text(format string, args ...any) *callRes {
	return &callRes{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

func always(content ...mcp.Content) callFunc {
	return func(context.Context, *callReq) (*callRes, error) { return &callRes{Content: content}, nil }
}

func embedded(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource"}}
}

func fixtureOptions(o *mcp.ServerOptions) {
	o.Capabilities = nil // inferred from what is added, logging included
	o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
	}
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},
"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`

const schemaHeader = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`

func addFixtures(s *mcp.Server) (names []string) {
	tools := map[string]callFunc{
		"test_simple_text":            always(&mcp.TextContent{Text: "This is a simple text response for testing."}),
		"test_image_content":          always(&mcp.ImageContent{Data: bytesOf(pixel), MIMEType: "image/png"}),
		"test_audio_content":          always(&mcp.AudioContent{Data: bytesOf(silence), MIMEType: "audio/wav"}),
		"test_embedded_resource":      always(embedded("test://embedded-resource")),
		"test_multiple_content_types": always(&mcp.TextContent{Text: "text"}, &mcp.ImageContent{Data: bytesOf(pixel), MIMEType: "image/png"}, embedded("test://mixed")),
		"test_streaming_elicitation":  always(&mcp.TextContent{Text: "no requests on this stream"}),
		"json_schema_2020_12_tool":    always(&mcp.TextContent{Text: "ok"}),
		"test_x_mcp_header":           always(&mcp.TextContent{Text: "ok"}),
		"test_tool_with_logging":      logging("started", "processing", "completed"),
		"test_logging_tool":           logging("executed"),
		"test_tool_with_progress":     progressing,
		"test_missing_capability":     needsSampling,
		"test_error_handling": func(context.Context, *callReq) (*callRes, error) {
			r := text("this tool intentionally returns an error for testing")
			r.IsError = true
			return r, nil
		},
		"test_trigger_tool_change": func(context.Context, *callReq) (*callRes, error) {
			s.AddTool(fixtureTool("transient"), always())
			return text("published"), nil
		},
		"test_trigger_prompt_change": func(context.Context, *callReq) (*callRes, error) {
			s.AddPrompt(&mcp.Prompt{Name: "transient", Description: "Transient."}, prompt())
			return text("published"), nil
		},
	}
	for name, f := range roundTrips() {
		tools[name] = f
	}
	for name, f := range tools {
		s.AddTool(fixtureTool(name), f)
		names = append(names, name)
	}
	addResources(s)
	addPrompts(s)
	return append(names, "transient")
}

func fixtureTool(name string) *mcp.Tool {
	t := &mcp.Tool{Name: name, Description: "Fixture " + name + ".", InputSchema: json.RawMessage(`{"type":"object"}`)}
	switch name {
	case "json_schema_2020_12_tool":
		t.InputSchema = json.RawMessage(schema2020)
	case "test_x_mcp_header":
		t.InputSchema = json.RawMessage(schemaHeader)
	}
	return t
}

func logging(lines ...string) callFunc {
	return func(ctx context.Context, r *callReq) (*callRes, error) {
		for _, l := range lines {
			_ = r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: l})
			<-clock.Real().After(20 * time.Millisecond)
		}
		return text("logged"), nil
	}
}

func progressing(ctx context.Context, r *callReq) (*callRes, error) {
	for _, p := range []float64{0, 50, 100} {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: p, Total: 100})
		<-clock.Real().After(20 * time.Millisecond)
	}
	return text("%v", r.Params.GetProgressToken()), nil
}

func needsSampling(_ context.Context, r *callReq) (*callRes, error) {
	if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
		return text("sampling is there"), nil
	}
	data, _ := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
	return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling", Data: data}
}

func addResources(s *mcp.Server) {
	read := func(c mcp.ResourceContents) mcp.ResourceHandler {
		return func(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			c := c
			c.URI = r.Params.URI
			if c.MIMEType == "application/json" {
				var id string
				_, _ = fmt.Sscanf(c.URI, "test://template/%s", &id)
				c.Text = fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id[:len(id)-len("/data")], id[:len(id)-len("/data")])
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
		}
	}
	s.AddResource(&mcp.Resource{Name: "static-text", Description: "Text.", MIMEType: "text/plain", URI: "test://static-text"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "This is the content of the static text resource."}))
	s.AddResource(&mcp.Resource{Name: "static-binary", Description: "Image.", MIMEType: "image/png", URI: "test://static-binary"},
		read(mcp.ResourceContents{MIMEType: "image/png", Blob: bytesOf(pixel)}))
	s.AddResource(&mcp.Resource{Name: "watched-resource", Description: "Watched.", MIMEType: "text/plain", URI: "test://watched-resource"},
		read(mcp.ResourceContents{MIMEType: "text/plain", Text: "Watched resource content"}))
	s.AddResourceTemplate(&mcp.ResourceTemplate{Name: "template", Description: "Template.", MIMEType: "application/json", URITemplate: "test://template/{id}/data"},
		read(mcp.ResourceContents{MIMEType: "application/json"}))
}
