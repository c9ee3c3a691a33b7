package certificate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/test/testkit/settings"
)

func TestTLSIsSetByTwoFilesOrByNone(t *testing.T) {
	const certificate, key = "/etc/purr/fullchain.pem", "/etc/purr/privkey.pem"
	const secret = "-----BEGIN PRIVATE KEY-----\nhemmelig\n-----END PRIVATE KEY-----"
	held := filepath.Join(t.TempDir(), "key.pem")
	if err := os.WriteFile(held, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		args []string
		env  map[string]string
		want string // in the error; empty where there is none
	}{
		{"neither", nil, nil, ""},
		{"both as flags", []string{"--tls-certificate", certificate, "--tls-key", key}, nil, ""},
		{"both as variables", nil, map[string]string{"PURR_TLS_CERTIFICATE": certificate, "PURR_TLS_KEY": key}, ""},
		{"one from each", []string{"--tls-certificate", certificate}, map[string]string{"PURR_TLS_KEY": key}, ""},
		{"the certificate alone", []string{"--tls-certificate", certificate}, nil, "set both"},
		{"the key alone", nil, map[string]string{"PURR_TLS_KEY": key}, "set both"},
		{"a key instead of its path", []string{"--tls-certificate", certificate}, map[string]string{"PURR_TLS_KEY": secret}, "PURR_TLS_KEY: must be the path"},
		{"a variable that names the key's file twice", []string{"--tls-certificate", certificate}, map[string]string{"PURR_TLS_KEY_FILE": held}, "PURR_TLS_KEY_FILE: must be the path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s Settings
			err := settings.Read(t, s.Declare(), test.env, test.args...)
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want == "" && s.KeyFile != "" && (s.ChainFile != certificate || s.KeyFile != key):
				t.Errorf("the files are %q and %q", s.ChainFile, s.KeyFile)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hemmelig")):
				t.Errorf("Read fails with %v, want %q", err, test.want)
			}
		})
	}
}
