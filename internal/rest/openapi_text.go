package rest

// words are a text in both languages.
type words struct{ zh, en string }

func (w words) in(lang string) string {
	if lang == "en" {
		return w.en
	}
	return w.zh
}

// failures says, once, what each status means; the description and the page read it.
var failures = map[string]words{
	"400": {"请求不合法或不符合 schema；details.violations 指出每一处问题，修正后重新发送。", "Malformed, or against the schema; details.violations points at every wrong place. Correct and send again."},
	"401": {"没有凭证，或凭证无效（MCP_AUTH_INVALID、AUTH_SIGNATURE_INVALID）。", "No credential, or one that does not hold (MCP_AUTH_INVALID, AUTH_SIGNATURE_INVALID)."},
	"403": {"已识别调用方，但无权执行；details 给出缺少的 scope 或 action。", "Known caller, not allowed; details name the scope or action that is missing."},
	"404": {"对该调用方而言不存在。", "Nothing there for this caller."},
	"409": {"情况已变化：版本过期、幂等键冲突、webhook-id 重复使用。", "True when asked, no longer: stale version, key in use, webhook-id reused."},
	"413": {"请求体超过上限（MCP_REQUEST_BODY_TOO_LARGE）。", "The body exceeds the limit (MCP_REQUEST_BODY_TOO_LARGE)."},
	"415": {"Content-Type 不是 application/json。", "Content-Type is not application/json."},
	"422": {"格式正确，但业务规则拒绝；message 说明下一步。", "Well formed, but a business rule refuses; the message says what to do."},
	"429": {"请求过多，请等待 Retry-After 秒。", "Too many; wait Retry-After seconds."},
	"500": {"系统缺陷；请把 request_id 告知管理员。", "A defect; tell the operator the request_id."},
	"503": {"暂时无法处理，可稍后重试。", "Cannot be answered now; a retry may work."},
}

func failureResponses() object {
	out := object{}
	for status, what := range failures {
		out["Failure"+status] = object{"description": what.en,
			"content": object{"application/json": object{"schema": object{"$ref": "#/components/schemas/Failure"}}}}
	}
	return out
}

func securitySchemes() object {
	key := func(name, what string) object {
		return object{"type": "apiKey", "in": "header", "name": name, "description": what}
	}
	return object{
		"bearer":           object{"type": "http", "scheme": "bearer", "description": "A token (thh_…) of a service or staff account; scopes limit it, the account's role too."},
		"partnerId":        key("X-Partner-Id", "Selects the signing secret; proves nothing by itself."),
		"webhookId":        key("webhook-id", "Unique per delivery; a repeat is answered from the record."),
		"webhookTimestamp": key("webhook-timestamp", "Seconds since 1970, at most 5 minutes off."),
		"webhookSignature": key("webhook-signature", "v1,base64(HMAC-SHA256(secret, id.timestamp.body)); several parted by blanks."),
	}
}

// introduction opens the description and the page.
var introduction = words{`每个 MCP 工具在这里都有一个 POST 接口：同样的输入 schema、同样的 envelope、同样的规则与审计。
成功返回 200，重复提交也是 200。失败仍返回 envelope（success=false，error.code、error.message、error.details），HTTP 状态码说明错误类别。
消息默认中文，发送 Accept-Language: en 得到英文。请求体最大 10 MiB（邮件入库 40 MiB）；重复键与非法 UTF-8 会被拒绝。`,
	`Every tool of the MCP endpoint has a POST twin here: same input schema, same envelope, same rules, same audit.
Success is 200, a repeat too. A refusal keeps the envelope (success false, error.code, error.message, error.details) and its status says of which kind it is.
Messages are Chinese; send Accept-Language: en for English. Bodies are at most 10 MiB (deliveries of mail 40 MiB); duplicate keys and invalid UTF-8 are refused.`}

const failureSchema = `{"type":"object","required":["success","request_id","trace_id","data","warnings","error"],"properties":{
"success":{"const":false},"request_id":{"type":"string"},"trace_id":{"type":"string"},"data":{"type":"null"},
"warnings":{"type":"array","items":{"type":"object"}},
"error":{"type":"object","required":["code","message","details"],"properties":{
"code":{"type":"string","description":"Stable; match on it."},"message":{"type":"string","description":"What is wrong and what to do next."},
"details":{"type":"object","properties":{"violations":{"type":"array","items":{"type":"object","required":["path","message"],"properties":{
"path":{"type":"string","description":"JSON pointer; empty is the whole document."},"code":{"type":"string"},"message":{"type":"string"}}}}}}}}}}`
