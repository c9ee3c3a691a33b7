package api_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"purr/api"
	"purr/api/openapi"
	"purr/test/testkit"
)

// allOperations are those of a server with a test clock, which has all.
var allOperations = sync.OnceValue(func() []openapi.Operation { return api.OperationsWith(api.Config{TestClock: brokenClock{}}) })

// theDocument is the OpenAPI document of all operations.
var theDocument = sync.OnceValues(func() ([]byte, error) { return openapi.Document(allOperations(), "") })

// theSpec is the document as the library reads it.
var theSpec = sync.OnceValues(func() (*openapi3.T, error) {
	text, err := theDocument()
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
})

// operationOf returns the operation that a request asks for.
func operationOf(method, path string) (openapi.Operation, bool) {
	path, _, _ = strings.Cut(path, "?")
	path = strings.TrimSuffix(idInPath.ReplaceAllString(path, "/{id}$1"), "/")
	i := slices.IndexFunc(allOperations(), func(op openapi.Operation) bool {
		return op.Method == method && strings.TrimSuffix(op.Path, "/") == path
	})
	if i < 0 {
		return openapi.Operation{}, false
	}
	return allOperations()[i], true
}

// inXMLToo lets the library take texts in XML, which the XML Schema describes.
var inXMLToo = sync.OnceFunc(func() {
	for _, media := range []string{"application/xml", "text/xml", "application/zip", "application/pdf"} {
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.FileBodyDecoder)
	}
})

// holdToDocument fails the test if an answer is not as the document has it, or an accepted request (rule J3). While the document is made
// anew there is none to hold to.
func holdToDocument(t *testing.T, method, path string, header http.Header, body string, got reply) {
	t.Helper()
	op, known := operationOf(method, path)
	if !known || testkit.WritesPages() || got.status == http.StatusMethodNotAllowed || got.status == http.StatusNotFound && strings.HasSuffix(path, "/test_clock") {
		return
	}
	inXMLToo()
	spec, err := theSpec()
	must(t, err)
	at := strings.TrimSuffix(op.Path, "/")
	item := spec.Paths.Value(at)
	path, query, _ := strings.Cut(path, "?")
	r, err := http.NewRequestWithContext(t.Context(), method, "http://purr.example"+path, strings.NewReader(body))
	must(t, err)
	r.URL.RawQuery, r.Header = emptyParameter.ReplaceAllString(query, ""), header
	if r.Header.Get("Content-Type") == "" && body != "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Content-Type", "application/xml") // which it is taken for
	}
	asked := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: map[string]string{},
		Route: &routers.Route{Spec: spec, Path: at, PathItem: item, Method: method, Operation: item.GetOperation(method)},
		Options: &openapi3filter.Options{
			MultiError: true, IncludeResponseStatus: true, RejectWhenRequestBodyNotSpecified: true, SkipSettingDefaults: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}
	if strings.Contains(at, "{id}") {
		asked.PathParams["id"] = strings.Split(path, "/")[4]
	}
	if got.status < http.StatusMultipleChoices {
		if err := openapi3filter.ValidateRequest(t.Context(), asked); err != nil {
			t.Errorf("%s: %s %s was answered %d, but is not as the document has it: %v\n%s", op.Name, method, path, got.status, err, body)
		}
	}
	answer := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: asked, Status: got.status, Header: got.header, Body: io.NopCloser(strings.NewReader(got.body)), Options: asked.Options,
	}
	if err := openapi3filter.ValidateResponse(t.Context(), answer); err != nil {
		t.Errorf("%s: the answer %d to %s %s is not as the document has it: %v\n%s", op.Name, got.status, method, path, err, got.body)
	}
	listed, _ := asked.Route.Operation.Extensions["x-error-codes"].(map[string]any)
	codes, _ := listed[strconv.Itoa(got.status)].([]any)
	for _, code := range codesOf(got.body) {
		if got.status >= http.StatusBadRequest && !slices.Contains(codes, any(code)) {
			t.Errorf("%s: %s %s was refused with %d %s, which the document does not list: it needs a conversation in testdata", op.Name, method, path, got.status, code)
		}
	}
}

// emptyParameter is a query parameter without a value, which is as if it were absent (rule L20), or a page beyond those that the library
// can count.
var emptyParameter = regexp.MustCompile(`\b[a-z_]+=(&|$)|\bpage=[0-9]{19,}`)

// described holds what passes against the document (rule J3).
type described struct {
	t    *testing.T
	next http.RoundTripper
}

// RoundTrip sends the request, and reads the answer whole.
func (d described) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := d.next.RoundTrip(r)
	if err != nil {
		return got, err
	}
	answer, err := io.ReadAll(got.Body)
	got.Body.Close()
	got.Body = io.NopCloser(io.MultiReader(bytes.NewReader(answer), failing{err}))
	if err == nil && r.Method != http.MethodHead {
		var body []byte
		if r.GetBody != nil {
			if sent, err := r.GetBody(); err == nil {
				body, _ = io.ReadAll(sent) // it is in memory
			}
		}
		holdToDocument(d.t, r.Method, r.URL.RequestURI(), r.Header, string(body), reply{got.StatusCode, got.Header, string(answer)})
	}
	return got, nil
}

// failing is the end of a body, or how it broke off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// examples are the first good requests of each operation in JSON, and their answers, as the conversations have them in their order.
type examples struct {
	mu    sync.Mutex
	found map[string]openapi.Example
	from  map[string]string // the script and the exchange, by operation
}

func (e *examples) add(script string, nth int, x exchange, got reply) {
	op, known := operationOf(x.method, x.path)
	if !known || got.status >= http.StatusMultipleChoices || !strings.HasPrefix(got.header.Get("Content-Type"), "application/json") || len(op.Media) > 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	from := fmt.Sprintf("%d %s %04d", min(1, len(strings.TrimPrefix(script, "json"))), script, nth)
	if before, there := e.from[op.Name]; there && before <= from {
		return
	}
	example := openapi.Example{Answer: json.RawMessage(strings.TrimSpace(secret.ReplaceAllString(got.body, "whsec_"+strings.Repeat("A", 43)+"=")))}
	if x.body != "" && requestRoot(x.method, x.path) != nil {
		example.Request = json.RawMessage(x.body)
	}
	e.from[op.Name], e.found[op.Name] = from, example
}

// text returns the examples as JSON, one operation after the other.
func (e *examples) text(t *testing.T) string { return indentedJSON(t, e.found) }

func indentedJSON(t *testing.T, value any) string {
	t.Helper()
	var text bytes.Buffer
	w := json.NewEncoder(&text)
	w.SetEscapeHTML(false)
	w.SetIndent("", " ")
	must(t, w.Encode(value))
	return text.String()
}

var refusedWith = regexp.MustCompile(`(?:<error |\{")code"?[=:]"([a-z_]+)"`)

// codesOf returns the codes of a refusal.
func codesOf(answer string) (codes []string) {
	for _, m := range refusedWith.FindAllStringSubmatch(answer, -1) {
		codes = append(codes, m[1])
	}
	return codes
}
