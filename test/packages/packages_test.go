//go:build packages

// Package packages_test builds what is handed out of purr, as "make test-packages" asks: debs, rpms, archives and the image. It installs them
// in an empty Debian, as docs/install.md says too, and takes them apart (rules K5, K5a, K9, Q3, Q8). It needs root.
package packages_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"purr/test/testkit"
)

// root is the project's folder.
const root = "../.."

// pack runs the maker of packages in a folder of sources.
func pack(t *testing.T, sources, out string, args ...string) (said string, err error) {
	t.Helper()
	args = append([]string{"run", "./internal/devtools/pack", "-out", out, "-nfpm", tool(t, "PURR_TEST_NFPM"), "-cyclonedx", tool(t, "PURR_TEST_CYCLONEDX")}, args...)
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = sources
	text, err := c.CombinedOutput()
	return string(text), err
}

func mustPack(t *testing.T, sources, out string, args ...string) {
	t.Helper()
	if said, err := pack(t, sources, out, args...); err != nil {
		t.Fatalf("pack %q: %v\n%s", args, err, said)
	}
}

// firstRelease returns the folder of the packages of version v1.0.0, which are made once for all tests. PURR_TEST_PACKAGES names the folder of
// those that were made before.
func firstRelease(t *testing.T) (folder string) {
	t.Helper()
	packed.Do(func() {
		if packed.folder = os.Getenv("PURR_TEST_PACKAGES"); packed.folder == "" {
			out, err := os.MkdirTemp("", "purr-packages-") //nolint:usetesting // several tests use it
			testkit.Must(t, err)
			made = append(made, out)
			mustPack(t, root, out, "-arch", "amd64", "-version", "v1.0.0", "packages")
			packed.folder = out
		}
	})
	if packed.folder == "" {
		t.Fatal("the packages could not be made: an earlier test says why")
	}
	return packed.folder
}

var packed struct {
	sync.Once

	folder string
}

// tool returns the path of a program that make gets.
func tool(t *testing.T, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		t.Fatalf("%s names no program: run make test-packages", variable)
	}
	return path
}

// run runs a program, which must succeed, and returns what it says.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	said, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, said)
	}
	return string(said)
}

// one returns the one file in a folder that a pattern finds.
func one(t *testing.T, folder, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, pattern))
	testkit.Must(t, err)
	if len(found) != 1 {
		t.Fatalf("%s finds %q in %s", pattern, found, folder)
	}
	return found[0]
}

// sums returns the SHA-256 of each file in a folder.
func sums(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	testkit.Must(t, err)
	found := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		testkit.Must(t, err)
		found[e.Name()] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return found
}

// TestK5aTheSameBytesFromTwoBuildsInTwoPaths releases the commit from two clones, in folders of other names, with other umasks, at
// other times. It refuses to release a clone in which a file was changed, and a commit without a version.
func TestK5aTheSameBytesFromTwoBuildsInTwoPaths(t *testing.T) {
	above := t.TempDir()
	first, second := filepath.Join(above, "a"), filepath.Join(above, "another name", "b")
	for _, folder := range []string{first, second} {
		run(t, "git", "clone", "-q", root, folder)
	}
	if said, err := pack(t, first, filepath.Join(above, "none"), "release"); err == nil || !strings.Contains(said, "no tag") {
		t.Errorf("a commit without a tag is released: %v %s", err, said)
	}
	run(t, "git", "-C", first, "-c", "user.name=t", "-c", "user.email=t@example.no", "tag", "v1.2.3")
	mustPack(t, first, filepath.Join(above, "out1"), "release")
	before := syscall.Umask(0o077)
	t.Cleanup(func() { syscall.Umask(before) })
	t.Setenv("TZ", "Asia/Tokyo")
	mustPack(t, second, filepath.Join(above, "out2"), "-version", "1.2.3", "release")
	syscall.Umask(before)
	got, again := sums(t, filepath.Join(above, "out1")), sums(t, filepath.Join(above, "out2"))
	if !maps.Equal(got, again) {
		t.Errorf("two builds differ:\n%v\n%v", got, again)
	}
	want := []string{
		"SHA256SUMS", "purr-1.2.3-1.aarch64.rpm", "purr-1.2.3-1.x86_64.rpm", "purr-1.2.3-linux-amd64.cdx.json", "purr-1.2.3-linux-amd64.tar.gz",
		"purr-1.2.3-linux-arm64.cdx.json", "purr-1.2.3-linux-arm64.tar.gz", "purr-1.2.3-oci.tar", "purr_1.2.3-1_amd64.deb", "purr_1.2.3-1_arm64.deb",
	}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("a release is %q, want %q", names, want)
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--strict", "SHA256SUMS")
	check.Dir = filepath.Join(above, "out1")
	if said, err := check.CombinedOutput(); err != nil || strings.Count(string(said), ": OK\n") != len(want)-1 {
		t.Errorf("the sums are checked with %v: %s", err, said)
	}
	lookInside(t, filepath.Join(above, "out1"))
	testkit.Must(t, os.WriteFile(filepath.Join(first, "new.txt"), nil, 0o600))
	if said, err := pack(t, first, filepath.Join(above, "none"), "release"); err == nil || !strings.Contains(said, "git status") {
		t.Errorf("a changed folder is released: %v %s", err, said)
	}
	if _, err := os.Stat(filepath.Join(above, "none")); !os.IsNotExist(err) {
		t.Errorf("a refused release made a folder: %v", err)
	}
}

