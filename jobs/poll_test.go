package jobs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/internal/remote"
	"purr/models"
	"purr/ocr/giro"
	"purr/ocr/inbound"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// bankFolder has the office poll a folder on an OpenSSH server for files.
func (o *office) bankFolder(t *testing.T) (server *testkit.SFTPProcess, dir string) {
	t.Helper()
	server, dir = testkit.SFTPServer(t), t.TempDir()
	at, err := remote.NewServer(remote.Access{URL: server.Folder(dir), KeyFile: server.KeyFile, HostKey: server.HostKey, Prefix: "sftp"})
	must(t, err)
	f := inbound.NewBankFolder(o.db, o.worker.Importer, at, inbound.AfterDelete, 15*time.Minute, o.worker.Log)
	o.worker.Bank, o.scheduler.Bank = f, f
	return server, dir
}

// unreached makes a creditor who has had a bank file, but none that reaches the last bank day before the reminder of an
// invoice is due.
func (o *office) unreached(t *testing.T) (models.Creditor, models.Invoice) {
	t.Helper()
	c := o.dunned(t)
	unpaid, first := rows.Invoice(t, o.db, c), rows.Invoice(t, o.db, c)
	rows.Send(t, o.db, c)
	o.bring(t, c, first, rows.Today-3)
	return c, unpaid
}

func TestFilesAreFetchedOnSchedule(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, dir := o.bankFolder(t)
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		invoice := rows.Invoice(t, o.db, c)
		o.settle(t)
		file := filepath.Join(dir, "OCR.txt")
		must(t, os.WriteFile(file, []byte(payment(t, c, giro.Payment{KID: invoice.KID, Amount: 1000_00, NetsDate: rows.Today})), 0o600))
		o.advance(t, 14*time.Minute)
		if _, err := os.Stat(file); err != nil {
			t.Error("it was fetched too early")
		}
		o.advance(t, time.Minute)
		paid, err := o.db.Invoice(t.Context(), c.ID, invoice.ID)
		must(t, err)
		if _, err := os.Stat(file); err == nil || paid.Balance != 0 {
			t.Errorf("%s is owed, and the file is gone: %v", paid.Balance, err != nil)
		}
		o.advance(t, time.Hour)
		var got []string
		checks, err := o.db.BankPolls(t.Context(), 100)
		must(t, err)
		for _, check := range slices.Backward(checks) {
			if !check.OK {
				t.Errorf("a check failed: %+v", check)
			}
			got = append(got, check.StartedAt.Format("15:04")+strings.Repeat("+", check.Files))
		}
		if want := "11:00 11:15+ 11:30 11:45 12:00 12:15"; strings.Join(got, " ") != want {
			t.Errorf("the checks were at %q, want %q", got, want)
		}
		o.prove(t, c)
	})
}

// The bank is away when the run is made, and comes back with nothing new: that counts as a file (rule E6b).
func TestE6bALookThatFindsNothingHasTheRunMadeAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c, unpaid := o.unreached(t)
		o.sleepUntil(t, reminderDue)
		if run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay); !run.HeldBack || !run.FilesLate {
			t.Errorf("without a poll of the bank's folder the run is %+v", run)
		}
		server, _ := o.bankFolder(t)
		server.Kill()
		o.advance(t, time.Hour)
		if got := o.notices(t, unpaid); len(got) != 0 {
			t.Errorf("while the bank is away there are the notices %+v", got)
		}
		server.Start()
		o.advance(t, time.Hour)
		if got := o.notices(t, unpaid); len(got) != 1 || got[0].IssueDate != rows.Today+reminderDay {
			t.Errorf("when it is back the notices are %+v", got)
		}
		if run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay); run.HeldBack || run.State != models.RunDone {
			t.Errorf("the run is %+v", run)
		}
		o.prove(t, c)
	})
}

func TestE6bAPersonsWordHasTheRunMadeAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c, unpaid := o.unreached(t)
		o.sleepUntil(t, reminderDue)
		confirm := func(day models.Date) {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				_, err := dunning.ConfirmNone(t.Context(), tx, c, day, "Kari")
				return err
			})
			o.advance(t, time.Hour)
		}
		confirm(rows.Today + reminderDay - 4) // Thursday
		if got := o.notices(t, unpaid); len(got) != 0 {
			t.Errorf("the confirmation of another day brought the notices %+v", got)
		}
		confirm(0)
		if got := o.notices(t, unpaid); len(got) != 1 || got[0].IssueDate != rows.Today+reminderDay {
			t.Errorf("the notices are %+v", got)
		}
		if got := o.sweep(t); got != 0 {
			t.Errorf("%d tasks are queued when all is done", got)
		}
	})
}

func TestE6bACreditorIsToldOnceOfEachDateOnWhichFilesAreLate(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c, never := rows.Creditor(t, o.db), rows.Creditor(t, o.db) // dunning or not
		o.bring(t, c, rows.Invoice(t, o.db, c), rows.Today-3)
		o.advance(t, 3*24*time.Hour)
		wantLines(t, o.events(t, c, models.EventBankFilesLate),
			"03-03 05:00:00 bank_files.late No file from the bank reaches 2026-03-02, the last bank day; the latest one reaches 2026-02-27",
			"03-04 05:00:00 bank_files.late No file from the bank reaches 2026-03-03, the last bank day; the latest one reaches 2026-02-27",
			"03-05 05:00:00 bank_files.late No file from the bank reaches 2026-03-04, the last bank day; the latest one reaches 2026-02-27")
		must(t, o.worker.run(t.Context(), runPayload{c.ID, models.RunDunning, rows.Today + 3}))
		if got := o.events(t, c, models.EventBankFilesLate); len(got) != 3 {
			t.Errorf("made again, the run told %q", got)
		}
		if got := o.events(t, never, models.EventBankFilesLate); len(got) != 0 {
			t.Errorf("a creditor without any file was told %q", got)
		}
	})
}

func TestAWorkerLeavesAFolderThatIsNotItsOwn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		must(t, o.worker.poll(t.Context(), pollPayload{Remote: "sftp://acme@bank/out"}))
		o.bankFolder(t)
		must(t, o.worker.poll(t.Context(), pollPayload{Remote: "sftp://acme@bank/out"}))
		if checks, err := o.db.BankPolls(t.Context(), 1); err != nil || len(checks) != 0 {
			t.Errorf("it was polled: %+v, %v", checks, err)
		}
	})
}
