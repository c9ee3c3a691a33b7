package testkit

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files under testdata anew; read what it wrote")

// Updates reports whether the test is to write its golden files anew.
func Updates() bool { return *update }

// Golden compares what a test made with a file under testdata, and names the first line that differs. With -update it writes the file.
func Golden(t testing.TB, path, got string) {
	t.Helper()
	if Updates() {
		Must(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	Must(t, err)
	if got != string(want) {
		t.Errorf("%s is not what it was; if that is meant, run the test with -update: %s", path, difference(got, string(want)))
	}
}

// difference names the first line in which two texts differ, "" if they are equal.
func difference(got, want string) string {
	if got == want {
		return ""
	}
	ours, theirs := strings.Split(got, "\n"), strings.Split(want, "\n")
	n := 0
	for n < min(len(ours), len(theirs)) && ours[n] == theirs[n] {
		n++
	}
	return fmt.Sprintf("in line %d is\n%s\nwhere there was\n%s", n+1, lineAt(ours, n), lineAt(theirs, n))
}

func lineAt(lines []string, n int) string {
	if n == len(lines) {
		return "(the end)"
	}
	return lines[n]
}
