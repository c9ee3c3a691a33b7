package mailer

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/internal/remote"
	"purr/models"
	"purr/test/testkit"
)

func newOutbox(t *testing.T) (o *Outbox, dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "outbox")
	o, err := NewOutbox(dir)
	if err != nil {
		t.Fatal(err)
	}
	return o, dir
}

// files returns the names and contents of all files in the folder, even of those that are being written.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = string(content)
	}
	return found
}

func TestR1OutboxTakesEmailsAndLetters(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	e, l := anEmail(), Parcel{Name: "overdue-notice-10001-shipment-18", PDF: []byte("%PDF-1.4 Å")}
	for range 2 { // a shipment that is dispatched twice is one file
		if err := handOver(t.Context(), o.Email(), e); err != nil {
			t.Fatal(err)
		}
		if err := handOver(t.Context(), o.Paper(), l); err != nil {
			t.Fatal(err)
		}
	}
	email, paper := files(t, filepath.Join(dir, "email")), files(t, filepath.Join(dir, "paper"))
	if len(email) != 1 || email["invoice-10001-shipment-17.eml"] != string(mustMessage(t, e)) {
		t.Errorf("email holds %q", email)
	}
	if len(paper) != 1 || paper["overdue-notice-10001-shipment-18.pdf"] != string(l.PDF) {
		t.Errorf("paper holds %q", paper)
	}
}

func TestAParcelThatCannotBeMadeLeavesTheOthersAlone(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	ps := []Parcel{{Name: "invoice-1-shipment-1", PDF: []byte("one")}, {Name: "invoice-2-shipment-2"}, {Name: "invoice-3-shipment-3", PDF: []byte("three")}}
	results := o.Paper().HandOverAll(t.Context(), ps)
	for i, r := range results {
		if fails := i == 1; (r.Err != nil) != fails || !fails && r.Receipt != ps[i].Name+".pdf" {
			t.Errorf("parcel %d: %+v", i+1, r)
		}
	}
	if paper := files(t, filepath.Join(dir, "paper")); len(paper) != 2 || paper["invoice-3-shipment-3.pdf"] != "three" {
		t.Errorf("paper holds %q", paper)
	}
}

func TestOutboxShowsWholeFilesOnly(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	paper := filepath.Join(dir, "paper")
	letter := Parcel{Name: "invoice-1-shipment-1", PDF: bytes.Repeat([]byte("PDF "), 100_000)}
	done := make(chan struct{})
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 5 {
				if err := handOver(context.Background(), o.Paper(), letter); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { writers.Wait(); close(done) }()
	for over := false; !over; {
		select {
		case <-done:
			over = true // and read once more
		default:
		}
		entries, err := os.ReadDir(paper)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") {
				continue
			}
			if got, err := os.ReadFile(filepath.Join(paper, e.Name())); err != nil || !bytes.Equal(got, letter.PDF) {
				t.Fatalf("%s has %d of %d bytes, error %v", e.Name(), len(got), len(letter.PDF), err)
			}
		}
	}
	if found := files(t, paper); len(found) != 1 {
		t.Errorf("%d files remain, want 1", len(found))
	}
}

func TestOutboxOutlivesACrashWhileWriting(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	half := filepath.Join(dir, "email", ".invoice-10001-shipment-17.eml-123.tmp")
	if err := os.WriteFile(half, []byte("Fro"), 0o600); err != nil {
		t.Fatal(err)
	}
	if answer, err := o.Email().HandOver(t.Context(), anEmail()); err != nil || answer.Receipt != "invoice-10001-shipment-17.eml" {
		t.Fatalf("the receipt is %q, %v", answer.Receipt, err)
	}
	if got := files(t, filepath.Join(dir, "email"))["invoice-10001-shipment-17.eml"]; got != string(mustMessage(t, anEmail())) {
		t.Errorf("the file holds %q", got)
	}
}

func TestOutboxFailsForTheMomentWhereItCannotWrite(t *testing.T) {
	t.Parallel()
	letter := Parcel{Name: "invoice-1-shipment-1", PDF: []byte("%PDF")}
	tests := []struct {
		name  string
		spoil func(paper string) error
	}{
		{"its folder is gone", os.Remove},
		{"a folder has the file's name", func(paper string) error { return os.Mkdir(filepath.Join(paper, letter.Name+".pdf"), 0o700) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o, dir := newOutbox(t)
			paper := filepath.Join(dir, "paper")
			if err := tt.spoil(paper); err != nil {
				t.Fatal(err)
			}
			if err := handOver(t.Context(), o.Paper(), letter); models.KindOf(err) != models.KindUnavailable {
				t.Errorf("got the error %v of kind %d, want KindUnavailable", err, models.KindOf(err))
			}
			if left, err := filepath.Glob(filepath.Join(paper, ".*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, error %v", left, err)
			}
		})
	}
}

func TestOutboxHonoursTheContext(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := handOver(ctx, o.Email(), anEmail()); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("got the error %v, want KindUnavailable", err)
	}
	if found := files(t, filepath.Join(dir, "email")); len(found) != 0 {
		t.Errorf("wrote %v", found)
	}
}

func TestOutboxRefusesLettersThatAreNone(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	for name, l := range map[string]Parcel{
		"no PDF":                             {Name: "invoice-1-shipment-1"},
		"an ID that leads out of the folder": {Name: "../../invoice", PDF: []byte("%PDF")},
	} {
		if err := handOver(t.Context(), o.Paper(), l); err == nil {
			t.Errorf("a letter with %s was taken", name)
		}
	}
	if found := files(t, filepath.Join(dir, "paper")); len(found) != 0 {
		t.Errorf("wrote %v", found)
	}
}

func TestNewOutboxFailsWhereItCannotBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := NewOutbox(file); err == nil {
		t.Error("an outbox was made in a file")
	}
}

func TestOutboxTakesWhatTheCollectorGets(t *testing.T) {
	t.Parallel()
	o, dir := newOutbox(t)
	takesFiles(t, o, filepath.Join(dir, "collection"))
	must(t, os.RemoveAll(filepath.Join(dir, "collection")))
	if err := o.SendToCollector(t.Context(), "invoice-1-hand-over-1.zip", []byte("PK")); models.KindOf(err) != models.KindUnavailable {
		t.Errorf("without its folder: %v", err)
	}
}

func TestSFTPTakesWhatTheCollectorGets(t *testing.T) {
	t.Parallel()
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

// takesFiles expects the channel to take a file twice and then another one, and to refuse names that are not of files.
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
