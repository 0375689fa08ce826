package telemetry

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Local lets only this machine pass: a peer on a loopback address who asks for a
// loopback host, and was not sent by a proxy. Everybody else finds nothing there.
func Local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLoopback(r.RemoteAddr) || !isLoopback(r.Host) || forwarded(r.Header) {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func isLoopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	a, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && a.Unmap().IsLoopback()
}

// forwarded: a proxy on this machine makes the whole world look local.
func forwarded(h http.Header) bool {
	for _, name := range []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"} {
		if h.Get(name) != "" {
			return true
		}
	}
	return false
}
