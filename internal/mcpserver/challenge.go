package mcpserver

import (
	"net/http"
	"strings"

	"thhotel/internal/httpd"
)

// challenge tells a client without a valid credential how to get one (RFC 6750,
// RFC 9728). invalid says that a token was sent and did not hold.
func (h *Handler) challenge(w http.ResponseWriter, r *http.Request, invalid bool) {
	w.Header().Set("WWW-Authenticate", h.challengeText(h.base(r), invalid))
}

func (h *Handler) challengeFor(w http.ResponseWriter, x *exchange) {
	w.Header().Set("WWW-Authenticate", h.challengeText(x.base, true))
}

func (h *Handler) challengeText(base string, invalid bool) string {
	var b strings.Builder
	b.WriteString("Bearer ")
	if invalid {
		b.WriteString(`error="invalid_token", `)
	}
	b.WriteString(`resource_metadata="` + base + MetadataPath(h.service.Path) + `"`)
	if len(h.scopes) > 0 {
		b.WriteString(`, scope="` + strings.Join(h.scopes, " ") + `"`)
	}
	return b.String()
}

// MetadataPath is where a service's protected-resource metadata is served.
func MetadataPath(servicePath string) string {
	return "/.well-known/oauth-protected-resource" + servicePath
}

// Metadata serves the RFC 9728 document. Tokens are issued by this backend's own
// administrators, so no authorisation server is named.
func (h *Handler) Metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		base := h.base(r)
		httpd.WriteJSON(w, http.StatusOK, map[string]any{
			"resource":                 base + h.service.Path,
			"resource_name":            h.service.Title,
			"scopes_supported":         h.scopes,
			"bearer_methods_supported": []string{"header"},
			"resource_documentation":   base + "/docs",
		})
	})
}

// base is the public address: the configured one, else what the request used.
func (h *Handler) base(r *http.Request) string {
	if h.o.BaseURL != "" {
		return strings.TrimRight(h.o.BaseURL, "/")
	}
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	host := strings.Map(func(c rune) rune { // it goes into a quoted header value
		if c == '"' || c == '\\' || c < ' ' || c > '~' {
			return -1
		}
		return c
	}, r.Host)
	return scheme + "://" + host
}
