package validate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"purr/test/testkit"
)

// Described passes requests to the next transport, and holds them and their answers against docs/openapi.json (rule J3): each answer's
// status, media type and headers, in whatever form; JSON by its schema; the codes of refusals; and what was accepted of requests. The test
// fails in the end with what is not so. While the document is made anew there is none to hold to.
func Described(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	if testkit.WritesPages() {
		return next
	}
	spec, err := theDocument()
	testkit.Must(t, err)
	d := &described{next: next, spec: spec}
	t.Cleanup(func() { d.tell(t) })
	return d
}

// theDocument is docs/openapi.json.
var theDocument = sync.OnceValues(func() (*openapi3.T, error) {
	for _, media := range []string{"application/xml", "text/xml"} { // which the XML Schema describes
		openapi3filter.RegisterBodyDecoder(media, openapi3filter.FileBodyDecoder)
	}
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for ; folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			path := filepath.Join(folder, "docs", "openapi.json")
			if err := bodies.read(path); err != nil {
				return nil, err
			}
			return openapi3.NewLoader().LoadFromFile(path)
		}
	}
	return nil, errors.New("the test runs outside of the module")
})

// described holds what passes against the document.
type described struct {
	next http.RoundTripper
	spec *openapi3.T

	mu     sync.Mutex
	faults []string
	more   int
}

// RoundTrip sends the request. It reads an answer in XML or JSON whole.
func (d *described) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := d.next.RoundTrip(r)
	if err != nil || !strings.HasPrefix(r.URL.Path, "/api/v1/") || got.StatusCode == http.StatusMethodNotAllowed {
		return got, err
	}
	media, _, _ := mime.ParseMediaType(got.Header.Get("Content-Type")) // none is a fault
	var answer []byte
	if r.Method != http.MethodHead && (strings.HasSuffix(media, "json") || media == "application/xml") {
		if answer, err = readAll(&got.Body); err != nil {
			return got, nil //nolint:nilerr // the client meets it where the answer breaks off
		}
	}
	for _, fault := range d.hold(r, got, media, answer) {
		d.add(fmt.Sprintf("%s %s, answered %d: %s\n%.*s", r.Method, r.URL.RequestURI(), got.StatusCode, fault, mostOfOne, answer))
	}
	return got, nil
}

func (d *described) add(fault string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.faults) == mostFailures {
		d.more++
		return
	}
	d.faults = append(d.faults, fault)
}

func (d *described) tell(t testing.TB) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, fault := range d.faults {
		t.Errorf("not as docs/openapi.json has it (rule J3): %s", fault)
	}
	if d.more > 0 {
		t.Errorf("and %d more faults by docs/openapi.json", d.more)
	}
}

var (
	idInPath  = regexp.MustCompile(`/[0-9]+(/|$)`)
	testClock = "/api/v1/test_clock"

	// emptyParameter is a query parameter without a value, which is as if it were absent (rule L20), or a page beyond those that the
	// library can count.
	emptyParameter = regexp.MustCompile(`\b[a-z_]+=(&|$)|\bpage=[0-9]{19,}`)

	refusedWith = regexp.MustCompile(`(?:<error |\{")code"?[=:]"([a-z_]+)"`)
)

// Codes returns the codes of a refusal, in XML or in JSON.
func Codes(answer string) (codes []string) {
	for _, m := range refusedWith.FindAllStringSubmatch(answer, -1) {
		codes = append(codes, m[1])
	}
	return codes
}

