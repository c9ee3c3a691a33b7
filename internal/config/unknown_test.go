package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestD105AVariableThatNoSettingHasIsToldWithTheNearestName(t *testing.T) {
	got := UnknownVariables([]Setting{{Key: "smtp-url"}, {Key: "letters-url"}, {Key: "ehf-url"}, {Key: "test-clock"}}, []string{
		"PURR_SMPT_URL=smtp://user:hemmelig@mail", "PURR_LETTERS_URI=x", "PURR_SMTP_URL_FIEL=/x", "PURR_EHFURL=",
		"PURR_SMTP_URL=x", "PURR_SMTP_URL_FILE=/x", "PURR_TEST_CLOCK=x", "PURR_TEST_MYSQL=x", "PURR_SERVICE_HOST=10.0.0.1", "PURR_PORT_8080_TCP=x", "PATH=/bin", "PURRING=x",
	})
	want := []Unknown{
		{"PURR_SMPT_URL", "PURR_SMTP_URL"},
		{"PURR_LETTERS_URI", "PURR_LETTERS_URL"},
		{"PURR_SMTP_URL_FIEL", "PURR_SMTP_URL_FILE"},
		{"PURR_EHFURL", "PURR_EHF_URL"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A secret that was not written would else be a setting that is not set: documents would go to a folder.
func TestD105AnEmptyFileOfASettingIsRefused(t *testing.T) {
	for _, content := range []string{"", "\n", " \t\r\n"} {
		path := filepath.Join(t.TempDir(), "smtp_url")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := readTwo(t, map[string]string{"PURR_SMTP_URL_FILE": path})
		if err == nil || !strings.Contains(err.Error(), "PURR_SMTP_URL_FILE: "+path+" is empty") {
			t.Errorf("of %q the error is %v", content, err)
		}
	}
	if _, _, err := readTwo(t, map[string]string{"PURR_SMTP_URL_FILE": ""}); err == nil || !strings.Contains(err.Error(), "PURR_SMTP_URL_FILE: ") {
		t.Errorf("of no name the error is %v", err)
	}
}
