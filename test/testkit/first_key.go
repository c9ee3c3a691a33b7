package testkit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var firstKeyFile = regexp.MustCompile(`(/\S*/first-key)(?m:$)`)

// FirstKey returns the first key of an installation, from the file that purr has named on standard error; empty if it has named none yet.
// root is where that process sees its files, if that is not where the test does.
func FirstKey(stderr, root string) string {
	named := firstKeyFile.FindStringSubmatch(stderr)
	if named == nil {
		return ""
	}
	key, err := os.ReadFile(filepath.Join(root, named[1]))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(key))
}
