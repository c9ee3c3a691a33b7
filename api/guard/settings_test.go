package guard

import (
	"fmt"
	"testing"

	"purr/test/testkit/settings"
)

func TestO8TrustedProxies(t *testing.T) {
	var s Settings
	if err := settings.Read(t, s.Declare(), nil, "--trusted-proxies", " 10.1.2.3/8, 2001:db8::1 ,"); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(s.Proxies), "[10.0.0.0/8 2001:db8::1/128]"; got != want {
		t.Errorf("the proxies are %s, want %s", got, want)
	}
	for _, wrong := range []string{"10.0.0.0/33", "proxy.example.no", "10.0.0.0/8;10.0.0.1"} {
		if err := settings.Read(t, new(Settings).Declare(), nil, "--trusted-proxies", wrong); err == nil {
			t.Errorf("%q passes", wrong)
		}
	}
}
