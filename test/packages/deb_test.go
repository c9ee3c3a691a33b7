//go:build packages

package packages_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"purr/test/testkit"
)

// debian is an empty Debian in a folder, without systemd.
type debian struct {
	t      *testing.T
	folder string
}

// emptyDebian makes one, with what every Debian has and no more, once for all tests. PURR_TEST_DEBIAN names the folder of one that was made before.
var emptyDebian = sync.OnceValues(func() (folder string, err error) {
	if folder := os.Getenv("PURR_TEST_DEBIAN"); folder != "" {
		return folder, nil
	}
	if folder, err = os.MkdirTemp("", "purr-debian-"); err != nil { // several tests copy it
		return "", err
	}
	made = append(made, folder)
	c := exec.Command("mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", "--include=man-db,bash-completion", "--dpkgopt=path-include=/usr/share/man/*", "bookworm", folder)
	if said, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("mmdebstrap: %w: %s", err, said)
	}
	return folder, nil
})

// made are the folders that several tests use; TestMain removes them.
var made []string

func TestMain(m *testing.M) {
	code := m.Run()
	for _, folder := range made {
		_ = os.RemoveAll(folder) // it lies in the folder for temporary files
	}
	os.Exit(code)
}

// newDebian returns a copy of the empty one.
func newDebian(t *testing.T) debian {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("an empty Debian needs root: run make test-packages as root")
	}
	empty, err := emptyDebian()
	testkit.Must(t, err)
	folder := filepath.Join(t.TempDir(), "debian")
	run(t, "cp", "-a", empty, folder)
	return debian{t, folder}
}

// do runs a program inside, on a machine without other processes and without network. The code must be the one that is wanted.
func (d debian) do(code int, words ...string) string {
	d.t.Helper()
	c := exec.CommandContext(d.t.Context(), "unshare", append([]string{"--mount", "--pid", "--net", "--fork", "--mount-proc", "--root=" + d.folder, "--wd=/"}, words...)...)
	c.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", "HOME=/root"}
	said, err := c.CombinedOutput()
	if got := c.ProcessState.ExitCode(); got != code {
		d.t.Fatalf("%q ends with %d (%v), want %d:\n%s", words, got, err, code, said)
	}
	return string(said)
}

// take copies a package into it.
func (d debian) take(deb, name string) {
	d.t.Helper()
	data, err := os.ReadFile(deb)
	testkit.Must(d.t, err)
	testkit.Must(d.t, os.WriteFile(filepath.Join(d.folder, name), data, 0o644))
}

func (d debian) path(path string) string { return filepath.Join(d.folder, path) }

// wantMode fails the test unless a file has the mode and belongs to root and the group.
func (d debian) wantMode(path, want string) {
	d.t.Helper()
	if got := strings.TrimSpace(d.do(0, "stat", "-c", "%a %U:%G", path)); got != want {
		d.t.Errorf("%s is %s, want %s", path, got, want)
	}
}

func (d debian) gone(paths ...string) {
	d.t.Helper()
	for _, path := range paths {
		if _, err := os.Lstat(d.path(path)); !os.IsNotExist(err) {
			d.t.Errorf("%s is still there: %v", path, err)
		}
	}
}

// TestK5aInstallUpgradeRemovePurge leads a deb and an rpm through their lives in an empty Debian without systemd.
func TestK5aInstallUpgradeRemovePurge(t *testing.T) {
	before, out := firstRelease(t), t.TempDir()
	mustPack(t, root, out, "-arch", "amd64", "-version", "v1.1.0", "packages")
	t.Run("rpm", func(t *testing.T) {
		liveAsRPM(t, one(t, before, "*.x86_64.rpm"), one(t, out, "*.x86_64.rpm"))
	})
	first, second := one(t, before, "*_amd64.deb"), one(t, out, "*_amd64.deb")
	if said := run(t, "lintian", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", first); strings.Contains(said, "E: ") {
		t.Errorf("lintian finds errors:\n%s", said)
	} else {
		t.Logf("lintian: %s", said)
	}
	d := newDebian(t)
	d.take(first, "first.deb")
	d.take(second, "second.deb")

	said := d.do(0, "dpkg", "-i", "/first.deb")
	if !strings.Contains(said, "systemctl enable --now purr.service") {
		t.Errorf("the installation does not say how to begin:\n%s", said)
	}
	if said := d.do(0, "purr", "version"); !strings.Contains(said, "v1.0.0") || strings.Contains(said, "unknown") {
		t.Errorf("it installed %s", said)
	}
	d.wantMode("/etc/purr/purr.env", "640 root:purr")
	d.wantMode("/usr/bin/purr", "755 root:root")
	if said := d.do(0, "getent", "passwd", "purr"); !regexp.MustCompile(`^purr:x:\d{3}:\d{3}:.*:/var/lib/purr:/usr/sbin/nologin\n$`).MatchString(said) {
		t.Errorf("the user is %s", said)
	}
	for _, path := range []string{"purr.service", "purr@.service", "purr-backup.service", "purr-backup.timer"} {
		d.wantMode("/usr/lib/systemd/system/"+path, "644 root:root")
	}
	d.readManual()
	d.gone("/var/lib/purr")

	data := d.liveIn()
	settings := d.path("/etc/purr/purr.env")
	testkit.Must(t, os.WriteFile(settings, []byte("PURR_LISTEN=127.0.0.1:8081\n"), 0o640))
	d.do(0, "dpkg", "-i", "/second.deb")
	if text, err := os.ReadFile(settings); err != nil || string(text) != "PURR_LISTEN=127.0.0.1:8081\n" {
		t.Errorf("the upgrade leaves the settings %q (%v)", text, err)
	}
	d.wantMode("/etc/purr/purr.env", "640 root:purr")
	if said := d.do(0, "purr", "version"); !strings.Contains(said, "v1.1.0") {
		t.Errorf("it upgraded to %s", said)
	}
	d.upgradeOnAServer(settings)

	testkit.Must(t, os.WriteFile(d.path("/etc/purr/database-url"), []byte("secret"), 0o600))
	d.do(0, "dpkg", "-r", "purr")
	d.gone("/usr/bin/purr", "/usr/lib/systemd/system/purr.service", "/usr/share/man/man1/purr.1.gz")
	if _, err := os.Stat(settings); err != nil {
		t.Errorf("the removal took the settings: %v", err)
	}
	said = d.do(0, "dpkg", "-P", "purr")
	if !strings.Contains(said, "/var/lib/purr stays") {
		t.Errorf("the purge does not say that the books stay:\n%s", said)
	}
	d.gone("/etc/purr", "/var/lib/systemd/timers/stamp-purr-backup.timer", "/usr/share/doc/purr")
	if after, err := os.ReadFile(d.path("/var/lib/purr/purr.db")); err != nil || string(after) != data {
		t.Errorf("the purge changed the books: %v", err)
	}
	d.do(0, "dpkg", "-i", "/second.deb") // and back again
	d.wantMode("/etc/purr/purr.env", "640 root:purr")
}

