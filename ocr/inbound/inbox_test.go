package inbound

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/ocr"
	"purr/ocr/giro"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// folder is an inbox and its directory.
type folder struct {
	*books
	dir   string
	clock *clock.Test // the file system's
	inbox *Inbox
}

func openFolder(t *testing.T, b *books) *folder {
	t.Helper()
	f := &folder{books: b, dir: t.TempDir(), clock: clock.NewTest(rows.Start)}
	f.restart(t)
	return f
}

// restart opens the inbox as a restarted program does.
func (f *folder) restart(t *testing.T) {
	t.Helper()
	in, err := OpenInbox(f.dir, f.im, silent)
	must(t, err)
	t.Cleanup(func() { must(t, in.Close()) })
	in.clock = f.clock
	f.inbox = in
}

// put writes a file, last changed an age ago.
func (f *folder) put(t *testing.T, name string, content []byte, age time.Duration) {
	t.Helper()
	path := filepath.Join(f.dir, name)
	must(t, os.WriteFile(path, content, 0o600))
	changed := f.clock.Now().Add(-age)
	must(t, os.Chtimes(path, changed, changed))
}

// after polls the inbox after some time.
func (f *folder) after(t *testing.T, d time.Duration) {
	t.Helper()
	f.clock.Set(f.clock.Now().Add(d))
	must(t, f.inbox.Poll(t.Context()))
}

// holds expects the files, and nothing else, to lie in the folder and below it.
func (f *folder) holds(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	must(t, filepath.WalkDir(f.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(f.dir, path)
		if err != nil {
			return err
		}
		got = append(got, filepath.ToSlash(relative))
		return nil
	}))
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the inbox holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// filed returns the paths of a file that has ended up in a folder, and of its report.
func filed(folder string, names ...string) []string {
	var paths []string
	for _, name := range names {
		paths = append(paths, folder+"/"+name, folder+"/"+name+".report.xml")
	}
	return paths
}

func eachFolder(t *testing.T, test func(t *testing.T, f *folder)) {
	t.Helper()
	eachBooks(t, func(t *testing.T, b *books) { test(t, openFolder(t, b)) })
}

// unknown returns the file of one payment that nobody expects.
func unknown(t *testing.T, c models.Creditor, amount models.Amount) []byte {
	t.Helper()
	return fileOf(c.BankAccount, paid("", amount)).Bytes(t)
}

func TestR5OnlyCompleteFilesAreTaken(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		whole := unknown(t, c, 1_00)
		f.put(t, "growing", whole[:100], 0)
		f.put(t, "renamed in", unknown(t, c, 2_00), time.Hour)
		f.after(t, 0)
		f.holds(t, append(filed("done", "renamed in"), "growing")...)

		f.after(t, 1999*time.Millisecond)
		f.put(t, "growing", whole[:200], 0)
		f.after(t, 1999*time.Millisecond)
		f.put(t, "growing", append(whole[:199:199], 'x'), 0) // of the same size
		f.after(t, 1999*time.Millisecond)
		f.put(t, "growing", whole, 0)
		f.after(t, 1999*time.Millisecond)
		f.holds(t, append(filed("done", "renamed in"), "growing")...)
		f.after(t, time.Millisecond)
		f.holds(t, filed("done", "renamed in", "growing")...)
	})
}

// TestR5WhatIsNoFileIsLeftAndTold puts a folder and a link into the inbox: neither is a payment file.
func TestR5WhatIsNoFileIsLeftAndTold(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		var log bytes.Buffer
		f.inbox.log = slog.New(slog.NewTextHandler(&log, nil))
		must(t, os.Mkdir(filepath.Join(f.dir, "march"), 0o700))
		must(t, os.Symlink(f.dir, filepath.Join(f.dir, "link.txt")))
		f.after(t, time.Hour)
		f.after(t, time.Hour)
		f.holds(t, "link.txt")
		for _, name := range []string{"march", "link.txt"} {
			if n := strings.Count(log.String(), "is left there: put the payment files themselves into it\" name="+name+"\n"); n != 1 {
				t.Errorf("%s is told of %d times in %s", name, n, &log)
			}
		}
		if n := strings.Count(log.String(), "\n"); n != 2 {
			t.Errorf("it logs %d lines: %s", n, &log)
		}
	})
}

