package e2e_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestO5NothingListensButTheAPI: by itself the program listens on its HTTP address, and on nothing else.
func TestO5NothingListensButTheAPI(t *testing.T) {
	t.Parallel()
	p := begin(t, []string{"PURR_DATA=" + t.TempDir(), "PURR_LISTEN=127.0.0.1:0"}, "serve")
	url := p.listening()
	got := listeners(t, p.command.Process.Pid)
	if len(got) != 1 || !strings.HasSuffix(url, ":"+got[0]) {
		t.Errorf("the program listens on the ports %v, and says that it listens on %s", got, url)
	}
}

// listeners returns the TCP ports on which a process listens.
func listeners(t *testing.T, pid int) (ports []string) {
	t.Helper()
	folder := fmt.Sprintf("/proc/%d/", pid)
	handles, err := os.ReadDir(folder + "fd")
	must(t, err)
	own := map[string]bool{}
	for _, h := range handles {
		target, _ := os.Readlink(folder + "fd/" + h.Name()) // it may be closed by now
		own[target] = true
	}
	for _, table := range []string{"net/tcp", "net/tcp6"} {
		raw, err := os.ReadFile(folder + table)
		must(t, err)
		for _, line := range strings.Split(string(raw), "\n")[1:] {
			const listening = "0A"
			if f := strings.Fields(line); len(f) > 9 && f[3] == listening && own["socket:["+f[9]+"]"] {
				_, hex, _ := strings.Cut(f[1], ":")
				port, err := strconv.ParseInt(hex, 16, 32)
				must(t, err)
				ports = append(ports, strconv.FormatInt(port, 10))
			}
		}
	}
	return ports
}

// TestO5FilesAreTheirOwnersAlone: whatever the umask is, new files are 0600 and folders 0700. What was there before
// is set right at the start, but for files that are not purr's.
func TestO5FilesAreTheirOwnersAlone(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	letter, foreign := filepath.Join(data, "outbox", "paper", "old.pdf"), filepath.Join(data, "tool.sh")
	must(t, os.MkdirAll(filepath.Dir(letter), 0o755))
	for _, path := range []string{letter, foreign} {
		must(t, errors.Join(os.WriteFile(path, []byte("x"), 0o600), os.Chmod(path, 0o755))) // whatever our umask is
	}
	before := syscall.Umask(0)
	p := begin(t, []string{"PURR_DATA=" + data, "PURR_LISTEN=127.0.0.1:0"}, "serve", "--new")
	syscall.Umask(before)
	url := p.listening()
	key := p.firstKey()
	api := newClient(t, func() string { return url }, key)
	api.invoice(t, invoiceOf{customer: api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "PAPER"})
	eventually(t, "the letter is there, and everything is private", func() (bool, any) {
		letters := readFolder(t, filepath.Dir(letter))
		return len(letters) == 2 && len(public(t, data)) == 1, public(t, data)
	})
	if got := public(t, data); !slices.Equal(got, []string{"tool.sh -rwxr-xr-x"}) {
		t.Errorf("others may read %v", got)
	}
}

// public returns what is in a folder, or is the folder itself, that has another mode than 0600 and 0700.
func public(t *testing.T, folder string) (found []string) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // it is gone: files come and go
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = 0o700
		}
		if info, err := entry.Info(); err == nil && info.Mode().Perm() != want {
			name, err := filepath.Rel(folder, path)
			must(t, err)
			found = append(found, name+" "+info.Mode().String())
		}
		return nil
	}))
	return found
}

// TestO5RootBecomesTheOwnerOfTheDataFolder has root run a command on the data folder of the user nobody. It needs
// root, or sudo that asks for no password.
func TestO5RootBecomesTheOwnerOfTheDataFolder(t *testing.T) {
	t.Parallel()
	data := ownedByNobody(t)
	path, err := binary()
	must(t, err)
	asRoot(t, path, "migrate", "--data", data)
	asRoot(t, path, "creditor", "create", "--name", "A", "--data", data)
	belongsToNobody(t, data, 3)
}

const nobody = 65534

// ownedByNobody returns a new folder that belongs to the user nobody.
func ownedByNobody(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "purr-owned-") //nolint:usetesting // t.TempDir may lie in a folder that nobody may not enter
	must(t, err)
	t.Cleanup(func() { asRoot(t, "rm", "-rf", folder) })
	asRoot(t, "chown", fmt.Sprintf("%d:%d", nobody, nobody), folder)
	return folder
}

// belongsToNobody fails the test unless a folder and all in it belong to the user nobody. It wants at least so many.
func belongsToNobody(t *testing.T, folder string, least int) {
	t.Helper()
	owners := strings.Fields(asRoot(t, "find", folder, "-printf", "%U:%G:%p\n"))
	if len(owners) < least {
		t.Errorf("there is only %q", owners)
	}
	for _, o := range owners {
		if !strings.HasPrefix(o, fmt.Sprintf("%d:%d:", nobody, nobody)) {
			t.Errorf("%s does not belong to the user", o)
		}
	}
}

