package casequery_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/casequery"
	"thhotel/internal/database"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

const nordic = "conv-nordic-2027"

func TestConversationTasks(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		w.submitAll(t)
		ctx := context.Background()
		want := []string{"agentbus-ext-0001 NEW_BOOKING", "agentbus-ext-0002 ROOMING_LIST", "agentbus-ext-0003 UPDATE_BOOKING",
			"agentbus-ext-0003 UPDATE_BOOKING", "agentbus-ext-0008 PAYMENT"}
		for name, p := range map[string]casequery.ConversationParams{
			"by conversation": {ExternalConversationID: nordic},
			"by anchor":       {SourceMessageID: "agentbus-ext-0008"},
			"conversation wins": {ExternalConversationID: nordic, SourceMessageID: "agentbus-ext-0004",
				SourceProvider: "agentbus", SourceChannel: "email"},
			"in pages": {ExternalConversationID: nordic, Limit: 2},
		} {
			var got []string
			for {
				page, err := w.Cases.ConversationTasks(ctx, w.Agent, p)
				must(t, err)
				for _, task := range page.Tasks {
					got = append(got, task.ExternalSourceMessageID+" "+task.SystemTaskType)
				}
				if page.TaskCount != 5 || page.ExternalConversationID != nordic || page.SourceProvider != "AGENTBUS" || page.AnswerSummary().EN == "" {
					t.Errorf("%s: count %d of %+v", name, page.TaskCount, page.Thread)
				}
				if page.NextCursor == nil {
					break
				}
				p.Cursor = *page.NextCursor
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
		empty, err := w.Cases.ConversationTasks(ctx, w.Agent, casequery.ConversationParams{ExternalConversationID: "nobody"})
		must(t, err)
		if empty.TaskCount != 0 || empty.Tasks == nil {
			t.Errorf("unknown conversation: %+v, want an empty list", empty)
		}
	})
}

func TestConversationMessages(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ctx := context.Background()
		got, err := w.Cases.ConversationMessages(ctx, w.Agent, casequery.ConversationParams{ExternalConversationID: nordic})
		must(t, err)
		var ids []string
		for _, m := range got.Messages {
			ids = append(ids, strings.TrimPrefix(m.ExternalSourceMessageID, "agentbus-ext-00"))
		}
		if !slices.Equal(ids, []string{"01", "02", "03", "11", "08"}) || got.MessageCount != 5 || got.ContentNotice == "" {
			t.Errorf("messages %v of %d, want 01 02 03 11 08", ids, got.MessageCount)
		}
		if !strings.Contains(got.Messages[0].TextBody, "Nordic Choir Tour 2027") || got.Messages[0].ReceivedAt != "2026-11-23T02:14:22Z" {
			t.Errorf("first message %+v", got.Messages[0])
		}
		w.hostile(t, got)
		if n := w.readings(t); n != 5 {
			t.Errorf("%d recorded readings, want 5", n)
		}
		if s := got.AnswerSummary(); strings.Contains(s.ZH+s.EN, "Nordic") || s.ZH == "" {
			t.Errorf("summary %+v must not quote a mail", s)
		}
	})
}

// hostile: nothing of mail 11 loads, links or speaks from hiding, and no list of
// files or addresses leaves at all.
func (w *world) hostile(t *testing.T, got casequery.ConversationMessages) {
	t.Helper()
	b, err := json.Marshal(got)
	must(t, err)
	doc := strings.ToLower(string(b))
	for _, bad := range []string{"href", "src=", "<img", "system notice", "\"attachments\"", "\"inline_images\"", "\"external_url\"", "agentbus://"} {
		if strings.Contains(doc, bad) {
			t.Errorf("the answer contains %q", bad)
		}
	}
	i := slices.IndexFunc(got.Messages, func(m casequery.Message) bool { return m.ExternalSourceMessageID == "agentbus-ext-0011" })
	if !slices.Contains(got.Messages[i].Flags, "HIDDEN_CONTENT_REMOVED") {
		t.Errorf("flags %v", got.Messages[i].Flags)
	}
}

func (w *world) readings(t *testing.T) (n int) {
	t.Helper()
	must(t, w.DB.Reader().QueryRowContext(context.Background(), "SELECT COUNT(*) FROM inbox_access").Scan(&n))
	return n
}