// readManual has man and the shells read what the package brings.
func (d debian) readManual() {
	d.t.Helper()
	if said := d.do(0, "man", "purr-dunning-plan"); !strings.Contains(said, "purr dunning plan") {
		d.t.Errorf("the manual says %s", said)
	}
	pages, err := filepath.Glob(d.path("/usr/share/man/man1/purr*.1.gz"))
	testkit.Must(d.t, err)
	for _, page := range pages {
		c := exec.CommandContext(d.t.Context(), "man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page)
		var warned strings.Builder
		c.Stderr = &warned
		if err := c.Run(); err != nil || warned.Len() > 0 {
			d.t.Errorf("man reads %s with %v: %s", page, err, &warned)
		}
	}
	for shell, script := range map[string]string{
		"bash": "/usr/share/bash-completion/completions/purr", "zsh": "/usr/share/zsh/vendor-completions/_purr", "fish": "/usr/share/fish/vendor_completions.d/purr.fish",
	} {
		run(d.t, shell, "-n", d.path(script))
	}
	asked := d.do(0, "bash", "-c", `. /usr/share/bash-completion/bash_completion; . /usr/share/bash-completion/completions/purr
		COMP_WORDS=(purr dunn) COMP_CWORD=1 COMP_LINE="purr dunn" COMP_POINT=9; __start_purr 2>/dev/null; echo "${COMPREPLY[@]}"`)
	if !strings.Contains(asked, "dunning") {
		d.t.Errorf("bash completes purr dunn to %q", asked)
	}
}

// liveIn makes an installation in the package's data folder as its user, as the unit does, and returns its database.
func (d debian) liveIn() string {
	d.t.Helper()
	d.do(0, "install", "-d", "-m", "700", "-o", "purr", "-g", "purr", "/var/lib/purr")
	d.do(0, "install", "-D", "/dev/null", "/var/lib/systemd/timers/stamp-purr-backup.timer")
	d.do(0, "setpriv", "--reuid", "purr", "--regid", "purr", "--clear-groups", "purr", "migrate", "--data", "/var/lib/purr")
	data, err := os.ReadFile(d.path("/var/lib/purr/purr.db"))
	testkit.Must(d.t, err)
	return string(data)
}

// upgradeOnAServer upgrades where the settings name a database server, which is not even there: nothing asks it for anything.
func (d debian) upgradeOnAServer(settings string) {
	d.t.Helper()
	testkit.Must(d.t, os.WriteFile(settings, []byte("PURR_DATABASE_URL=mysql://purr:purr@127.0.0.1:1/purr\n"), 0o640))
	if said := d.do(0, "dpkg", "-i", "/second.deb"); !strings.Contains(said, "purr migrate") {
		d.t.Errorf("the upgrade does not say who migrates a server's database:\n%s", said)
	}
}

// liveAsRPM installs, upgrades and removes the rpm as far as a Debian can: the rpm's own scripts run in it.
func liveAsRPM(t *testing.T, first, second string) {
	d := newDebian(t)
	run(t, "rpm", "--root", d.folder, "--nodeps", "-i", first)
	d.wantMode("/etc/purr/purr.env", "640 root:purr")
	if said := d.do(0, "purr", "version"); !strings.Contains(said, "v1.0.0") {
		t.Errorf("it installed %s", said)
	}
	testkit.Must(t, os.MkdirAll(d.path("/var/lib/purr"), 0o700))
	testkit.Must(t, os.WriteFile(d.path("/etc/purr/purr.env"), []byte("PURR_DATABASE_URL=mysql://purr:purr@127.0.0.1:1/purr\n"), 0o640))
	if said := run(t, "rpm", "--root", d.folder, "--nodeps", "-U", second); !strings.Contains(said, "purr migrate") {
		t.Errorf("the upgrade does not say who migrates a server's database:\n%s", said)
	}
	if text, err := os.ReadFile(d.path("/etc/purr/purr.env")); err != nil || !strings.Contains(string(text), "127.0.0.1:1") {
		t.Errorf("the upgrade leaves the settings %q (%v)", text, err)
	}
	if said := run(t, "rpm", "--root", d.folder, "--nodeps", "-e", "purr"); !strings.Contains(said, "/var/lib/purr stays") {
		t.Errorf("the removal does not say that the books stay:\n%s", said)
	}
	d.gone("/usr/bin/purr")
	if _, err := os.Stat(d.path("/var/lib/purr")); err != nil {
		t.Errorf("the removal touched the data: %v", err)
	}
}