// TestD120RootBacksUpAndRestoresAsTheOwner: root's backup and root's restore leave nothing of root's in the folders of another
// user, also where root has made the data folder around that user's database. What that user may not write to is refused in a
// sentence.
func TestD120RootBacksUpAndRestoresAsTheOwner(t *testing.T) {
	t.Parallel()
	data, around, to, restored, roots := ownedByNobody(t), ownedByNobody(t), ownedByNobody(t), ownedByNobody(t), ownedByNobody(t)
	path, err := binary()
	must(t, err)
	asRoot(t, path, "migrate", "--data", data)
	asRoot(t, path, "creditor", "create", "--name", "A", "--data", data)
	asRoot(t, path, "backup", filepath.Join(to, "monday"), "--data", data)
	belongsToNobody(t, data, 3)
	belongsToNobody(t, to, 4)

	asRoot(t, path, "restore", filepath.Join(to, "monday"), "--data", restored)
	belongsToNobody(t, restored, 3)

	asRoot(t, "cp", "-a", data+"/.", around)
	asRoot(t, "chown", fmt.Sprintf("0:%d", nobody), around) // the folder alone
	asRoot(t, "chmod", "770", around)
	asRoot(t, path, "backup", filepath.Join(to, "tuesday"), "--data", around)
	belongsToNobody(t, filepath.Join(to, "tuesday"), 3)
	asRoot(t, "chown", fmt.Sprintf("%d", nobody), around)
	belongsToNobody(t, around, 3)

	asRoot(t, "chown", "0:0", roots)
	asRoot(t, "chmod", "755", roots)
	refused := filepath.Join(roots, "backup")
	said := asRoot(t, "sh", "-c", path+" backup "+refused+" --data "+data+" 2>&1 || true")
	if want := fmt.Sprintf("number %d, who may not write to %s", nobody, refused); !strings.Contains(said, want) {
		t.Errorf("root's folder was refused with %q, want %q", said, want)
	}
	equal(t, "what is in root's folder", asRoot(t, "find", roots), roots+"\n")
}

// TestK2bRootCopiesAsTheOwner: what root copies into a folder belongs to the owner of that folder, or of the one that it is copied from. What that
// user may not write to is refused in a sentence.
func TestK2bRootCopiesAsTheOwner(t *testing.T) {
	t.Parallel()
	data, to, from, roots := ownedByNobody(t), ownedByNobody(t), ownedByNobody(t), ownedByNobody(t)
	path, err := binary()
	must(t, err)
	asRoot(t, "sh", "-c", "mkdir -p "+data+"/archive/2c "+data+"/outbox/paper && printf foo > "+data+"/archive/2c/2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae && printf letter > "+data+"/outbox/paper/a.pdf")
	asRoot(t, "chown", "-R", fmt.Sprintf("%d:%d", nobody, nobody), data)
	copied := func(from, to string) {
		t.Helper()
		if said := asRoot(t, "env", "TMPDIR=/tmp", path, "storage", "copy", "file://"+from, "file://"+to); !strings.Contains(said, "2 files, 2 brought") {
			t.Errorf("storage copy says %s", said)
		}
		belongsToNobody(t, to, 6)
	}
	copied(data, to)
	copied(data, filepath.Join(to, "new", "folder")) // the folder around it tells

	asRoot(t, "cp", "-a", data+"/.", from)
	asRoot(t, "chown", "-R", "0:0", from)
	asRoot(t, "chmod", "-R", "a+rX", from)
	copied(from, filepath.Join(to, "another")) // of root's folder, too, as the owner of the destination

	asRoot(t, "chown", "0:0", roots)
	asRoot(t, "chmod", "755", roots)
	refused := filepath.Join(roots, "copy")
	said := asRoot(t, "sh", "-c", "TMPDIR=/tmp "+path+" storage copy file://"+data+" file://"+refused+" 2>&1 || true")
	if want := fmt.Sprintf("to whom %s belongs, number %d, who may not reach %s", data, nobody, refused); !strings.Contains(said, want) {
		t.Errorf("root's folder was refused with %q, want %q", said, want)
	}
	equal(t, "what is in root's folder", asRoot(t, "find", roots), roots+"\n")
}

// asRoot runs a command as root, and returns what it printed.
func asRoot(t *testing.T, arguments ...string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		arguments = append([]string{"sudo", "-n"}, arguments...)
	}
	out, err := exec.Command(arguments[0], arguments[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("run the tests as root, or as a user whose sudo asks for no password: %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}
