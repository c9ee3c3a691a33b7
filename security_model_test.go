package purr_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestTheSecurityModelNamesTestsThatExist reads docs/SECURITY-MODEL.md: each threat has a test, and each test that is named
// anywhere is in the file that its link names.
func TestTheSecurityModelNamesTestsThatExist(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\[([^\]]*)\]\(\.\./([^)]*_test\.go)\)`)
	threats := false // whether the line is in a table of threats
	for line := range strings.Lines(read(t, "docs", "SECURITY-MODEL.md")) {
		head := strings.HasPrefix(line, "| threat |")
		threats = head || threats && strings.HasPrefix(line, "|")
		tests := link.FindAllStringSubmatch(line, -1)
		if threats && !head && !strings.HasPrefix(line, "|---") && len(tests) == 0 {
			t.Errorf("no test shows %s", line)
		}
		for _, test := range tests {
			if name, file := test[1], test[2]; !strings.Contains(read(t, file), "\nfunc "+name+"(") {
				t.Errorf("%s has no %s: %s", file, name, line)
			}
		}
	}
}