func TestR5AFileFromTheFutureIsTakenWhenItRests(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		f.put(t, "ahead", unknown(t, rows.Creditor(t, f.DB), 1_00), -time.Hour)
		f.after(t, 0)
		f.holds(t, "ahead")
		f.after(t, 2*time.Second)
		f.holds(t, filed("done", "ahead")...)
	})
}

func TestR5OldestFirst(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, "b", unknown(t, c, 1_00), 3*time.Hour)
		f.put(t, "a", unknown(t, c, 2_00), 2*time.Hour)
		f.put(t, "d", unknown(t, c, 3_00), time.Hour)
		f.put(t, "c", unknown(t, c, 4_00), time.Hour)
		f.after(t, 0)
		taken, _, err := f.DB.PaymentFiles(t.Context(), c.ID, store.Page{Number: 1, Size: 10})
		must(t, err)
		var order string
		for _, file := range taken {
			order += file.Filename
		}
		if order != "bacd" {
			t.Errorf("they were taken in the order %s", order)
		}
	})
}

func TestR5WhereFilesEndUp(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		named := func(name, account string) models.Creditor {
			return rows.Creditor(t, f.DB, func(c *models.Creditor) { c.Name, c.BankAccount = name, account })
		}
		kari, ola := named("Karis Katter & Co", "12345678903"), named("Olas Ønsker", "15030000054")
		invoice := rows.Invoice(t, f.DB, kari)
		good := bankFile{Number: "7", Assignments: []assignment{
			{Account: kari.BankAccount, Payments: []giro.Payment{paid(invoice.KID, 400_00), paid(mistyped(invoice.KID), 10_00), out("", 5_00)}},
			{Account: nobodys, Payments: []giro.Payment{paid("", 20_00)}},
			{Account: ola.BankAccount, Mandates: 2},
		}}.Bytes(t)
		f.put(t, "OCR.D210326", good, 3*time.Hour)
		f.put(t, "OCR.D210326 (1)", bytes.ReplaceAll(good, []byte("\n"), []byte("\r\n")), 2*time.Hour)
		f.put(t, "notes.txt", []byte("Ring banken <i morgen>\n"+string(good[81:])), time.Hour)
		f.after(t, 0)
		f.holds(t, slices.Concat(filed("done", "OCR.D210326"), filed("duplicate", "OCR.D210326 (1)"), filed("rejected", "notes.txt"))...)
		if raw, err := os.ReadFile(filepath.Join(f.dir, "done/OCR.D210326")); err != nil || !bytes.Equal(raw, good) {
			t.Errorf("the file was changed: %v", err)
		}
		for report, golden := range map[string]string{
			"done/OCR.D210326.report.xml":          "imported.report.xml",
			"duplicate/OCR.D210326 (1).report.xml": "duplicate.report.xml",
			"rejected/notes.txt.report.xml":        "rejected.report.xml",
		} {
			got, err := os.ReadFile(filepath.Join(f.dir, report))
			must(t, err)
			testkit.Golden(t, "testdata/"+golden, string(got))
		}
	})
}

func TestR5FilesOfOneNameDoNotReplaceEachOther(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		for n := range 3 {
			f.put(t, "OCR.txt", unknown(t, c, models.Amount(n)), time.Hour)
			f.after(t, time.Minute)
		}
		f.put(t, "OCR.txt", unknown(t, c, 0), time.Hour)
		f.after(t, time.Minute)
		f.holds(t, append(filed("done", "OCR.txt", "OCR-2.txt", "OCR-3.txt"), filed("duplicate", "OCR.txt")...)...)
	})
}

func TestR5WhatIsNoFileOfTheBankIsLeftAlone(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, ".OCR.txt.part", unknown(t, c, 1_00), time.Hour)
		must(t, os.Mkdir(filepath.Join(f.dir, "march"), 0o700))
		f.put(t, "march/OCR.txt", unknown(t, c, 2_00), time.Hour)
		must(t, os.Symlink(filepath.Join(f.dir, "march/OCR.txt"), filepath.Join(f.dir, "link")))
		f.after(t, time.Minute)
		f.holds(t, ".OCR.txt.part", "march/OCR.txt", "link")
	})
}

