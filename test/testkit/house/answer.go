package house

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Answer is an answer of the program.
type Answer struct {
	T      testing.TB
	Asked  string // method and path
	Status int
	Header http.Header
	Body   []byte
}

// Read reads an answer and checks what every answer of the interface must have.
func (c *Client) Read(r *http.Request, got *http.Response) (*Answer, error) {
	c.T.Helper()
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	a := &Answer{T: c.T, Asked: r.Method + " " + r.URL.RequestURI(), Status: got.StatusCode, Header: got.Header, Body: body}
	a.mustBeProper()
	return a, nil
}

// mustBeProper tests the rules for every answer: it has a request ID (rule D12). XML is in UTF-8 with a declaration
// (rule D4), but for an EHF. Errors have the one form of rule D5. No error is internal.
func (a *Answer) mustBeProper() {
	a.T.Helper()
	if a.Header.Get("X-Request-Id") == "" {
		a.T.Errorf("%s: the answer has no X-Request-Id", a.Asked)
	}
	ehf := a.Status == http.StatusOK && strings.HasSuffix(a.Asked, "/ehf") // a document of another format
	if media := a.Header.Get("Content-Type"); strings.Contains(media, "xml") && !ehf {
		if media != "application/xml; charset=utf-8" || !bytes.HasPrefix(a.Body, []byte(xml.Header)) {
			a.T.Errorf("%s: the answer is %s and begins %.60q", a.Asked, media, a.Body)
		}
	}
	if a.Status >= http.StatusBadRequest {
		if _, err := a.readFaults(); err != nil {
			a.T.Errorf("%s: %v", a.Asked, err)
		}
	}
	if a.Status == http.StatusInternalServerError {
		a.T.Errorf("%s: %s", a.Asked, a.Body)
	}
}

// Is fails the test unless the answer has the status.
func (a *Answer) Is(status int) *Answer {
	a.T.Helper()
	if a.Status != status {
		a.T.Fatalf("%s: answered %d, want %d: %s", a.Asked, a.Status, status, a.Body)
	}
	return a
}

// Created fails the test unless something was created, and returns it. Its Location is its URI (rule D7).
func (a *Answer) Created() Node {
	a.T.Helper()
	n := a.Is(http.StatusCreated).Root()
	if location := a.Header.Get("Location"); location == "" || location != n.At("@uri") {
		a.T.Errorf("%s: the Location is %q, the uri %q", a.Asked, location, n.At("@uri"))
	}
	return n
}

// Shown fails the test unless the answer is 200, and returns its root element.
func (a *Answer) Shown() Node {
	a.T.Helper()
	return a.Is(http.StatusOK).Root()
}

// PDF fails the test unless the answer is a PDF, and returns it.
func (a *Answer) PDF() []byte {
	a.T.Helper()
	a.Is(http.StatusOK)
	if a.Header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(a.Body, []byte("%PDF-")) {
		a.T.Fatalf("%s is %s: %.20q", a.Asked, a.Header.Get("Content-Type"), a.Body)
	}
	return a.Body
}

// Refused fails the test unless the answer has the status and exactly the faults, in any order. A fault is its code,
// followed by a blank and its field if it has one.
func (a *Answer) Refused(status int, faults ...string) {
	a.T.Helper()
	a.Is(status)
	got := a.Faults()
	slices.Sort(got)
	slices.Sort(faults)
	if !slices.Equal(got, faults) {
		a.T.Errorf("%s: refused with\n\t%s\nwant\n\t%s", a.Asked, strings.Join(got, "\n\t"), strings.Join(faults, "\n\t"))
	}
}

// Faults returns the errors of the answer, each as Refused takes them.
func (a *Answer) Faults() []string {
	a.T.Helper()
	faults, err := a.readFaults()
	if err != nil {
		a.T.Fatalf("%s: %v", a.Asked, err)
	}
	return faults
}

// readFaults reads the errors of an answer, which must have the form of rule D5.
func (a *Answer) readFaults() (faults []string, err error) {
	var doc struct {
		XMLName xml.Name `xml:"errors"`
		Errors  []struct {
			XMLName xml.Name
			Code    string  `xml:"code,attr"`
			Field   *string `xml:"field,attr"`
			Text    string  `xml:",chardata"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal(a.Body, &doc); err != nil {
		return nil, fmt.Errorf("answered %d with no errors as of rule D5: %w: %s", a.Status, err, a.Body)
	}
	if len(doc.Errors) == 0 {
		return nil, fmt.Errorf("answered %d with an empty list of errors", a.Status)
	}
	for _, e := range doc.Errors {
		if e.XMLName.Local != "error" || !isCode(e.Code) || e.Field != nil && *e.Field == "" || e.Text == "" {
			return nil, fmt.Errorf("not the form of an error (rule D5): %s", a.Body)
		}
		if e.Field != nil {
			e.Code += " " + *e.Field
		}
		faults = append(faults, e.Code)
	}
	return faults, nil
}

// isCode reports whether s is lower_snake_case.
func isCode(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// Root returns the answer's root element.
func (a *Answer) Root() Node {
	a.T.Helper()
	return Parse(a.T, a.Body)
}
