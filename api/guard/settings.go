package guard

import (
	"fmt"
	"net/netip"
	"strings"

	"purr/internal/config"
)

// Settings say what callers may ask for, and how they are known.
type Settings struct {
	RateLimit RateLimit // of each key
	Proxies   Proxies
}

// Declare returns the settings of callers.
func (s *Settings) Declare() []config.Setting {
	return []config.Setting{
		{Key: "rate-limit", Default: "0", Help: "requests a second that each key may send; 0 sets no limit", Set: config.PerSecond(&s.RateLimit.PerSecond)},
		{Key: "trusted-proxies", Help: "networks of reverse proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8,127.0.0.1 (default: none)", Set: s.setProxies},
	}
}

// setProxies reads networks and addresses, separated by commas.
func (s *Settings) setProxies(value string) error {
	for item := range strings.SplitSeq(value, ",") {
		if item = strings.TrimSpace(item); item == "" {
			continue
		}
		network, err := netip.ParsePrefix(item)
		if err != nil {
			address, wrong := netip.ParseAddr(item)
			if wrong != nil {
				return fmt.Errorf("%q is neither a network such as 10.0.0.0/8 nor an address", item)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		s.Proxies = append(s.Proxies, network.Masked())
	}
	return nil
}
