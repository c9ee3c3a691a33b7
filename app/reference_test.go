package app

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"purr/test/testkit"
)

// metric is a metric as the source declares it.
type metric struct{ name, labels, help string }

// TestReferenceMetrics makes docs/metrics.md from what the source declares to Prometheus.
func TestReferenceMetrics(t *testing.T) {
	var metrics []metric
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "internal"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if m, is := metricOf(n); is {
				metrics = append(metrics, m)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(metrics, func(a, b metric) int { return cmp.Compare(a.name, b.name) })
	var page strings.Builder
	page.WriteString(`# Metrics

Made from the code by "make docs". ` + "`GET /metrics`" + ` has them in the form of Prometheus, beside those of Go and of the process.

| metric | labels | meaning |
|---|---|---|
`)
	for _, m := range metrics {
		fmt.Fprintf(&page, "| `%s` | %s | %s |\n", m.name, m.labels, m.help)
	}
	testkit.Reference(t, "metrics.md", page.String())
}

// metricOf returns the metric that a node declares: a gauge, or the options of a vector.
func metricOf(n ast.Node) (metric, bool) {
	call, is := n.(*ast.CallExpr)
	if !is || len(call.Args) < 2 {
		return metric{}, false
	}
	if f, is := call.Fun.(*ast.Ident); is && f.Name == "gauge" {
		return metric{name: textOf(call.Args[0]), help: textOf(call.Args[1]), labels: labelsOf(call.Args[2:])}, true
	}
	f, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return metric{}, false
	}
	opts, is := call.Args[0].(*ast.CompositeLit)
	if !is || !strings.HasSuffix(f.Sel.Name, "Vec") {
		return metric{}, false
	}
	m := optionsOf(opts)
	m.labels = labelsOf(call.Args[1:])
	return m, m.name != ""
}

func optionsOf(opts *ast.CompositeLit) (m metric) {
	for _, e := range opts.Elts {
		field, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		switch key, _ := field.Key.(*ast.Ident); key.Name {
		case "Name":
			m.name = textOf(field.Value)
		case "Help":
			m.help = textOf(field.Value)
		}
	}
	return m
}

// textOf returns a text of one literal or of several that are joined.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return textOf(e.X) + textOf(e.Y)
	}
	return ""
}

// labelsOf returns the labels: the arguments themselves, or a list of them.
func labelsOf(args []ast.Expr) string {
	var names []string
	for _, arg := range args {
		list, is := arg.(*ast.CompositeLit)
		if !is {
			list = &ast.CompositeLit{Elts: []ast.Expr{arg}}
		}
		for _, e := range list.Elts {
			names = append(names, "`"+textOf(e)+"`")
		}
	}
	return strings.Join(names, ", ")
}
