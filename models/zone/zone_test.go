package zone

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestD102TheTablesAreInsideTheProgram: a machine's zone files, right or wrong, change nothing.
func TestD102TheTablesAreInsideTheProgram(t *testing.T) {
	files := t.TempDir()
	if err := os.MkdirAll(filepath.Join(files, "Europe"), 0o700); err != nil {
		t.Fatal(err)
	}
	tokyo, err := read("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(files, "Europe", "Helsinki"), tokyo, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ZONEINFO", files)
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{"Europe/Helsinki": "15:00", "Europe/Oslo": "14:00", "Asia/Calcutta": "17:30", "UTC": "12:00"} {
		loc, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := at.In(loc).Format("15:04"); got != want || loc.String() != name {
			t.Errorf("noon UTC is %s in %s (%s), want %s", got, name, loc, want)
		}
	}
	for _, name := range []string{"", "Local", "Mars", "Europe", "Europe/", "../Europe/Oslo", "/etc/passwd", "europe/oslo", "posix/Europe/Oslo"} {
		if loc, err := Load(name); err == nil {
			t.Errorf("%q is the zone %s", name, loc)
		}
	}
}

// TestD102EachZoneHasOneCanonicalName: every name of the tables can be read and has one, which is its own.
func TestD102EachZoneHasOneCanonicalName(t *testing.T) {
	z, err := reader()
	if err != nil {
		t.Fatal(err)
	}
	inTables := map[string]bool{}
	for _, f := range z.File {
		inTables[f.Name] = true
		canonical, is := Canonical(f.Name)
		if again, too := Canonical(canonical); !is || !too || again != canonical {
			t.Errorf("the canonical name of %q is %q, and of that %q", f.Name, canonical, again)
		}
	}
	for name := range aliases() {
		if !inTables[name] {
			t.Errorf("aliases.txt has %q, the tables do not", name)
		}
	}
	for name, want := range map[string]string{
		"Europe/Oslo": "Europe/Oslo", "Arctic/Longyearbyen": "Arctic/Longyearbyen", "Atlantic/Jan_Mayen": "Europe/Oslo", "Asia/Calcutta": "Asia/Kolkata",
		"US/Pacific": "America/Los_Angeles", "UTC": "UTC", "Etc/UTC": "Etc/UTC", "Zulu": "Etc/UTC", "posix/Europe/Oslo": "Europe/Oslo",
		"right/Asia/Calcutta": "Asia/Kolkata", "posix/Mars": "", "Local": "",
	} {
		if got, _ := Canonical(name); got != want {
			t.Errorf("the canonical name of %q is %q, want %q", name, got, want)
		}
	}
}