// hold returns what is not as the document has it.
func (d *described) hold(r *http.Request, got *http.Response, media string, answer []byte) (faults []string) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	at := strings.TrimSuffix(idInPath.ReplaceAllString(r.URL.Path, "/{id}$1"), "/")
	item := d.spec.Paths.Value(at)
	if item == nil || item.GetOperation(method) == nil {
		if got.StatusCode < http.StatusBadRequest {
			return []string{"it has no such operation"}
		}
		return nil
	}
	if at == testClock && got.StatusCode == http.StatusNotFound {
		return nil // there is none
	}
	operation := item.GetOperation(method)
	shown := operation.Responses.Value(strconv.Itoa(got.StatusCode))
	if shown == nil {
		return []string{"it has no such status"}
	}
	faults = head(shown.Value, got, media)
	asked := ask(r, d.spec, at, item, method)
	if got.StatusCode < http.StatusMultipleChoices {
		if err := openapi3filter.ValidateRequest(context.Background(), asked); err != nil {
			faults = append(faults, fmt.Sprintf("the request: %v", err))
		}
	}
	if err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: asked, Status: got.StatusCode, Header: got.Header, Options: asked.Options,
	}); err != nil {
		faults = append(faults, err.Error())
	}
	if len(answer) > 0 && media != "application/xml" {
		at := cmp.Or(shown.Ref, pointer("paths", at, strings.ToLower(method), "responses", strconv.Itoa(got.StatusCode)))
		if err := bodies.hold(at+pointer("content", media, "schema")[1:], answer); err != nil {
			faults = append(faults, err.Error())
		}
	}
	return append(faults, codes(operation, got.StatusCode, answer)...)
}

// head returns what is not so of an answer's media type and headers.
func head(shown *openapi3.Response, got *http.Response, media string) (faults []string) {
	if len(shown.Content) == 0 && media != "" || len(shown.Content) > 0 && shown.Content[media] == nil {
		faults = append(faults, "its media type is "+media)
	}
	listedHeaders := map[string]bool{}
	for name := range shown.Headers {
		listedHeaders[http.CanonicalHeaderKey(name)] = true
	}
	for name := range got.Header {
		if !ofEveryAnswer[name] && !listedHeaders[name] {
			faults = append(faults, "it has no header "+name)
		}
	}
	return faults
}

// codes returns the codes of a refusal that the operation does not list.
func codes(operation *openapi3.Operation, status int, answer []byte) (faults []string) {
	if status < http.StatusBadRequest {
		return nil
	}
	byStatus, _ := operation.Extensions["x-error-codes"].(map[string]any)
	listed, _ := byStatus[strconv.Itoa(status)].([]any)
	for _, code := range Codes(string(answer)) {
		if !slices.Contains(listed, any(code)) {
			faults = append(faults, "it does not list the code "+code+", which needs a conversation in api/testdata")
		}
	}
	return faults
}

// ofEveryAnswer are headers that say nothing of an operation.
var ofEveryAnswer = map[string]bool{
	"Cache-Control": true, "Content-Length": true, "Content-Type": true, "Date": true, "Strict-Transport-Security": true, "X-Content-Type-Options": true,
	"Connection": true, "Alt-Svc": true, "Via": true, "Server": true, // a proxy's
}

// ask returns a request as the library takes it.
func ask(r *http.Request, spec *openapi3.T, at string, item *openapi3.PathItem, method string) *openapi3filter.RequestValidationInput {
	again := r.Clone(context.Background())
	again.Method, again.URL.RawQuery, again.Body = method, emptyParameter.ReplaceAllString(r.URL.RawQuery, ""), http.NoBody
	if r.GetBody != nil {
		if body, err := r.GetBody(); err == nil {
			again.Body = body
			if r.ContentLength != 0 && r.Header.Get("Content-Type") == "" {
				again.Header.Set("Content-Type", "application/xml") // which it is taken for
			}
		}
	}
	asked := &openapi3filter.RequestValidationInput{
		Request: again, PathParams: map[string]string{},
		Route: &routers.Route{Spec: spec, Path: at, PathItem: item, Method: method, Operation: item.GetOperation(method)},
		Options: &openapi3filter.Options{
			MultiError: true, IncludeResponseStatus: true, RejectWhenRequestBodyNotSpecified: true, SkipSettingDefaults: true,
			AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
			ExcludeResponseBody: true,                                                       // bodies holds it
			ExcludeRequestBody:  r.GetBody == nil && r.Body != nil && r.Body != http.NoBody, // it was read once
		},
	}
	if strings.Contains(at, "{id}") {
		asked.PathParams["id"] = strings.Split(r.URL.Path, "/")[4]
	}
	return asked
}
