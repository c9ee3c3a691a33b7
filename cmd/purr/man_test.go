package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/test/testkit"
)

// TestK5aTheManualHasAPageForEachCommandThatHelpShows writes the manual, and looks for what each command's help lists.
func TestK5aTheManualHasAPageForEachCommandThatHelpShows(t *testing.T) {
	folder := t.TempDir()
	root := rootCommand()
	root.SetArgs([]string{"man", folder})
	testkit.Must(t, root.ExecuteContext(t.Context()))
	pages, err := filepath.Glob(filepath.Join(folder, "*.1"))
	testkit.Must(t, err)
	const least = 100
	if len(pages) < least {
		t.Errorf("there are only %d pages", len(pages))
	}
	reference := regexp.MustCompile(`\\fB(purr[a-z\\-]*)\\fR\(1\)`)
	for _, path := range pages {
		text, err := os.ReadFile(path)
		testkit.Must(t, err)
		for _, section := range []string{".TH ", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n"} {
			if !bytes.Contains(text, []byte(section)) {
				t.Errorf("%s has no %q", path, section)
			}
		}
		for _, name := range reference.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(folder, strings.ReplaceAll(name[1], `\`, "")+".1")); err != nil {
				t.Errorf("%s names a page that is not there: %v", path, err)
			}
		}
		for n, line := range strings.Split(string(text), "\n") {
			if isRequest := regexp.MustCompile(`^\.(TH|SH|TP|nf|fi|ad)\b`).MatchString(line); !isRequest && strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
				t.Errorf("%s:%d: roff would take %q for a request", path, n+1, line)
			}
		}
	}
}

// TestK5aRoffPrintsALineAsItIs has signs that roff would take for something else.
func TestK5aRoffPrintsALineAsItIs(t *testing.T) {
	for line, want := range map[string]string{
		`.TH is no request`:    `\&.TH is no request`,
		`'quoted' "twice"`:     `\(aqquoted\(aq \(dqtwice\(dq`,
		`--flag C:\folder ~ ^`: `\-\-flag C:\efolder \(ti \(ha`,
	} {
		if got := roff(line); got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
}

// TestK5aCompletionsAreScripts has the shell that is everywhere read the completions for it; "make test-packages" has the others.
func TestK5aCompletionsAreScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var script bytes.Buffer
		root := rootCommand()
		root.SetOut(&script)
		root.SetArgs([]string{"completion", shell})
		testkit.Must(t, root.ExecuteContext(t.Context()))
		if !strings.Contains(script.String(), "__complete") {
			t.Errorf("the script of %s asks purr for nothing", shell)
		}
		if shell == "bash" {
			read := exec.CommandContext(t.Context(), "bash", "-n")
			read.Stdin = &script
			if said, err := read.CombinedOutput(); err != nil || len(said) > 0 {
				t.Errorf("bash reads it with %v: %s", err, said)
			}
		}
	}
}
