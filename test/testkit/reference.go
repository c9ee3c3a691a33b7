package testkit

import (
	"os"
	"path/filepath"
	"testing"
)

// updateVariable names the environment variable that makes Reference write pages instead of comparing them. "make
// docs" sets it.
const updateVariable = "PURR_UPDATE_DOCS"

// WritesPages reports whether Reference writes pages.
func WritesPages() bool { return os.Getenv(updateVariable) != "" }

// Reference compares a page of docs/, such as "events.md", with the text that was made from the code.
func Reference(t *testing.T, page, text string) {
	t.Helper()
	path := filepath.Join(moduleRoot(t), "docs", page)
	if WritesPages() {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != text {
		t.Errorf("docs/%s is not what the code says: \"make docs\" writes it anew", page)
	}
}

// moduleRoot returns the folder of go.mod, which is the test's folder or one above it.
func moduleRoot(t *testing.T) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("the test runs outside of the module")
		}
		folder = parent
	}
}
