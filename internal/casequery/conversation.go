package casequery

import (
	"context"
	"fmt"
	"strings"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/inbox"
	"thhotel/internal/order"
)

// Page sizes of both conversation tools.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// ConversationTasks lists every task that a conversation's mails have led to: by
// receipt of the mail, then by creation, then by id.
func (s *Service) ConversationTasks(ctx context.Context, by access.Caller, p ConversationParams) (ConversationTasks, error) {
	if err := by.Require(access.ConversationRead); err != nil {
		return ConversationTasks{}, err
	}
	ask, err := s.ask(ctx, by, p)
	if err != nil {
		return ConversationTasks{}, err
	}
	found, ids, err := s.messageIDs(ctx, by, ask)
	if err != nil {
		return ConversationTasks{}, err
	}
	page := order.CardPage{}
	if len(ids) > 0 {
		if page, err = s.orders.CardsOfMessages(ctx, by, ids, strings.TrimSpace(p.Cursor), limit(p.Limit)); err != nil {
			return ConversationTasks{}, fmt.Errorf("tasks of conversation: %w", err)
		}
	}
	out := ConversationTasks{Thread: thread(found), TaskCount: page.Total, Tasks: []ConversationTask{},
		NextCursor: present(page.NextCursor), Warnings: resolvedWarning(found, by.Lang)}
	for _, c := range page.Cards {
		out.Tasks = append(out.Tasks, ConversationTask{ExternalSourceMessageID: c.ExternalMessageID, ReceivedAt: stamp(c.ReceivedAt),
			TaskID: c.ID, OrderID: present(c.OrderID), TaskStatus: c.Status, SystemTaskType: string(c.EventType), TaskCreatedAt: stamp(c.CreatedAt)})
	}
	return out, nil
}

// ask turns the tool's input into the inbox's question.
func (s *Service) ask(ctx context.Context, by access.Caller, p ConversationParams) (inbox.ConversationParams, error) {
	out := inbox.ConversationParams{Provider: clean(p.SourceProvider), Channel: clean(p.SourceChannel),
		ConversationID: strings.TrimSpace(p.ExternalConversationID), ExternalMessageID: strings.TrimSpace(p.SourceMessageID)}
	if out.ConversationID == "" && out.ExternalMessageID == "" {
		return out, inbox.ErrAnchor
	}
	hotel, err := s.platform.ResolveHotel(ctx, by, p.HotelID)
	out.HotelID = hotel.ID
	return out, err
}

// messageIDs walks the whole conversation: tasks are counted over all of it.
func (s *Service) messageIDs(ctx context.Context, by access.Caller, ask inbox.ConversationParams) (inbox.Conversation, []string, error) {
	ask.Limit = maxLimit
	var first inbox.Conversation
	var ids []string
	for {
		page, err := s.inbox.Conversation(ctx, by, ask)
		if err != nil {
			return first, nil, err
		}
		if ask.Cursor == "" {
			first = page
		}
		for _, m := range page.Messages {
			ids = append(ids, m.ID)
		}
		if page.NextCursor == "" {
			return first, ids, nil
		}
		ask.Cursor = page.NextCursor
	}
}

func limit(n int) int {
	if n <= 0 {
		return defaultLimit
	}
	return min(n, maxLimit)
}

func thread(c inbox.Conversation) Thread {
	return Thread{SourceProvider: c.Provider, SourceChannel: c.Channel, ExternalConversationID: c.ConversationID}
}

func resolvedWarning(c inbox.Conversation, lang string) []agent.Warning {
	if !c.Resolved {
		return []agent.Warning{}
	}
	where := c.Provider + " / " + c.Channel
	return []agent.Warning{warning(lang, WarnSourceResolved, "默认来源中没有该会话，已按唯一匹配的来源返回："+where,
		"The conversation is not in the default source; it was found in exactly one other: "+where)}
}

// AnswerWarnings puts the warnings of the data into the envelope too.
func (c ConversationTasks) AnswerWarnings() []agent.Warning { return c.Warnings }

// AnswerSummary is the short text for people.
func (c ConversationTasks) AnswerSummary() agent.Summary {
	return agent.Summary{ZH: fmt.Sprintf("该会话共有 %d 个任务，本页返回 %d 个。", c.TaskCount, len(c.Tasks)),
		EN: fmt.Sprintf("The conversation has %d task(s); this page shows %d.", c.TaskCount, len(c.Tasks))}
}
