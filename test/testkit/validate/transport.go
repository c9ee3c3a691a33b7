package validate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"purr/api/schema"
)

// Transport passes requests to the next transport. When the test is over, it validates the requests and the answers: XML by the XML
// Schema, and both forms by the OpenAPI document (see Described).
func Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	return bySchema(t, Described(t, next))
}

// bySchema passes requests to the next transport, and validates what is in XML.
func bySchema(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	mustHaveXmllint(t)
	w := &watch{next: next, answers: collection{valid: &validAnswers}, requests: collection{valid: &validRequests}}
	t.Cleanup(func() {
		w.answers.check(t, schema.Answers(), nil)
		w.requests.check(t, schema.Requests(), unknownAttribute)
	})
	return w
}

// unknownAttribute is a fault by the schema of requests, but the program accepts it (rule D4).
var unknownAttribute = regexp.MustCompile(`(?m)^.*: The attribute '.*' is not allowed\.\n`)

// watch keeps the documents that pass.
type watch struct {
	next              http.RoundTripper
	answers, requests collection
}

// othersXML reports whether an answer is XML of another schema than the interface's: that schema itself, or an EHF.
func othersXML(r *http.Request, got *http.Response) bool {
	return strings.HasSuffix(r.URL.Path, "/schema.xsd") ||
		r.Method == http.MethodGet && (strings.HasSuffix(r.URL.Path, "/ehf") || strings.HasSuffix(r.URL.Path, "/pain")) && got.StatusCode == http.StatusOK
}

// RoundTrip sends the request. It reads an XML answer whole.
func (w *watch) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := w.next.RoundTrip(r)
	if err != nil || !strings.HasPrefix(got.Header.Get("Content-Type"), "application/xml") || othersXML(r, got) {
		return got, err
	}
	answer, err := readAll(&got.Body)
	if err != nil {
		return got, nil //nolint:nilerr // the client meets it where the answer breaks off
	}
	about := fmt.Sprintf("%s %s, answered %d", r.Method, r.URL.RequestURI(), got.StatusCode)
	w.answers.add("the answer to "+about, answer)
	if got.StatusCode < http.StatusMultipleChoices {
		w.requests.add(about, formOf(r))
	}
	return got, nil
}

// readAll returns the content of the body, and leaves a copy to be read again.
func readAll(body *io.ReadCloser) ([]byte, error) {
	content, err := io.ReadAll(*body)
	(*body).Close()
	again := io.Reader(bytes.NewReader(content))
	if err != nil {
		again = io.MultiReader(again, broken{err})
	}
	*body = io.NopCloser(again)
	return content, err
}

// broken is a body whose reading fails.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// formOf returns the XML of a request, nothing if it has none. A payment file is the bank's, so it is skipped.
func formOf(r *http.Request) []byte {
	if r.GetBody == nil || isFile(r) {
		return nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil
	}
	defer body.Close()
	form, err := io.ReadAll(body)
	if err != nil {
		return nil
	}
	return bytes.TrimSpace(form)
}

// The hashes of the documents that were found valid in this process. A test sees on the second database most of what it saw on the
// first, and no xmllint need start for it.
var validAnswers, validRequests sync.Map

// collection is the documents of one kind, each once.
type collection struct {
	valid     *sync.Map
	mu        sync.Mutex
	seen      map[[sha256.Size]byte]bool
	about     []string
	documents []string
}

// add keeps a document, unless it is empty.
func (c *collection) add(about string, document []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[[sha256.Size]byte]bool{}
	}
	sum := sha256.Sum256(document)
	_, known := c.valid.Load(sum)
	if len(document) == 0 || c.seen[sum] || known {
		return
	}
	c.seen[sum] = true
	c.about, c.documents = append(c.about, about), append(c.documents, string(document))
}

// What a failure shows at most.
const (
	mostFailures = 5
	mostOfOne    = 2000 // bytes
)

// check fails the test for each document that is invalid by the schema, except for accepted faults.
func (c *collection) check(t testing.TB, schema []byte, fine *regexp.Regexp) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.documents) == 0 {
		return
	}
	failures := 0
	for i, fault := range Faults(t, schema, c.documents) {
		if fine != nil {
			fault = fine.ReplaceAllString(fault, "")
		}
		if fault == "" {
			c.valid.Store(sha256.Sum256([]byte(c.documents[i])), true)
			continue
		}
		if failures++; failures <= mostFailures {
			t.Errorf("%s: not of the schema (rule E9):\n%s%.*s", c.about[i], fault, mostOfOne, c.documents[i])
		}
	}
	if failures > mostFailures {
		t.Errorf("and %d more documents are not of the schema", failures-mostFailures)
	}
}

// isFile reports whether the body of a request is a file: a bank's, or a picture.
func isFile(r *http.Request) bool {
	return strings.HasSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/payment_files") || strings.HasPrefix(r.Header.Get("Content-Type"), "image/")
}
