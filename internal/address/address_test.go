package address_test

import (
	"net/netip"
	"strings"
	"testing"

	"purr/internal/address"
)

func TestO10WhichAddressesArePublic(t *testing.T) {
	t.Parallel()
	for want, addresses := range map[bool]string{
		true: "1.1.1.1 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 169.253.0.1 192.0.1.1 192.167.1.1 " +
			"193.213.112.4 198.17.255.255 198.20.0.1 223.255.255.255 2a00:1450:400f::200e 2606:4700::1111 64:ff9b::1.1.1.1 ::ffff:1.1.1.1",
		false: "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.9 169.254.169.254 172.16.0.1 172.31.255.255 " +
			"192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.1.1.1 240.0.0.1 " +
			"255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 2a00:1450::1%eth0 fec0::1 ff02::1 " +
			"2001:db8::1 2001::1 2001:2::1 2002:a00:1::1 2002:101:101::1 3fff::1 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 5f00::1",
	} {
		for _, a := range strings.Fields(addresses) {
			if got := address.Public(netip.MustParseAddr(a)); got != want {
				t.Errorf("%s is public: %t", a, got)
			}
		}
	}
	if address.Public(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestO10AURLThatNamesAPrivateAddress(t *testing.T) {
	t.Parallel()
	for want, urls := range map[bool]string{
		true: "http://127.0.0.1:8080/x http://[::1]/ https://10.1.2.3 http://[::ffff:192.168.0.1]/ http://localhost/ http://LOCALHOST.:80/ http://a.localhost/ " +
			"http://169.254.169.254/latest http://[fe80::1%25eth0]/ http://127.1/ http://2130706433/ http://0x7f.1/ http://0X7F000001:80/ http://127.0.0.08./",
		false: "https://example.no/ https://8.8.8.8/ http://localhost.example.no/ http://notlocalhost/ https://example.x25/ https://7.example.no/",
	} {
		for _, u := range strings.Fields(urls) {
			if got := address.NamesPrivate(u); got != want {
				t.Errorf("%s names a private address: %t", u, got)
			}
		}
	}
}
