package guard

import (
	"net/netip"
	"sync"
	"time"
)

// The bounds of rule D3 for one address.
const (
	maxWrong    = 10
	wrongWindow = time.Minute
)

// maxAddresses is the most addresses that the throttle remembers.
const maxAddresses = 100_000

// LoginThrottle bounds the wrong keys from each address (rule D3). It is safe for concurrent use.
type LoginThrottle struct {
	mu    sync.Mutex
	times map[netip.Addr][]time.Time // of the wrong keys within the window, oldest first
	swept time.Time
}

// NewLoginThrottle returns a throttle that has seen no wrong key.
func NewLoginThrottle() *LoginThrottle { return &LoginThrottle{times: map[netip.Addr][]time.Time{}} }

// Wrong records that a request from the address had a wrong key. It returns zero. If the address has reached the bound,
// it returns how long the address must wait. Of IPv6 the network of 64 bits counts, which is what one customer of a
// provider has.
func (t *LoginThrottle) Wrong(from netip.Addr, now time.Time) time.Duration {
	if from.Is6() {
		from = netip.PrefixFrom(from, 64).Masked().Addr()
	}
	return t.wrong(from, now)
}

func (t *LoginThrottle) wrong(from netip.Addr, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sweep(now)
	recent := t.times[from]
	for len(recent) > 0 && now.Sub(recent[0]) >= wrongWindow {
		recent = recent[1:]
	}
	if len(recent) >= maxWrong {
		t.times[from] = recent
		return wrongWindow - now.Sub(recent[0])
	}
	t.times[from] = append(recent, now)
	return 0
}

// sweep forgets the addresses without a wrong key within the window. It forgets all addresses if they are too many.
func (t *LoginThrottle) sweep(now time.Time) {
	if len(t.times) >= maxAddresses {
		clear(t.times)
	}
	if now.Sub(t.swept) < wrongWindow {
		return
	}
	t.swept = now
	for from, times := range t.times {
		if now.Sub(times[len(times)-1]) >= wrongWindow {
			delete(t.times, from)
		}
	}
}
