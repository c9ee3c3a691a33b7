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

// againstOrder says what the transactions lock against the order of tables.
func againstOrder(order, statements []string) (faults []string) {
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
			faults = append(faults, m[1]+" is not in the order")
		}
		for _, before := range locked {
			if slices.Index(order, before) > at && !slices.Contains(outOfOrder, [2]string{before, m[1]}) {
				faults = append(faults, before+" before "+m[1])
			}
		}
		locked = append(locked, m[1])
	}
	return faults
}

func TestWhatIsLockedAgainstTheOrderIsSeen(t *testing.T) {
	statements := []string{
		"SELECT * FROM `shipments` WHERE id = ? FOR UPDATE", "SELECT id FROM `invoices`", "UPDATE `invoices` SET stage = ?", "COMMIT",
		"SELECT * FROM `invoices` WHERE id = ? FOR UPDATE", "UPDATE `shipments` SET state = ?", "UPDATE `elsewhere` SET x = ?", "COMMIT",
	}
	want := []string{"shipments before invoices", "elsewhere is not in the order", "invoices before elsewhere", "shipments before elsewhere"}
	if got := againstOrder(lockOrder(t), statements); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
