package inbound

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/internal/remote"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// bank is a folder on an OpenSSH server, and what polls it.
type bank struct {
	*books
	server  *testkit.SFTPProcess
	dir     string
	clock   *clock.Test
	after   After
	between func() // what happens while a new file is watched
}

func eachBank(t *testing.T, after After, test func(t *testing.T, b *bank)) {
	t.Helper()
	eachBooks(t, func(t *testing.T, books *books) {
		b := &bank{books: books, server: testkit.SFTPServer(t), dir: t.TempDir(), clock: clock.NewTest(rows.Start), after: after, between: func() {}}
		books.DB = books.DB.WithClock(b.clock)
		books.im = ocr.NewImporter(books.DB, books.Archive, silent)
		test(t, b)
	})
}

// open returns the folder as another process opens it.
func (b *bank) open(t *testing.T, change ...func(*remote.Access)) *BankFolder {
	t.Helper()
	access := remote.Access{URL: b.server.Folder(b.dir), KeyFile: b.server.KeyFile, HostKey: b.server.HostKey, Prefix: "sftp"}
	for _, c := range change {
		c(&access)
	}
	server, err := remote.NewServer(access)
	must(t, err)
	f := NewBankFolder(b.DB, b.im, server, b.after, 15*time.Minute, silent)
	f.pause = func(context.Context) error { b.between(); return nil }
	return f
}

// poll polls the folder now, and returns the check and each file as "name state".
func (b *bank) poll(t *testing.T) (check models.BankPoll, taken string) {
	t.Helper()
	check, files, err := b.open(t).Poll(t.Context())
	must(t, err)
	return check, told(files)
}

func told(files []models.PaymentFile) string {
	var words []string
	for _, f := range files {
		words = append(words, f.Filename+" "+string(f.State))
	}
	return strings.Join(words, ", ")
}

// put writes a file as the bank does, last changed an age ago.
func (b *bank) put(t *testing.T, name string, content []byte, age time.Duration) {
	t.Helper()
	path := filepath.Join(b.dir, name)
	must(t, os.WriteFile(path, content, 0o600))
	changed := rows.Start.Add(-age)
	must(t, os.Chtimes(path, changed, changed))
}

// holds expects the files, and no others, to lie in the folder and below it.
func (b *bank) holds(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	must(t, filepath.WalkDir(b.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(b.dir, path)
			got = append(got, filepath.ToSlash(name))
		}
		return err
	}))
	want = slices.Sorted(slices.Values(want))
	if !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func wantCheck(t *testing.T, c models.BankPoll, ok bool, found, files int) {
	t.Helper()
	if c.OK != ok || c.Found != found || c.Files != files || c.EndedAt == nil || (c.Failure == "") != ok {
		t.Errorf("the check is %+v, want ok %t, found %d, files %d", c, ok, found, files)
	}
}

func TestImportedFilesStayMoveOrAreDeleted(t *testing.T) {
	for after, left := range map[After]struct{ at, then []string }{ // what was rejected has not grown when it is seen again
		AfterLeave:  {[]string{"bad", "good", "twin"}, []string{"bad", "good", "twin"}},
		AfterMove:   {[]string{"bad", "fetched/good", "fetched/twin"}, []string{"fetched/bad", "fetched/good", "fetched/twin"}},
		AfterDelete: {[]string{"bad"}, nil},
	} {
		t.Run(string(after), func(t *testing.T) {
			eachBank(t, after, func(t *testing.T, b *bank) {
				good := unknown(t, rows.Creditor(t, b.DB), 1_00)
				b.put(t, "good", good, 3*time.Hour)
				b.put(t, "bad", good[:len(good)/2], 2*time.Hour)
				b.put(t, "twin", good, time.Hour)
				check, taken := b.poll(t)
				wantCheck(t, check, true, 3, 3)
				if taken != "good imported, bad rejected, twin duplicate" {
					t.Errorf("what came is %s", taken)
				}
				b.holds(t, left.at...)

				check, taken = b.poll(t)
				wantCheck(t, check, true, 0, 0)
				if taken != "" {
					t.Errorf("what came again is %s", taken)
				}
				b.holds(t, left.then...)
			})
		})
	}
}

