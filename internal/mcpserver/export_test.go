package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewWithFixtures is New with what the official conformance suite asks a server
// for: prompts, resources, sampling. No program of ours can reach it.
func NewWithFixtures(o Options, options func(*mcp.ServerOptions), add func(*mcp.Server) []string) (*Handler, error) {
	return build(o, &extension{options, add})
}

// WithoutFastPath makes a door leave everything to the SDK.
func WithoutFastPath(h *Handler) { h.sdkOnly = true }

// OnSDK runs f for every request that a door leaves to the SDK.
func OnSDK(h *Handler, f func()) {
	sdk := h.sdk
	h.sdk = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(); sdk.ServeHTTP(w, r) })
}

// Members is how the door takes an object apart.
func Members(doc []byte) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, f := range members(bytes.TrimSpace(doc)) {
		out[f.name] = f.value
	}
	return out
}
