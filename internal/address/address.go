// Package address tells addresses of the global internet from those of somebody's own network, and keeps connections away from the latter:
// what a client names is connected to only where everybody could connect to it (rules O10, Q7).
package address

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// notPublic are the addresses beside those of the global internet that IANA's registries of special-purpose addresses
// name, for IPv4 and within 2000::/3.
var notPublic = prefixes(
	"0.0.0.0/8",       // this network
	"10.0.0.0/8",      // private
	"100.64.0.0/10",   // a provider's own, behind its NAT
	"127.0.0.0/8",     // loopback
	"169.254.0.0/16",  // link-local; clouds give secrets there
	"172.16.0.0/12",   // private
	"192.0.0.0/24",    // protocols
	"192.0.2.0/24",    // documentation
	"192.88.99.0/24",  // relays of 6to4
	"192.168.0.0/16",  // private
	"198.18.0.0/15",   // benchmarks
	"198.51.100.0/24", // documentation
	"203.0.113.0/24",  // documentation
	"224.0.0.0/4",     // multicast
	"240.0.0.0/4",     // reserved, and broadcast
	"2001::/23",       // protocols, among them Teredo
	"2001:db8::/32",   // documentation
	"2002::/16",       // 6to4
	"3fff::/20",       // documentation
)

var (
	globalIPv6 = netip.MustParsePrefix("2000::/3")
	nat64      = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address, as a network without IPv4 reaches it
)

func prefixes(all ...string) []netip.Prefix {
	parsed := make([]netip.Prefix, len(all))
	for i, s := range all {
		parsed[i] = netip.MustParsePrefix(s)
	}
	return parsed
}

// Public reports whether an address is on the global internet, and not in a network of somebody's own (rule O10).
func Public(a netip.Addr) bool {
	a = a.Unmap()
	if nat64.Contains(a) {
		b := a.As16()
		a = netip.AddrFrom4([4]byte(b[12:]))
	}
	if !a.IsValid() || a.Zone() != "" || a.Is6() && !globalIPv6.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// NamesPrivate reports whether a URL itself names an address that is not public. A name that must be looked up is judged
// when it is connected to. A name that ends in a number is none: some resolvers take it for an address (127.1, 0x7f000001).
func NamesPrivate(rawURL string) bool {
	u, err := url.Parse(rawURL)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if a, err := netip.ParseAddr(host); err == nil {
		return !Public(a)
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || endsInNumber.MatchString(host)
}

// endsInNumber is a host whose last label is a number, decimal, octal or hexadecimal. No domain of the internet has such a one.
var endsInNumber = regexp.MustCompile(`(^|\.)([0-9]+|0x[0-9a-f]*)$`)

// ErrPrivate is why a connection was not begun.
var ErrPrivate = errors.New("the address is not public")

// OnlyPublic lets a dialer connect to public addresses only. It sees the address that the name was resolved to.
func OnlyPublic(d *net.Dialer) {
	d.Control = func(_, at string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(at)
		if err != nil {
			return err
		}
		if !Public(a.Addr()) {
			return ErrPrivate
		}
		return nil
	}
}

// TransportToPublic lets a transport connect to public addresses only. It then uses no proxy: behind one it could not see the address.
func TransportToPublic(t *http.Transport) {
	d := &net.Dialer{Timeout: dialTimeout}
	OnlyPublic(d)
	t.Proxy, t.DialContext = nil, d.DialContext
}

const dialTimeout = 30 * time.Second // as http.DefaultTransport has it
