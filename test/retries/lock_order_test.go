package retries_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
)

var (
	locking  = regexp.MustCompile("(?s)^SELECT .*? FROM `?([a-z_]+)`?.* FOR UPDATE")
	updating = regexp.MustCompile("^UPDATE `?([a-z_]+)`?")
	listed   = regexp.MustCompile("`([a-z_]+)`")
)

// lockOrder reads the order of locks from ARCHITECTURE.md.
func lockOrder(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "ARCHITECTURE.md"))
	testkit.Must(t, err)
	_, section, _ := strings.Cut(string(text), "\n## The order of locks\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var order []string
	for line := range strings.Lines(section) {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, m := range listed.FindAllStringSubmatch(line, -1) {
			order = append(order, m[1])
		}
	}
	return order
}

// outOfOrder are the locks that a transaction may take against the order, as ARCHITECTURE.md says.
var outOfOrder = [][2]string{{"customers", "creditors"}, {"customers", "creditor_accounts"}, {"runs", "creditors"}}

// wantLockOrder holds that each transaction locks rows in ARCHITECTURE.md's order of tables.
func wantLockOrder(t *testing.T, name string, order, statements []string) {
	t.Helper()
	var locked []string
	for _, s := range statements {
		if s == "COMMIT" {
			locked = nil
			continue
		}
		m := locking.FindStringSubmatch(s)
		if m == nil {
			m = updating.FindStringSubmatch(s)
		}
		if m == nil || slices.Contains(locked, m[1]) {
			continue
		}
		at := slices.Index(order, m[1])
		if at < 0 {
			t.Errorf("%s locks %s, which ARCHITECTURE.md's order of locks does not name", name, m[1])
		}
		for _, before := range locked {
			if slices.Index(order, before) > at && !slices.Contains(outOfOrder, [2]string{before, m[1]}) {
				t.Errorf("%s locks %s and then %s, against the order in ARCHITECTURE.md", name, before, m[1])
			}
		}
		locked = append(locked, m[1])
	}
}
