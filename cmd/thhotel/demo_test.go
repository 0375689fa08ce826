package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/demo"
)

// dial connects a real MCP client to the demo.
func dial(t *testing.T, p *process) *demo.Agent {
	t.Helper()
	a, err := demo.Dial(context.Background(), p.access.MCPURL, p.access.SuperAgentToken, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	return a
}

// call calls a tool and decodes the data of its envelope.
func call[T any](t *testing.T, a *demo.Agent, tool string, args any) T {
	t.Helper()
	data, err := a.Call(context.Background(), tool, args)
	if err != nil {
		t.Fatal(err)
	}
	var out T
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%s: %v in %s", tool, err, data)
	}
	return out
}

func waitForAgent(t *testing.T, p *process) {
	t.Helper()
	eventually(t, 60*time.Second, "the demo agent", func() bool { return strings.Contains(p.printed(), "read 12 mails") }, p.printed)
}

type task struct {
	TaskID     string `json:"task_id"`
	TaskStatus string `json:"task_status"`
	Type       string `json:"system_task_type"`
	Message    string `json:"external_source_message_id"`
}

// tasks lists every task of the demo's conversations by message.
func tasks(t *testing.T, a *demo.Agent) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, conversation := range []string{"conv-nordic-2027", "conv-yuntu-88213", "conv-harbourfinch-4032077", "conv-guest-720933",
		"conv-lobbylights-cm26", "conv-sunwal-20261130"} {
		got := call[struct {
			Tasks []task `json:"tasks"`
		}](t, a, "th_hotel_list_message_conversation_tasks", map[string]any{"external_conversation_id": conversation})
		for _, x := range got.Tasks {
			out[x.Message] = append(out[x.Message], x.Type)
		}
	}
	return out
}

// wantTasks is what the twelve packages ask for. Mails 10 and 11 make notices, never tasks.
var wantTasks = map[string][]string{
	"agentbus-ext-0001": {"NEW_BOOKING"},
	"agentbus-ext-0002": {"ROOMING_LIST"},
	"agentbus-ext-0003": {"UPDATE_BOOKING", "UPDATE_BOOKING"},
	"agentbus-ext-0004": {"NEW_BOOKING"},
	"agentbus-ext-0005": {"UPDATE_BOOKING", "TRACE_RESERVATION_NOTES"},
	"agentbus-ext-0006": {"CANCEL_BOOKING"},
	"agentbus-ext-0007": {"NEW_BOOKING", "UPDATE_BOOKING"},
	"agentbus-ext-0008": {"PAYMENT"},
	"agentbus-ext-0009": {"TRACE_RESERVATION_NOTES"},
	"agentbus-ext-0012": {"NEW_BOOKING", "CANCEL_BOOKING", "UPDATE_BOOKING"},
}

func TestDemoMainJobOverMCPAndREST(t *testing.T) {
	p := startDemo(t, t.TempDir())
	waitForAgent(t, p)
	a := dial(t, p)
	if diff := cmp.Diff(wantTasks, tasks(t, a)); diff != "" {
		t.Fatalf("tasks after the agent (-want +got):\n%s", diff)
	}
	mails, err := demo.Mails()
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Play(context.Background(), mails)
	if err != nil || r.Replayed != len(mails) {
		t.Fatalf("second round over MCP: %+v, %v; want %d replays", r, err, len(mails))
	}
	for _, m := range mails {
		if status, body := submitREST(t, p, m.Package); status != http.StatusOK || !strings.Contains(body, `"idempotent_replay":true`) {
			t.Fatalf("%s through REST: %d %s; want 200 and a replay", m.File, status, body)
		}
	}
	if diff := cmp.Diff(wantTasks, tasks(t, a)); diff != "" {
		t.Fatalf("replays made tasks (-want +got):\n%s", diff)
	}
}

func submitREST(t *testing.T, p *process, pkg []byte) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, p.access.BaseURL+"/api/integrations/superagent/task-results", bytes.NewReader(pkg))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+p.access.SuperAgentToken)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestDemoConversationOrder(t *testing.T) {
	p := startDemo(t, t.TempDir(), "--agent=off")
	got := call[struct {
		Count    int `json:"message_count"`
		Messages []struct {
			ID string `json:"external_source_message_id"`
		} `json:"messages"`
	}](t, dial(t, p), "th_hotel_list_message_conversation_messages", map[string]any{"source_message_id": "agentbus-ext-0002"})
	var ids []string
	for _, m := range got.Messages {
		ids = append(ids, strings.TrimPrefix(m.ID, "agentbus-ext-00"))
	}
	if diff := cmp.Diff([]string{"01", "02", "03", "11", "08"}, ids); diff != "" || got.Count != 5 {
		t.Fatalf("conversation A, %d messages (-want +got):\n%s", got.Count, diff)
	}
}

func TestDemoSurvivesKill(t *testing.T) {
	dir := t.TempDir()
	p := startDemo(t, dir)
	// In the middle of the agent's work, as soon as one submission is in the log.
	token := p.access.SuperAgentToken
	p.kill()
	for range 3 {
		p = startDemo(t, dir)
		if p.access.SuperAgentToken != token {
			t.Fatal("a restart changed the token")
		}
		p.kill()
	}
	p = startDemo(t, dir)
	waitForAgent(t, p)
	if diff := cmp.Diff(wantTasks, tasks(t, dial(t, p))); diff != "" {
		t.Fatalf("tasks after kills and restarts (-want +got):\n%s", diff)
	}
	if out, code := run(t, "audit", "verify", "--data", dir); code != 0 {
		t.Fatalf("audit verify: exit %d\n%s", code, out)
	}
}
