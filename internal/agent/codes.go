package agent

import "thhotel/internal/fault"

// Core codes, as the tool model names them.
const (
	CodeInvalidRequest       = "invalid_request"
	CodeInvalidArguments     = "invalid_arguments"
	CodeInvalidResult        = "invalid_result"
	CodeUnauthenticated      = "unauthenticated"
	CodeInsufficientScope    = "insufficient_scope"
	CodePermissionDenied     = "permission_denied"
	CodeNotFound             = "not_found"
	CodeConflict             = "conflict"
	CodeRiskDenied           = "risk_denied"
	CodeConfirmationRequired = "confirmation_required"
	CodeIdempotencyRequired  = "idempotency_required"
	CodeIdempotencyPending   = "idempotency_pending"
	CodeTimeout              = "timeout"
	CodeCanceled             = "canceled"
	CodeRateLimited          = "rate_limited"
	CodeAuditUnavailable     = "audit_unavailable"
	CodeInternal             = fault.CodeInternal
)

// Codes lists every core code; each dialect is tested against it.
func Codes() []string {
	return []string{CodeInvalidRequest, CodeInvalidArguments, CodeInvalidResult, CodeUnauthenticated, CodeInsufficientScope,
		CodePermissionDenied, CodeNotFound, CodeConflict, CodeRiskDenied, CodeConfirmationRequired, CodeIdempotencyRequired,
		CodeIdempotencyPending, CodeTimeout, CodeCanceled, CodeRateLimited, CodeAuditUnavailable, CodeInternal}
}

func invalidArguments(path, what string) *fault.Error {
	return fault.New(fault.Invalid, CodeInvalidArguments,
		"参数不符合该工具的输入 schema，请按 details.violations 修正后重试。",
		"The arguments do not fit the tool's input schema. Correct what details.violations names and call again.").
		At(fault.Violation{Path: path, Message: what})
}
