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

// The refusals of the pipeline. They are templates: With, At and Because copy.
var (
	errBadRequest = fault.New(fault.Invalid, CodeInvalidRequest,
		"调用结构无效：需要 request_id 和合法的工具名，请修正后重试。",
		"The call is not well formed: it needs a request_id and a valid tool name. Correct it and call again.")
	errBadArguments = fault.New(fault.Invalid, CodeInvalidArguments,
		"参数不符合该工具的输入 schema，请按 details.violations 修正后重试。",
		"The arguments do not fit the tool's input schema. Correct what details.violations names and call again.")
	errLargeArguments = fault.New(fault.TooLarge, CodeInvalidArguments,
		"参数过大，请缩减后重试；上限见 details.max_bytes。",
		"The arguments are too large. Shorten them; details.max_bytes is the limit.")
	errBadResult = fault.New(fault.Internal, CodeInvalidResult,
		"工具的结果不符合其输出 schema，未予返回；请把 request_id 告知管理员。",
		"The tool's result does not fit its output schema and was withheld. Tell the operator the request_id.")
	errUnknownTool = fault.New(fault.NotFound, CodeNotFound,
		"没有这个工具，请用 tools/list 查看可用工具。",
		"There is no such tool. See tools/list for the ones you may use.")
	errUnauthenticated = fault.New(fault.Unauthenticated, CodeUnauthenticated,
		"缺少凭证或凭证无效，请使用有效凭证重试。",
		"The credential is missing or does not hold. Call again with a valid one.")
	errRiskDenied = fault.New(fault.Forbidden, CodeRiskDenied,
		"酒店当前的工具策略不允许使用该工具，请联系管理员。",
		"The hotel's tool policy does not allow this tool now. Ask an administrator.")
	errUnconfirmed = fault.New(fault.Unprocessable, CodeConfirmationRequired,
		"该操作需要明确确认：核对参数后，带上 confirm: true 再调用。",
		"This needs an explicit confirmation. Check the arguments and call again with confirm: true.")
	errNoKey = fault.New(fault.Invalid, CodeIdempotencyRequired,
		"写操作需要 idempotency_key（8 到 200 个字符），重试同一操作时使用同一个值。",
		"A write needs an idempotency_key of 8 to 200 characters; use the same one when you repeat the same operation.")
	errOtherArguments = fault.New(fault.Conflict, CodeConflict,
		"该 idempotency_key 已用于不同的参数；新操作请换用新的 key。",
		"This idempotency_key was used with other arguments. Use a new key for a new operation.")
	errPending = pending(fault.New(fault.Conflict, CodeIdempotencyPending,
		"同一 idempotency_key 的调用仍在执行，请稍后用同样的参数和 key 重试。",
		"A call with this idempotency_key is still running. Repeat it later with the same arguments and key."))
	errTimeout = fault.New(fault.Unavailable, CodeTimeout,
		"工具执行超时，没有留下任何更改；请稍后重试。",
		"The tool ran out of time and changed nothing. Try again later.")
	errCanceled = fault.New(fault.Unavailable, CodeCanceled,
		"调用已被取消，没有留下任何更改。",
		"The call was cancelled and changed nothing.")
	errBusy = busy(fault.New(fault.Limited, CodeRateLimited,
		"该工具同时执行的调用过多，请稍后重试。",
		"Too many calls of this tool are running. Try again shortly."))
	errAudit = fault.New(fault.Unavailable, CodeAuditUnavailable,
		"审计暂不可用，因此调用没有执行或结果没有返回；请稍后重试。",
		"The audit log cannot be written, so the call was not run or its result was withheld. Try again later.")
)

func pending(f *fault.Error) *fault.Error { f.RetryAfter = 2; return f }

func busy(f *fault.Error) *fault.Error { f.RetryAfter = 1; return f }

func invalidArguments(path, what string) *fault.Error {
	return errBadArguments.At(fault.Violation{Path: path, Message: what})
}

// internal is an error of ours: a fixed sentence outside, the cause in the log.
func internal(cause error) *fault.Error { return fault.As(hidden{cause}) }

// hidden keeps a refusal inside cause from being shown as the answer.
type hidden struct{ cause error }

func (h hidden) Error() string { return h.cause.Error() }

// publish returns err as the refusal that a service shows.
func publish(d Dialect, err error) *fault.Error {
	f := *fault.As(err)
	f.Code = d.Code(f.Code)
	return &f
}
