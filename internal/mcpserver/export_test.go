package mcpserver

import "github.com/modelcontextprotocol/go-sdk/mcp"

// NewWithFixtures is New with what the official conformance suite asks a server
// for: prompts, resources, sampling. No program of ours can reach it.
func NewWithFixtures(o Options, options func(*mcp.ServerOptions), add func(*mcp.Server) []string) (*Handler, error) {
	return build(o, &extension{options, add})
}
