package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Tool names as the contract has them.
const (
	toolCaseContext  = "th_hotel_query_case_context"
	toolMessages     = "th_hotel_list_message_conversation_messages"
	toolTasks        = "th_hotel_list_message_conversation_tasks"
	toolSubmit       = "th_hotel_submit_task_results"
	agentName        = "thhotel-demo-agent"
	agentVersion     = "1"
	evidenceInThread = "body_current"
)

// Agent plays SuperAgent: it knows the address and a token, nothing else.
type Agent struct {
	session *mcp.ClientSession
	log     *slog.Logger
}

// Report counts what one round of the agent did.
type Report struct{ Submitted, Replayed int }

// Dial connects to an /mcp address as a Model Context Protocol client.
func Dial(ctx context.Context, url, token string, log *slog.Logger) (*Agent, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: agentName, Version: agentVersion}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint:             url,
		HTTPClient:           &http.Client{Transport: bearer{token, http.DefaultTransport}},
		DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return &Agent{session: session, log: log}, nil
}

// Close ends the session.
func (a *Agent) Close() error { return a.session.Close() }

// Play reads each mail's case and submits its package, mail by mail. Playing
// again changes nothing: every package is answered as a replay.
func (a *Agent) Play(ctx context.Context, mails []Mail) (Report, error) {
	var r Report
	var failed error
	for _, m := range mails {
		replayed, err := a.handle(ctx, m)
		if err != nil { // one mail's refusal is no reason to leave the others
			failed = errors.Join(failed, fmt.Errorf("mail %s: %w", m.SourceMessageID, err))
			continue
		}
		r.Submitted++
		if replayed {
			r.Replayed++
		}
	}
	return r, failed
}

// handle does for one mail what the instructions ask of an agent: read the
// conversation, see what is already open, look the keys up, then submit once.
func (a *Agent) handle(ctx context.Context, m Mail) (replayed bool, err error) {
	anchor := map[string]any{"source_message_id": m.SourceMessageID}
	for _, tool := range []string{toolMessages, toolTasks} {
		if _, err := a.Call(ctx, tool, anchor); err != nil {
			return false, err
		}
	}
	for _, key := range keys(m.Package) {
		if _, err := a.Call(ctx, toolCaseContext, key); err != nil {
			return false, err
		}
	}
	data, err := a.Call(ctx, toolSubmit, m.Package)
	if err != nil {
		return false, err
	}
	var out struct {
		IdempotentReplay bool   `json:"idempotent_replay"`
		BatchID          string `json:"batch_id"`
	}
	if err := json.Unmarshal(data, &out); err != nil {
		return false, err
	}
	a.log.InfoContext(ctx, "demo agent submitted", "source_message_id", m.SourceMessageID, "batch_id", out.BatchID, "replay", out.IdempotentReplay)
	return out.IdempotentReplay, nil
}

// keys lists the case keys that a package's events name, each once.
func keys(pkg json.RawMessage) []map[string]any {
	var p struct {
		Events []struct {
			Target struct {
				Type  string `json:"locator_type"`
				Value string `json:"locator_value"`
			} `json:"target_order"`
		} `json:"message_events"`
	}
	if json.Unmarshal(pkg, &p) != nil {
		return nil // the server will say what is wrong with the package
	}
	argument := map[string]string{"GROUP_CODE": "group_code", "CONFIRMATION_NUMBER": "confirmation_number", "RESERVATION_NO": "reservation_no"}
	seen := map[string]bool{}
	var out []map[string]any
	for _, e := range p.Events {
		name := argument[e.Target.Type]
		if name == "" || seen[e.Target.Value] {
			continue
		}
		seen[e.Target.Value] = true
		out = append(out, map[string]any{name: e.Target.Value, "target_key_source": evidenceInThread})
	}
	return out
}

// Call calls one tool and returns the data of its envelope, or the refusal as an error.
func (a *Agent) Call(ctx context.Context, tool string, args any) (json.RawMessage, error) {
	res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tool, err)
	}
	doc, err := json.Marshal(res.StructuredContent)
	if err != nil {
		return nil, err
	}
	var env struct {
		Success bool            `json:"success"`
		Data    json.RawMessage `json:"data"`
		Error   *struct{ Code, Message string }
	}
	if err := json.Unmarshal(doc, &env); err != nil {
		return nil, fmt.Errorf("%s: answer is no envelope: %w", tool, err)
	}
	if env.Error != nil {
		return nil, fmt.Errorf("%s: %w", tool, errors.New(env.Error.Code+": "+env.Error.Message))
	}
	return env.Data, nil
}

// bearer adds the token to every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}
