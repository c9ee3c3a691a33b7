package guard

import (
	"net/http"
	"net/netip"
	"testing"
	"time"
)

func TestD3WrongKeysCountForAnAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ remote, want string }{
		{"192.0.2.7:4711", "192.0.2.7"},
		{"[::ffff:192.0.2.7]:4711", "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:4711", "2001:db8:1:2::"},
		{"[2001:db8:1:2:ffff::1]:4711", "2001:db8:1:2::"},
		{"[fe80::1%eth0]:4711", "fe80::"},
		{"192.0.2.7", "192.0.2.7"},
		{"@", "invalid IP"},
	} {
		if got := addressOf(&http.Request{RemoteAddr: test.remote}).String(); got != test.want {
			t.Errorf("%s counts as %s, want %s", test.remote, got, test.want)
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
