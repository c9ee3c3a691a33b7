package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"purr/api"
	"purr/api/openapi"
	"purr/test/testkit/twoforms"
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
	if x.body != "" && twoforms.Root(x.method, x.path) != nil {
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
