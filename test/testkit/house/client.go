package house

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/test/testkit"
)

// api is the beginning of the interface's paths.
const api = "/api/v1"

// Client speaks to the interface with one key.
type Client struct {
	T    testing.TB
	Key  string        // if empty, none is sent
	Base func() string // scheme, host and port; a restarted program has another port
	HTTP *http.Client
}

// On returns the client for a subtest.
func (c *Client) On(t testing.TB) *Client {
	as := *c
	as.T = t
	return &as
}

// WithKey returns the client with another key.
func (c *Client) WithKey(key string) *Client {
	as := *c
	as.Key = key
	return &as
}

// Option changes a request before it is sent.
type Option func(*http.Request)

// Header sets a header. An empty value removes it.
func Header(name, value string) Option {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
			return
		}
		r.Header[http.CanonicalHeaderKey(name)] = []string{value}
	}
}

// ContentType sets the Content-Type.
func ContentType(value string) Option { return Header("Content-Type", value) }

// Get makes a GET request.
func (c *Client) Get(path string, options ...Option) *Answer {
	c.T.Helper()
	return c.Send(http.MethodGet, path, "", options...)
}

// Post makes a POST request.
func (c *Client) Post(path, body string, options ...Option) *Answer {
	c.T.Helper()
	return c.Send(http.MethodPost, path, body, options...)
}

// Put makes a PUT request.
func (c *Client) Put(path, body string, options ...Option) *Answer {
	c.T.Helper()
	return c.Send(http.MethodPut, path, body, options...)
}

// Delete makes a DELETE request.
func (c *Client) Delete(path string, options ...Option) *Answer {
	c.T.Helper()
	return c.Send(http.MethodDelete, path, "", options...)
}

// Send makes a request that must be answered. A body is sent as XML. A path begins at /api/v1 or below it. If it begins
// with two slashes they stand for the host's root. Of a whole URI only the path counts.
func (c *Client) Send(method, path, body string, options ...Option) *Answer {
	c.T.Helper()
	a, err := c.Do(c.T.Context(), method, path, body, options...)
	testkit.Must(c.T, err)
	return a
}

// Do makes a request that may get no answer.
func (c *Client) Do(ctx context.Context, method, path, body string, options ...Option) (*Answer, error) {
	c.T.Helper()
	if body == "" {
		options = append([]Option{ContentType("")}, options...)
	}
	r := c.Request(method, path, strings.NewReader(body), options...).WithContext(ctx)
	got, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	return c.Read(r, got)
}

// Request returns a request with the client's key.
func (c *Client) Request(method, path string, body io.Reader, options ...Option) *http.Request {
	c.T.Helper()
	r, err := http.NewRequestWithContext(c.T.Context(), method, c.url(path), body)
	testkit.Must(c.T, err)
	if c.Key != "" {
		r.Header.Set("Authorization", "Bearer "+c.Key)
	}
	r.Header.Set("Content-Type", "application/xml")
	for _, change := range options {
		change(r)
	}
	return r
}

func (c *Client) url(path string) string {
	if strings.HasPrefix(path, "http") {
		path = "/" + PathOf(path)
	}
	if root, is := strings.CutPrefix(path, "//"); is {
		return c.Base() + "/" + root
	}
	if strings.HasPrefix(path, api+"/") {
		return c.Base() + path
	}
	return c.Base() + api + path
}

// PathOf returns a URI without scheme and host.
func PathOf(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	_, path, _ := strings.Cut(rest, "/")
	return "/" + path
}

// Below returns the part of a URI below /api/v1. It stays the same when the program is started again.
func Below(uri string) string {
	_, path, _ := strings.Cut(uri, api)
	return path
}

// List reads all items of a list, page by page.
func (c *Client) List(path string) []Node {
	c.T.Helper()
	joint := "?"
	if strings.Contains(path, "?") {
		joint = "&"
	}
	var items []Node
	for page := 1; ; page++ {
		list := c.Get(path + joint + "per_page=1000&page=" + strconv.Itoa(page)).Shown()
		items = append(items, list.Nodes()...)
		pages, err := strconv.Atoi(list.At("@total_pages"))
		testkit.Must(c.T, err)
		if page >= pages {
			return items
		}
	}
}

// AtOnce makes the same call a number of times concurrently.
func (c *Client) AtOnce(times int, call func() *Answer) []*Answer {
	c.T.Helper()
	answers := make([]*Answer, times)
	var calling sync.WaitGroup
	for i := range answers {
		calling.Go(func() { answers[i] = call() })
	}
	calling.Wait()
	if slices.Contains(answers, nil) {
		c.T.FailNow()
	}
	return answers
}

// MoveClock moves the test clock, and returns when everything that fell due on the way is done (rule E8).
func (c *Client) MoveClock(to time.Time) {
	c.T.Helper()
	c.Post("/test_clock", ClockAt(to)).Is(http.StatusOK)
}

// ClockAt is the body that moves the test clock.
func ClockAt(to time.Time) string { return Tag("test_clock", Tag("now", to.Format(time.RFC3339))) }

// Tag writes an XML element. The name may be followed by attributes.
func Tag(name string, content ...string) string {
	bare, _, _ := strings.Cut(name, " ")
	return "<" + name + ">" + strings.Join(content, "") + "</" + bare + ">"
}
