package validate_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"purr/api/schema"
	"purr/test/testkit/validate"
)

// watched is a test that is over when it is told to be, and takes down how it has failed.
type watched struct {
	testing.TB
	cleanups []func()
	failures []string
}

func (w *watched) Cleanup(f func()) { w.cleanups = append(w.cleanups, f) }

func (w *watched) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

func (w *watched) end() {
	for _, f := range w.cleanups {
		f()
	}
}

const (
	noErrors = `<errors/>`
	anError  = `<errors><error code="required" field="lines">at least one line is required</error></errors>`
	event    = `<event id="1"><at>2026-03-02 12:00:00</at><type>invoice.created</type><subject_id>1</subject_id><text>x</text></event>`
)

func TestE9WhatPassesIsValidated(t *testing.T) {
	for _, test := range []struct {
		name   string
		path   string
		form   string
		status int
		media  string
		answer string
		want   []string // in the failures, in order
	}{
		{"all is right", "/api/v1/customer/1", `<customer/>`, 200, "application/xml; charset=utf-8", anError, nil},
		{"an answer that is wrong", "/api/v1/invoices?page=2", "", 422, "application/xml", noErrors, []string{
			"the answer to POST /api/v1/invoices?page=2, answered 422",
		}},
		{"an answer that is no XML", "/api/v1/invoices", "", 422, "application/xml", anError + "&", []string{"parser error"}},
		{"a request that is wrong, and was accepted", "/api/v1/x", `<customer><name1/></customer>`, 200, "application/xml", anError, []string{
			"POST /api/v1/x, answered 200",
		}},
		{"a request that is wrong, and was refused", "/api/v1/x", `<customer><name1/></customer>`, 422, "application/xml", anError, nil},
		{"attributes that the program ignores", "/api/v1/x", `<customer at="now"><name1 x="y">A</name1></customer>`, 200, "application/xml", anError, nil},
		{"a form in ISO-8859-1", "/api/v1/x", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><customer><name1>\xe5</name1></customer>", 200, "application/xml", anError, nil},
		{"a payment file", "/api/v1/payment_files/", "NY000010", 201, "application/xml", anError, nil},
		{"an answer that is a text", "/healthz", "", 200, "text/plain", "ok", nil},
		{"the schema itself", "/api/v1/schema.xsd", "", 200, "application/xml", string(schema.Answers()), nil},
		{"an event", "/api/v1/x", "", 200, "application/xml", event, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.media)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.answer)
			}))
			defer server.Close()
			over := &watched{TB: t}
			client := &http.Client{Transport: validate.BySchema(over, http.DefaultTransport)}
			for range 2 {
				if got := post(t, client, server.URL+test.path, test.form); got != test.answer {
					t.Errorf("the client reads %q", got)
				}
			}
			over.end()
			if len(over.failures) != len(test.want) {
				t.Fatalf("the test fails with %q, want %q", over.failures, test.want)
			}
			for i, want := range test.want {
				if !strings.Contains(over.failures[i], want) {
					t.Errorf("the test fails with %q, want …%s…", over.failures[i], want)
				}
			}
		})
	}
}

func post(t *testing.T, client *http.Client, url, form string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	got, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	answer, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer)
}

