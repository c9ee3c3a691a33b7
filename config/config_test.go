package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	f := pflag.NewFlagSet("purr", pflag.ContinueOnError)
	AddServer(f)
	AddTestClock(f)
	if err := f.Parse(args); err != nil {
		t.Fatal(err)
	}
	return f
}

func env(vars map[string]string) func(string) (string, bool) {
	return func(key string) (string, bool) { v, ok := vars[key]; return v, ok }
}

func TestR1WithNothingSetEverythingIsInTheDataFolder(t *testing.T) {
	c, err := Read(flags(t), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Data: "./purr-data", DatabaseURL: "sqlite:purr-data/purr.db", Inbox: "purr-data/inbox", Listen: "127.0.0.1:8080",
		MinFreeDisk: 1 << 30, KeepRejected: 90 * 24 * time.Hour, Concurrency: 8, LogFormat: "text", SFTPAfter: "leave", SFTPEvery: 15 * time.Minute, ConsoleIdle: 8 * time.Hour,
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("Read = %+v\nwant   %+v", c, want)
	}
	if !c.Embedded() {
		t.Error("the default is not embedded")
	}
}

func TestR3WhereAValueComesFrom(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "url")
	if err := os.WriteFile(secret, []byte("mysql://from-file@h/n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		env  map[string]string
		want string
	}{
		{"a flag wins over the environment", []string{"--database-url", "mysql://flag@h/n"}, map[string]string{"PURR_DATABASE_URL": "mysql://env@h/n"}, "mysql://flag@h/n"},
		{"the environment wins over the default", nil, map[string]string{"PURR_DATABASE_URL": "mysql://env@h/n"}, "mysql://env@h/n"},
		{"a secret comes from a file, its last line end cut", nil, map[string]string{"PURR_DATABASE_URL_FILE": secret}, "mysql://from-file@h/n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := Read(flags(t, test.args...), env(test.env))
			if err != nil || c.DatabaseURL != test.want {
				t.Errorf("DatabaseURL = %q, %v; want %q", c.DatabaseURL, err, test.want)
			}
		})
	}
}

func TestEveryWrongValueIsNamedByItsKey(t *testing.T) {
	_, err := Read(flags(t, "--concurrency", "none", "--sftp-after", "burn", "--sftp-every", "5s", "--console-idle", "9d", "--test-clock", "yesterday"), env(map[string]string{
		"PURR_BASE_URL": "invoices.example.no", "PURR_RATE_LIMIT": "-1", "PURR_LOG_FORMAT": "xml", "PURR_LOG_LEVEL": "all",
		"PURR_SMTP_URL": "a", "PURR_SMTP_URL_FILE": "b", "PURR_REDIS_URL_FILE": "/does/not/exist",
	}))
	if err == nil {
		t.Fatal("Read took it all")
	}
	for _, key := range []string{"--concurrency", "--sftp-after", "--sftp-every", "--console-idle", "--test-clock", "PURR_BASE_URL", "PURR_RATE_LIMIT", "PURR_LOG_FORMAT", "PURR_LOG_LEVEL", "PURR_SMTP_URL", "PURR_REDIS_URL_FILE"} {
		if !strings.Contains(err.Error(), key+": ") {
			t.Errorf("the error does not name %s:\n%v", key, err)
		}
	}
}

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
			c, err := Read(flags(t, test.args...), env(test.env))
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want == "" && c.TLSKey != "" && (c.TLSCertificate != certificate || c.TLSKey != key):
				t.Errorf("the files are %q and %q", c.TLSCertificate, c.TLSKey)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hemmelig")):
				t.Errorf("Read fails with %v, want %q", err, test.want)
			}
		})
	}
}

func TestTheDebtCollectorsFolder(t *testing.T) {
	c, err := Read(flags(t, "--collection-sftp-url", "sftp://purr@inkasso.example.no/inn", "--collection-sftp-key-file", "/run/key"),
		env(map[string]string{"PURR_COLLECTION_SFTP_PASSWORD": "s3cret", "PURR_COLLECTION_SFTP_HOST_KEY": "SHA256:x"}))
	want := Folder{URL: "sftp://purr@inkasso.example.no/inn", KeyFile: "/run/key", Password: "s3cret", HostKey: "SHA256:x"}
	if err != nil || c.Collector != want {
		t.Errorf("Read = %+v, %v", c.Collector, err)
	}
	if _, err := Read(flags(t, "--collection-sftp-key-file", "-----BEGIN\nKEY"), env(nil)); err == nil {
		t.Error("the key itself is taken for the path of its file")
	}
}

func TestO8TrustedProxies(t *testing.T) {
	c, err := Read(flags(t, "--trusted-proxies", " 10.1.2.3/8, 2001:db8::1 ,"), env(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(c.TrustedProxies), "[10.0.0.0/8 2001:db8::1/128]"; got != want {
		t.Errorf("the proxies are %s, want %s", got, want)
	}
	for _, wrong := range []string{"10.0.0.0/33", "proxy.example.no", "10.0.0.0/8;10.0.0.1"} {
		if _, err := Read(flags(t, "--trusted-proxies", wrong), env(nil)); err == nil {
			t.Errorf("%q passes", wrong)
		}
	}
}
