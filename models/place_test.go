package models_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/models"
)

func TestPlacesAreWrittenD5(t *testing.T) {
	t.Parallel()
	line := models.At("lines").Item("line", 2)
	tests := []struct {
		place models.Place
		want  string
		why   string
	}{
		{nil, "", "the whole"},
		{models.At("comment"), "comment", "a field"},
		{models.At("recipient", "email"), "recipient/email", "a field in another one"},
		{line, "lines/line[2]", "an item of a list"},
		{models.At("vat_rate").Under(line), "lines/line[2]/vat_rate", "a field of an item"},
		{models.Place{}.Item("line", 35), "line[35]", "a line of a file"},
		{models.At("a/b[1]"), "a/b[1]", "a name that a caller made up is one step"},
	}
	for _, tt := range tests {
		if got := tt.place.String(); got != tt.want {
			t.Errorf("%s is written %s, want %s", tt.why, got, tt.want)
		}
	}
	if models.At("a/b").Is(models.At("a", "b")) || !models.At("a", "b").Is(models.At("b").Under(models.At("a"))) {
		t.Error("places are compared by how they are written, not by their steps")
	}
	line.Item("text", 1)
	if other := line.Item("other", 1); line.Item("text", 1).Is(other) || line.String() != "lines/line[2]" {
		t.Errorf("a place was changed by another one made of it: %s, %s", line, other)
	}
}

// TestASharedErrorNeverChanges moves one error to many places at once.
func TestASharedErrorNeverChanges(t *testing.T) {
	t.Parallel()
	shared := models.Errors{models.Invalid("required", "email", "is required"), models.Conflict("held", "is held")}
	before := shared.Error()
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			at := models.At("shipments").Item("shipment", n+1)
			want := fmt.Sprintf("shipments/shipment[%d]/email: is required; shipments/shipment[%d]: is held", n+1, n+1)
			if got := shared.Under(at).Error(); got != want {
				t.Errorf("it says %s, want %s", got, want)
			}
			if moved := shared[1].Under(at).AsMalformed(); moved.Kind != models.KindMalformed || shared[1].Kind != models.KindConflict {
				t.Errorf("the copy is of kind %d, the shared error of kind %d", moved.Kind, shared[1].Kind)
			}
		})
	}
	all.Wait()
	if got := shared.Error(); got != before {
		t.Errorf("the shared errors now say %s", got)
	}
}

// TestNobodyWritesIntoErrors reads the source: no assignment sets a field that only errors have.
func TestNobodyWritesIntoErrors(t *testing.T) {
	t.Parallel()
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || path == filepath.Join("..", "models", "error.go"): // where the copies are made
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if set, is := n.(*ast.AssignStmt); is {
				for _, to := range set.Lhs {
					if field, is := to.(*ast.SelectorExpr); is && slices.Contains([]string{"Place", "Msg", "Change"}, field.Sel.Name) {
						t.Errorf("%s: %s of an error is set after it was made: make a copy", files.Position(set.Pos()), field.Sel.Name)
					}
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
