package api_test

import (
	"cmp"
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

// TestReferenceInterface makes docs/interface.md from testdata/interface.md and what is said of the routes.
func TestReferenceInterface(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	var statuses []string
	for _, s := range models.Statuses {
		statuses = append(statuses, "`"+string(s)+"`")
	}
	introduction, err := os.ReadFile(filepath.Join("testdata", "interface.md"))
	must(t, err)
	fmt.Fprintf(&page, string(introduction), strings.Join(statuses, ", "))
	section := ""
	for _, op := range allOperations() {
		if op.Section != section {
			section = op.Section
			fmt.Fprintf(&page, "\n### %s\n\n| method | path | scope | what it does | body | parameters |\n|---|---|---|---|---|---|\n", section)
		}
		path, inAPI := strings.CutPrefix(op.Path, "/api/v1")
		does, body := op.Summary, ""
		if !inAPI {
			does += " The path does not begin with `/api/v1`."
		}
		if root := schema.RequestOf(op.Method, op.Path); root != nil {
			body = "`<" + root.Name + ">`"
		}
		fmt.Fprintf(&page, "| %s | `%s` | %s | %s | %s | %s |\n",
			op.Method, path, cmp.Or(string(op.Scope), "–"), does, body, strings.Join(quoted(op.Parameters), ", "))
	}
	testkit.Reference(t, "interface.md", page.String())
}

func quoted(names []string) []string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = "`" + name + "`"
	}
	return shown
}

// TestJ3ParametersAreThoseThatHandlersRead holds the parameters of the operations to the source of the handlers.
func TestJ3ParametersAreThoseThatHandlersRead(t *testing.T) {
	t.Parallel()
	s := readSource(t)
	handlers := s.handlers(t)
	for _, op := range allOperations() {
		var read []string
		s.reads(handlers[op.Method+" "+op.Path], map[string]bool{}, &read)
		said := slices.Sorted(slices.Values(op.Parameters))
		if slices.Sort(read); !slices.Equal(read, said) {
			t.Errorf("%s has the parameters %q, its handler reads %q", op.Name, said, read)
		}
	}
}

// source is the functions of package api, by name, without the receiver.
type source map[string]*ast.FuncDecl

func readSource(t *testing.T) source {
	t.Helper()
	s := source{}
	paths, err := filepath.Glob("*.go")
	must(t, err)
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		must(t, err)
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is {
				s[f.Name.Name] = f
			}
		}
	}
	return s
}

// methods are the constants of routes.go.
var methods = map[string]string{"get": http.MethodGet, "post": http.MethodPost, "put": http.MethodPut, "remove": http.MethodDelete}

// handlers returns the names of the handlers by route.
func (s source) handlers(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	ast.Inspect(s["routes"], func(n ast.Node) bool {
		l, is := n.(*ast.CompositeLit)
		if !is || len(l.Elts) != 4 {
			return true
		}
		method, isMethod := methods[lastName(l.Elts[0])]
		path, isPath := literal(l.Elts[1])
		if isMethod && isPath {
			found[method+" "+path] = handlerOf(l.Elts[3])
		}
		return !isMethod || !isPath
	})
	if len(found) != len(allOperations()) {
		t.Fatalf("%d of %d routes are in routes.go", len(found), len(allOperations()))
	}
	return found
}

// handlerOf returns the function that a route names: the last one where it is handed to others.
func handlerOf(e ast.Expr) string {
	for {
		call, is := e.(*ast.CallExpr)
		if !is {
			return lastName(e)
		}
		e = call.Args[len(call.Args)-1]
	}
}

// queryReaders are the methods of a query that take the name of a parameter.
var queryReaders = []string{"text", "line", "integer", "id", "flag", "date", "month"}

// reads notes the parameters that a function reads, or that those it calls read.
func (s source) reads(function string, seen map[string]bool, parameters *[]string) {
	f := s[function]
	if f == nil || seen[function] {
		return
	}
	seen[function] = true
	ast.Inspect(f, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is {
			return true
		}
		if name := lastName(call.Fun); len(call.Args) == 0 || !slices.Contains(queryReaders, name) {
			s.reads(name, seen, parameters)
		} else if parameter, is := literal(call.Args[0]); is && !slices.Contains(*parameters, parameter) {
			*parameters = append(*parameters, parameter)
		}
		return true
	})
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
