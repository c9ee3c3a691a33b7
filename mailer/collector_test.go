package mailer

import (
	"os"
	"path/filepath"
	"testing"

	"purr/internal/testkit"
	"purr/models"
	"purr/remote"
)

func TestOutboxTakesWhatTheCollectorGets(t *testing.T) {
	o, dir := newOutbox(t)
	takesFiles(t, o, filepath.Join(dir, "collection"))
	must(t, os.RemoveAll(filepath.Join(dir, "collection")))
	if err := o.SendToCollector(t.Context(), "invoice-1-hand-over-1.zip", []byte("PK")); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("without its folder: %v", err)
	}
}

func TestSFTPTakesWhatTheCollectorGets(t *testing.T) {
	server, dir := testkit.SFTPServer(t), t.TempDir()
	there, err := remote.NewServer(remote.Access{URL: server.Folder(dir), KeyFile: server.KeyFile, HostKey: server.HostKey, Prefix: "collection-sftp"})
	must(t, err)
	s := NewSFTP(there)
	takesFiles(t, s, dir)
	server.Kill()
	if err := s.SendToCollector(t.Context(), "invoice-2-hand-over-2.zip", []byte("PK")); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("while the server is away: %v", err)
	}
}

// takesFiles sends the same file twice, and one after it, and refuses names that are no files'.
func takesFiles(t *testing.T, s CollectorSender, folder string) {
	t.Helper()
	for range 2 { // what is delivered twice is one file
		must(t, s.SendToCollector(t.Context(), "invoice-1-hand-over-1.zip", []byte("PK Å")))
	}
	must(t, s.SendToCollector(t.Context(), "invoice-1-hand-over-1-taken-back.xml", []byte("<x/>")))
	for _, name := range []string{"", "invoice-1", "../invoice-1.zip", ".zip", "a/b.zip"} {
		if s.SendToCollector(t.Context(), name, []byte("PK")) == nil {
			t.Errorf("it takes a file of the name %q", name)
		}
	}
	got := files(t, folder)
	if len(got) != 2 || got["invoice-1-hand-over-1.zip"] != "PK Å" || got["invoice-1-hand-over-1-taken-back.xml"] != "<x/>" {
		t.Errorf("the folder holds %q", got)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
