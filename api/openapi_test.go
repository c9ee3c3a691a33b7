package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"purr/api"
	"purr/api/openapi"
	"purr/test/testkit"
	"purr/test/testkit/validate"
)

// TestReferenceCodesJ3 adds to the codes of each operation's refusals those that the conversations have, beyond what operations share.
// What no conversation has may stand there too.
func TestReferenceCodesJ3(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("openapi", "codes.json"))
	must(t, err)
	listed := map[string]map[string][]string{}
	must(t, json.Unmarshal(text, &listed))
	for _, s := range readScripts(t) {
		for _, x := range s.exchanges {
			op, known := operationOf(x.method, x.path)
			status, _, _ := strings.Cut(strings.TrimPrefix(x.answer, answerBegins), " ")
			if !known || status == strconv.Itoa(http.StatusMethodNotAllowed) {
				continue
			}
			for _, code := range validate.Codes(x.answer) {
				if slices.Contains(openapi.SharedCodes(op)[number(status)], code) || slices.Contains(listed[op.Name][status], code) {
					continue
				}
				if listed[op.Name] == nil {
					listed[op.Name] = map[string][]string{}
				}
				listed[op.Name][status] = append(listed[op.Name][status], code)
				slices.Sort(listed[op.Name][status])
			}
		}
	}
	testkit.Reference(t, "../api/openapi/codes.json", indentedJSON(t, listed))
}

// TestJ3TheDocumentIsOpenAPI holds the document against OpenAPI 3.1, and its examples against their schemas.
func TestJ3TheDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	spec, err := theSpec()
	must(t, err)
	must(t, spec.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation(), openapi3.EnableSchemaPatternValidation()))
	for name, schema := range spec.Components.Schemas {
		if v := schema.Value; v.Min != nil && v.ExclusiveMin.Value != nil || v.Max != nil && v.ExclusiveMax.Value != nil {
			t.Errorf("%s has two bounds on one side, and one of them says nothing", name)
		}
	}
}

// TestJ3CodesAreOfTheSource holds the codes of the document to those that the source has.
func TestJ3CodesAreOfTheSource(t *testing.T) {
	t.Parallel()
	source := sourceCodes(t)
	spec, err := theSpec()
	must(t, err)
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			byStatus, _ := op.Extensions["x-error-codes"].(map[string]any)
			for status, codes := range byStatus {
				for _, code := range codes.([]any) {
					if source[fmt.Sprint(code)] == "" {
						t.Errorf("%s %s lists %s %s, which the source does not have", method, path, status, code)
					}
				}
			}
		}
	}
}

// TestReferenceOpenAPIJ3 writes the document of all operations.
func TestReferenceOpenAPIJ3(t *testing.T) {
	t.Parallel()
	text, err := theDocument()
	must(t, err)
	testkit.Reference(t, "openapi.json", string(text))
}

// TestJ3EveryRouteIsAnOperation holds the sections to the routes, both ways.
func TestJ3EveryRouteIsAnOperation(t *testing.T) {
	t.Parallel()
	var described []string
	names := map[string]bool{}
	for _, op := range allOperations() {
		described = append(described, op.Method+" "+op.Path)
		if names[op.Name] || op.Summary == "" {
			t.Errorf("%s has no summary, or its name is another's", op.Name)
		}
		names[op.Name] = true
	}
	routes := api.Routes(api.Config{TestClock: brokenClock{}})
	slices.Sort(described)
	slices.Sort(routes)
	if !slices.Equal(described, routes) {
		t.Errorf("the operations are\n%s\nthe routes\n%s", strings.Join(described, "\n"), strings.Join(routes, "\n"))
	}
	for _, s := range api.Sections() {
		for _, name := range s.Operations {
			if !names[name] {
				t.Errorf("%s is no route", name)
			}
		}
	}
}

// TestJ3TheDocumentNeedsNoKey has the document shown as it is made for the server.
func TestJ3TheDocumentNeedsNoKey(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.BaseURL = "https://faktura.example.no/purr" })
	want, err := openapi.Document(api.OperationsWith(api.Config{}), "https://faktura.example.no/purr")
	must(t, err)
	for _, as := range []option{noKey, header("Authorization", "Bearer wrong"), header("Accept", "application/xml")} {
		r := in.get("/api/v1/openapi.json", as)
		r.is(t, http.StatusOK)
		if r.body != string(want) || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("the document is %s, %d bytes", r.header.Get("Content-Type"), len(r.body))
		}
	}
	if strings.Contains(string(want), "test_clock") || !strings.Contains(string(want), `"url": "https://faktura.example.no/purr"`) {
		t.Error("the document tells of a test clock that is not there, or does not name the base URL")
	}
}
