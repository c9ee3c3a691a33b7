package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/validate"
)

// client speaks to the API with a key.
type client struct{ *house.Client }

// newClient returns a client of a process, whose scheme, host and port base returns.
func newClient(t *testing.T, base func() string, key string) *client {
	t.Helper()
	return &client{&house.Client{T: t, Key: key, Base: base, HTTP: &http.Client{
		Transport: validate.Transport(t, http.DefaultTransport), Timeout: testkit.Patience,
	}}}
}

// as returns the client with another key.
func (c *client) as(key string) *client { return &client{c.WithKey(key)} }

// call is a request. Only method and path must be set. A path begins at the host's root; of a URI only the path counts.
type call struct {
	method, path, body string
	header             map[string]string
}

// do makes the request.
func (c *client) do(ctx context.Context, in call) (*answer, error) {
	var options []house.Option
	for name, value := range in.header {
		options = append(options, func(r *http.Request) { r.Header[http.CanonicalHeaderKey(name)] = []string{value} })
	}
	if strings.HasPrefix(in.path, "/") {
		in.path = "/" + in.path
	}
	return c.Do(ctx, in.method, in.path, in.body, options...)
}

// send makes a request that must be answered.
func (c *client) send(t *testing.T, in call) *answer {
	t.Helper()
	a, err := (&client{c.On(t)}).do(t.Context(), in)
	must(t, err)
	return a
}

// idOf returns the ID at the end of a URI.
func idOf(uri string) string { return uri[strings.LastIndexByte(uri, '/')+1:] }
