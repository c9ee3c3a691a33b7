package e2e_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/internal/testkit/validate"
)

// client speaks to the API with a key.
type client struct {
	base func() string // scheme, host and port: a process that is started again has another port
	key  string
	http *http.Client
}

func newClient(t *testing.T, base func() string, key string) *client {
	t.Helper()
	return &client{base, key, &http.Client{Transport: validate.Transport(t, http.DefaultTransport), Timeout: patience}}
}

// reply is what the API answered.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// call is a request. Only method and path must be set; a body is sent as XML unless the header says otherwise.
type call struct {
	method, path, body string
	header             map[string]string
}

// do makes the request. The path may be a uri of an answer: of that only the path counts.
func (c *client) do(ctx context.Context, in call) (reply, error) {
	u, err := url.Parse(in.path)
	if err != nil {
		return reply{}, err
	}
	u.Scheme, u.Host = "", ""
	r, err := http.NewRequestWithContext(ctx, in.method, c.base()+u.String(), strings.NewReader(in.body))
	if err != nil {
		return reply{}, err
	}
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	if in.body != "" {
		r.Header.Set("Content-Type", "application/xml")
	}
	for name, value := range in.header {
		r.Header[http.CanonicalHeaderKey(name)] = []string{value}
	}
	answered, err := c.http.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer answered.Body.Close()
	body, err := io.ReadAll(answered.Body)
	return reply{answered.StatusCode, answered.Header, body}, err
}

// as is the client of another key.
func (c *client) as(key string) *client { return &client{c.base, key, c.http} }

// send makes a request that must reach the API.
func (c *client) send(t *testing.T, in call) reply {
	t.Helper()
	r, err := c.do(t.Context(), in)
	must(t, err)
	return r
}

// get reads a resource or list that must be there.
func (c *client) get(t *testing.T, path string) node {
	t.Helper()
	return c.send(t, call{method: "GET", path: path}).is(t, http.StatusOK).xml(t)
}

// list reads all items of a list.
func (c *client) list(t *testing.T, path string) []node {
	t.Helper()
	joint := "?"
	if strings.Contains(path, "?") {
		joint = "&"
	}
	var items []node
	for page := 1; ; page++ {
		l := c.get(t, fmt.Sprintf("%s%sper_page=1000&page=%d", path, joint, page))
		items = append(items, l.Children...)
		if total, err := strconv.Atoi(l.at("@total_pages")); err != nil || page >= total {
			must(t, err)
			return items
		}
	}
}

// post makes something, and returns its detail.
func (c *client) post(t *testing.T, path, body string) node {
	t.Helper()
	r := c.send(t, call{method: "POST", path: path, body: body}).is(t, http.StatusCreated)
	detail := r.xml(t)
	equal(t, "Location of "+path, r.header.Get("Location"), detail.at("@uri"))
	return detail
}

// put changes something, and returns its detail.
func (c *client) put(t *testing.T, path, body string) node {
	t.Helper()
	return c.send(t, call{method: "PUT", path: path, body: body}).is(t, http.StatusOK).xml(t)
}

// pdf reads the PDF of a document.
func (c *client) pdf(t *testing.T, uri string) []byte {
	t.Helper()
	r := c.send(t, call{method: "GET", path: uri + "/pdf"}).is(t, http.StatusOK)
	if r.header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(r.body, []byte("%PDF-")) {
		t.Fatalf("%s/pdf is %s: %.20q", uri, r.header.Get("Content-Type"), r.body)
	}
	return r.body
}

// moveClock moves the test clock, and returns when all that fell due is done (rule E8).
func (c *client) moveClock(t *testing.T, to time.Time) {
	t.Helper()
	c.send(t, call{method: "POST", path: "/api/v1/test_clock", body: clockBody(to)}).is(t, http.StatusOK)
}

func clockBody(to time.Time) string {
	return "<test_clock><now>" + to.Format(time.RFC3339) + "</now></test_clock>"
}

// is fails the test unless the answer has the status.
func (r reply) is(t *testing.T, status int) reply {
	t.Helper()
	if r.status != status {
		t.Fatalf("answered %d, want %d: %s", r.status, status, r.body)
	}
	return r
}

// faults returns the errors of an answer of rule D5, each as code or code@field.
func (r reply) faults() ([]string, error) {
	var doc struct {
		XMLName xml.Name `xml:"errors"`
		Errors  []struct {
			Code  string `xml:"code,attr"`
			Field string `xml:"field,attr"`
			Text  string `xml:",chardata"`
		} `xml:"error"`
	}
	if err := xml.Unmarshal(r.body, &doc); err != nil {
		return nil, fmt.Errorf("the answer %d is not of the form of rule D5: %w: %s", r.status, err, r.body)
	}
	var faults []string
	for _, e := range doc.Errors {
		name := e.Code
		if e.Field != "" {
			name += "@" + e.Field
		}
		if e.Text == "" {
			return nil, fmt.Errorf("%s has no text", name)
		}
		faults = append(faults, name)
	}
	return faults, nil
}

func (r reply) xml(t *testing.T) node {
	t.Helper()
	n, err := parse(r.body)
	must(t, err)
	return n
}

// node is any element of an XML document.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []node     `xml:",any"`
}

func parse(body []byte) (node, error) {
	var n node
	if err := xml.Unmarshal(body, &n); err != nil {
		return n, fmt.Errorf("not XML: %w: %s", err, body)
	}
	return n, nil
}

// at returns the text of the first element at the path below, or its attribute where the path ends in
// @name; "-" where it is absent.
func (n node) at(path string) string {
	name, rest, more := strings.Cut(path, "/")
	if attr, is := strings.CutPrefix(name, "@"); is {
		for _, a := range n.Attrs {
			if a.Name.Local == attr {
				return a.Value
			}
		}
		return "-"
	}
	for _, c := range n.Children {
		if c.XMLName.Local != name {
			continue
		}
		if !more {
			return c.Text
		}
		return c.at(rest)
	}
	return "-"
}

// all returns the elements at the path below.
func (n node) all(path string) []node {
	name, rest, more := strings.Cut(path, "/")
	var found []node
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			if more {
				return c.all(rest)
			}
			found = append(found, c)
		}
	}
	return found
}

// texts returns at(path) of each of the nodes.
func texts(nodes []node, path string) []string {
	found := []string{}
	for _, n := range nodes {
		found = append(found, n.at(path))
	}
	return found
}

// pathOf returns a uri without scheme and host.
func pathOf(t *testing.T, uri string) string {
	t.Helper()
	u, err := url.Parse(uri)
	must(t, err)
	return u.Path
}

// idOf returns the ID at the end of a uri.
func idOf(uri string) string { return uri[strings.LastIndexByte(uri, '/')+1:] }
