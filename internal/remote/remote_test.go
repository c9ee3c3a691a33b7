package remote

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"purr/models"
	"purr/test/testkit"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError expects an error of the kind that says all the words.
func wantError(t *testing.T, err error, kind models.Kind, words ...string) {
	t.Helper()
	if err == nil || models.KindOf(err) != kind {
		t.Fatalf("got %v of kind %d, want kind %d", err, models.KindOf(err), kind)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not say %q", err, w)
		}
	}
}

// place is a folder on an OpenSSH server.
type place struct {
	*testkit.SFTPProcess
	dir string
}

func newPlace(t *testing.T) place {
	t.Helper()
	return place{testkit.SFTPServer(t), t.TempDir()}
}

// access returns what is needed to open the folder.
func (p place) access() Access {
	return Access{URL: p.Folder(p.dir), KeyFile: p.KeyFile, HostKey: p.HostKey, Prefix: "sftp"}
}

func open(t *testing.T, a Access) *Folder {
	t.Helper()
	s, err := NewServer(a)
	must(t, err)
	f, err := s.Open(t.Context())
	must(t, err)
	t.Cleanup(f.Close)
	return f
}

func openFails(t *testing.T, a Access) error {
	t.Helper()
	s, err := NewServer(a)
	must(t, err)
	f, err := s.Open(t.Context())
	if err == nil {
		f.Close()
		t.Fatal("the folder was opened")
	}
	return err
}

func (p place) write(t *testing.T, name, content string, changed time.Time) {
	t.Helper()
	path := filepath.Join(p.dir, name)
	must(t, os.WriteFile(path, []byte(content), 0o600))
	must(t, os.Chtimes(path, changed, changed))
}

func (p place) names(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(p.dir)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestListIsOldestFirstAndOfPlainFilesThatAreNotHidden(t *testing.T) {
	p := newPlace(t)
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	p.write(t, "b", "12345", noon)
	p.write(t, "a", "1", noon)
	p.write(t, "z", "123", noon.Add(-time.Hour))
	p.write(t, ".hidden", "x", noon)
	must(t, os.Mkdir(filepath.Join(p.dir, "fetched"), 0o700))
	must(t, os.Symlink("a", filepath.Join(p.dir, "link")))
	got, err := open(t, p.access()).List()
	must(t, err)
	if want := []File{{"z", 3, noon.Add(-time.Hour)}, {"a", 1, noon}, {"b", 5, noon}}; !slices.Equal(got, want) {
		t.Errorf("the list is %v, want %v", got, want)
	}
}

func TestGetStreamsTwentyMegabytes(t *testing.T) {
	p := newPlace(t)
	want := make([]byte, 20<<20)
	_, _ = rand.Read(want)
	must(t, os.WriteFile(filepath.Join(p.dir, "large"), want, 0o600))
	f := open(t, p.access())
	r, err := f.Get("large")
	must(t, err)
	got, err := io.ReadAll(r)
	must(t, err)
	must(t, r.Close())
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, which are not those of the file", len(got))
	}
	_, err = f.Get("small")
	wantError(t, err, models.KindNotFound, "small")
}

func TestADownloadThatIsGivenUpLeavesTheFolderOpen(t *testing.T) {
	p := newPlace(t)
	must(t, os.WriteFile(filepath.Join(p.dir, "large"), make([]byte, 20<<20), 0o600))
	f := open(t, p.access())
	r, err := f.Get("large")
	must(t, err)
	_, err = io.ReadFull(r, make([]byte, 100))
	must(t, err)
	must(t, r.Close())
	if _, err := f.List(); err != nil {
		t.Error(err)
	}
}

