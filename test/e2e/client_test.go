package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/internal/testkit"
	"purr/internal/testkit/house"
	"purr/internal/testkit/validate"
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

// get reads a resource or list that must be there.
func (c *client) get(t *testing.T, path string) node {
	t.Helper()
	return c.send(t, call{method: "GET", path: path}).Shown()
}

// list reads all items of a list.
func (c *client) list(t *testing.T, path string) []node {
	t.Helper()
	return c.On(t).List(path)
}

// post makes something, and returns it.
func (c *client) post(t *testing.T, path, body string) node {
	t.Helper()
	return c.send(t, call{method: "POST", path: path, body: body}).Created()
}

// put changes something, and returns it.
func (c *client) put(t *testing.T, path, body string) node {
	t.Helper()
	return c.send(t, call{method: "PUT", path: path, body: body}).Shown()
}

// pdf reads the PDF of a document.
func (c *client) pdf(t *testing.T, uri string) []byte {
	t.Helper()
	return c.On(t).Get(uri + "/pdf").PDF()
}

// moveClock moves the test clock, and returns when everything that fell due on the way is done (rule E8).
func (c *client) moveClock(t *testing.T, to time.Time) {
	t.Helper()
	c.On(t).MoveClock(to)
}

// idOf returns the ID at the end of a URI.
func idOf(uri string) string { return uri[strings.LastIndexByte(uri, '/')+1:] }
