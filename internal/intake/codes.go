package intake

import "thhotel/internal/fault"

// Codes of a package that is refused before anything is written.
const (
	CodeV4Required     = "MCP_SUBMIT_V4_REQUIRED"
	CodePayloadInvalid = "MCP_SUBMIT_PAYLOAD_INVALID"
	CodeBatchNotFound  = "BATCH_NOT_FOUND"
)

// Codes of one wrong place, in details.violations of a refusal and in
// adapter_contract_error of an accepted event.
const (
	CodeFieldRequired   = "FIELD_REQUIRED"
	CodeFieldType       = "FIELD_TYPE"
	CodeFieldUnknown    = "FIELD_UNKNOWN"
	CodeFieldDuplicate  = "FIELD_DUPLICATE"
	CodeNumberUnsafe    = "NUMBER_UNSAFE"
	CodeValueEmpty      = "VALUE_EMPTY"
	CodeValueTooLong    = "VALUE_TOO_LONG"
	CodeValueNotAllowed = "VALUE_NOT_ALLOWED"
	CodeItemsRequired   = "ITEMS_REQUIRED"
	CodeItemsForbidden  = "ITEMS_FORBIDDEN"
	CodeItemsTooMany    = "ITEMS_TOO_MANY"
	CodeMoreErrors      = "MORE_ERRORS"
	CodeDateInvalid     = "DATE_INVALID"
	CodeDateOrder       = "DATE_ORDER"
	CodeTimeInvalid     = "TIME_INVALID"
	CodeCountInvalid    = "COUNT_INVALID"
	CodeAmountInvalid   = "AMOUNT_INVALID"
	CodeCurrencyInvalid = "CURRENCY_INVALID"

	CodeLocatorIncomplete  = "LOCATOR_INCOMPLETE"
	CodeOrderRefUnknown    = "ORDER_REF_UNKNOWN"
	CodeOrderRefDuplicate  = "ORDER_REF_DUPLICATE"
	CodeAttachmentUnknown  = "ATTACHMENT_UNKNOWN"
	CodeSourceConversation = "SOURCE_CONVERSATION_MISMATCH"
	CodeSourceSender       = "SOURCE_SENDER_MISMATCH"
)

// Warnings beside an accepted package.
const (
	WarnOrderContextUnused  = "ORDER_CONTEXT_UNUSED"
	WarnOrderContextInvalid = "ORDER_CONTEXT_INVALID"
	WarnSourceAttachment    = "SOURCE_ATTACHMENT_UNKNOWN"
	WarnSourceSentAt        = "SOURCE_SENT_AT_MISMATCH"
	WarnContractErrors      = "ADAPTER_CONTRACT_ERRORS"
	WarnRevision            = "PACKAGE_REVISED"
	WarnSuperseded          = "PACKAGE_SUPERSEDED"
)

// ErrV4Required answers anything whose root is not V4's.
var ErrV4Required = fault.New(fault.Invalid, CodeV4Required,
	"只接受 M002 V4 包：根字段必须恰好是 route_code、source_message、order_contexts、message_events。请按 V4 重新组包后提交，不要提交 V2/V3 结构。",
	"Only M002 V4 packages are accepted: the root fields are exactly route_code, source_message, order_contexts and message_events. Rebuild the package as V4; do not submit V2 or V3 structures.")

// ErrPayloadInvalid answers a V4 root whose transport shape is wrong.
var ErrPayloadInvalid = fault.New(fault.Invalid, CodePayloadInvalid,
	"V4 包未通过提交前校验，未写入任何数据。请按 details.violations 逐项修正后重新提交。",
	"The V4 package did not pass the check before submission; nothing was written. Correct each place in details.violations and submit again.")

// ErrBatchNotFound answers an id that is no batch of this hotel.
var ErrBatchNotFound = fault.New(fault.NotFound, CodeBatchNotFound,
	"没有找到该批次，请从批次列表重新打开。", "There is no such batch. Open it from the list of batches.")