// TestJ3WhatPassesIsHeldToTheDocument has answers of a made-up server held against docs/openapi.json.
func TestJ3WhatPassesIsHeldToTheDocument(t *testing.T) {
	const (
		deleted = `{"type":"about:blank","title":"Not Found","status":404,"request_id":"1","errors":[{"code":"not_found","detail":"no"}]}`
		page    = `{"page":1,"total_pages":1,"per_page":100,"customers":[]}`
		asJSON  = "application/json"
	)
	for _, test := range []struct {
		name, method, path, sent string
		status                   int
		media, header, answer    string
		want                     string // in the failure, which is the only one; empty for none
	}{
		{"a list in JSON", "GET", "/api/v1/customers?per_page=1", "", 200, asJSON, "", page, ""},
		{"the same by HEAD", "HEAD", "/api/v1/customers", "", 200, asJSON, "", "", ""},
		{"a refusal", "GET", "/api/v1/customer/1", "", 404, "application/problem+json", "", deleted, ""},
		{"a refusal in XML", "GET", "/api/v1/customer/1", "", 404, "application/xml", "", strings.Replace(anError, "required", "not_found", 1), ""},
		{"what is none of the interface's", "GET", "/customers", "", 200, "text/html", "X-Other", "<p>", ""},
		{"a path that is not there", "GET", "/api/v1/bills", "", 404, "application/xml", "", anError, ""},
		{"a member that the document lacks", "GET", "/api/v1/customers", "", 200, asJSON, "", strings.Replace(page, "{", `{"x":1,`, 1), "x"},
		{"a number that is a text", "GET", "/api/v1/customers", "", 200, asJSON, "", strings.Replace(page, "1", `"1"`, 1), "page"},
		{"an operation that the document lacks", "GET", "/api/v1/bills", "", 200, asJSON, "", "{}", "no such operation"},
		{"a status that the document lacks", "GET", "/api/v1/customers", "", 201, asJSON, "", page, "no such status"},
		{"a media type that the document lacks", "GET", "/api/v1/customers", "", 200, "text/plain", "", "1", "media type is text/plain"},
		{"a header that the document lacks", "GET", "/api/v1/customers", "", 200, "application/xml", "X-Other", anError, "no header X-Other"},
		{"a code that the document lacks, in XML", "GET", "/api/v1/customer/1", "", 404, "application/xml", "", anError, "the code required"},
		{"a code that the document lacks, in JSON", "GET", "/api/v1/customer/1", "", 404, "application/problem+json", "", strings.Replace(deleted, "not_found", "closed", 1), "the code closed"},
		{"a parameter that the document lacks a value of", "GET", "/api/v1/customers?page=x", "", 200, asJSON, "", page, "the request: parameter"},
		{"a request that should have been refused", "PUT", "/api/v1/customer/1", `{"nick": 1}`, 200, "application/xml", "", anError, "nick"},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.media)
				w.Header().Set("X-Request-Id", "1")
				if test.header != "" {
					w.Header().Set(test.header, "x")
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.answer)
			}))
			defer server.Close()
			over := &watched{TB: t}
			client := &http.Client{Transport: validate.Described(over, http.DefaultTransport)}
			r, err := http.NewRequestWithContext(t.Context(), test.method, server.URL+test.path, strings.NewReader(test.sent))
			if err != nil {
				t.Fatal(err)
			}
			if test.sent != "" {
				r.Header.Set("Content-Type", asJSON)
			}
			got, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer got.Body.Close()
			if answer, err := io.ReadAll(got.Body); string(answer) != test.answer || err != nil {
				t.Errorf("the client reads %q, %v", answer, err)
			}
			over.end()
			switch {
			case test.want == "" && len(over.failures) > 0:
				t.Errorf("the test fails with %q", over.failures)
			case test.want != "" && (len(over.failures) != 1 || !strings.Contains(over.failures[0], test.want)):
				t.Errorf("the test fails with %q, want …%s…", over.failures, test.want)
			}
		})
	}
}

// TestE9AnswerThatBreaksOff leaves it to the client to notice.
func TestE9AnswerThatBreaksOff(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "<errors>")
	}))
	defer server.Close()
	over := &watched{TB: t}
	client := &http.Client{Transport: validate.BySchema(over, http.DefaultTransport)}
	got, err := client.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	if answer, err := io.ReadAll(got.Body); string(answer) != "<errors>" || err == nil {
		t.Errorf("the client reads %q, %v", answer, err)
	}
	if over.end(); len(over.failures) > 0 {
		t.Errorf("the test fails with %q", over.failures)
	}
}

func TestE9ManyFailuresAreCutShort(t *testing.T) {
	count := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		count++
		w.Header().Set("Content-Type", "application/xml")
		_, _ = fmt.Fprintf(w, "<n%d/>", count)
	}))
	defer server.Close()
	over := &watched{TB: t}
	client := &http.Client{Transport: validate.BySchema(over, http.DefaultTransport)}
	for range 8 {
		post(t, client, server.URL, "")
	}
	over.end()
	if len(over.failures) != 6 || !strings.Contains(over.failures[5], "3 more") {
		t.Errorf("the test fails with %q", over.failures)
	}
}