func TestR5OneFileThatFailsDoesNotHoldUpTheOthers(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		long := strings.Repeat("å", 125) + ".txt" // 254 bytes
		f.put(t, long, unknown(t, c, 1_00), 3*time.Hour)
		f.put(t, "processing/stray", unknown(t, c, 2_00), 2*time.Hour)
		f.put(t, "OCR.txt", unknown(t, c, 3_00), time.Hour)
		if err := f.inbox.Poll(t.Context()); err == nil || !strings.Contains(err.Error(), "stray") {
			t.Errorf("got the error %v", err)
		}
		f.holds(t, append(filed("done", "OCR.txt", strings.Repeat("å", 98)+".txt"), "processing/stray")...)
	})
}

func TestShortened(t *testing.T) {
	for name, want := range map[string]string{
		"OCR.D210326.T0600":                               "OCR.D210326.T0600",
		"m\xf8te.txt":                                     "m\uFFFDte.txt",
		strings.Repeat("a", 300) + ".txt":                 strings.Repeat("a", 196) + ".txt",
		strings.Repeat("ø", 150) + "x.txt":                strings.Repeat("ø", 98) + ".txt",
		"a." + strings.Repeat("b", 300):                   "a." + strings.Repeat("b", 178) + "." + strings.Repeat("b", 19),
		strings.Repeat("a", 195) + strings.Repeat("ø", 9): strings.Repeat("a", 195) + strings.Repeat("ø", 2),
	} {
		if got := shortened(name); got != want || len(got) > 210 || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestR5AProgramKilledAtAnyPointGoesOn(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		for died, after := true, 0; died; after++ {
			c := rows.Creditor(t, f.DB)
			f.put(t, "OCR.txt", unknown(t, c, 1_00), time.Hour)
			f.clock.Set(f.clock.Now().Add(time.Minute))
			died = f.until(t, after, func(ctx context.Context, _ *store.DB, im *ocr.Importer) error {
				f.inbox.importer = im
				return f.inbox.Poll(ctx)
			})
			f.restart(t)
			f.after(t, time.Second)
			if got := queued(f.Queue(t, c)); got != "no_kid 1.00" {
				t.Errorf("killed after %d transactions, the queue holds %q", after, got)
			}
			f.holds(t, filed("done", "OCR.txt")...)
			must(t, os.RemoveAll(filepath.Join(f.dir, "done")))
			f.restart(t)
		}
	})
}

func TestR5AProgramKilledBetweenImportAndMoveGoesOn(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, "OCR.txt", unknown(t, c, 1_00), time.Hour)
		must(t, f.inbox.takeComplete())
		waiting, _, err := list(filepath.Join(f.dir, processing))
		must(t, err)
		arrival := waiting[0].Name()
		imported, err := f.im.Import(t.Context(), bytes.NewReader(unknown(t, c, 1_00)), ocr.Source{Filename: "OCR.txt", Kind: ocr.FromInbox, Arrival: arrival})
		must(t, err)
		if imported.State != models.FileImported {
			t.Fatalf("it is %s", imported.State)
		}
		// The report may have been written, in whole or in part.
		must(t, os.WriteFile(filepath.Join(f.dir, "done/OCR.txt.report.xml"), []byte("<payment_f"), 0o600))

		f.restart(t)
		f.put(t, "OCR.txt", unknown(t, c, 2_00), time.Minute) // another file of the name has come meanwhile
		f.after(t, time.Second)
		f.holds(t, filed("done", "OCR.txt", "OCR-2.txt")...)
		report, err := os.ReadFile(filepath.Join(f.dir, "done/OCR.txt.report.xml"))
		must(t, err)
		if !bytes.Contains(report, []byte("<status>imported</status>")) || !bytes.Contains(report, []byte(imported.SHA256)) {
			t.Errorf("the report is %s", report)
		}
		if got := queued(f.Queue(t, c)); got != "no_kid 1.00, no_kid 2.00" {
			t.Errorf("the queue holds %q", got)
		}
	})
}

