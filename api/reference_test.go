package api_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/api/schema"
	"purr/models"
	"purr/test/testkit"
)

// resources are the tables of docs/interface.md, with the first segments of the paths in each.
var resources = []struct {
	title    string
	segments []string
}{
	{"Invoices", []string{"invoices", "invoice"}},
	{"Credit notes", []string{"credit_notes", "credit_note"}},
	{"Overdue notices", []string{"overdue_notices", "overdue_notice"}},
	{"Shipments", []string{"shipments", "shipment"}},
	{"Customers", []string{"customers", "customer"}},
	{"Ledger", []string{"ar_transactions", "ar_transaction", "receivables"}},
	{"Creditor", []string{"creditor"}},
	{"Dunning", []string{"dunning_plan", "dunning_rules", "dunning_runs", "dunning_run"}},
	{"Payment files", []string{"payment_files", "payment_file", "statement_lines"}},
	{"Unmatched payments", []string{"unmatched_payments", "unmatched_payment"}},
	{"Events and webhooks", []string{"events", "webhooks", "webhook", "webhook_delivery"}},
	{"Test clock (only with `--test-clock`)", []string{"test_clock"}},
	{"The program itself", []string{"schema.xsd", "healthz", "readyz"}},
}

// TestReferenceInterface makes docs/interface.md from testdata/interface.md, the routes and the comments of their handlers.
func TestReferenceInterface(t *testing.T) {
	t.Parallel()
	s := readSource(t)
	routes := s.routes(t)
	var page strings.Builder
	var statuses []string
	for _, s := range models.Statuses {
		statuses = append(statuses, "`"+string(s)+"`")
	}
	introduction, err := os.ReadFile(filepath.Join("testdata", "interface.md"))
	must(t, err)
	fmt.Fprintf(&page, string(introduction), strings.Join(statuses, ", "))
	listed := 0
	for _, group := range resources {
		fmt.Fprintf(&page, "\n### %s\n\n| method | path | scope | what it does | body | parameters |\n|---|---|---|---|---|---|\n", group.title)
		for _, r := range routes {
			segment, _, _ := strings.Cut(strings.TrimPrefix(r.path, "/"), "/")
			if slices.Contains(group.segments, segment) {
				fmt.Fprintf(&page, "| %s | `%s` | %s | %s | %s | %s |\n", r.method, r.path, r.scope, r.does, r.body, strings.Join(r.parameters, ", "))
				listed++
			}
		}
	}
	if listed != len(routes) {
		t.Errorf("%d of %d routes are in a table: resources must name the first segment of each path once", listed, len(routes))
	}
	testkit.Reference(t, "interface.md", page.String())
}

// source is the source of package api.
type source struct {
	functions map[string]*ast.FuncDecl // by name, without the receiver
	scopes    map[string]string        // by constant
}

func readSource(t *testing.T) source {
	t.Helper()
	s := source{functions: map[string]*ast.FuncDecl{}, scopes: map[string]string{"anyone": "–", "read": "read", "write": "write", "admin": "admin"}}
	paths, err := filepath.Glob("*.go")
	must(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		must(t, err)
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				s.functions[f.Name.Name] = f
			}
		}
	}
	return s
}

// shownRoute is a route as docs/interface.md shows it.
type shownRoute struct {
	method, path, scope, does, body string
	parameters                      []string
}

// methods are the constants of routes.go.
var methods = map[string]string{"get": http.MethodGet, "post": http.MethodPost, "put": http.MethodPut, "remove": http.MethodDelete}

// routes returns the routes in their order.
func (s source) routes(t *testing.T) []shownRoute {
	t.Helper()
	var routes []shownRoute
	ast.Inspect(s.functions["routes"], func(n ast.Node) bool {
		l, is := n.(*ast.CompositeLit)
		if !is || len(l.Elts) != 4 {
			return true
		}
		method, isMethod := methods[lastName(l.Elts[0])]
		path, isPath := literal(l.Elts[1])
		if !isMethod || !isPath {
			return true
		}
		r := shownRoute{method: method, path: strings.TrimPrefix(path, "/api/v1"), scope: s.scopes[lastName(l.Elts[2])]}
		handler, ofCustomer := handlerOf(l.Elts[3])
		r.does = s.does(handler)
		if r.does == "" {
			t.Errorf("%s %s: the comment of %s does not say what it does", method, path, handler)
		}
		if ofCustomer {
			r.does = strings.TrimSuffix(r.does, ".") + " of the customer."
		}
		if path == r.path {
			r.does += " The path does not begin with `/api/v1`."
		}
		if root := schema.RequestOf(method, path); root != nil {
			r.body = "`<" + root.Name + ">`"
		}
		s.reads(handler, map[string]bool{}, &r)
		r.parameters = slices.SortedFunc(slices.Values(r.parameters), pagesLast)
		routes = append(routes, r)
		return false
	})
	if len(routes) == 0 {
		t.Fatal("routes.go has no routes")
	}
	return routes
}

