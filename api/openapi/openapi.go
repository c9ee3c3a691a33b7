// Package openapi describes the interface as an OpenAPI 3.1 document (rule J3). It makes it of the operations, which the api tells, and
// of the types of package schema. It does not know the server; tests prove that the two agree: they hold every request and answer
// against the document.
package openapi

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"purr/api/schema"
	"purr/models"
)

// Version is the version of the interface. It is that of its paths: what is added leaves them as they are.
const Version = "1"

// Operation is one method of one path.
type Operation struct {
	Method     string
	Path       string       // with placeholders in braces
	Scope      models.Scope // the least that a key must have; empty if none is needed
	Name       string       // its operationId
	Section    string
	Summary    string
	Parameters []string // the names of its query parameters
	Media      []string // of what it answers, if that is no resource
}

// Document returns the document that describes the operations, as JSON. Base is what all paths begin with: scheme, host and perhaps a
// path; empty for that of each request. It fails if the codes of refusals cannot be read.
func Document(operations []Operation, base string) ([]byte, error) {
	d, err := newDescription(operations)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := json.Indent(&text, []byte(d.document(base).text()), "", " "); err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	text.WriteByte('\n')
	return text.Bytes(), nil
}

// description makes the document.
type description struct {
	operations  []Operation
	shown, sent *schemas
	examples    map[string]Example
	codes       map[string]map[string][]string
}

// Example is a request that a test has made, and its answer.
type Example struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer"`
}

// ExampleOf returns the example of an operation, by its name; an empty one if it has none.
func ExampleOf(name string) Example { return examples()[name] }

var examples = sync.OnceValue(func() map[string]Example {
	found := map[string]Example{}
	if err := json.Unmarshal(examplesFound, &found); err != nil {
		panic(fmt.Sprintf("openapi: %v", err)) // the file is embedded, and tests load it
	}
	return found
})

// The examples and the codes of refusals by operation are found in the conversations of api/testdata. A test of the api writes them
// ("make docs"), and fails if they are others.
//
//go:embed examples.json
var examplesFound []byte

//go:embed codes.json
var codesFound []byte

func newDescription(operations []Operation) (*description, error) {
	components := map[string]object{}
	answers := map[string]bool{}
	d := &description{
		operations: operations, examples: examples(),

		shown: &schemas{components: components, answers: answers},
		sent:  &schemas{components: components, answers: answers, sent: true},
	}
	if err := json.Unmarshal(codesFound, &d.codes); err != nil {
		return nil, fmt.Errorf("read the codes of refusals: %w", err)
	}
	return d, nil
}

const about = `Invoices, dunning, payment files and the ledger of a creditor.

Each resource is answered in XML or in JSON, as ` + "`Accept`" + ` asks for it; XML unless it asks. Bodies are taken in both forms. The
XML Schema of both is at ` + "`/api/v1/schema.xsd`" + `; the schemas here are those of JSON, made from it.

Amounts, prices, quantities and percents are strings: "1250.00". In requests they may be numbers. What is absent is absent, never null;
in requests null is an empty text. A path works with a slash at its end too, and HEAD works where GET does.`

func (d *description) document(base string) object {
	for _, op := range d.operations { // first, since the types of requests are told from those of answers
		if root := schema.AnswerOf(op.Method, op.Path); root != nil {
			d.shown.root(root)
		}
	}
	d.shown.components["Problem"], d.shown.components["Fault"] = d.problem()
	server := object{{"url", "/"}, {"description", "The server that has answered with this document."}}
	if base != "" {
		server = object{{"url", base}}
	}
	return object{
		{"openapi", "3.1.0"},
		{"info", object{
			{"title", "purr"},
			{"version", Version},
			{"description", about},
		}},
		{"servers", []object{server}},
		{"security", []object{{{"bearer", []string{}}}, {{"basic", []string{}}}}},
		{"tags", tags(d.operations)},
		{"paths", d.paths()},
		{"webhooks", d.webhooks()},
		{"components", d.components()},
	}
}

// tags returns the sections in the order in which they occur.
func tags(operations []Operation) []object {
	var names []string
	for _, op := range operations {
		if !slices.Contains(names, op.Section) {
			names = append(names, op.Section)
		}
	}
	found := make([]object, len(names))
	for i, name := range names {
		found[i] = object{{"name", name}}
	}
	return found
}

// paths returns the operations of each path, in their order.
func (d *description) paths() object {
	var paths object
	for _, op := range d.operations {
		path := pathOf(op.Path)
		at := slices.IndexFunc(paths, func(m member) bool { return m.name == path })
		if at < 0 {
			at = len(paths)
			paths = append(paths, member{path, object{}})
		}
		methods, _ := paths[at].value.(object)
		methods = append(methods, member{strings.ToLower(op.Method), d.operation(op)})
		paths[at].value = methods
	}
	return paths
}

func (d *description) components() object {
	made := object{}
	for _, name := range slices.Sorted(maps.Keys(d.shown.components)) {
		made = append(made, member{name, d.shown.components[name]})
	}
	return object{
		{"schemas", made},
		{"responses", refusals()},
		{"parameters", object{
			{"id", object{{"name", "id"}, {"in", "path"}, {"required", true}, {"description", "The number at the end of the resource's address."}, {"schema", identifier()}}},
			{"idempotency_key", object{
				{"name", "Idempotency-Key"},
				{"in", "header"},
				{"description", "A text that the client chooses. The same key with the same request within 24 hours gets the same answer, and creates nothing."},
				{"schema", object{{"type", "string"}, {"minLength", 1}, {"maxLength", 255}}},
			}},
			{"request_id", object{
				{"name", "X-Request-Id"},
				{"in", "header"},
				{"description", "The client's name for the request: in the answer and in purr's log. purr makes one where it is absent, or is not 1 to 128 printable characters."},
				{"schema", object{{"type", "string"}}},
			}},
		}},
		{"headers", object{
			{"location", object{{"description", "The address of the new resource."}, {"required", true}, {"schema", object{{"type", "string"}, {"format", "uri"}}}}},
			{"request_id", object{{"description", "The request's X-Request-Id."}, {"required", true}, {"schema", object{{"type", "string"}}}}},
			{"content_disposition", object{{"description", "The name of the file; attachment or inline, as a browser is to save or show it. A resource or list has none."}, {"schema", object{{"type", "string"}}}}},
			{"www_authenticate", object{{"description", "Bearer, and Basic: how to send the key."}, {"required", true}, {"schema", object{{"type", "string"}}}}},
			{"retry_after", object{{"description", "How many seconds to wait."}, {"required", true}, {"schema", object{{"type", "integer"}, {"minimum", 1}}}}},
		}},
		{"securitySchemes", object{
			{"bearer", object{{"type", "http"}, {"scheme", "bearer"}, {"description", "An API key."}}},
			{"basic", object{{"type", "http"}, {"scheme", "basic"}, {"description", "An API key as the user's name, and no password."}}},
		}},
	}
}

func identifier() object {
	return object{{"type", "integer"}, {"format", "int64"}, {"minimum", 1}}
}
