package guard

import (
	"net/http"
	"net/url"
)

// SameOrigin returns what refuses a request that a browser sends from another site and that may change something (rule
// O11). Other clients do not say where a request is from. Pages at the base URL belong to the service: a reverse proxy
// may give it another host.
func SameOrigin(baseURL string) *http.CrossOriginProtection {
	protection := http.NewCrossOriginProtection()
	if base, err := url.Parse(baseURL); err == nil && base.Host != "" {
		_ = protection.AddTrustedOrigin(base.Scheme + "://" + base.Host) // a scheme and a host are an origin
	}
	return protection
}

// OwnBase returns the scheme and host by which the caller has reached the server.
func OwnBase(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}
