package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
		MinFreeDisk: 1 << 30, KeepRejected: 90 * 24 * time.Hour, Concurrency: 8, LogFormat: "text", SFTPAfter: "leave", SFTPEvery: 15 * time.Minute,
		ConsoleIdle: 8 * time.Hour, EHF: EHF{Every: 15 * time.Minute}, Letters: Letters{Every: 15 * time.Minute}, Peppol: Peppol{Lookup: "off"},
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

func TestS4TheWayOfLetters(t *testing.T) {
	for _, url := range []string{"", "file:"} {
		c, err := Read(flags(t, "--letters-url", url), env(nil))
		if err != nil || c.Letters.URL != "" || c.Letters.Scheme() != "" {
			t.Errorf("%q is %+v, %v", url, c.Letters, err)
		}
	}
	for args, want := range map[string]string{
		"--letters-url sftp://purr@print.example.no/in --letters-password x --letters-every 5m":   "",
		"--letters-url ipps://printer.example.no/ipp/print":                                       "",
		"--letters-url https://print.example.no/{{name}} --letters-template t --letters-secret x": "",
		"--letters-url http://127.0.0.1:8080/letters --letters-template t":                        "",
		"--letters-url https://print.example.no/":                                                 "needs a template",
		"--letters-template t":                                     "a template is of an https URL",
		"--letters-url ipp://printer/ --letters-template t":        "a template is of an https URL",
		"--letters-secret x":                                       "only a letters-template",
		"--letters-url sftp://purr@print.example.no/in":            "needs letters-key-file or letters-password",
		"--letters-url ipp://printer/ --letters-host-key SHA256:x": "only an sftp URL",
		"--letters-url ftp://print.example.no/":                    "--letters-url: must be file:",
		"--letters-url print.example.no":                           "--letters-url: must be file:",
		"--letters-every 5s":                                       "--letters-every: must be a duration from 1m",
	} {
		_, err := Read(flags(t, strings.Fields(args)...), env(nil))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", args, err, want)
		}
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

func TestS3HowEmailsAreSentAndSigned(t *testing.T) {
	key := []string{"--dkim-key", "/etc/purr/dkim.pem"}
	whole := []string{"--dkim-domain", "example.no", "--dkim-selector", "purr.2026", key[0], key[1]}
	long := strings.Repeat("b", 29)
	for _, test := range []struct {
		name string
		args []string
		want string // in the error; empty where there is none
	}{
		{"all of DKIM", whole, ""},
		{"an address", []string{"--bounce-address", "bounce@example.no"}, ""},
		{"an address with a plus", []string{"--bounce-address", "post+purr@localhost"}, ""},
		{"no address", []string{"--bounce-address", "example.no"}, "--bounce-address: must be"},
		{"an address with a name", []string{"--bounce-address", "Bounce <bounce@example.no>"}, "--bounce-address: must be"},
		{"an address with two lines", []string{"--bounce-address", "bounce@example.no\r\nRSET"}, "--bounce-address: must be"},
		{"an address that leaves no room for the tag", []string{"--bounce-address", long + "@example.no"}, "at most 28 characters"},
		{"the key alone", key, "set all of them"},
		{"a selector alone", []string{"--dkim-selector", "purr"}, "set all of them"},
		{"a domain that is none", slices.Concat(whole, []string{"--dkim-domain", "example.no; l=0"}), "--dkim-domain: must be"},
		{"a selector that is none", slices.Concat(whole, []string{"--dkim-selector", "purr."}), "--dkim-selector: must be"},
		{"a key in place of its path", slices.Concat(whole, []string{"--dkim-key", "-----BEGIN\nhemmelig"}), "--dkim-key: must be the path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read(flags(t, test.args...), env(nil))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hemmelig")) {
				t.Errorf("Read fails with %v, want %q", err, test.want)
			}
		})
	}
}

func TestH3TheWayOfEInvoices(t *testing.T) {
	for _, tt := range []struct {
		name  string
		args  []string
		wrong string // a part of the error
	}{
		{"nothing", nil, ""},
		{"a folder", []string{"--ehf-url", "file:/srv/ehf"}, ""},
		{"a folder as a URL", []string{"--ehf-url", "file:///srv/ehf", "--ehf-envelope", "sbdh"}, ""},
		{"SFTP", []string{"--ehf-url", "sftp://purr@ap.example.no/ut", "--ehf-key-file", "/run/key"}, ""},
		{"an access point", []string{"--ehf-url", "phoss-ap+https://ap.example.no", "--ehf-secret", "x"}, ""},
		{"a template", []string{"--ehf-url", "https://api.example.no/v1", "--ehf-template", "/etc/purr/ap.json"}, ""},
		{"a folder of nowhere", []string{"--ehf-url", "file:ehf"}, "ehf-url"},
		{"another scheme", []string{"--ehf-url", "ftp://ap.example.no"}, "ehf-url"},
		{"another envelope", []string{"--ehf-envelope", "brown"}, "ehf-envelope"},
		{"SFTP that nobody signs in to", []string{"--ehf-url", "sftp://purr@ap.example.no/ut"}, "ehf-key-file"},
		{"a template that is not there", []string{"--ehf-url", "https://api.example.no/v1"}, "ehf-template"},
		{"a template of nothing", []string{"--ehf-template", "/etc/purr/ap.json"}, "ehf-url"},
		{"a look-up", []string{"--peppol-lookup", "dns", "--peppol-dns", "127.0.0.1:53"}, ""},
		{"another look-up", []string{"--peppol-lookup", "guess"}, "peppol-lookup"},
	} {
		_, err := Read(flags(t, tt.args...), env(nil))
		if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
