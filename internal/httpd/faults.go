package httpd

import (
	"fmt"

	"thhotel/internal/fault"
)

func errNoRoute() *fault.Error {
	return fault.New(fault.NotFound, CodeNoRoute, "没有这个地址。可用地址见 /openapi.json。",
		"There is nothing at this address. See /openapi.json for what is.")
}

func errMethod() *fault.Error {
	return fault.New(fault.Invalid, CodeRequestInvalid, "该地址不支持此 HTTP 方法，请查看响应头 Allow。",
		"This address does not support the HTTP method. See the Allow header.")
}

func errTooLarge(limit int64) *fault.Error {
	return fault.New(fault.TooLarge, CodeBodyTooLarge,
		fmt.Sprintf("请求体超过上限 %d 字节，请拆分或精简后重试。", limit),
		fmt.Sprintf("The request body exceeds the limit of %d bytes. Split or shorten it and try again.", limit)).
		With(map[string]any{"limit_bytes": limit})
}

func errBodyRead() *fault.Error {
	return fault.New(fault.Invalid, CodeRequestInvalid, "请求体未能完整读取，请重新发送。",
		"The request body could not be read to its end. Send it again.")
}

func errHost() *fault.Error {
	return fault.New(fault.Forbidden, CodeHost, "不接受该 Host 请求头；请使用已配置的域名访问。",
		"This Host header is not accepted. Use a configured host name.")
}

func errOrigin() *fault.Error {
	return fault.New(fault.Forbidden, CodeOrigin, "不接受来自该 Origin 的请求。",
		"Requests from this Origin are not accepted.")
}

func errLimited(seconds int) *fault.Error {
	f := fault.New(fault.Limited, CodeRateLimited, fmt.Sprintf("请求过于频繁，请在 %d 秒后重试。", seconds),
		fmt.Sprintf("Too many requests. Try again in %d s.", seconds))
	f.RetryAfter = seconds
	return f
}

func errPanic() *fault.Error {
	return fault.New(fault.Internal, CodeInternal, "系统内部错误，请稍后重试；若仍失败请把 request_id 告知管理员。",
		"Internal error. Try again later; if it persists, tell the operator the request_id.")
}

// ErrUnauthenticated is the refusal for a missing credential.
func ErrUnauthenticated() *fault.Error {
	return fault.New(fault.Unauthenticated, CodeAuthInvalid,
		"访问凭证缺失或无效，请在 Authorization 请求头中提供有效的 Bearer 令牌。",
		"The credential is missing or invalid. Send a valid Bearer token in the Authorization header.")
}

// ErrMediaType is the refusal for a body that is not declared as JSON.
func ErrMediaType() *fault.Error {
	return fault.New(fault.Invalid, CodeRequestInvalid, "Content-Type 必须是 application/json。",
		"Content-Type must be application/json.")
}
