package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"purr/test/testkit"
)

// TestConversations has the requests of every script answered on each database, and compares each answer with the one
// in the script.
func TestConversations(t *testing.T) {
	t.Parallel()
	for _, s := range readScripts(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			if s.onMySQLAlone() {
				s.hold(t, testkit.MySQL(t))
				return
			}
			testkit.EachDatabase(t, func(t *testing.T, databaseURL string) { s.hold(t, databaseURL) })
		})
	}
}

// hold plays the script and compares the answers with those in the script, or writes them anew.
func (s script) hold(t *testing.T, databaseURL string) {
	t.Helper()
	played := s.play(t, databaseURL)
	path := filepath.Join("testdata", s.name+".http")
	if testkit.Updates() {
		must(t, os.WriteFile(path, []byte(played.String()), 0o600))
		return
	}
	if got, want := played.String(), s.String(); got != want {
		t.Errorf("%s differs (go test ./api -run TestConversations -update writes the answers anew): %s", path, firstDifference(got, want))
	}
}
