package e2e_test

import (
	"crypto/tls"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/validate"
)

// TestHTTPSIsServedDirectly: with a certificate the program speaks HTTPS and HTTP/2, says so in its addresses, and
// takes up a renewed certificate while it runs. Files that cannot be used keep it from starting.
func TestHTTPSIsServedDirectly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	chain, key := filepath.Join(dir, "fullchain.pem"), filepath.Join(dir, "privkey.pem")
	where := []string{"PURR_DATA=" + migrated(t), "PURR_LISTEN=127.0.0.1:0", "PURR_TLS_CERTIFICATE=" + chain}
	ok(t, where[:1], "creditor", "create", "--name", "A")
	secret := strings.TrimSpace(ok(t, where[:1], "keys", "create", "--creditor", "A"))

	for _, start := range []struct {
		name      string
		arguments []string
		says      []string
	}{
		{"without a key", []string{"serve"}, []string{"tls-key", "set both"}},
		{"files that are not there", []string{"serve", "--tls-key", key}, []string{"tls-certificate", chain, "no such file", "PEM"}},
	} {
		r := run(t, where, start.arguments...)
		for _, said := range start.says {
			if r.code != 1 || r.stdout != "" || !strings.Contains(r.stderr, said) {
				t.Errorf("%s: exit code %d, says %s, want %q", start.name, r.code, r.stderr, said)
			}
		}
	}

	first, second := testkit.NewCertificate(t), testkit.NewCertificate(t)
	first.Write(t, chain, key)
	address := begin(t, where, "serve", "--tls-key", key).listening()
	if !strings.HasPrefix(address, "https://127.0.0.1:") {
		t.Fatalf("listening on %s", address)
	}
	trusting := func(c testkit.Certificate) *client {
		api := newClient(t, func() string { return address }, secret)
		api.HTTP = &http.Client{Timeout: testkit.Patience, Transport: validate.Transport(t, &http.Transport{
			TLSClientConfig: &tls.Config{RootCAs: c.Roots}, ForceAttemptHTTP2: true, DisableKeepAlives: true,
		})}
		return api
	}
	api := trusting(first)
	if uri := api.customer(t, "Kari Nordmann"); !strings.HasPrefix(uri, address+"/api/v1/customer/") {
		t.Errorf("the uri is %s", uri)
	}
	r, err := api.HTTP.Get(address + "/healthz")
	must(t, err)
	r.Body.Close()
	equal(t, "version of HTTP", r.Proto, "HTTP/2.0")
	equal(t, "HSTS", r.Header.Get("Strict-Transport-Security"), "max-age=31536000")

	second.Write(t, chain, key)
	renewed := trusting(second)
	eventually(t, "the renewed certificate", func() (bool, any) {
		_, err := renewed.do(t.Context(), call{method: "GET", path: "/healthz"})
		return err == nil, err
	})
}
