package efaktura_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/mailer/efaktura"
	"purr/test/testkit/settings"
)

func day() time.Time { return time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC) }

// TestE20SettingsThatMakeNoSenseAreNamed at the start.
func TestE20SettingsThatMakeNoSenseAreNamed(t *testing.T) {
	t.Parallel()
	const url = "https://api.example.no/v1/einvoices?key=s3cret"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, ""},
		{[]string{"--efaktura-url", ""}, ""},
		{[]string{"--efaktura-url", url, "--efaktura-template", "t"}, ""},
		{[]string{"--efaktura-url", url, "--efaktura-template", "t", "--efaktura-secret", "x"}, ""},
		{[]string{"--efaktura-url", url}, "efaktura-template"},
		{[]string{"--efaktura-url", "", "--efaktura-template", "t"}, "efaktura-template, efaktura-url: a template is of a URL"},
		{[]string{"--efaktura-secret", "x"}, "efaktura-secret, efaktura-url: a secret is of a URL"},
		{[]string{"--efaktura-url", "file:", "--efaktura-template", "t"}, "--efaktura-url: must be https://HOST/PATH, or empty"},
		{[]string{"--efaktura-url", "sftp://s3cret@example.no/in", "--efaktura-template", "t"}, "--efaktura-url: must be"},
		{[]string{"--efaktura-url", "api.example.no", "--efaktura-template", "t"}, "--efaktura-url: must be"},
	} {
		err := settings.Read(t, new(efaktura.Settings).Declare(), nil, tt.args...)
		if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("%q: the error is %v, want %q", tt.args, err, tt.want)
		}
	}
}

// TestE20TheSecretMayStandInAFile, which may not be empty (rule D105).
func TestE20TheSecretMayStandInAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	read := func(content string) (s efaktura.Settings, err error) {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		err = settings.Read(t, s.Declare(), map[string]string{"PURR_EFAKTURA_SECRET_FILE": file, "PURR_EFAKTURA_URL": "https://api.example.no/", "PURR_EFAKTURA_TEMPLATE": "t"})
		return s, err
	}
	if s, err := read("h3mmelig\n"); err != nil || s.Secret != "h3mmelig" {
		t.Errorf("the secret is %q, %v", s.Secret, err)
	}
	if _, err := read(""); err == nil || !strings.Contains(err.Error(), "PURR_EFAKTURA_SECRET_FILE") {
		t.Errorf("an empty file: %v", err)
	}
}
