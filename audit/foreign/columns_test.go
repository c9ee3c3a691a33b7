package foreign_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"purr/audit/foreign"
	"purr/test/testkit"
)

// TestU9TheDocsHaveEveryColumn compares docs/audit.md with what the files may have.
func TestU9TheDocsHaveEveryColumn(t *testing.T) {
	t.Parallel()
	docs, err := os.ReadFile("../../docs/audit.md")
	testkit.Must(t, err)
	for _, f := range foreign.Files {
		for _, c := range f.Columns {
			must := ""
			if c.Required {
				must = "yes"
			}
			row := fmt.Sprintf("| %s | `%s` | %s | %s | %s |\n", f.Name, c.Name, must, c.What, strings.Join(c.Aliases, ", "))
			if !strings.Contains(string(docs), row) {
				t.Errorf("docs/audit.md lacks %s", row)
			}
		}
	}
}
