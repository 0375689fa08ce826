package httpd

import (
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"thhotel/internal/fault"
)

// origin refuses foreign Host and Origin headers: a web page whose name is
// rebound to this machine's address must not reach it through a browser. It also
// remembers the door's encoder, so that every later refusal has the right shape.
func (o Options) origin(c *gin.Context) {
	if e, ok := o.Encoders[c.Request.URL.Path]; ok {
		c.Request = c.Request.WithContext(withEncoder(c.Request.Context(), e))
	}
	var f *fault.Error
	switch {
	case !o.hostAllowed(c.Request.Host):
		f = errHost()
	case !o.originAllowed(c.Request.Header.Values("Origin"), c.Request.Host):
		f = errOrigin()
	default:
		c.Next()
		return
	}
	Refuse(c.Writer, c.Request, f)
	c.Abort()
}

func (o Options) hostAllowed(hostport string) bool {
	host := strings.ToLower(strings.Trim(hostname(hostport), "[]"))
	host = strings.TrimSuffix(host, ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || net.ParseIP(host) != nil {
		return true
	}
	return slices.Contains(o.TrustedHosts, "*") ||
		slices.ContainsFunc(o.TrustedHosts, func(t string) bool { return strings.EqualFold(t, host) })
}

// originAllowed: no Origin (not a browser, or a plain navigation), the server's
// own, or a listed one. "null" is nobody's.
func (o Options) originAllowed(values []string, host string) bool {
	for _, v := range values {
		if slices.Contains(o.TrustedOrigins, "*") || slices.Contains(o.TrustedOrigins, v) {
			continue
		}
		u, err := url.Parse(v)
		if err != nil || u.Host == "" || !strings.EqualFold(u.Host, host) {
			return false
		}
	}
	return true
}

func hostname(hostport string) string {
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		return h
	}
	return hostport
}

// headers are the same everywhere; pages add a wider policy of their own.
// same-origin, not no-referrer: the latter makes browsers send "Origin: null"
// with our own forms.
func headers(c *gin.Context) {
	h := c.Writer.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	c.Next()
}
