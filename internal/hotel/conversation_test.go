package hotel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"thhotel/internal/hotel"
	"thhotel/internal/inbox"
	"thhotel/internal/mcpserver"
	"thhotel/internal/testkit"
)

// overMCP calls a tool as an assistant does and returns the envelope's data.
func (d *door) overMCP(t *testing.T, url, tool string, args map[string]any) json.RawMessage {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args}})
	must(t, err)
	r, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	must(t, err)
	for name, value := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Authorization": "Bearer " + d.token, "Mcp-Protocol-Version": "2025-11-25"} {
		r.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(r)
	must(t, err)
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	must(t, err)
	var out struct {
		Result struct {
			IsError           bool
			StructuredContent struct{ Data json.RawMessage }
		}
	}
	if err := json.Unmarshal(raw, &out); err != nil || out.Result.IsError || len(out.Result.StructuredContent.Data) == 0 {
		t.Fatalf("%s: %d %.500s, %v", tool, res.StatusCode, raw, err)
	}
	return out.Result.StructuredContent.Data
}

type messagesPage struct {
	Count    int `json:"message_count"`
	Messages []struct {
		ID         string    `json:"external_source_message_id"`
		ReceivedAt time.Time `json:"received_at"`
		Text       string    `json:"text_body"`
	}
	Next *string `json:"next_cursor"`
}

// TestThousandMails: a conversation of 1,000 mails is read by pages over MCP:
// each once, in order, while new ones arrive; and every body that left is in the
// access log, once.
func TestThousandMails(t *testing.T) {
	const mails = 1000
	d := newDoor(t, testkit.DB(t))
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	deliver := func(i int, at time.Time) {
		t.Helper()
		_, err := d.Inbox.Deliver(context.Background(), d.System, inbox.DeliverParams{ExternalMessageID: fmt.Sprintf("long-%04d", i), ExternalConversationID: "conv-long", ReceivedAt: at,
			Raw: []byte(fmt.Sprintf("From: a@a.example\r\nSubject: Re: long\r\nMessage-ID: <%d@a.example>\r\n\r\nmail %d\r\n", i, i))})
		must(t, err)
	}
	for i := range mails {
		deliver(i, start.Add(time.Duration(i/4)*time.Second)) // four at each moment: ties
	}
	mcp, err := mcpserver.New(mcpserver.Options{Executor: d.executor, Registry: d.registry, Service: hotel.Name, Clock: d.Clock})
	must(t, err)
	server := httptest.NewServer(mcp)
	defer server.Close()

	seen, last, pages := map[string]int{}, time.Time{}, 0
	args := map[string]any{"external_conversation_id": "conv-long", "limit": 150}
	for {
		var page messagesPage
		decode(t, d.overMCP(t, server.URL, hotel.ToolConversationMessages, args), &page)
		for _, m := range page.Messages {
			seen[m.ID]++
			if m.ReceivedAt.Before(last) || m.Text == "" {
				t.Fatalf("%s out of order, or without its body", m.ID)
			}
			last = m.ReceivedAt
		}
		if pages++; pages == 2 { // behind what is still to be read, and before what was read
			deliver(mails, start.Add(time.Hour))
			deliver(mails+1, start.Add(-time.Hour))
			deliver(mails+2, last)
		}
		if page.Next == nil {
			if page.Count != mails+3 {
				t.Errorf("message_count %d, want %d", page.Count, mails+3)
			}
			break
		}
		args["cursor"] = *page.Next
	}
	for i := range mails + 1 {
		if id := fmt.Sprintf("long-%04d", i); seen[id] != 1 {
			t.Errorf("%s was read %d times", id, seen[id])
		}
	}
	if seen[fmt.Sprintf("long-%04d", mails+1)] != 0 {
		t.Error("a mail from before the pages already read was read after them")
	}
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM inbox_access": len(seen), "SELECT COUNT(DISTINCT message_id) FROM inbox_access": len(seen),
		"SELECT COUNT(*) FROM inbox_access WHERE what = 'BODY' AND adapter = 'mcp' AND request_id <> ''": len(seen),
	} {
		var n int
		must(t, d.DB.Reader().QueryRowContext(context.Background(), query).Scan(&n))
		if n != want {
			t.Errorf("%s: %d, want %d, one for each body that left", query, n, want)
		}
	}
}
