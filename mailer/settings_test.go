package mailer

import (
	"slices"
	"strings"
	"testing"
	"time"

	"purr/internal/remote"
	"purr/test/testkit/settings"
)

func TestTheDebtCollectorsFolder(t *testing.T) {
	var a remote.Access
	err := settings.Read(t, DeclareCollector(&a, new(time.Duration)), map[string]string{"PURR_COLLECTION_SFTP_PASSWORD": "s3cret", "PURR_COLLECTION_SFTP_HOST_KEY": "SHA256:x"},
		"--collection-sftp-url", "sftp://purr@inkasso.example.no/inn", "--collection-sftp-key-file", "/run/key")
	want := remote.Access{Prefix: "collection-sftp", URL: "sftp://purr@inkasso.example.no/inn", KeyFile: "/run/key", Password: "s3cret", HostKey: "SHA256:x"}
	if err != nil || a != want {
		t.Errorf("Read = %+v, %v", a, err)
	}
	if err := settings.Read(t, DeclareCollector(new(remote.Access), new(time.Duration)), nil, "--collection-sftp-key-file", "-----BEGIN\nKEY"); err == nil {
		t.Error("the key itself is taken for the path of its file")
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
			err := settings.Read(t, new(Settings).Declare(), nil, test.args...)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hemmelig")) {
				t.Errorf("Read fails with %v, want %q", err, test.want)
			}
		})
	}
}