func TestFilesAreImportedOldestFirst(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "b", unknown(t, c, 1_00), 3*time.Hour)
		b.put(t, "a", unknown(t, c, 2_00), 2*time.Hour)
		b.put(t, "d", unknown(t, c, 3_00), time.Hour)
		b.put(t, "c", unknown(t, c, 4_00), time.Hour)
		if _, taken := b.poll(t); taken != "b imported, a imported, c imported, d imported" {
			t.Errorf("they came in the order %s", taken)
		}
		files, _, err := b.DB.PaymentFiles(t.Context(), c.ID, store.Page{Number: 1, Size: 10})
		must(t, err)
		for _, f := range files {
			if f.Source != ocr.FromSFTP {
				t.Errorf("%s came by %s", f.Filename, f.Source)
			}
		}
	})
}

func TestAFileThatGrowsIsWaitedFor(t *testing.T) {
	eachBank(t, AfterDelete, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		whole := unknown(t, c, 1_00)
		b.put(t, "resting", unknown(t, c, 2_00), time.Hour)
		b.put(t, "growing", whole[:100], time.Minute)
		b.between = func() {
			b.put(t, "growing", whole[:200], time.Second)
			b.put(t, "new", unknown(t, c, 3_00), 0)
		}
		check, taken := b.poll(t)
		wantCheck(t, check, true, 3, 1)
		if taken != "resting imported" {
			t.Errorf("what came is %s", taken)
		}
		b.holds(t, "growing", "new")
		if due, err := b.open(t).Due(t.Context()); err != nil || !due.Equal(rows.Start.Add(growingPause)) {
			t.Errorf("the next look is due at %s, %v", due, err)
		}
		b.put(t, "growing", whole, 0)
		b.between = func() {}
		if _, taken = b.poll(t); taken != "growing imported, new imported" {
			t.Errorf("what came then is %s", taken)
		}
		b.holds(t)
	})
}

// If a writer pauses for long, half of its file is taken for the whole and rejected. The file must still be there when
// the writer goes on.
func TestAHalfFileThatIsTakenForWholeIsNotLost(t *testing.T) {
	eachBank(t, AfterDelete, func(t *testing.T, b *bank) {
		whole := unknown(t, rows.Creditor(t, b.DB), 1_00)
		b.put(t, "slow", whole[:100], time.Minute)
		if _, taken := b.poll(t); taken != "slow rejected" {
			t.Errorf("what came is %s", taken)
		}
		b.holds(t, "slow")
		b.put(t, "slow", whole, 0)
		if _, taken := b.poll(t); taken != "slow imported" {
			t.Errorf("what came then is %s", taken)
		}
		b.holds(t)
	})
}

func TestAFileThatChangesWhileItIsReadIsNotImported(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "file", unknown(t, c, 1_00), time.Hour)
		f := b.open(t)
		v := poll{BankFolder: f}
		files, err := v.open(t.Context())
		must(t, err)
		t.Cleanup(v.folder.Close)
		b.put(t, "file", append(unknown(t, c, 1_00), '\n'), 0)
		if err := v.take(t.Context(), files[0]); err == nil || !strings.Contains(err.Error(), "changed while it was fetched") {
			t.Errorf("the error is %v", err)
		}
		if n := len(b.arrived(t)); n != 0 {
			t.Errorf("%d files were kept", n)
		}
	})
}

// arrived returns the files that are known.
func (b *bank) arrived(t *testing.T) []models.PaymentFile {
	t.Helper()
	var all []models.PaymentFile
	for id := int64(1); ; id++ {
		f, err := b.DB.PaymentFile(t.Context(), id)
		if models.KindOf(err) == models.KindNotFound {
			return all
		}
		must(t, err)
		all = append(all, f)
	}
}

