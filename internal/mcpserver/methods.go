package mcpserver

import (
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Protocol revisions that decide how an answer is shaped.
const (
	version20260728 = "2026-07-28" // stateless; errors have statuses of their own
	versionAssumed  = "2025-03-26" // what a call without a version header means
)

// Methods this door names itself.
const (
	methodCall       = "tools/call"
	methodList       = "tools/list"
	methodInitialize = "initialize"
	methodListen     = "subscriptions/listen"
)

// baseMethods are the requests a server with nothing but tools answers. The SDK
// would answer prompts, resources and completion too, with empty lists, although
// no such capability is declared.
func baseMethods() map[string]bool {
	return set(methodInitialize, "ping", methodList, methodCall, "server/discover", methodListen)
}

func everyMethod() map[string]bool {
	m := baseMethods()
	maps.Copy(m, set("logging/setLevel", "prompts/list", "prompts/get", "resources/list", "resources/read",
		"resources/templates/list", "resources/subscribe", "resources/unsubscribe", "completion/complete"))
	return m
}

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

// knownNotifications are passed on; any other notification is accepted and ignored.
func knownNotification(method string) bool {
	return slices.Contains([]string{"notifications/initialized", "notifications/cancelled", "notifications/roots/list_changed"}, method)
}

// supported reports whether a version header names a revision the SDK speaks.
func supported(version string) bool { return slices.Contains(mcp.SupportedProtocolVersions(), version) }
