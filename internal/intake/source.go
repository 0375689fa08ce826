package intake

import (
	"fmt"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"thhotel/internal/agent"
	"thhotel/internal/fault"
	"thhotel/internal/inbox"
)

// checkSource compares what the package says of its mail with the mail that is
// stored under that id. A difference means that the agent may have worked on
// another mail, so it lands on every event, and people look.
func checkSource(root map[string]any, m inbox.Message) []fault.Violation {
	c := &checker{}
	if given := sourceText(root, "conversation_id"); given != "" && m.ConversationID != "" && given != m.ConversationID {
		c.add("/source_message/conversation_id", CodeSourceConversation,
			"与该来源消息入库时的会话 ID 不一致，请确认提交的是当前邮件", "differs from the stored message's conversation; make sure this is the current mail")
	}
	if given := address(sourceText(root, "sender")); given != "" && m.SenderEmail != "" && !strings.EqualFold(given, m.SenderEmail) {
		c.add("/source_message/sender", CodeSourceSender,
			"与该来源消息入库时的发件人不一致，请确认提交的是当前邮件", "differs from the stored message's sender; make sure this is the current mail")
	}
	return c.problems
}

// address takes the mailbox out of "Name <a@b>"; text that is no address stays as it is.
func address(s string) string {
	if a, err := mail.ParseAddress(s); err == nil {
		return a.Address
	}
	return s
}

// sourceWarnings tells of differences that no event depends on.
func sourceWarnings(root map[string]any, m inbox.Message) []agent.Warning {
	var out []agent.Warning
	known := attachmentIDs(m)
	list, _ := sourceMessage(root)["attachments"].([]any)
	for i, a := range list {
		obj, _ := a.(map[string]any)
		if id := textOf(obj, "id"); !slices.Contains(known, id) {
			out = append(out, warn(WarnSourceAttachment, "/source_message/attachments/"+strconv.Itoa(i)+" 的附件 ID 不属于该来源消息。",
				"The attachment id is not one of the source message."))
		}
	}
	if given := sourceText(root, "sent_at"); given != "" && !m.SentAt.IsZero() {
		if t, err := time.Parse(time.RFC3339, given); err != nil || !t.Truncate(time.Second).Equal(m.SentAt.Truncate(time.Second)) {
			out = append(out, warn(WarnSourceSentAt, "source_message.sent_at 与入库邮件的发送时间不一致，已按入库时间为准。",
				"sent_at differs from the stored message; the stored time counts."))
		}
	}
	return out
}

// contextWarnings tells of order_contexts that no event can carry.
func contextWarnings(ctx contexts, events []any) []agent.Warning {
	var out []agent.Warning
	for _, v := range ctx.loose {
		out = append(out, warn(WarnOrderContextInvalid, v.Path+"："+v.Message, v.Path+": "+v.MessageEN))
	}
	for _, ref := range ctx.unused(events) {
		out = append(out, warn(WarnOrderContextUnused, "order_contexts 中的 "+cut(ref, maxOrderRef)+" 没有任何 event 引用。",
			"No event refers to this order context."))
		for _, v := range ctx.problems[ref] {
			out = append(out, warn(WarnOrderContextInvalid, v.Path+"："+v.Message, v.Path+": "+v.MessageEN))
		}
	}
	return out
}

func contractWarning(events int) agent.Warning {
	return warn(WarnContractErrors, fmt.Sprintf("%d 项存在契约问题，已接收并转人工复核；请按 items[].adapter_contract_error 修正后续提交。", events),
		"Some items break the contract; they were accepted for review. See items[].adapter_contract_error.")
}

func revisedWarning(revision int) agent.Warning {
	return warn(WarnRevision, fmt.Sprintf("这是同一来源消息的第 %d 个修订；此前未处理的任务已被取代，已处理的保留。", revision),
		"This is a revision: earlier untouched tasks were superseded, touched ones stay.")
}

func supersededWarning(revision, newest int) agent.Warning {
	return warn(WarnSuperseded, fmt.Sprintf("该包是第 %d 个修订，已被第 %d 个修订取代：这里是当时的回答，其未处理的任务卡已取代，重放不会恢复它们。要改回这一版，请提交内容有变化的新包。", revision, newest),
		fmt.Sprintf("This package was revision %d; revision %d has replaced it. This is the answer of then: its untouched cards are superseded and a replay does not bring them back. To return to it, submit a package that differs.", revision, newest))
}

// warn keeps the contract's language. Warnings are stored with the batch, so
// they have one text for every reader; it carries both languages.
func warn(code, zh, en string) agent.Warning {
	return agent.Warning{Code: code, Message: zh + " / " + en}
}
