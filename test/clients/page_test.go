package clients_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"purr/test/testkit"
)

// shown is a line of testdata/clients.md that stands for a program: {{client.py}}.
var shown = regexp.MustCompile(`(?m)^\{\{(client\.\w+)\}\}$`)

// languageOf are the names by which Markdown knows the languages of the programs.
var languageOf = map[string]string{".sh": "sh", ".go": "go", ".py": "python", ".ts": "typescript"}

// TestReferenceClientsJ5 makes docs/clients.md from testdata/clients.md and the programs, as they are.
func TestReferenceClientsJ5(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "clients.md"))
	must(t, err)
	files, err := filepath.Glob(filepath.Join(programs, "*"))
	must(t, err)
	count := 0
	page := shown.ReplaceAllStringFunc(string(text), func(line string) string {
		count++
		name := shown.FindStringSubmatch(line)[1]
		program, err := os.ReadFile(filepath.Join(programs, name))
		must(t, err)
		return "```" + languageOf[filepath.Ext(name)] + "\n" + string(program) + "```"
	})
	if count != len(files) || count != len(languages) {
		t.Errorf("the page shows %d programs; there are %d, and %d are tested", count, len(files), len(languages))
	}
	testkit.Reference(t, "clients.md", page)
}
