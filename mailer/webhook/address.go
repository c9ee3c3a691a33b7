package webhook

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
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

var errPrivate = errors.New("the endpoint's address is not public")

// publicOnly is the control of a dialer that connects to public addresses only. It sees the address that the name was
// resolved to.
func publicOnly(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return err
	}
	if !Public(a) {
		return errPrivate
	}
	return nil
}
