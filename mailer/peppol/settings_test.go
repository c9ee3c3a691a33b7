package peppol

import (
	"strings"
	"testing"

	"purr/test/testkit/settings"
)

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
		err := settings.Read(t, append(new(Settings).Declare(), new(LookupSettings).Declare()...), nil, tt.args...)
		if tt.wrong == "" && err != nil || tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
