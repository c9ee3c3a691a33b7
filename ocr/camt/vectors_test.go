package camt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/models"
)

const vectorFolder = "testdata/vectors"

// TestVectors reads the files of testdata/vectors. What is expected stands in the name: what the file is, and
// then the code and the line of each fault, or of each warning where there is no fault. A file with neither
// is right.
func TestVectors(t *testing.T) {
	paths, err := filepath.Glob(vectorFolder + "/*.xml")
	if err != nil || len(paths) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			summary, err := Check(strings.NewReader(string(file)))
			var faults models.FileFaults
			if err != nil && !errors.As(err, &faults) {
				t.Fatal(err)
			}
			if got := vectorName(name, faults, summary.Warnings); got != name {
				t.Errorf("it is\n%s\nsince\n%v\n%v", got, faults, summary.Warnings)
			}
			parsed, parseErr := Parse(strings.NewReader(string(file)))
			if fmt.Sprint(parseErr) != fmt.Sprint(err) {
				t.Errorf("Check says %v, Parse %v", err, parseErr)
			}
			if parsed != nil && parsed.Totals != summary.Totals {
				t.Errorf("Check counts %v, Parse %v", summary.Totals, parsed.Totals)
			}
		})
	}
}

// vectorName returns the name that a file should have, of whose name the first word is kept.
func vectorName(name string, faults, warnings []models.FileFinding) string {
	if len(faults) == 0 {
		faults = warnings
	}
	what, _, _ := strings.Cut(name, ".")
	for _, f := range faults {
		what += fmt.Sprintf(".%s.line%d", f.Code, f.Line)
	}
	return what + ".xml"
}

// TestVectorsAreThoseListed holds the files against the list of how they were made.
func TestVectorsAreThoseListed(t *testing.T) {
	var all []vector
	all = append(all, rightFiles()...)
	all = append(all, oddFiles()...)
	all = append(all, wrongFiles()...)
	listed := map[string]bool{}
	for _, v := range all {
		path := filepath.Join(vectorFolder, v.name+".xml")
		if listed[path] {
			t.Errorf("%s is listed twice", path)
		}
		listed[path] = true
		golden(t, path, v.file)
	}
	paths, err := filepath.Glob(vectorFolder + "/*.xml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		if !listed[path] {
			t.Errorf("%s is not listed", path)
		}
	}
}

// TestEveryCodeHasAVector shows that no fault and no warning goes untested.
func TestEveryCodeHasAVector(t *testing.T) {
	source, err := os.ReadFile("fault.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`Code\w+ += "(\w+)"`).FindAllSubmatch(source, -1)
	if len(codes) < 20 {
		t.Fatal("found only", len(codes), "codes")
	}
	for _, code := range codes {
		if paths, err := filepath.Glob(fmt.Sprintf("%s/*.%s.line*.xml", vectorFolder, code[1])); err != nil || len(paths) == 0 {
			t.Errorf("no vector shows %s", code[1])
		}
	}
}
