package stories_test

import (
	"encoding/xml"
	"io"
	"net/http"
	"strings"
	"testing"
)

// client speaks to the interface for a creditor.
type client struct {
	in        *installation
	name, key string
	account   string // at the bank
	files     int    // how many the bank has delivered
}

// cast are the customers and documents of a story.
type cast struct {
	*client
	policy    string            // elements of the customers' own dunning policy, empty where they have none
	customers map[string]string // their paths, by name
	documents []document        // numbered from 1 in the story
}

// cast returns the cast of a story in which nobody appears yet.
func (c *client) cast(policy string) *cast {
	return &cast{client: c, policy: policy, customers: map[string]string{}}
}

// document is an invoice or credit note, as it was created.
type document struct {
	URI    string `xml:"uri,attr"`
	Number int    `xml:"invoice_number"`
	KID    string `xml:"ocr_kid_number"`
}

// tag writes an element. The name may be followed by attributes.
func tag(name string, content ...string) string {
	bare, _, _ := strings.Cut(name, " ")
	return "<" + name + ">" + strings.Join(content, "") + "</" + bare + ">"
}

// below returns where something is: the host and port change when the program is started again.
func below(uri string) string {
	_, path, _ := strings.Cut(uri, "/api/v1")
	return path
}

// send makes a request to a path below /api/v1, and fails the test unless the answer has the status.
func (c *client) send(t testing.TB, method, path, contentType, body string, want int) []byte {
	t.Helper()
	got, err := http.DefaultClient.Do(c.request(t, method, path, contentType, body))
	must(t, err)
	defer got.Body.Close()
	answer, err := io.ReadAll(got.Body)
	must(t, err)
	if got.StatusCode != want {
		t.Fatalf("%s %s: answered %d, want %d: %s", method, path, got.StatusCode, want, answer)
	}
	return answer
}

func (c *client) request(t testing.TB, method, path, contentType, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, c.in.app.URL+"/api/v1"+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", contentType)
	return r
}

// create posts XML.
func (c *client) create(t testing.TB, path, body string, want int) []byte {
	t.Helper()
	return c.send(t, http.MethodPost, path, "application/xml", body, want)
}

// change puts XML.
func (c *client) change(t testing.TB, path, body string) {
	t.Helper()
	c.send(t, http.MethodPut, path, "application/xml", body, http.StatusOK)
}

// get reads a resource.
func (c *client) get(t testing.TB, path string) []byte {
	t.Helper()
	return c.send(t, http.MethodGet, path, "", "", http.StatusOK)
}

// read reads XML.
func read[T any](t testing.TB, answer []byte) (v T) {
	t.Helper()
	must(t, xml.Unmarshal(answer, &v))
	return v
}

// made notes a document that was created.
func (c *cast) made(t testing.TB, answer []byte) {
	t.Helper()
	d := read[document](t, answer)
	d.URI = below(d.URI)
	c.documents = append(c.documents, d)
}

// document returns the nth document of the story.
func (c *cast) document(t testing.TB, nth int) document {
	t.Helper()
	if nth > len(c.documents) {
		t.Fatalf("there is no document %d", nth)
	}
	return c.documents[nth-1]
}

// at returns the path of the nth document of the story.
func (c *cast) at(t testing.TB, nth int) string {
	t.Helper()
	return c.document(t, nth).URI
}
