package api_test

import (
	"encoding/xml"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/api"
	"purr/api/schema"
)

func TestE9SchemaNeedsNoKey(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, nil)
	for path, want := range map[string][]byte{
		"/api/v1/schema.xsd":             schema.Answers(),
		"/api/v1/schema.xsd?of=answers":  schema.Answers(),
		"/api/v1/schema.xsd?of=requests": schema.Requests(),
	} {
		for _, as := range []option{noKey, header("Authorization", "Bearer wrong"), header("Authorization", "Bearer "+in.key)} {
			r := in.get(path, as)
			r.is(t, http.StatusOK)
			if r.body != string(want) || r.header.Get("Content-Type") != "application/xml; charset=utf-8" {
				t.Errorf("%s is %s, %d bytes", path, r.header.Get("Content-Type"), len(r.body))
			}
		}
	}
	in.get("/api/v1/schema.xsd?of=invoices", noKey).refused(t, http.StatusBadRequest, "unknown_schema@of")
	in.get("/api/v1/schema.xsd?for=requests", noKey).refused(t, http.StatusBadRequest, "unknown_parameter@for")
	in.send("POST", "/api/v1/schema.xsd", "<x/>", noKey).refused(t, http.StatusUnauthorized, "key_required")
	in.send("POST", "/api/v1/schema.xsd", "<x/>").refused(t, http.StatusMethodNotAllowed, "method_not_allowed")
}

// xsd is what the tests read of a schema.
type xsd struct {
	Elements []xsdElement `xml:"element"`
	Types    []struct {
		Name       string         `xml:"name,attr"`
		All        []xsdElement   `xml:"all>element"`
		Sequence   []xsdElement   `xml:"sequence>element"`
		Attributes []xsdAttribute `xml:"attribute"`
	} `xml:"complexType"`
}

type xsdElement struct {
	Name string `xml:"name,attr"`
	Type string `xml:"type,attr"`
	Text string `xml:"annotation>documentation"`
}

type xsdAttribute struct {
	Name string `xml:"name,attr"`
	Use  string `xml:"use,attr"`
}

// placeholder is a part of a path that differs from resource to resource.
var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// inText is a route in the text about a root.
var inText = regexp.MustCompile(`(?:GET|POST|PUT) /api/v1/[a-z_:/]+`)

func rootsOf(t *testing.T, document []byte) xsd {
	t.Helper()
	var x xsd
	must(t, xml.Unmarshal(document, &x))
	return x
}

// byRoute returns the root of each route that a schema tells of.
func (x xsd) byRoute(t *testing.T) map[string]string {
	t.Helper()
	roots := map[string]string{}
	for _, root := range x.Elements {
		for _, route := range inText.FindAllString(root.Text, -1) {
			if roots[route] != "" {
				t.Errorf("%s has the roots %s and %s", route, roots[route], root.Name)
			}
			roots[route] = root.Name
		}
	}
	return roots
}

// noXML are the routes that are answered with bytes of another kind, or with the schema itself.
var noXML = regexp.MustCompile(`/pdf$|^GET .*/ehf$|/collection_bundle$|/raw$|/pain$|/csv$|^GET .*/logo$|/file$|/export$|/reports/ledger$|\.xsd$|\.json$`)

// TestE9SchemaHasARootForEachRoute holds what the schema tells of the roots against the program's routes.
func TestE9SchemaHasARootForEachRoute(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &stillClock{} })
	var answered, asked []string
	for _, route := range in.server.Routes() {
		route = strings.TrimSuffix(placeholder.ReplaceAllString(route, ":$1"), "/")
		if !strings.Contains(route, " /api/v1/") || strings.HasPrefix(route, "DELETE ") || noXML.MatchString(route) {
			continue
		}
		answered = append(answered, route)
		if !strings.HasPrefix(route, "GET ") && !strings.HasSuffix(route, "/payment_files") && !strings.HasSuffix(route, "/logo") {
			asked = append(asked, route)
		}
	}
	for name, kind := range map[string]struct {
		document []byte
		routes   []string
	}{"answers": {schema.Answers(), answered}, "requests": {schema.Requests(), asked}} {
		roots := rootsOf(t, kind.document).byRoute(t)
		for _, route := range kind.routes {
			if roots[route] == "" {
				t.Errorf("%s.xsd has no root for %s", name, route)
			}
		}
		for route := range maps.Keys(roots) {
			if !slices.Contains(kind.routes, route) {
				t.Errorf("%s.xsd tells of %s, which does not exist", name, route)
			}
		}
	}
}

// full returns a body with every element of the schema, each empty.
func (x xsd) full(e xsdElement) string {
	var b strings.Builder
	b.WriteString("<" + e.Name)
	inner := ""
	for _, t := range x.Types {
		if t.Name != e.Type {
			continue
		}
		for _, a := range t.Attributes {
			if a.Use == "required" {
				b.WriteString(" " + a.Name + `="copy"`)
			}
		}
		for _, child := range append(t.All, t.Sequence...) {
			inner += x.full(child)
		}
	}
	b.WriteString(">" + inner + "</" + e.Name + ">")
	return b.String()
}

// TestE9SchemaHasNoElementThatTheProgramDoesNotTake sends a body with every element of the schema wherever a
// root is said to be sent. The values are wrong; the elements must not be unknown.
func TestE9SchemaHasNoElementThatTheProgramDoesNotTake(t *testing.T) {
	t.Parallel()
	in := onSQLite(t, func(c *api.Config) { c.TestClock = &stillClock{} }).admin()
	in.make("/api/v1/webhooks", `<webhook><url>https://example.no/hook</url></webhook>`)
	in.invoice("14")
	in.get("/api/v1/events").is(t, http.StatusOK) // and so there is a delivery to the webhook
	// And payments that are nobody's.
	in.make("/api/v1/payment_files", in.ocrFile(), header("Content-Type", "text/plain"))
	in.holdRun()
	in.send("POST", "/api/v1/audits", "").is(t, http.StatusAccepted)
	x := rootsOf(t, schema.Requests())
	for _, root := range x.Elements {
		for _, to := range inText.FindAllString(root.Text, -1) {
			method, path, _ := strings.Cut(to, " ")
			r := in.send(method, strings.ReplaceAll(path, ":id", "1"), x.full(root))
			if r.status == http.StatusNotFound || r.status == http.StatusMethodNotAllowed {
				t.Errorf("%s: answered %d: %s", to, r.status, r.body)
			}
			for _, e := range r.xml(t).find("error") {
				onInvoicesOnly := e.at("@field") == "transaction_type" && strings.Contains(path, "/credit_note/")
				if e.at("@code") == "unknown_element" && !onInvoicesOnly {
					t.Errorf("%s does not take %s", to, e.at("@field"))
				}
			}
		}
	}
}