func TestConversationElsewhere(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		w := newWorld(t, db)
		ctx := context.Background()
		deliver := func(channel, id, conversation string) {
			_, err := w.Inbox.Deliver(ctx, w.System, inbox.DeliverParams{Channel: channel, ExternalMessageID: id, ExternalConversationID: conversation,
				Raw: file(t, "10-marketing-newsletter.eml"), ReceivedAt: testkit.Now})
			must(t, err)
		}
		deliver("OUTLOOK", "o-1", "conv-outlook")
		deliver("OUTLOOK", "both-1", "conv-both")
		deliver("TEAMS", "both-1", "conv-both")
		got, err := w.Cases.ConversationTasks(ctx, w.Agent, casequery.ConversationParams{ExternalConversationID: "conv-outlook"})
		must(t, err)
		if got.SourceChannel != "OUTLOOK" || !hasWarning(got.Warnings, casequery.WarnSourceResolved) {
			t.Errorf("channel %s, warnings %v; want OUTLOOK and SOURCE_RESOLVED", got.SourceChannel, got.Warnings)
		}
		read, err := w.Cases.ConversationMessages(ctx, w.Agent, casequery.ConversationParams{SourceMessageID: "o-1"})
		must(t, err)
		if len(read.Messages) != 1 || !hasWarning(read.AnswerWarnings(), casequery.WarnSourceResolved) {
			t.Errorf("by anchor: %d messages, warnings %v", len(read.Messages), read.Warnings)
		}
		for name, c := range map[string]struct {
			p    casequery.ConversationParams
			code string
		}{
			"two places":         {casequery.ConversationParams{ExternalConversationID: "conv-both"}, "SOURCE_MESSAGE_AMBIGUOUS"},
			"anchor in two":      {casequery.ConversationParams{SourceMessageID: "both-1"}, "SOURCE_MESSAGE_AMBIGUOUS"},
			"unknown anchor":     {casequery.ConversationParams{SourceMessageID: "none"}, "SOURCE_MESSAGE_NOT_FOUND"},
			"named, not there":   {casequery.ConversationParams{SourceMessageID: "o-1", SourceChannel: "EMAIL"}, "SOURCE_MESSAGE_NOT_FOUND"},
			"no key":             {casequery.ConversationParams{SourceMessageID: " "}, "CONVERSATION_KEY_REQUIRED"},
			"another hotel":      {casequery.ConversationParams{SourceMessageID: "o-1", HotelID: "x"}, platform.CodeHotelMismatch},
			"cursor not of ours": {casequery.ConversationParams{ExternalConversationID: nordic, Cursor: "nonsense"}, "CURSOR_INVALID"},
		} {
			if _, err := w.Cases.ConversationMessages(ctx, w.Agent, c.p); fault.Code(err) != c.code {
				t.Errorf("messages, %s: %v, want %s", name, err, c.code)
			}
			if _, err := w.Cases.ConversationTasks(ctx, w.Agent, c.p); fault.Code(err) != c.code {
				t.Errorf("tasks, %s: %v, want %s", name, err, c.code)
			}
		}
	})
}

func TestConversationPermissions(t *testing.T) {
	w := newWorld(t, testkit.DB(t))
	ctx, p := context.Background(), casequery.ConversationParams{ExternalConversationID: nordic}
	tasksOnly := w.Agent
	tasksOnly.Scopes = []string{access.ConversationRead.Scope}
	bodiesOnly := w.Agent
	bodiesOnly.Scopes = []string{access.MessageBodyRead.Scope}
	if _, err := w.Cases.ConversationTasks(ctx, tasksOnly, p); err != nil {
		t.Errorf("tasks with their own scope alone: %v", err)
	}
	if _, err := w.Cases.ConversationMessages(ctx, bodiesOnly, p); err != nil {
		t.Errorf("messages with their own scope alone: %v", err)
	}
	if _, err := w.Cases.ConversationTasks(ctx, bodiesOnly, p); fault.Code(err) != access.CodeScope {
		t.Errorf("tasks: %v, want %s", err, access.CodeScope)
	}
	if _, err := w.Cases.ConversationMessages(ctx, tasksOnly, p); fault.Code(err) != access.CodeScope {
		t.Errorf("messages: %v, want %s", err, access.CodeScope)
	}
}