// Two schedulers may watch one folder (rule R2).
func TestR5TwoProcessesOnOneFolder(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		first := f.inbox
		f.restart(t)
		var want []string
		for n := range 8 {
			name := string(rune('a'+n)) + ".txt"
			f.put(t, name, unknown(t, c, models.Amount(n)), time.Hour)
			want = append(want, filed("done", name)...)
		}
		poll := func(in *Inbox) func() error { return func() error { return in.Poll(t.Context()) } }
		atOnce(t, poll(first), poll(f.inbox))
		f.holds(t, want...)
		if got := f.Queue(t, c); len(got) != 8 {
			t.Errorf("the queue holds %s", queued(got))
		}
	})
}

func TestR5AFileThatCannotBeImportedNowIsTriedAgain(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		c := rows.Creditor(t, f.DB)
		f.put(t, "OCR.txt", unknown(t, c, 1_00), time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := f.inbox.Poll(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got the error %v", err)
		}
		f.after(t, time.Second)
		f.holds(t, filed("done", "OCR.txt")...)
	})
}

// TestO13AFileThatEndsEarlyWaits puts files of both formats that are cut off, and one that is none.
func TestO13AFileThatEndsEarlyWaits(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		whole := unknown(t, rows.Creditor(t, f.DB), 1_00)
		f.put(t, "giro", whole[:len(whole)-20], 0)
		f.put(t, "camt", []byte("<?xml version='1.0'?><Document><BkToCstmrDbtCdtNtfctn>"), 0)
		f.put(t, "empty", nil, 0)
		f.put(t, "none", []byte("hello"), 0)
		f.after(t, wholeAfter-time.Millisecond)
		f.holds(t, append(filed("rejected", "none"), "giro", "camt", "empty")...)
		f.put(t, "giro", whole, 0)
		f.after(t, time.Millisecond)
		f.holds(t, append(filed("rejected", "none", "camt", "empty"), "giro")...)
		f.after(t, completeAfter)
		f.holds(t, append(filed("rejected", "none", "camt", "empty"), filed("done", "giro")...)...)
	})
}

func TestO13NamesOfUnfinishedFilesAreLeftAlone(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		whole := unknown(t, rows.Creditor(t, f.DB), 1_00)
		names := []string{"a.txt.part", "b.tmp", "c.PART", "d.filepart"}
		for _, name := range names {
			f.put(t, name, whole, time.Hour)
		}
		f.after(t, time.Hour)
		f.holds(t, names...)
		must(t, os.Rename(filepath.Join(f.dir, names[0]), filepath.Join(f.dir, "a.txt")))
		f.after(t, 0)
		f.holds(t, append(filed("done", "a.txt"), names[1:]...)...)
	})
}

// TestO13ATooLargeFileIsNotCopied puts a file of one byte too many, without a byte of content.
func TestO13ATooLargeFileIsNotCopied(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		f.put(t, "large", nil, 0)
		must(t, os.Truncate(filepath.Join(f.dir, "large"), ocr.MaxFile+1))
		f.after(t, time.Hour)
		f.after(t, time.Hour)
		f.holds(t, filed("rejected", "large")...)
		report, err := os.ReadFile(filepath.Join(f.dir, "rejected", "large.report.xml"))
		if err != nil || !bytes.Contains(report, []byte(`<fault code="too_large">`)) {
			t.Errorf("the report says %s: %v", report, err)
		}
		if files, err := f.DB.ExpiredFiles(t.Context(), f.clock.Now().AddDate(1, 0, 0), 1); err != nil || len(files) != 0 {
			t.Errorf("it was imported: %v, %v", files, err)
		}
	})
}

