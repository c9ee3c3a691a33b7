package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"purr/test/testkit"
)

// TestHelpOfEveryCommand asks every command for help. What all of them say is in testdata/help.golden.
func TestHelpOfEveryCommand(t *testing.T) {
	golden, err := filepath.Abs(filepath.Join("testdata", "help.golden"))
	testkit.Must(t, err)
	t.Chdir(t.TempDir())
	var all strings.Builder
	seen := helpBelow(t, &all)
	testkit.Golden(t, golden, all.String())
	for _, name := range []string{
		"serve", "api", "worker", "scheduler", "migrate", "parts", "adopt", "creditor create", "creditor list", "creditor show", "creditor set", "keys create",
		"keys list", "keys revoke", "ocr import", "ocr get", "ocr gaps", "ocr inspect", "ocr lint", "ocr generate", "ocr anonymise", "ocr diff", "ocr statement", "ocr unassigned", "ocr unmatched list", "ocr unmatched show", "ocr unmatched match",
		"ocr unmatched unmatch", "ocr unmatched dismiss", "ocr unmatched reopen", "dunning run", "dunning approve", "dunning rules list", "dunning rules set", "dunning rules remove", "dunning rules check", "ocr fetch", "ocr checks", "ocr confirm-none", "shipments list", "shipments show", "shipments retry", "shipments report", "verify", "demo",
	} {
		if !slices.Contains(seen, name) {
			t.Errorf("there is no help of purr %s", name)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("help left %v behind (%v)", left, err)
	}
}

// TestHelpPagesHaveACommand finds a command for each page of help.
func TestHelpPagesHaveACommand(t *testing.T) {
	pages := map[string]bool{helpPage(rootCommand()): true}
	eachCommand(rootCommand(), func(c *cobra.Command) { pages[helpPage(c)] = true })
	testkit.Must(t, fs.WalkDir(helpPages, "help", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !pages[path] {
			t.Errorf("there is no command of %s", path)
		}
		return err
	}))
}

// helpBelow reads the help of a command and of all below it, adds it to all, and returns their names.
func helpBelow(t *testing.T, all *strings.Builder, words ...string) []string {
	t.Helper()
	var out strings.Builder
	root := rootCommand()
	root.SetOut(&out)
	root.SetArgs(append(words[:len(words):len(words)], "--help"))
	testkit.Must(t, root.ExecuteContext(t.Context()))
	help := out.String()
	fmt.Fprintf(all, "$ %s --help\n%s\n", strings.Join(append([]string{"purr"}, words...), " "), help)
	if !strings.Contains(help, "Usage:") {
		t.Errorf("purr %s --help says: %s", strings.Join(words, " "), help)
	}
	names := []string{strings.Join(words, " ")}
	listed := false // the lines are those of commands
	for _, line := range strings.Split(help, "\n") {
		if name, indented := strings.CutPrefix(line, "  "); !indented {
			listed = strings.HasSuffix(line, ":") && !slices.Contains([]string{"Usage:", "Examples:", "Flags:", "Global Flags:"}, line)
		} else if f := strings.Fields(name); listed && len(f) > 1 && f[0] != "completion" && f[0] != "help" {
			names = append(names, helpBelow(t, all, append(words[:len(words):len(words)], f[0])...)...)
		}
	}
	return names
}
