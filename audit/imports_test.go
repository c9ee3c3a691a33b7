package audit_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestU1OfTheLawOnlyItsFiguresAreUsed: the audit may not ask package law what is right, or it would prove the program by itself.
func TestU1OfTheLawOnlyItsFiguresAreUsed(t *testing.T) {
	t.Parallel()
	allowed := []string{"Figure", "Rules"} // the dated figures, and what hands them over
	methods := []string{"With", "All"}     // of Rules
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob("reckoning/*.go")
	if err != nil || len(files) < 10 || len(more) < 5 {
		t.Fatalf("%d and %d files, %v", len(files), len(more), err)
	}
	for _, name := range append(files, more...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, is := n.(*ast.SelectorExpr)
			if !is {
				return true
			}
			of, is := s.X.(*ast.Ident)
			switch {
			case !is:
			case of.Name == "law" && !slices.Contains(allowed, s.Sel.Name):
				t.Errorf("%s uses law.%s", name, s.Sel.Name)
			case (of.Name == "rules" || of.Name == "base") && !slices.Contains(methods, s.Sel.Name):
				t.Errorf("%s asks the rules for %s", name, s.Sel.Name)
			case s.Sel.Name == "Status" || s.Sel.Name == "Stage" || s.Sel.Name == "LapsesOn" && of.Name == "models":
				t.Errorf("%s uses %s.%s, which is among what is proved", name, of.Name, s.Sel.Name)
			}
			return true
		})
	}
}