func TestPutShowsNoHalfFile(t *testing.T) {
	p := newPlace(t)
	f := open(t, p.access())
	content := strings.Repeat("NY000010", 100_000)
	seen := ""
	must(t, f.Put("bundle.zip", readerFunc(func() func([]byte) (int, error) {
		r := strings.NewReader(content)
		return func(b []byte) (int, error) {
			if r.Len() < len(content)/2 {
				seen = p.names(t)
			}
			return r.Read(b)
		}
	}())))
	if seen != ".bundle.zip.part" {
		t.Errorf("half-way there is %q", seen)
	}
	got, err := os.ReadFile(filepath.Join(p.dir, "bundle.zip"))
	if err != nil || string(got) != content || p.names(t) != "bundle.zip" {
		t.Errorf("the folder holds %s with %d bytes: %v", p.names(t), len(got), err)
	}
	must(t, f.Put("bundle.zip", strings.NewReader("again")))
	if got, err := os.ReadFile(filepath.Join(p.dir, "bundle.zip")); err != nil || string(got) != "again" || p.names(t) != "bundle.zip" {
		t.Errorf("put again, it holds %q: %v", got, err)
	}
}

func TestAPutThatFailsLeavesNothing(t *testing.T) {
	p := newPlace(t)
	f := open(t, p.access())
	broken := errors.New("the disk is broken")
	half := io.MultiReader(strings.NewReader(strings.Repeat("x", 100_000)), readerFunc(func([]byte) (int, error) { return 0, broken }))
	if err := f.Put("bundle.zip", half); !errors.Is(err, broken) || p.names(t) != "" {
		t.Errorf("Put = %v, and the folder holds %q", err, p.names(t))
	}
	wantError(t, f.Put("../bundle.zip", strings.NewReader("x")), models.KindInvalid)
}

func TestRemoveAndRename(t *testing.T) {
	p := newPlace(t)
	p.write(t, "a", "1", time.Now())
	p.write(t, "b", "1", time.Now())
	f := open(t, p.access())
	must(t, f.MakeFolder("fetched"))
	must(t, f.MakeFolder("fetched"))
	must(t, f.Rename("a", "fetched/a"))
	must(t, f.Remove("b"))
	if _, err := os.Stat(filepath.Join(p.dir, "fetched/a")); err != nil || p.names(t) != "fetched" {
		t.Errorf("the folder holds %s: %v", p.names(t), err)
	}
	wantError(t, f.Remove("b"), models.KindNotFound, "remove b")
	wantError(t, f.Rename("b", "c"), models.KindNotFound, "rename b")
	_, err := f.Stat("b")
	wantError(t, err, models.KindNotFound)
}

func TestAFolderThatIsNotThere(t *testing.T) {
	p := newPlace(t)
	a := p.access()
	a.URL += "/nowhere"
	wantError(t, openFails(t, a), models.KindNotFound, "nowhere")
}

func TestAWrongKeyOrPasswordIsRefused(t *testing.T) {
	p := newPlace(t)
	wrong := p.access()
	wrong.KeyFile = newPlace(t).KeyFile
	wantError(t, openFails(t, wrong), models.KindInvalid, "sftp-key-file")
	wrong.KeyFile, wrong.Password = "", "guessed"
	wantError(t, openFails(t, wrong), models.KindInvalid, "sftp-password")
}

func TestAServerThatIsAwayAndComesBack(t *testing.T) {
	p := newPlace(t)
	s, err := NewServer(p.access())
	must(t, err)
	p.Kill()
	_, err = s.Open(t.Context())
	wantError(t, err, models.KindUnavailable, p.URL[strings.LastIndex(p.URL, "@")+1:])
	p.Start()
	f, err := s.Open(t.Context())
	must(t, err)
	f.Close()
}

func TestAServerThatSaysNothingIsNotWaitedForForEver(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	s, err := NewServer(Access{URL: "sftp://purr@" + listener.Addr().String(), Password: "x", HostKey: "SHA256:" + strings.Repeat("A", 43), Prefix: "sftp"})
	must(t, err)
	s.timeout = 10 * time.Millisecond
	_, err = s.Open(t.Context())
	wantError(t, err, models.KindUnavailable)

	s.timeout = time.Hour
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = s.Open(ctx)
	wantError(t, err, models.KindUnavailable)
}

