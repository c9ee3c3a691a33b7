package guard

import (
	"net/netip"
	"testing"
	"time"
)

func TestD3WrongKeysCountForAnAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ first, second string }{
		{"192.0.2.7", "192.0.2.7"},
		{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2:ffff::1"},
	} {
		g := NewLoginThrottle()
		now := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
		for range maxWrong {
			g.Wrong(netip.MustParseAddr(test.first), now)
		}
		if g.Wrong(netip.MustParseAddr(test.second), now) == 0 {
			t.Errorf("%s does not count as %s", test.second, test.first)
		}
		if g.Wrong(netip.MustParseAddr("2001:db8:1:3::1"), now) != 0 {
			t.Error("another network counts too")
		}
	}
}

func TestD3WrongKeysAreForgotten(t *testing.T) {
	t.Parallel()
	g := NewLoginThrottle()
	now := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	quiet, busy := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	g.wrong(quiet, now)
	for range maxWrong {
		g.wrong(busy, now.Add(30*time.Second))
	}
	if pause := g.wrong(busy, now.Add(time.Minute)); pause != 30*time.Second {
		t.Errorf("the busy address waits %s, want 30 s", pause)
	}
	if _, known := g.times[quiet]; known {
		t.Error("an address that was quiet for a minute is remembered")
	}
	from := busy
	for range maxAddresses {
		from = from.Next()
		g.wrong(from, now.Add(time.Minute))
	}
	if n := len(g.times); n > maxAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
}
