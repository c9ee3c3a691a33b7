//go:build whole

package stories_test

import (
	"encoding/xml"
	"net/http"
	"testing"

	"purr/test/testkit/house"
)

// client speaks to the interface for a creditor.
type client struct {
	*house.Client
	in      *installation
	id      string
	account string // at the bank
	files   int    // how many the bank has delivered
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

// create posts XML.
func (c *client) create(t testing.TB, path, body string, want int) []byte {
	t.Helper()
	return c.On(t).Post(path, body).Is(want).Body
}

// change puts XML.
func (c *client) change(t testing.TB, path, body string) {
	t.Helper()
	c.On(t).Put(path, body).Is(http.StatusOK)
}

// get reads a resource.
func (c *client) get(t testing.TB, path string) []byte {
	t.Helper()
	return c.On(t).Get(path).Is(http.StatusOK).Body
}

// remove deletes something.
func (c *client) remove(t testing.TB, path string) {
	t.Helper()
	c.On(t).Delete(path).Is(http.StatusNoContent)
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
