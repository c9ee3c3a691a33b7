package mailer

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// tlsMode says how a connection is encrypted.
type tlsMode string

const (
	startTLS    tlsMode = "starttls" // asked for on the open connection, and insisted on
	implicitTLS tlsMode = "implicit" // from the first byte on
	withoutTLS  tlsMode = "none"
)

// usualPorts are the ports of RFC 6409, RFC 8314 and RFC 5321.
var usualPorts = map[tlsMode]string{startTLS: "587", implicitTLS: "465", withoutTLS: "25"}

// errURLForm is the answer to whatever cannot be read. It quotes nothing: any part of a URL that is
// not understood may be part of a password.
var errURLForm = errors.New("the SMTP URL must have the form smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none, " +
	"with special characters in USER and PASSWORD written as %XX")

// NewSMTP returns the channel to the server of the URL
// smtp://USER:PASSWORD@HOST:PORT?tls=starttls|implicit|none (rule R5c). USER and PASSWORD may be left
// out together; tls is starttls by default; PORT is 587, 465 or 25 by default, as tls says. It does not
// connect. Its errors never hold the password.
func NewSMTP(rawURL string) (*SMTP, error) {
	u, err := url.Parse(rawURL)
	if err != nil || strings.Contains(u.Path+u.RawQuery+u.Fragment, "@") {
		return nil, errURLForm
	}
	if u.Scheme != "smtp" {
		return nil, errors.New("the SMTP URL must begin with smtp://")
	}
	if u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, errURLForm
	}
	mode, err := tlsModeOf(u)
	if err != nil {
		return nil, err
	}
	port, err := portOf(u, mode)
	if err != nil {
		return nil, err
	}
	s := &SMTP{
		host: u.Hostname(), port: port, mode: mode,
		tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12},
	}
	if u.User != nil {
		s.user = u.User.Username()
		s.password, _ = u.User.Password()
		if s.user == "" || s.password == "" {
			return nil, errors.New("the SMTP URL must have both a user and a password, or neither")
		}
		if mode == withoutTLS && !isLoopback(s.host) {
			return nil, fmt.Errorf("the SMTP URL would send the password to %s without encryption: use tls=starttls or tls=implicit", s.host)
		}
	}
	return s, nil
}

func tlsModeOf(u *url.URL) (tlsMode, error) {
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", errURLForm
	}
	for name := range query {
		if name != "tls" {
			return "", fmt.Errorf("the SMTP URL has an unknown parameter %q: it takes only tls", name)
		}
	}
	if !query.Has("tls") {
		return startTLS, nil
	}
	mode := tlsMode(query.Get("tls"))
	if usualPorts[mode] == "" || len(query["tls"]) > 1 {
		return "", fmt.Errorf("the SMTP URL's tls must be one of starttls, implicit and none, not %q", strings.Join(query["tls"], ","))
	}
	return mode, nil
}

func portOf(u *url.URL, mode tlsMode) (string, error) {
	port := u.Port()
	if port == "" {
		return usualPorts[mode], nil
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("the SMTP URL's port must be from 1 to 65535, not %s", port)
	}
	return port, nil
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
