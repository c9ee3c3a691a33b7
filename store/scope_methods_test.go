package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestEveryMethodOfACreditorIsTriedD2 compares the trials with the source: each new method needs a trial.
func TestEveryMethodOfACreditorIsTriedD2(t *testing.T) {
	files, err := os.ReadDir(".")
	must(t, err)
	var missing []string
	tried := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.SkipObjectResolution)
		must(t, err)
		for _, d := range parsed.Decls {
			method, ok := d.(*ast.FuncDecl)
			if !ok || method.Recv == nil || !method.Name.IsExported() || !takes(method, "creditorID") && !takes(method, "creditorIDs") {
				continue
			}
			tried++
			if trials[method.Name.Name] == nil {
				missing = append(missing, method.Name.Name)
			}
		}
	}
	if len(missing) > 0 || tried != len(trials) {
		t.Errorf("%d methods take a creditor's ID, %d are tried, without a trial are %v", tried, len(trials), missing)
	}
}

func takes(f *ast.FuncDecl, parameter string) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(field *ast.Field) bool {
		return slices.ContainsFunc(field.Names, func(name *ast.Ident) bool { return name.Name == parameter })
	})
}
