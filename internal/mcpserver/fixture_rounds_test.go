//nolint:staticcheck // the suite tests deprecated features too: sampling, roots, logging
package mcpserver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Fixtures that ask the client for input and are called again with it.

func elicit(message, field, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(
		fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%q]}`, field, kind, field))}
}

func sample(prompt string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}}, MaxTokens: 50}
}

// accepted is a field of an accepted elicitation, "" otherwise.
func accepted(m mcp.InputResponseMap, key, field string) string {
	e, ok := m[key].(*mcp.ElicitResult)
	if !ok || e == nil || e.Action != "accept" {
		return ""
	}
	return fmt.Sprint(e.Content[field])
}

func ask(state string, inputs mcp.InputRequestMap) *callRes {
	return &callRes{InputRequests: inputs, RequestState: state}
}

func roundTrips() map[string]callFunc {
	const p = "test_input_required_result_"
	name := elicit("What is your name?", "name", "string")
	return map[string]callFunc{
		p + "elicitation": func(_ context.Context, r *callReq) (*callRes, error) {
			if n := accepted(r.Params.InputResponses, "user_name", "name"); n != "" && n != "<nil>" {
				return text("Hello, %s!", n), nil
			}
			return ask("", mcp.InputRequestMap{"user_name": name}), nil
		},
		p + "sampling":        oneInput("capital_question", sample("What is the capital of France?")),
		p + "list_roots":      oneInput("client_roots", &mcp.ListRootsParams{}),
		p + "request_state":   stateful("request_state", "state-ok"),
		p + "tampered_state":  stateful("tampered_state", "state-ok"),
		p + "multi_round":     rounds,
		p + "capabilities":    byCapabilities(name),
		p + "multiple_inputs": many(name),
	}
}

func oneInput(key string, in mcp.InputRequest) callFunc {
	return func(_ context.Context, r *callReq) (*callRes, error) {
		if v, ok := r.Params.InputResponses[key]; ok && v != nil {
			return text("got %T", v), nil
		}
		return ask("", mcp.InputRequestMap{key: in}), nil
	}
}

func stateful(state, answer string) callFunc {
	return func(_ context.Context, r *callReq) (*callRes, error) {
		if s := r.Params.RequestState; s != "" {
			if s != state {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState does not hold"}
			}
			if accepted(r.Params.InputResponses, "confirm", "ok") != "" {
				return text("%s: confirmed", answer), nil
			}
		}
		return ask(state, mcp.InputRequestMap{"confirm": elicit("Please confirm", "ok", "boolean")}), nil
	}
}

func rounds(_ context.Context, r *callReq) (*callRes, error) {
	switch state := r.Params.RequestState; state {
	case "":
		return ask("round=1", mcp.InputRequestMap{"step1": elicit("Name?", "name", "string")}), nil
	case "round=1":
		return ask("round=2;name="+accepted(r.Params.InputResponses, "step1", "name"), mcp.InputRequestMap{"step2": elicit("Color?", "color", "string")}), nil
	default:
		return text("%s likes %s", strings.TrimPrefix(state, "round=2;name="), accepted(r.Params.InputResponses, "step2", "color")), nil
	}
}

func byCapabilities(name *mcp.ElicitParams) callFunc {
	return func(_ context.Context, r *callReq) (*callRes, error) {
		if len(r.Params.InputResponses) > 0 {
			return text("fulfilled"), nil
		}
		in, c := mcp.InputRequestMap{}, r.ClientCapabilities()
		if c != nil && c.Elicitation != nil {
			in["user_name"] = name
		}
		if c != nil && c.Sampling != nil {
			in["greeting"] = sample("Greet")
		}
		if len(in) == 0 {
			return text("nothing to ask this client"), nil
		}
		return ask("", in), nil
	}
}

func many(name *mcp.ElicitParams) callFunc {
	return func(_ context.Context, r *callReq) (*callRes, error) {
		if got := r.Params.InputResponses; got["user_name"] != nil && got["greeting"] != nil && got["client_roots"] != nil {
			return text("all three, %s", accepted(got, "user_name", "name")), nil
		}
		return ask("multiple_inputs", mcp.InputRequestMap{"user_name": name, "greeting": sample("Greet"), "client_roots": &mcp.ListRootsParams{}}), nil
	}
}

func prompt(content ...mcp.Content) mcp.PromptHandler {
	return func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		res := &mcp.GetPromptResult{Description: "A test prompt"}
		for _, c := range content {
			if t, ok := c.(*mcp.TextContent); ok && strings.Contains(t.Text, "%") {
				c = &mcp.TextContent{Text: fmt.Sprintf(t.Text, r.Params.Arguments["arg1"], r.Params.Arguments["arg2"])}
			}
			if _, ok := c.(*mcp.EmbeddedResource); ok {
				c = embedded(r.Params.Arguments["resourceUri"])
			}
			res.Messages = append(res.Messages, &mcp.PromptMessage{Role: "user", Content: c})
		}
		return res, nil
	}
}

func addPrompts(s *mcp.Server) {
	arg := func(n string) *mcp.PromptArgument {
		return &mcp.PromptArgument{Name: n, Description: n, Required: true}
	}
	add := func(name string, h mcp.PromptHandler, args ...*mcp.PromptArgument) {
		s.AddPrompt(&mcp.Prompt{Name: name, Description: "Fixture " + name + ".", Arguments: args}, h)
	}
	add("test_simple_prompt", prompt(&mcp.TextContent{Text: "This is a simple prompt for testing."}))
	add("test_prompt_with_arguments", prompt(&mcp.TextContent{Text: "Prompt with arguments: arg1='%s', arg2='%s'"}), arg("arg1"), arg("arg2"))
	add("test_prompt_with_embedded_resource", prompt(embedded(""), &mcp.TextContent{Text: "Process it."}), arg("resourceUri"))
	add("test_prompt_with_image", prompt(&mcp.ImageContent{Data: bytesOf(pixel), MIMEType: "image/png"}, &mcp.TextContent{Text: "Analyze it."}))
	add("test_input_required_result_prompt", func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if c := accepted(r.Params.InputResponses, "user_context", "context"); c != "" {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: c}}}}, nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": elicit("Context?", "context", "string")}}, nil
	})
}
