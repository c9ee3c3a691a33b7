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
	number    int // from 1
	name, key string
	account   string            // at the bank
	customers map[string]string // their paths, by name
	documents map[int]document  // by number
	files     int               // how many the bank has delivered
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
	r, err := http.NewRequestWithContext(t.Context(), method, c.in.app.URL+"/api/v1"+path, strings.NewReader(body))
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+c.key)
	r.Header.Set("Content-Type", contentType)
	got, err := http.DefaultClient.Do(r)
	must(t, err)
	defer got.Body.Close()
	answer, err := io.ReadAll(got.Body)
	must(t, err)
	if got.StatusCode != want {
		t.Fatalf("%s %s: answered %d, want %d: %s", method, path, got.StatusCode, want, answer)
	}
	return answer
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
func (c *client) made(t testing.TB, answer []byte) document {
	t.Helper()
	d := read[document](t, answer)
	d.URI = below(d.URI)
	c.documents[d.Number] = d
	return d
}

// at returns the path of the invoice or credit note with a number.
func (c *client) at(t testing.TB, number int) string {
	t.Helper()
	d, made := c.documents[number]
	if !made {
		t.Fatalf("there is no document %d", number)
	}
	return d.URI
}