func TestANameThatTheBankUsesAgainReplacesNothing(t *testing.T) {
	eachBank(t, AfterMove, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "ocr.txt", unknown(t, c, 1_00), 2*time.Hour)
		b.poll(t)
		b.put(t, "ocr.txt", unknown(t, c, 2_00), time.Hour)
		if _, taken := b.poll(t); taken != "ocr.txt imported" {
			t.Errorf("what came is %s", taken)
		}
		b.holds(t, "fetched/ocr.txt", "fetched/ocr.20260302T100000.txt")
	})
}

func TestAFileThatOnlyLooksLikeOneThatCameIsNotDeleted(t *testing.T) {
	eachBank(t, AfterDelete, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "ocr.txt", unknown(t, c, 1_00), time.Hour)
		b.poll(t)
		b.holds(t)
		b.put(t, "ocr.txt", unknown(t, c, 2_00), time.Hour)
		check, _ := b.poll(t)
		if check.OK || !strings.Contains(check.Failure, "ocr.txt: another file of this name, size and time came before, as file 1") {
			t.Errorf("the check is %+v", check)
		}
		b.holds(t, "ocr.txt")
	})
}

func TestTwentyMegabytesAreImported(t *testing.T) {
	b := &bank{books: importInto(payments.Open(t, testkit.SQLite(t))), server: testkit.SFTPServer(t), dir: t.TempDir(), after: AfterLeave, between: func() {}}
	large := bytes.Repeat([]byte(strings.Repeat("x", 79)+"\n"), 20<<20/80)
	b.put(t, "large", large, time.Hour)
	if check, taken := b.poll(t); taken != "large rejected" {
		t.Fatalf("what came is %s: %+v", taken, check)
	}
	file := b.arrived(t)[0]
	kept, err := b.Archive.Read(file.SHA256)
	if err != nil || !bytes.Equal(kept, large) {
		t.Errorf("%d bytes were kept of %d: %v", len(kept), len(large), err)
	}
}

func TestFilesListsAndChangesNothing(t *testing.T) {
	eachBank(t, AfterLeave, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "old", unknown(t, c, 1_00), 2*time.Hour)
		b.poll(t)
		b.put(t, "new", unknown(t, c, 2_00), time.Hour)
		offers, err := b.open(t).Files(t.Context())
		must(t, err)
		if len(offers) != 2 || offers[0].Name != "old" || offers[0].As.State != models.FileImported || offers[1].Name != "new" || offers[1].Known {
			t.Errorf("the list is %+v", offers)
		}
		if checks, err := b.DB.BankPolls(t.Context(), 10); err != nil || len(checks) != 1 {
			t.Errorf("%d checks were made: %v", len(checks), err)
		}
	})
}

// Of several files one is no payment file, and one cannot be moved.
func TestABadFileHoldsUpNoOther(t *testing.T) {
	eachBank(t, AfterMove, func(t *testing.T, b *bank) {
		c := rows.Creditor(t, b.DB)
		b.put(t, "1-not-ours.pdf", []byte("%PDF-1.7"), 4*time.Hour)
		b.put(t, "2-unreadable", unknown(t, c, 1_00), 3*time.Hour)
		b.put(t, "3-good", unknown(t, c, 2_00), 2*time.Hour)
		must(t, os.Mkdir(filepath.Join(b.dir, "fetched"), 0o700))
		must(t, os.Mkdir(filepath.Join(b.dir, "fetched", "2-unreadable"), 0o700))
		must(t, os.Mkdir(filepath.Join(b.dir, "fetched", "2-unreadable.20260302T080000"), 0o700))
		check, taken := b.poll(t)
		wantCheck(t, check, false, 3, 3)
		if taken != "1-not-ours.pdf rejected, 2-unreadable imported, 3-good imported" || !strings.Contains(check.Failure, "2-unreadable") {
			t.Errorf("what came is %s, and the failure %s", taken, check.Failure)
		}
		b.holds(t, "1-not-ours.pdf", "2-unreadable", "fetched/3-good")
	})
}
