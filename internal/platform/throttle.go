package platform

import (
	"net"
	"net/netip"
	"time"
)

// firstBlock is how long the first refusal lasts; each further failure doubles it.
const firstBlock = time.Minute

// blockFor is how long a key is refused after its nth attempt.
func blockFor(attempts, limit int, longest time.Duration) time.Duration {
	if attempts < limit {
		return 0
	}
	d := firstBlock
	for range attempts - limit {
		if d *= 2; d >= longest {
			return longest
		}
	}
	return min(d, longest)
}

// network is the address that is counted: without its port, and an IPv6 client
// as its /64, since it can use any address of that.
func network(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		host = remote
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return host
	}
	if a = a.Unmap().WithZone(""); a.Is4() {
		return a.String()
	}
	p, err := a.Prefix(64)
	if err != nil {
		return a.String()
	}
	return p.String()
}
