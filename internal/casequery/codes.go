package casequery

import (
	"thhotel/internal/agent"
	"thhotel/internal/fault"
)

// Refusals.
const (
	CodeCaseKeyRequired       = "CASE_KEY_REQUIRED"
	CodeObjectIDInvalid       = "OBJECT_ID_INVALID"
	CodeObjectTypeUnsupported = "OBJECT_TYPE_UNSUPPORTED"
	CodeObjectNotFound        = "OBJECT_NOT_FOUND"
)

// Warnings.
const (
	WarnKeysDisagree        = "KEYS_DISAGREE"
	WarnKeyNotFound         = "KEY_NOT_FOUND"
	WarnResultTruncated     = "RESULT_TRUNCATED"
	WarnProjectionMissing   = "OPERA_PROJECTION_MISSING"
	WarnProjectionDisagrees = "OPERA_PROJECTION_DISAGREES"
	WarnSourceResolved      = "SOURCE_RESOLVED"
	WarnBodyTruncated       = "BODY_TRUNCATED"
	WarnTypeHint            = "OBJECT_TYPE_HINT_IGNORED"
)

// Reasons why an action is refused for a set of keys; those of a single order
// come from the rules that judge cards.
const (
	ReasonEvidenceOnly = "KEY_IS_EVIDENCE_ONLY"
	ReasonNotFound     = "TARGET_NOT_FOUND"
	ReasonAmbiguous    = "TARGET_AMBIGUOUS"
	ReasonExists       = "ORDER_ALREADY_EXISTS"
)

// The refusals themselves.
var (
	ErrCaseKeyRequired = fault.New(fault.Invalid, CodeCaseKeyRequired,
		"group_code、confirmation_number、reservation_no 至少要有一个非空；本工具只按精确 key 查询，没有 key 时不要调用。",
		"Give at least one of group_code, confirmation_number and reservation_no. This tool looks up exact keys only; without one, do not call it.")
	ErrObjectIDInvalid = fault.New(fault.Invalid, CodeObjectIDInvalid,
		"object_id 必须形如 ORDER:<order_id>，请使用 th_hotel_query_case_context 返回的 object_id。",
		"object_id must look like ORDER:<order_id>. Use the object_id that th_hotel_query_case_context returns.")
	ErrObjectTypeUnsupported = fault.New(fault.Unprocessable, CodeObjectTypeUnsupported,
		"第一版只支持 ORDER 类型的对象，请使用 ORDER:<order_id>。",
		"Only objects of type ORDER are supported. Use ORDER:<order_id>.")
	ErrObjectNotFound = fault.New(fault.NotFound, CodeObjectNotFound,
		"没有找到该订单，请用 th_hotel_query_case_context 按业务 key 重新查询 object_id。",
		"There is no such order. Look its object_id up again by business key with th_hotel_query_case_context.")
)

// speak picks the caller's language; the contract's is Chinese.
func speak(lang, zh, en string) string {
	if lang == "en" {
		return en
	}
	return zh
}

func warning(lang, code, zh, en string) agent.Warning {
	return agent.Warning{Code: code, Message: speak(lang, zh, en)}
}
