package api

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

// What rule D3 allows an address.
const (
	guessLimit  = 10
	guessWindow = time.Minute
)

// maxGuessers is how many addresses are remembered at once.
const maxGuessers = 100_000

// guesses counts the wrong keys that came from each address.
type guesses struct {
	mu    sync.Mutex
	times map[netip.Addr][]time.Time // of the wrong keys within the window, oldest first
	swept time.Time
}

func newGuesses() *guesses { return &guesses{times: map[netip.Addr][]time.Time{}} }

// wrong notes a wrong key and returns zero, or, where the address has used up what it may guess, how
// long it must wait for another.
func (g *guesses) wrong(from netip.Addr, now time.Time) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.sweep(now)
	recent := g.times[from]
	for len(recent) > 0 && now.Sub(recent[0]) >= guessWindow {
		recent = recent[1:]
	}
	if len(recent) >= guessLimit {
		g.times[from] = recent
		return guessWindow - now.Sub(recent[0])
	}
	g.times[from] = append(recent, now)
	return 0
}

// sweep forgets the addresses that have been quiet for a window, and all when they are too many to keep.
func (g *guesses) sweep(now time.Time) {
	if len(g.times) >= maxGuessers {
		clear(g.times)
	}
	if now.Sub(g.swept) < guessWindow {
		return
	}
	g.swept = now
	for from, times := range g.times {
		if now.Sub(times[len(times)-1]) >= guessWindow {
			delete(g.times, from)
		}
	}
}

// addressOf returns where a request comes from: for IPv6 the network of 64 bits, which is what one
// customer of a provider has.
func addressOf(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	from, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	from = from.Unmap().WithZone("")
	if from.Is6() {
		return netip.PrefixFrom(from, 64).Masked().Addr()
	}
	return from
}
