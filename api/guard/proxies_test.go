package guard

import (
	"net/http"
	"net/netip"
	"testing"
)

func TestO8WhoSentARequest(t *testing.T) {
	t.Parallel()
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::1/128")}
	for _, test := range []struct {
		remote    string
		forwarded []string
		want      string
	}{
		{"192.0.2.7:4711", nil, "192.0.2.7"},
		{"192.0.2.7", nil, "192.0.2.7"},
		{"[::ffff:192.0.2.7]:4711", nil, "192.0.2.7"},
		{"[fe80::1%eth0]:4711", nil, "fe80::1"},
		{"@", nil, "invalid IP"},
		{"192.0.2.7:4711", []string{"198.51.100.1"}, "192.0.2.7"}, // no proxy: it says what it likes
		{"10.1.2.3:80", nil, "10.1.2.3"},
		{"10.1.2.3:80", []string{"198.51.100.1"}, "198.51.100.1"},
		{"[2001:db8::1]:80", []string{"198.51.100.1:443"}, "198.51.100.1"},
		{"[::ffff:10.1.2.3]:80", []string{"[2001:db8:9::9]:443"}, "2001:db8:9::9"},
		{"10.1.2.3:80", []string{"203.0.113.5, 198.51.100.1"}, "198.51.100.1"}, // the client wrote the first one itself
		{"10.1.2.3:80", []string{"203.0.113.5", "198.51.100.1,10.9.9.9"}, "198.51.100.1"},
		{"10.1.2.3:80", []string{"10.8.8.8, 10.9.9.9"}, "10.8.8.8"},
		{"10.1.2.3:80", []string{"198.51.100.1, unknown"}, "10.1.2.3"},
		{"10.1.2.3:80", []string{""}, "10.1.2.3"},
	} {
		r := &http.Request{RemoteAddr: test.remote, Header: http.Header{"X-Forwarded-For": test.forwarded}}
		if got := proxies.ClientOf(r).String(); got != test.want {
			t.Errorf("%s forwarded for %q is from %s, want %s", test.remote, test.forwarded, got, test.want)
		}
	}
}
