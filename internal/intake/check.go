package intake

import (
	"encoding/json"
	"slices"
	"strings"

	"thhotel/internal/fault"
)

// roots are V4's four root fields.
var roots = []string{"route_code", "source_message", "order_contexts", "message_events"}

// legacy are root fields by which a V2 or V3 package is known.
var legacy = []string{"ai_task_results", "case_candidates", "unhandled_current_intents", "handler_type", "result_type"}

// maxViolations bounds a refusal's length; what is left out is counted.
const maxViolations = 500

// maxEvents bounds a package: its answer must fit one answer, its work one transaction.
const maxEvents = 500

// CheckInput judges a package at adapter level, before the service is called:
// the root, source_message and its attachments. Events are judged later and
// never reject a package.
func CheckInput(args json.RawMessage) error {
	_, err := check(args)
	return err
}

// check returns the package's tree when its transport shape is right.
func check(args json.RawMessage) (map[string]any, error) {
	tree, problems, err := parse(args)
	if err != nil {
		return nil, payloadInvalid(violation("", CodeFieldType,
			"必须是一个合法的 UTF-8 JSON 对象", "must be one valid UTF-8 JSON object")).Because(err)
	}
	root, ok := tree.(map[string]any)
	if !ok || notV4(root) {
		return nil, ErrV4Required.With(map[string]any{"expected_root_fields": roots, "legacy_root_fields": found(root, legacy)})
	}
	c := &checker{problems: problems}
	packageRule(c, "", root)
	checkRoute(c, root)
	if len(c.problems) > 0 {
		return nil, payloadInvalid(c.problems...)
	}
	return root, nil
}

// notV4 tells a foreign or old root from a V4 root with mistakes.
func notV4(root map[string]any) bool {
	have := found(root, roots)
	return len(have) == 0 || len(have) < len(roots) && len(found(root, legacy)) > 0
}

func found(root map[string]any, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { _, ok := root[n]; return !ok })
}

func payloadInvalid(problems ...fault.Violation) *fault.Error {
	if more := len(problems) - maxViolations; more > 0 {
		return ErrPayloadInvalid.At(problems[:maxViolations]...).With(map[string]any{"violations_omitted": more})
	}
	return ErrPayloadInvalid.At(problems...)
}

// packageRule is the transport shape: the seed's schema without its events.
var packageRule = object(closed,
	must("route_code", nullable(oneOf(RouteNothingToDo, RouteUnsafe))),
	must("source_message", object(open,
		must("source_message_id", filled),
		may("conversation_id", nullable(text)),
		must("subject", nullable(text)),
		must("sender", nullable(text)),
		must("sent_at", nullable(text)),
		must("body", nullable(text)),
		must("body_content_type", oneOf("text/plain", "text/html")),
		must("attachments", list(object(closed,
			must("id", text), must("name", text), must("content_type", text), must("url", text),
			may("size", nullable(number))))),
	)),
	must("order_contexts", both(list(anything), atMost(maxEvents))),
	must("message_events", both(list(anything), atMost(maxEvents))),
)

// checkRoute holds a notice to empty lists and a normal package to filled ones.
func checkRoute(c *checker, root map[string]any) {
	route, ok := root["route_code"]
	code, isText := route.(string)
	if !ok || (route != nil && !isText) {
		return // already reported
	}
	for _, name := range []string{"order_contexts", "message_events"} {
		items, ok := root[name].([]any)
		switch {
		case !ok: // already reported
		case route == nil && len(items) == 0:
			c.add("/"+name, CodeItemsRequired, "route_code 为 null 的业务包至少要有一项；无订单事项请用 S10 或 S99",
				"a package with route_code null needs at least one; use S10 or S99 when there is nothing for an order")
		case isNotice(code) && len(items) > 0:
			c.add("/"+name, CodeItemsForbidden, "来源通知包（S10/S99）必须是空数组；有订单事项时 route_code 必须为 null",
				"must be empty in a notice (S10, S99); route_code is null when there is something for an order")
		}
	}
}

func isNotice(route string) bool { return route == RouteNothingToDo || route == RouteUnsafe }

// sourceMessage and sourceText read what check has already found sound.
func sourceMessage(root map[string]any) map[string]any {
	m, _ := root["source_message"].(map[string]any)
	return m
}

func sourceText(root map[string]any, name string) string {
	s, _ := sourceMessage(root)[name].(string)
	return strings.TrimSpace(s)
}
