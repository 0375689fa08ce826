package inbox

import "thhotel/internal/fault"

// The refusals of this package.
var (
	ErrNotFound = fault.New(fault.NotFound, "SOURCE_MESSAGE_NOT_FOUND",
		"没有找到该来源消息。请核对消息 ID，或确认 AgentBus 已投递该邮件。",
		"No such source message. Check the message id, or that the mail bus has delivered the mail.")
	ErrAmbiguous = fault.New(fault.Conflict, "SOURCE_MESSAGE_AMBIGUOUS",
		"该 ID 在多个来源或渠道中存在，无法确定是哪一封。请同时给出 source_provider 和 source_channel，或交由人工处理。",
		"The id exists in several providers or channels. Give source_provider and source_channel, or leave it to a person.")
	// ErrAmbiguousSource is for callers who name a message by its id alone.
	ErrAmbiguousSource = fault.New(fault.Conflict, "SOURCE_MESSAGE_AMBIGUOUS",
		"该 source_message_id 匹配到多条来源消息，无法确定是哪一封；请不要重试，转交酒店员工核对来源渠道。",
		"This source_message_id matches several stored messages. Do not retry; ask the hotel's staff which one is meant.")
	ErrConflict = fault.New(fault.Conflict, "SOURCE_MESSAGE_CONFLICT",
		"同一消息 ID 已保存过，但内容不同。已保留第一次的内容；若确为另一封邮件，请使用新的消息 ID。",
		"A message with this id is stored already, with other content. The first is kept; send another mail under another id.")
	ErrAnchor = fault.New(fault.Invalid, "CONVERSATION_KEY_REQUIRED",
		"external_conversation_id 与 source_message_id 至少提供一个。",
		"Give external_conversation_id or source_message_id.")
	ErrCursor = fault.New(fault.Invalid, "CURSOR_INVALID",
		"分页游标无效。请从第一页重新开始，原样传回 next_cursor。",
		"The cursor is not one of ours. Start from the first page and pass next_cursor back unchanged.")
	ErrHotel = fault.New(fault.Unprocessable, "HOTEL_MISMATCH",
		"hotel_id 与当前酒店不一致。请省略 hotel_id 或使用当前酒店的 ID。",
		"hotel_id is not the hotel of your credential. Leave it out or give that hotel's id.")
	ErrDelivery = fault.New(fault.Invalid, "MESSAGE_DELIVERY_INVALID",
		"投递的消息不符合要求，请按 details 中的提示修正后重试。",
		"The delivery is not as required. Correct what the violations name and send it again.")
	ErrTooLarge = fault.New(fault.TooLarge, "MESSAGE_TOO_LARGE",
		"邮件超过大小上限，未保存。请拆分附件后重新发送。",
		"The mail is above the size limit and was not stored. Send the attachments apart.")
	ErrAttachment = fault.New(fault.NotFound, "ATTACHMENT_NOT_FOUND",
		"该消息没有这个附件，请核对附件 ID。",
		"The message has no such attachment. Check the attachment id.")
	ErrNoContent = fault.New(fault.NotFound, "ATTACHMENT_NOT_DELIVERED",
		"来源只提供了该附件的信息，没有提供内容。请在来源系统中查看。",
		"The source told of this attachment and did not send its content. Look at it in the source system.")
	ErrOriginal = fault.New(fault.Unavailable, "ORIGINAL_DAMAGED",
		"原文存储已损坏或丢失，请联系管理员从备份恢复。",
		"The stored original is damaged or missing. Ask the operator to restore it from the backup.")
	ErrImportPath = fault.New(fault.Invalid, "IMPORT_PATH_INVALID",
		"无法读取该路径。请提供 .eml、.mbox 文件或文件夹。",
		"The path cannot be read. Give an .eml or .mbox file, or a folder.")
)