func TestO13TheInboxWaitsForRoom(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		var log bytes.Buffer
		f.inbox.log = slog.New(slog.NewTextHandler(&log, nil))
		f.put(t, "file", unknown(t, rows.Creditor(t, f.DB), 1_00), time.Hour)
		f.Archive.KeepFree(1 << 62)
		for range 3 {
			f.after(t, time.Minute)
		}
		f.holds(t, "file")
		if got := strings.Count(log.String(), "level=WARN"); got != 1 {
			t.Errorf("%d warnings, want one: %s", got, &log)
		}
		_, err := f.im.Import(t.Context(), strings.NewReader("x"), ocr.Source{Kind: ocr.FromAPI})
		if models.KindOf(err) != models.KindFull {
			t.Errorf("an upload meanwhile: %v", err)
		}
		f.Archive.KeepFree(0)
		f.after(t, 0)
		f.holds(t, filed("done", "file")...)
	})
}

// TestO13RejectedFilesAreKeptForAWhile lets 90 days pass. What else needs the same bytes keeps them.
func TestO13RejectedFilesAreKeptForAWhile(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		const days = 24 * time.Hour
		c, dir := rows.Creditor(t, f.DB), t.TempDir()
		kept, err := archive.Open(dir)
		must(t, err)
		f.im = ocr.NewImporter(f.DB, kept, silent)
		f.restart(t)
		wrong, again := []byte("hello"), []byte("hello again")
		f.put(t, "wrong", wrong, 200*days)
		f.put(t, "wrong again", again, 200*days)
		f.put(t, "right", unknown(t, c, 1_00), 200*days)
		f.after(t, 0)
		all := slices.Concat(filed("rejected", "wrong", "wrong again"), filed("done", "right"))
		f.holds(t, all...)
		on := func(day models.Date) *folder {
			later := *f
			later.books = &books{f.Books, ocr.NewImporter(rows.On(f.DB, day), kept, silent)}
			later.im.KeepRejected(90 * days)
			later.restart(t)
			return &later
		}
		for range 2 { // the same bytes came once more, within the 90 days
			_, err := on(rows.Today+60).im.Import(t.Context(), bytes.NewReader(again), ocr.Source{Kind: ocr.FromAPI})
			must(t, err)
		}
		on(rows.Today+89).after(t, time.Minute)
		f.holds(t, all...)
		for _, content := range [][]byte{wrong, again} { // the archive has kept both for longer than a minute
			sum := archive.Sum(content)
			must(t, os.Chtimes(filepath.Join(dir, sum[:2], sum), time.Time{}, time.Now().Add(-time.Hour)))
		}
		on(rows.Today+91).after(t, time.Minute)
		f.holds(t, filed("done", "right")...)
		if err := kept.Check(archive.Sum(wrong), -1, true); err == nil {
			t.Error("the bytes of the rejected file are still kept")
		}
		files := 0
		must(t, f.DB.EachKeptFile(t.Context(), func(k store.KeptFile) error {
			files++
			return kept.Check(k.SHA256, k.Size, true)
		}))
		if files != 3 {
			t.Errorf("%d files are kept, want those that came later and the one that was not rejected", files)
		}
		removed, err := f.DB.PaymentFile(t.Context(), 2)
		must(t, err)
		if _, err := f.im.Raw(removed); models.KindOf(err) != models.KindNotFound || len(removed.Faults) == 0 {
			t.Errorf("the removed file %s: %v, %v", removed.Filename, err, removed.Faults)
		}
	})
}

// TestD102AFileWithAnIllCreditorIsDone: the file of an ill creditor and another is imported as a whole, and not tried for ever.
func TestD102AFileWithAnIllCreditorIsDone(t *testing.T) {
	eachFolder(t, func(t *testing.T, f *folder) {
		file, _, noticed, others := f.IllFile(t, func(tx *store.Tx, c models.Creditor, invoiceID int64) error {
			_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, invoiceID, dunning.Request{AddFee: true})
			return err
		})
		f.put(t, "OCR.txt", file, time.Hour)
		f.after(t, time.Minute)
		f.holds(t, filed("done", "OCR.txt")...)
		for _, i := range []models.Invoice{noticed, others} {
			if left := f.Balance(t, i); left != 0 {
				t.Errorf("on invoice %d %s is owed", i.ID, left)
			}
		}
	})
}