// The end of the context stops a transfer that is under way.
func TestAFolderIsOpenNoLongerThanItsContext(t *testing.T) {
	p := newPlace(t)
	s, err := NewServer(p.access())
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	f, err := s.Open(ctx)
	must(t, err)
	cancel()
	for err == nil { // the hanging up happens beside
		_, err = f.List()
	}
	wantError(t, err, models.KindUnavailable)
	f.Close()
}

func TestPasswordsAreGivenAsServersAskForThem(t *testing.T) {
	for _, way := range []string{"password", "keyboard-interactive"} {
		t.Run(way, func(t *testing.T) {
			server := startServer(t, way)
			a := Access{URL: server.url, Password: "s3cret", HostKey: server.fingerprints[0], Prefix: "sftp"}
			open(t, a)
			a.Password = "secret"
			wantError(t, openFails(t, a), models.KindInvalid, "sftp-password")
		})
	}
}

func TestAHostKeyIsPinned(t *testing.T) {
	server := startServer(t, "password")
	first, second := server.fingerprints[0], server.fingerprints[1] // ECDSA and Ed25519
	other := "SHA256:" + strings.Repeat("A", 43)
	a := Access{URL: server.url, Password: "s3cret", Prefix: "sftp"}
	for name, right := range map[string]string{
		"a fingerprint":                         first,
		"one of a key that is not shown first":  second,
		"a line of known_hosts":                 "bank.example.no,10.0.0.1 " + server.lines[0],
		"a public key of one type":              server.lines[0],
		"a public key of the other":             server.lines[1],
		"two on lines, the second right":        "# until June\n" + other + "\n\n" + second + "\n",
		"a key and the fingerprint of another":  server.lines[0] + "\n" + other,
		"a fingerprint with the base64 padding": first + "=",
	} {
		t.Run(name, func(t *testing.T) {
			a.HostKey = right
			open(t, a)
		})
	}
	foreign := startServer(t, "password")
	for name, wrong := range map[string]string{
		"another fingerprint":         other,
		"another server's key":        foreign.lines[1],
		"a key of a type it lacks":    rsaLine,
		"another server's known_host": "bank " + foreign.lines[0],
	} {
		t.Run(name, func(t *testing.T) {
			a.HostKey = wrong
			err := openFails(t, a)
			if name == "a key of a type it lacks" {
				wantError(t, err, models.KindInvalid, "sftp-host-key")
				return
			}
			refused, is := errors.AsType[*HostKeyError](err)
			if !is || refused.Missing || !slices.Contains(server.fingerprints, refused.Fingerprint) || !strings.Contains(err.Error(), "sftp-host-key") {
				t.Errorf("the error is %v", err)
			}
		})
	}
	if server.asked.Load() != 8 {
		t.Errorf("the password was told %d times: also where the host key was wrong", server.asked.Load())
	}
}

func TestWithoutAHostKeyNothingIsToldButTheOneThatTheServerShows(t *testing.T) {
	p := newPlace(t)
	a := p.access()
	a.HostKey = ""
	err := openFails(t, a)
	key, _, _, _, parseErr := ssh.ParseAuthorizedKey([]byte(p.HostKey))
	must(t, parseErr)
	refused, is := errors.AsType[*HostKeyError](err)
	if !is || !refused.Missing || refused.Fingerprint != ssh.FingerprintSHA256(key) {
		t.Fatalf("the error is %v", err)
	}
	for _, want := range []string{"sftp-host-key: none is set", "ssh-ed25519 " + refused.Fingerprint, "ask its owner", "set sftp-host-key to SHA256:"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error %q does not say %q", err, want)
		}
	}
	a.HostKey = refused.Fingerprint
	open(t, a)
}

