package validate

import (
	"bytes"
	"os"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bodies are the schemas of docs/openapi.json, which are JSON Schema.
var bodies = &schemas{known: map[string]*jsonschema.Schema{}}

// schemas are those of a document. Each is compiled once: the library that reads the document would compile one anew for each body.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	known    map[string]*jsonschema.Schema // by where it stands in the document
}

// inDocument is the name of the document among the compiler's.
const inDocument = "openapi.json"

// read reads the document.
func (s *schemas) read(path string) error {
	file, err := os.Open(path) //nolint:gosec // the project's own
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		return err
	}
	s.compiler = jsonschema.NewCompiler()
	s.compiler.DefaultDraft(jsonschema.Draft2020)
	return s.compiler.AddResource(inDocument, document)
}

// hold returns what is not in JSON as the schema at a place of the document has it.
func (s *schemas) hold(at string, body []byte) error {
	schema, err := s.at(at)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func (s *schemas) at(at string) (schema *jsonschema.Schema, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.known[at]; known != nil {
		return known, nil
	}
	if schema, err = s.compiler.Compile(inDocument + at); err != nil {
		return nil, err
	}
	s.known[at] = schema
	return schema, nil
}

// pointer returns where something stands in a document: a JSON pointer (RFC 6901) in a URI.
func pointer(names ...string) string {
	var b strings.Builder
	b.WriteByte('#')
	for _, n := range names {
		n = strings.NewReplacer("~", "~0", "/", "~1").Replace(n)
		b.WriteString("/" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(n))
	}
	return b.String()
}
