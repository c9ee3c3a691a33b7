package storage_test

import (
	"strings"
	"testing"

	"purr/internal/storage"
	"purr/test/testkit/settings"
)

func TestK2URLs(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]storage.Location{
		"file:///srv/purr/": {Path: "/srv/purr"}, "/srv/purr": {Path: "/srv/purr"},
		"s3://bilag":           {Bucket: "bilag"},
		"s3://bilag/a//b/":     {Bucket: "bilag", Prefix: "a/b"},
		"s3://bilag/../../etc": {Bucket: "bilag", Prefix: "etc"},
		"s3://bilag/p?region=eu-north-1&endpoint=https://s3.example.no:9000/": {Bucket: "bilag", Prefix: "p", Region: "eu-north-1", Endpoint: "https://s3.example.no:9000"},
		"s3://bilag/p?endpoint=http%3A%2F%2F127.0.0.1%3A7070":                 {Bucket: "bilag", Prefix: "p", Endpoint: "http://127.0.0.1:7070"},
		"s3://bilag/p?endpoint=s3.example.no":                                 {Bucket: "bilag", Prefix: "p", Endpoint: "https://s3.example.no"},
	} {
		got, err := storage.Parse(url)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", url, got, err)
		}
		if again, err := storage.Parse(got.String()); err != nil || again != got {
			t.Errorf("%s becomes %s: %+v, %v", url, got, again, err)
		}
	}
}

// TestK2aNoSecretStandsInTheURL refuses keys there, and does not repeat them.
func TestK2aNoSecretStandsInTheURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"": "it is empty", "s3://": "must be s3://", "file://relative": "must be file:///PATH", "gs://bilag": "must be file:///PATH or s3://",
		"file:///a?x=y": "must be file:///PATH", "s3://bilag/p?colour=hemmelig": `"colour" is not known`, "s3://bilag?region=a&region=b": "region stands twice",
		"s3://bilag?endpoint=ftp://x": "endpoint must be", "s3://bilag?endpoint=https://x/path": "endpoint must be",
		"s3://AKIA:hemmelig@bilag/p":                   "a key never stands in the URL",
		"s3://bilag/p?secret_key=hemmelig":             "a key never stands in the URL",
		"s3://bilag/p?AWS_ACCESS_KEY_ID=hemmelig":      "a key never stands in the URL",
		"s3://bilag/p?sessionToken=hemmelig":           "a key never stands in the URL",
		"s3://bilag/p?endpoint=https://hemmelig@x.com": "a key never stands in the URL",
	} {
		if _, err := storage.Parse(url); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hemmelig") {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

func TestK2TheSetting(t *testing.T) {
	t.Parallel()
	var s storage.Settings
	if err := settings.Read(t, s.Declare(), nil); err != nil || s.URL != "" {
		t.Errorf("by default %q, %v", s.URL, err)
	}
	if err := settings.Read(t, s.Declare(), map[string]string{"PURR_STORAGE_URL": "s3://bilag/purr"}); err != nil || s.URL != "s3://bilag/purr" {
		t.Errorf("by the variable %q, %v", s.URL, err)
	}
	err := settings.Read(t, s.Declare(), nil, "--storage-url", "s3://bilag?secret=hemmelig")
	if err == nil || !strings.Contains(err.Error(), "storage-url") || strings.Contains(err.Error(), "hemmelig") {
		t.Errorf("a secret: %v", err)
	}
}
