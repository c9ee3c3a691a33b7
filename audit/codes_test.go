package audit_test

import (
	"regexp"
	"strings"
	"testing"

	"purr/audit"
)

// TestU3EachQuestionHasItsWords: every kind has a name of its own, a class, a source, and a question in three languages.
func TestU3EachQuestionHasItsWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, c := range audit.Kinds() {
		if !regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`).MatchString(c.String()) || seen[c.String()] || c.Class() == "" || c.Source() == "" {
			t.Errorf("kind %d is %q of class %q from %q", c, c, c.Class(), c.Source())
		}
		seen[c.String()] = true
		for _, language := range []string{"nb", "nn", "en"} {
			if q := c.Question(language); !strings.HasSuffix(q, "?") {
				t.Errorf("%s asks %q in %s", c, q, language)
			}
			if said := (audit.Finding{Code: c, Found: "this", Expected: "that"}).Text(language); !strings.HasSuffix(said, ".") || strings.Contains(said, "{") {
				t.Errorf("%s says %q in %s", c, said, language)
			}
		}
	}
}
