package conformance_test

import (
	"net"
	"net/http"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
	"purr/test/testkit/validate"
)

// client speaks to an installation for a creditor.
type client struct {
	*house.Client
	in       *installation
	creditor string // its ID
}

// on returns the client for a subtest.
func (c *client) on(t testing.TB) *client { return &client{c.On(t), c.in, c.creditor} }

// withKey returns the client with another key.
func (c *client) withKey(key string) *client { return &client{c.WithKey(key), c.in, c.creditor} }

// withScope returns the client with a new key of a scope, of the same creditor.
func (c *client) withScope(scope models.Scope) *client {
	c.T.Helper()
	return c.withKey(c.in.Client(c.T, c.creditor, scope).Key)
}

// from returns an HTTP client with an address of its own on this machine: what one address may do is counted apart.
func from(t *testing.T, address string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: validate.Transport(t, transport)}
}
