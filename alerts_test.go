package purr_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestQ6AlertRulesWork has Prometheus's own tool check the rules and run their tests. Each rule has a test, and a section of
// docs/operating.md that says what it means, what to look at and what to do.
func TestQ6AlertRulesWork(t *testing.T) {
	folder := filepath.Join("deploy", "prometheus")
	for _, what := range [][]string{{"check", "rules", "purr-alerts.yaml"}, {"test", "rules", "purr-alerts_test.yaml"}} {
		c := exec.CommandContext(t.Context(), "promtool", what...)
		c.Dir = folder
		if said, err := c.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v (test/scripts/install-test-servers installs promtool)\n%s", strings.Join(what, " "), err, said)
		}
	}
	rules, tests, page := read(t, folder, "purr-alerts.yaml"), read(t, folder, "purr-alerts_test.yaml"), read(t, "docs", "operating.md")
	sections := map[string]string{}
	for _, s := range regexp.MustCompile(`(?m)^### (\w+)\n\n((?:[- ] .*\n)+)`).FindAllStringSubmatch(page, -1) {
		sections[strings.ToLower(s[1])] = s[2]
	}
	names := regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(rules, -1)
	links := regexp.MustCompile(`(?m)^ +runbook_url: "docs/operating.md#(\w+)"$`).FindAllStringSubmatch(rules, -1)
	if len(names) != len(links) || len(names) < 20 {
		t.Fatalf("%d rules have %d links", len(names), len(links))
	}
	for i, name := range names {
		if !regexp.MustCompile(`\b` + name[1] + `\b`).MatchString(tests) {
			t.Errorf("%s has no test", name[1])
		}
		if links[i][1] != strings.ToLower(name[1]) {
			t.Errorf("%s leads to %s", name[1], links[i][1])
		}
		for _, part := range []string{"It means", "Look at", "Do"} {
			if !strings.Contains(sections[links[i][1]], "- **"+part+"**: ") {
				t.Errorf("the section of %s has no %q", name[1], part)
			}
		}
	}
	_, runbook, _ := strings.Cut(page, "## When an alert rings")
	for _, command := range regexp.MustCompile("`purr ([a-z]+(?: [a-z]+)*)").FindAllStringSubmatch(runbook, -1) {
		if words := strings.Fields(command[1]); !strings.Contains(read(t, "docs", "command-line.md"), "\n## purr "+strings.Join(words[:min(2, len(words))], " ")) {
			t.Errorf("there is no purr %s", command[1])
		}
	}
}