func TestSettingsThatAreWrong(t *testing.T) {
	p := newPlace(t)
	for _, tt := range []struct {
		name   string
		change func(*Access)
		want   string
	}{
		{"no URL", func(a *Access) { a.URL = "" }, "sftp-url: must be of the form"},
		{"another scheme", func(a *Access) { a.URL = "ftp://u@h/" }, "sftp-url: must be of the form"},
		{"no user", func(a *Access) { a.URL = "sftp://h/" }, "sftp-url: must be of the form"},
		{"a password in the URL", func(a *Access) { a.URL = "sftp://u:s3cret@h/" }, "sftp-url: must hold no password: set sftp-password"},
		{"neither key nor password", func(a *Access) { a.KeyFile = "" }, "sftp-key-file, sftp-password: set one of them"},
		{"a key file that is not there", func(a *Access) { a.KeyFile += "x" }, "sftp-key-file: open "},
		{"a key file that is none", func(a *Access) { a.KeyFile = "remote.go" }, "sftp-key-file: remote.go holds no private key"},
		{"a host key that is none", func(a *Access) { a.HostKey = "bank.example.no" }, "sftp-host-key: \"bank.example.no\" is neither"},
		{"half a fingerprint", func(a *Access) { a.HostKey = "SHA256:abc" }, "sftp-host-key: \"SHA256:abc\" is no fingerprint"},
		{"an authority", func(a *Access) { a.HostKey = "@cert-authority * " + p.HostKey }, "sftp-host-key: a line of known_hosts with @cert-authority"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := p.access()
			tt.change(&a)
			_, err := NewServer(a)
			if err == nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
}

func TestWhatAURLMeans(t *testing.T) {
	for raw, want := range map[string][3]string{
		"sftp://purr@bank.example.no":              {"bank.example.no:22", ".", "sftp://purr@bank.example.no:22/~"},
		"sftp://purr@bank.example.no/":             {"bank.example.no:22", "/", "sftp://purr@bank.example.no:22/"},
		"sftp://purr@bank.example.no:2222/out/ocr": {"bank.example.no:2222", "/out/ocr", "sftp://purr@bank.example.no:2222/out/ocr"},
		"sftp://purr@bank.example.no/~/out":        {"bank.example.no:22", "out", "sftp://purr@bank.example.no:22/~/out"},
		"sftp://purr@bank.example.no/~":            {"bank.example.no:22", ".", "sftp://purr@bank.example.no:22/~"},
		"sftp://purr@[::1]:2222/~purr":             {"[::1]:2222", "/~purr", "sftp://purr@[::1]:2222/~purr"},
	} {
		s, err := NewServer(Access{URL: raw, Password: "s3cret", Prefix: "sftp"})
		must(t, err)
		if got := [3]string{s.address, s.folder, s.String()}; got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}

// liar answers OK to what it was told not to do.
type liar struct {
	sftp.FileCmder
	methods []string // such as Rename
}

func (l liar) Filecmd(r *sftp.Request) error {
	if slices.Contains(l.methods, r.Method) {
		return nil
	}
	return l.FileCmder.Filecmd(r)
}

func TestD121AServersOKIsNotBelieved(t *testing.T) {
	for _, tt := range []struct {
		name string
		lies []string
		do   func(f *Folder) error
	}{
		{"a file that is put under its name", []string{"Rename"}, func(f *Folder) error { return f.Put("bundle.zip", strings.NewReader("PK")) }},
		{"likewise, where nothing is removed either", []string{"Rename", "Remove"}, func(f *Folder) error { return f.Put("bundle.zip", strings.NewReader("PK")) }},
		{"a file that is moved", []string{"Rename"}, func(f *Folder) error { return f.Rename("there", "done") }},
		{"a file that is removed", []string{"Remove"}, func(f *Folder) error { return f.Remove("there") }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := sftp.InMemHandler()
			honest := files.FileCmd
			open := func(by sftp.Handlers) *Folder {
				server := startServer(t, "password", by)
				s, err := NewServer(Access{URL: server.url + "/", Password: "s3cret", HostKey: server.fingerprints[0], Prefix: "sftp"})
				must(t, err)
				f, err := s.Open(t.Context())
				must(t, err)
				t.Cleanup(f.Close)
				return f
			}
			must(t, open(files).Put("there", strings.NewReader("x")))
			files.FileCmd = liar{honest, tt.lies}
			wantError(t, tt.do(open(files)), models.KindConflict, "did not")
			files.FileCmd = honest
			if err := tt.do(open(files)); err != nil { // it may be done again
				t.Error(err)
			}
		})
	}
}
