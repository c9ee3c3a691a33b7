package config

import "testing"

func TestTheDebtCollectorsFolder(t *testing.T) {
	c, err := Read(flags(t, "--collection-sftp-url", "sftp://purr@inkasso.example.no/inn", "--collection-sftp-key-file", "/run/key"),
		env(map[string]string{"PURR_COLLECTION_SFTP_PASSWORD": "s3cret", "PURR_COLLECTION_SFTP_HOST_KEY": "SHA256:x"}))
	want := Collector{URL: "sftp://purr@inkasso.example.no/inn", KeyFile: "/run/key", Password: "s3cret", HostKey: "SHA256:x"}
	if err != nil || c.Collector != want {
		t.Errorf("Read = %+v, %v", c.Collector, err)
	}
	if _, err := Read(flags(t, "--collection-sftp-key-file", "-----BEGIN\nKEY"), env(nil)); err == nil {
		t.Error("the key itself is taken for the path of its file")
	}
}
