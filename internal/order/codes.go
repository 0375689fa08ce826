package order

import "thhotel/internal/fault"

// Codes of this package's refusals.
const (
	CodeOrderNotFound   = "ORDER_NOT_FOUND"
	CodeCardNotFound    = "CARD_NOT_FOUND"
	CodeNoticeNotFound  = "NOTICE_NOT_FOUND"
	CodePaymentNotFound = "PAYMENT_NOT_FOUND"
	CodeOrderStale      = "ORDER_STALE"
	CodeCardStale       = "CARD_STALE"
	CodeCardClaimed     = "CARD_CLAIMED"
	CodeCardNotClaimed  = "CARD_NOT_CLAIMED"
	CodeCardDecided     = "CARD_ALREADY_DECIDED"
	CodeRuleRefuses     = "RULE_REFUSES"
	CodeTickRequired    = "RULE_TICK_REQUIRED"
	CodeTargetRequired  = "TARGET_REQUIRED"
	CodeKeyRequired     = "OPERA_KEY_REQUIRED"
	CodeReasonRequired  = "REASON_REQUIRED"
	CodeReasonUnknown   = "REASON_CODE_UNKNOWN"
	CodeSecondStep      = "SECOND_STEP_REQUIRED"
	CodeNoticeHandled   = "NOTICE_ALREADY_HANDLED"
	CodePaymentDone     = "PAYMENT_ALREADY_CONFIRMED"
	CodeCorrection      = "CORRECTION_INVALID"
	CodeCursor          = "CURSOR_INVALID"
	CodeInput           = "INPUT_INVALID"
)

func errNoOrder() *fault.Error {
	return fault.New(fault.NotFound, CodeOrderNotFound, "没有这个订单；请用业务 key 重新查询。", "There is no such order. Search again by its business key.")
}

func errNoCard() *fault.Error {
	return fault.New(fault.NotFound, CodeCardNotFound, "没有这张任务卡；请回到队列刷新。", "There is no such card. Go back to the queue and reload.")
}

func errNoNotice() *fault.Error {
	return fault.New(fault.NotFound, CodeNoticeNotFound, "没有这条通知；请刷新列表。", "There is no such notice. Reload the list.")
}

func errOrderStale(version int64) *fault.Error {
	return fault.New(fault.Conflict, CodeOrderStale, "订单刚被修改过；请重新打开任务卡，核对新的差异后再确认。",
		"The order has just changed. Open the card again, look at the new difference, then confirm.").With(map[string]any{"order_version": version})
}

func errCardStale(version int64) *fault.Error {
	return fault.New(fault.Conflict, CodeCardStale, "任务卡已被更新；请刷新后再操作。", "The card has changed. Reload it, then try again.").
		With(map[string]any{"card_version": version})
}

func errClaimed(owner string) *fault.Error {
	return fault.New(fault.Conflict, CodeCardClaimed, "任务卡正由 "+owner+" 处理；请等待，或请主管接管。",
		"The card is held by "+owner+". Wait, or ask a supervisor to take it over.").With(map[string]any{"owner": owner})
}

func errDecided(status, by string) *fault.Error {
	return fault.New(fault.Conflict, CodeCardDecided, "任务卡已结束（"+status+"，"+by+"）；无需再操作。",
		"The card is already closed ("+status+", "+by+"). Nothing is left to do.").With(map[string]any{"status": status, "decided_by": by})
}

func refuse(code, zh, en string) *fault.Error { return fault.New(fault.Unprocessable, code, zh, en) }

func invalid(path, zh, en string) *fault.Error {
	return fault.New(fault.Invalid, CodeInput, zh, en).At(fault.Violation{Path: path, Message: zh, MessageEN: en})
}
