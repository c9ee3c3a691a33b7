package conformance_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/models"
)

// client speaks to the interface with one key.
type client struct {
	t        testing.TB
	in       *installation
	creditor string // its number
	key      string // none is sent where it is empty
	http     *http.Client
}

// from returns a connection from an address of its own on this machine, so that what addresses are allowed is
// counted apart.
func from(t *testing.T, address string) *http.Client {
	t.Helper()
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	transport := &http.Transport{DialContext: dialer.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// on returns the client for use in a subtest.
func (c *client) on(t testing.TB) *client {
	as := *c
	as.t = t
	return &as
}

// withKey returns the client with another key.
func (c *client) withKey(key string) *client {
	as := *c
	as.key = key
	return &as
}

// withScope returns the client with a new key of a scope, of the same creditor.
func (c *client) withScope(scope models.Scope) *client {
	c.t.Helper()
	as := c.in.newClient(c.t, c.creditor, scope)
	as.http = c.http
	return as
}

// change is something unusual about a request.
type change func(*http.Request)

// header sets a header. An empty value removes it.
func header(name, value string) change {
	return func(r *http.Request) {
		if value == "" {
			r.Header.Del(name)
			return
		}
		r.Header[http.CanonicalHeaderKey(name)] = []string{value}
	}
}

// contentType sets the Content-Type.
func contentType(value string) change { return header("Content-Type", value) }

func (c *client) get(path string, changes ...change) *answer {
	c.t.Helper()
	return c.send(http.MethodGet, path, "", changes...)
}

func (c *client) post(path, body string, changes ...change) *answer {
	c.t.Helper()
	return c.send(http.MethodPost, path, body, changes...)
}

func (c *client) put(path, body string, changes ...change) *answer {
	c.t.Helper()
	return c.send(http.MethodPut, path, body, changes...)
}

func (c *client) remove(path string, changes ...change) *answer {
	c.t.Helper()
	return c.send(http.MethodDelete, path, "", changes...)
}

// send makes a request. A path begins below /api/v1, unless it is a whole URL or begins with two slashes,
// which stand for the host's root. A body is declared to be XML.
func (c *client) send(method, path, body string, changes ...change) *answer {
	c.t.Helper()
	r := c.request(method, path, strings.NewReader(body), changes...)
	if body == "" {
		r.Header.Del("Content-Type")
	}
	got, err := c.http.Do(r)
	must(c.t, err)
	return c.answered(r, got)
}

func (c *client) request(method, path string, body io.Reader, changes ...change) *http.Request {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.url(path), body)
	must(c.t, err)
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	r.Header.Set("Content-Type", "application/xml")
	for _, change := range changes {
		change(r)
	}
	return r
}

func (c *client) url(path string) string {
	if root, is := strings.CutPrefix(path, "//"); is {
		return c.in.app.URL + "/" + root
	}
	if strings.HasPrefix(path, "/") {
		return c.in.app.URL + "/api/v1" + path
	}
	return path
}

// atOnce makes the same call a number of times at the same time.
func (c *client) atOnce(times int, call func(c *client) *answer) []*answer {
	c.t.Helper()
	answers := make([]*answer, times)
	var calling sync.WaitGroup
	for i := range answers {
		calling.Go(func() { answers[i] = call(c) })
	}
	calling.Wait()
	if slices.Contains(answers, nil) {
		c.t.FailNow()
	}
	return answers
}

// answered reads an answer and checks what every answer of the interface must have.
func (c *client) answered(r *http.Request, got *http.Response) *answer {
	c.t.Helper()
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	must(c.t, err)
	a := &answer{t: c.t, asked: r.Method + " " + r.URL.RequestURI(), status: got.StatusCode, header: got.Header, body: body}
	a.mustBeProper()
	return a
}

// answer is what the program has answered.
type answer struct {
	t      testing.TB
	asked  string
	status int
	header http.Header
	body   []byte
}

// mustBeProper holds for every answer: a request ID (rule D12), XML in UTF-8 with a declaration where it is
// XML (rule D4), the one form of errors (rule D5), and nothing of the inside where the failure is ours.
func (a *answer) mustBeProper() {
	a.t.Helper()
	if a.header.Get("X-Request-Id") == "" {
		a.t.Errorf("%s: the answer has no X-Request-Id", a.asked)
	}
	if media := a.header.Get("Content-Type"); strings.Contains(media, "xml") {
		if media != "application/xml; charset=utf-8" || !bytes.HasPrefix(a.body, []byte(xml.Header)) {
			a.t.Errorf("%s: the answer is %s and begins %.60q", a.asked, media, a.body)
		}
	}
	if a.status >= http.StatusBadRequest {
		a.faults()
	}
	if a.status == http.StatusInternalServerError {
		a.t.Errorf("%s: %s", a.asked, a.body)
	}
}

// is fails the test unless the answer has the status.
func (a *answer) is(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: answered %d, want %d: %s", a.asked, a.status, status, a.body)
	}
	return a
}

// created fails the test unless something was created, and returns it: the Location is its URI (rule D7).
func (a *answer) created() node {
	a.t.Helper()
	n := a.is(http.StatusCreated).node()
	if location := a.header.Get("Location"); location == "" || location != n.at("@uri") {
		a.t.Errorf("%s: the Location is %q, the uri %q", a.asked, location, n.at("@uri"))
	}
	return n
}

// refused fails the test unless the answer has the status and exactly the faults, in whatever order: each as
// its code, and after a blank its field where it has one.
func (a *answer) refused(status int, faults ...string) {
	a.t.Helper()
	a.is(status)
	got := a.faults()
	slices.Sort(got)
	slices.Sort(faults)
	if !slices.Equal(got, faults) {
		a.t.Errorf("%s: refused with\n\t%s\nwant\n\t%s", a.asked, strings.Join(got, "\n\t"), strings.Join(faults, "\n\t"))
	}
}

// faults reads the errors of an answer, which must be of the form of rule D5.
func (a *answer) faults() []string {
	a.t.Helper()
	root := a.node()
	if root.name() != "errors" || len(root.children()) == 0 {
		a.t.Fatalf("%s: answered %d with %s", a.asked, a.status, a.body)
	}
	var faults []string
	for _, e := range root.children() {
		fault := e.at("@code")
		if field, sent := e.find("@field"); sent {
			fault += " " + field
			if field == "" {
				a.t.Errorf("%s: the fault %s has an empty field", a.asked, fault)
			}
		}
		if e.name() != "error" || !isCode(e.at("@code")) || e.text() == "" {
			a.t.Errorf("%s: not the form of an error: %s", a.asked, a.body)
		}
		faults = append(faults, fault)
	}
	return faults
}

// isCode reports whether it is lower_snake_case.
func isCode(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// node returns the answer's root element.
func (a *answer) node() node {
	a.t.Helper()
	n, err := parse(a.body)
	if err != nil {
		a.t.Fatalf("%s: the answer %d is not XML: %v: %s", a.asked, a.status, err, a.body)
	}
	return node{a.t, n}
}

// shown fails the test unless the answer is 200, and returns its root element.
func (a *answer) shown() node {
	a.t.Helper()
	return a.is(http.StatusOK).node()
}

// clockAt is the body that moves the test clock (rule E8).
func clockAt(to time.Time) string { return tag("test_clock", tag("now", to.Format(time.RFC3339))) }
