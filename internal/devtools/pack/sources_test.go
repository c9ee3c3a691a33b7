package main

import (
	"testing"
	"time"
)

func TestK5AVersionWithoutATagIsGosPseudoVersion(t *testing.T) {
	at := time.Date(2026, 11, 30, 2, 48, 53, 0, time.UTC)
	for former, want := range map[string]string{
		"":           "v0.0.0-20261130024853-191c45889b1c",
		"v1.2.3":     "v1.2.4-0.20261130024853-191c45889b1c",
		"v1.3.0-rc1": "v1.3.0-rc1.0.20261130024853-191c45889b1c",
		"vNext":      "v0.0.0-20261130024853-191c45889b1c",
	} {
		if got := pseudoVersion(former, "191c45889b1c7a1e1f3d7f6f4a8a2e0c5b6d7e8f", at); got != want {
			t.Errorf("after %q the version is %s, want %s", former, got, want)
		}
	}
}

func TestK5PackageManagersCompareVersions(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3":                             "1.2.3",
		"v1.3.0-rc.1":                        "1.3.0~rc.1",
		"v0.0.0-20261130024853-191c45889b1c": "0.0.0~20261130024853.191c45889b1c",
		"v1.2.4-0.20261130024853-191c45889b1c+dirty": "1.2.4~0.20261130024853.191c45889b1c+dirty",
	} {
		if got := (sources{version: version}).packageVersion(); got != want {
			t.Errorf("%s is packed as %s, want %s", version, got, want)
		}
	}
}