// handlerOf returns the function that a route names: the last one where it is handed to others. It reports whether
// the list is narrowed to a customer.
func handlerOf(e ast.Expr) (name string, ofCustomer bool) {
	for {
		call, is := e.(*ast.CallExpr)
		if !is {
			return lastName(e), ofCustomer
		}
		ofCustomer = ofCustomer || lastName(call.Fun) == "ofCustomer"
		e = call.Args[len(call.Args)-1]
	}
}

var (
	// ruleCited is a rule that a comment cites.
	ruleCited = regexp.MustCompile(`\s*\(rules?\s[^)]*\)`)
	// sentenceEnd is where the first sentence of a comment ends.
	sentenceEnd = regexp.MustCompile(`\.(\s|$)`)
)

// does returns the first sentence of a function's comment, without its name, the rules and "in the path". It is empty
// where there is no comment.
func (s source) does(function string) string {
	f := s.functions[function]
	if f == nil {
		return ""
	}
	text := strings.Join(strings.Fields(ruleCited.ReplaceAllString(f.Doc.Text(), "")), " ")
	text, begins := strings.CutPrefix(text, function+" ")
	end := sentenceEnd.FindStringIndex(text)
	if !begins || end == nil {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.ReplaceAll(text[1:end[0]], " in the path", "") + "."
}

// queryReaders are the methods of a query that take the name of a parameter.
var queryReaders = []string{"text", "integer", "id", "flag", "date"}

// reads notes the parameters that a function reads, or that those it calls read.
func (s source) reads(function string, seen map[string]bool, r *shownRoute) {
	f := s.functions[function]
	if f == nil || seen[function] {
		return
	}
	seen[function] = true
	ast.Inspect(f, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		name := lastName(call.Fun)
		switch {
		case len(call.Args) > 0 && slices.Contains(queryReaders, name):
			if parameter, is := literal(call.Args[0]); is && !slices.Contains(r.parameters, "`"+parameter+"`") {
				r.parameters = append(r.parameters, "`"+parameter+"`")
			}
		default:
			s.reads(name, seen, r)
		}
		return true
	})
}

// pagesLast sorts parameters by name, page and per_page after the others.
func pagesLast(a, b string) int {
	later := func(name string) int {
		return slices.Index([]string{"`from_date`", "`to_date`", "`page`", "`per_page`"}, name)
	}
	if x, y := later(a), later(b); x != y {
		return x - y
	}
	return strings.Compare(a, b)
}

// errorShown is an error in an answer of a script.
var errorShown = regexp.MustCompile(`(?:<error |\{"code":")(?:code=")?([a-z_]+)"(?:[^>"]*(?:"[^"]*"[^>"]*)?>|(?:,"[a-z]+":"[^"]*")?,"detail":")([^<"]*)`)

// TestReferenceErrorCodesD5 makes docs/errors.md from the codes in the source and the answers of the scripts.
func TestReferenceErrorCodesD5(t *testing.T) {
	t.Parallel()
	statuses, examples := map[string][]int{}, map[string]string{}
	for _, s := range readScripts(t) {
		for _, x := range s.exchanges {
			status, _, _ := strings.Cut(strings.TrimPrefix(x.answer, answerBegins), " ")
			for _, m := range errorShown.FindAllStringSubmatch(x.answer, -1) {
				code, message := m[1], m[2]
				if n := number(status); !slices.Contains(statuses[code], n) {
					statuses[code] = append(statuses[code], n)
				}
				if examples[code] == "" {
					examples[code] = strings.ReplaceAll(html.UnescapeString(message), "|", `\|`)
				}
			}
		}
	}
	var page strings.Builder
	page.WriteString(`# Error codes

Made from the code by "make docs". [interface.md](interface.md#errors) shows the form of errors. A code never changes and keeps
its meaning; messages may. ` + "`field`" + ` names the element, the query parameter or the line of a file. The example is one message of
several that a code may have.

| code | status | example |
|---|---|---|
`)
	for _, code := range slices.Sorted(maps.Keys(sourceCodes(t))) {
		if examples[code] == "" {
			t.Errorf("no script in testdata shows %s", code)
		}
		slices.Sort(statuses[code])
		var shown []string
		for _, status := range statuses[code] {
			shown = append(shown, strconv.Itoa(status))
		}
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", code, strings.Join(shown, ", "), examples[code])
	}
	testkit.Reference(t, "errors.md", page.String())
}
