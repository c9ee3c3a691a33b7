// Package vectors holds the reader of a bank file's format against small files, each of which shows one thing. It knows neither
// format.
package vectors

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
)

// folder is where a reader's package keeps its vectors.
const folder = "testdata/vectors"

// Vector is a name and a file. The name says what it is, and then the code and the line of each fault, or of each warning where
// there is no fault. A file with neither is right.
type Vector [2]string

// Paths returns the paths of the vectors, whose names end in extension.
func Paths(t testing.TB, extension string) []string {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*" + extension)
	if err != nil || len(paths) == 0 {
		t.Fatal("no vectors", err)
	}
	return paths
}

// Hold compares the name of each vector with what check finds in the file: its warnings, and its faults as an error.
func Hold(t *testing.T, extension string, check func(t *testing.T, file string) (warnings []models.FileFinding, err error)) {
	t.Helper()
	for _, path := range Paths(t, extension) {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(path)
			testkit.Must(t, err)
			found, err := check(t, string(file))
			var faults models.FileFaults
			if errors.As(err, &faults) {
				found = faults
			} else {
				testkit.Must(t, err)
			}
			if got := nameOf(name, found) + extension; got != name {
				t.Errorf("it is\n%s\nsince\n%v", got, found)
			}
		})
	}
}

// nameOf returns the name that a file should have, of whose name the first word is kept.
func nameOf(name string, found []models.FileFinding) string {
	what, _, _ := strings.Cut(name, ".")
	for _, f := range found {
		what += fmt.Sprintf(".%s.line%d", f.Code, f.Line)
	}
	return what
}

// Listed holds the files against the list of how they were made, or writes them with -update.
func Listed(t *testing.T, extension string, all []Vector) {
	t.Helper()
	listed := map[string]bool{}
	for _, v := range all {
		path := filepath.Join(folder, v[0]+extension)
		if listed[path] {
			t.Errorf("%s is listed twice", path)
		}
		listed[path] = true
		testkit.Golden(t, path, v[1])
	}
	for _, path := range Paths(t, extension) {
		if !listed[path] {
			t.Errorf("%s is not listed", path)
		}
	}
}

// ShowEveryCode shows that each code of fault.go is in the name of a vector, but for those that are excused.
func ShowEveryCode(t *testing.T, extension string, excused ...string) {
	t.Helper()
	source, err := os.ReadFile("fault.go")
	testkit.Must(t, err)
	codes := regexp.MustCompile(`Code\w+ += "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 20 {
		t.Fatal("found only", len(codes), "codes")
	}
	names := strings.Join(Paths(t, extension), "\n")
	for _, code := range codes {
		if !strings.Contains(names, "."+code[1]+".line") && !slices.Contains(excused, code[1]) {
			t.Errorf("no vector shows %s", code[1])
		}
	}
}

// Faults holds the error of a file that was not taken: between one fault and most of them, in order of lines.
func Faults(t *testing.T, err error, most int) {
	t.Helper()
	var faults models.FileFaults
	if !errors.As(err, &faults) || len(faults) == 0 || len(faults) > most {
		t.Fatalf("the error is %v", err)
	}
	for i, fault := range faults {
		if fault.Line < 1 || fault.Code == "" || fault.Text == "" || i > 0 && fault.Line < faults[i-1].Line {
			t.Fatalf("the faults are %v", faults)
		}
	}
}
