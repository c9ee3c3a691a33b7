package guard

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Proxies are the networks of reverse proxies whose X-Forwarded-For is believed (rule O8). Without any, only the
// connection says where a request comes from.
type Proxies []netip.Prefix

// ClientOf returns the address of the client that sent a request, without a zone. That is the address of the
// connection, or if this is a proxy's, the last address in X-Forwarded-For that is none. It is the zero address if the
// connection has none.
func (p Proxies) ClientOf(r *http.Request) netip.Addr {
	client := addressIn(r.RemoteAddr)
	if !p.has(client) {
		return client
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		from := addressIn(strings.TrimSpace(hop))
		if !from.IsValid() {
			break // what stands before it is not known to be true
		}
		client = from
		if !p.has(client) {
			break
		}
	}
	return client
}

func (p Proxies) has(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// addressIn reads an address with or without a port, and returns the zero address for any other text.
func addressIn(text string) netip.Addr {
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	address, err := netip.ParseAddr(strings.Trim(text, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap().WithZone("")
}