// lookInside looks into the archive and the lists of what is inside.
func lookInside(t *testing.T, folder string) {
	t.Helper()
	listed := run(t, "tar", "--numeric-owner", "-tvzf", filepath.Join(folder, "purr-1.2.3-linux-amd64.tar.gz"))
	for _, want := range []string{
		`-rwxr-xr-x 0/0 .*/purr\n`, `-rw-r--r-- 0/0 .*/README\.md\n`, `/docs/operating\.md\n`, `/man/man1/purr-serve\.1\.gz\n`, `/completions/bash\n`,
		`/deploy/systemd/purr\.service\n`, `/licenses\.txt\.gz\n`, `/CHANGELOG\.md\n`,
	} {
		if !regexp.MustCompile(want).MatchString(listed) {
			t.Errorf("the archive has no %s:\n%s", want, listed)
		}
	}
	var inside struct {
		BOMFormat string
		Metadata  struct {
			Component struct{ Name, Version string }
		}
		Components []struct{ Name, Version string }
	}
	data, err := os.ReadFile(filepath.Join(folder, "purr-1.2.3-linux-arm64.cdx.json"))
	testkit.Must(t, err)
	testkit.Must(t, json.Unmarshal(data, &inside))
	names := make([]string, 0, len(inside.Components))
	for _, c := range inside.Components {
		names = append(names, c.Name)
	}
	if inside.BOMFormat != "CycloneDX" || inside.Metadata.Component.Name != "purr" || inside.Metadata.Component.Version != "v1.2.3" || !slices.Contains(names, "modernc.org/sqlite") || !slices.Contains(names, "std") {
		t.Errorf("the list of what is inside has %+v and %q", inside.Metadata, names)
	}
	for _, name := range []string{"purr-1.2.3-1.x86_64.rpm", "purr-1.2.3-1.aarch64.rpm"} {
		said := run(t, "rpm", "-qp", "--queryformat", "%{VERSION} %{BUILDHOST} %{LICENSE}\n", filepath.Join(folder, name)) + run(t, "rpm", "-qplv", filepath.Join(folder, name)) +
			run(t, "rpm", "-qpc", filepath.Join(folder, name))
		for _, want := range []string{`1\.2\.3 localhost `, `-rwxr-xr-x .* root +root .* /usr/bin/purr\n`, `-rw-r----- .* root +purr .* /etc/purr/purr\.env\n`, `(?m)^/etc/purr/purr\.env$`, `/usr/lib/systemd/system/purr@\.service\n`} {
			if !regexp.MustCompile(want).MatchString(said) {
				t.Errorf("%s has no %s:\n%s", name, want, said)
			}
		}
	}
}

// TestQ8SystemdJudgesTheUnits asks systemd-analyze how open the units leave the machine, and whether it understands them.
func TestQ8SystemdJudgesTheUnits(t *testing.T) {
	units, err := filepath.Glob(filepath.Join(root, "deploy", "systemd", "*.service"))
	testkit.Must(t, err)
	if len(units) == 0 {
		t.Error("there are no units")
	}
	for _, unit := range units {
		run(t, "systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=25", unit) // in tenths: it fails above 2.5
	}
}
