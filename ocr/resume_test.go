package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"testing"
	"time"

	"purr/models"
	"purr/ocr/giro"
	"purr/store"
	"purr/test/testkit/rows"
)

// until runs do on an importer that dies after a number of transactions, and reports whether it did.
func (b *books) until(t *testing.T, transactions int, do func(ctx context.Context, im *Importer) error) (died bool) {
	t.Helper()
	return b.Until(t, transactions, func(ctx context.Context, db *store.DB) error {
		im := *b.im
		im.db = db
		return do(ctx, &im)
	})
}

// TestR5ImportOfAFileWhoseImportWasBrokenOffGoesOn is what a person expects who gives the same command again. The
// import tells how far it is.
func TestR5ImportOfAFileWhoseImportWasBrokenOffGoesOn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		b.im.batch = 2
		file := fileOf(c.BankAccount, paid("", 1_00), paid("", 2_00), paid("", 3_00), paid("", 4_00), paid("", 5_00)).Bytes(t)
		var told []int
		importIt := func(ctx context.Context, im *Importer) error {
			_, err := im.WithProgress(func(done, of int) { told = append(told, done, of) }).ImportToEnd(ctx, bytes.NewReader(file), Source{Kind: FromCommand})
			return err
		}
		if !b.until(t, 4, importIt) {
			t.Fatal("the first import was not broken off")
		}
		must(t, importIt(t.Context(), b.im))
		if got, want := fmt.Sprint(told), "[2 5 4 5 5 5]"; got != want {
			t.Errorf("it tells %s, want %s", got, want)
		}
		if open := b.Queue(t, c); len(open) != 5 {
			t.Errorf("%d payments are in the queue, want 5", len(open))
		}
		b.Prove(t, c)
	})
}

// stepByStep runs do again and again, each time for one transaction of the database, until it ends well.
func (b *books) stepByStep(t *testing.T, do func(ctx context.Context, im *Importer) error) {
	t.Helper()
	for step := 0; b.until(t, 1, do); step++ {
		if step == 1000 {
			t.Fatal("it does not come to an end")
		}
	}
}

// sweep goes on with every file that is not at its end, as the sweep does.
func (b *books) sweep(ctx context.Context) error {
	files, err := b.DB.UnfinishedFiles(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		_, err := b.im.Process(ctx, f.ID)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// month is what the tests of broken imports import: for each of the creditors two payments of 100 kroner,
// equal in all, a payment that nobody knows, one of another account, and mandates.
type month struct {
	creditors []models.Creditor
	invoices  []models.Invoice
	file      []byte
}

func (b *books) month(t *testing.T) month {
	t.Helper()
	var m month
	var f bankFile
	for range 2 {
		c := rows.Creditor(t, b.DB)
		invoice := rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		m.creditors, m.invoices = append(m.creditors, c), append(m.invoices, invoice)
		f.Assignments = append(
			f.Assignments,
			assignment{Account: c.BankAccount, Payments: lines(paid(invoice.KID, 100_00), paid("", 5_00), paid(invoice.KID, 100_00))},
			assignment{Account: c.BankAccount, Mandates: 1},
		)
	}
	f.Assignments = append(f.Assignments, assignment{Account: nobodys, Payments: lines(paid(m.creditors[0].BankAccount, 1_00))})
	m.file = f.Bytes(t)
	return m
}

// check checks that everything of the month is in the books once.
func (m month) check(t *testing.T, b *books) {
	t.Helper()
	for i, c := range m.creditors {
		if owed := b.Balance(t, m.invoices[i]); owed != 800_00 {
			t.Errorf("%s is owed, want 800.00", owed)
		}
		if got := queued(b.Queue(t, c)); got != "no_kid 5.00" {
			t.Errorf("the queue holds %q", got)
		}
		b.Prove(t, c)
	}
}

func TestAnImportBrokenOffAtAnyPointGoesOn(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		for _, batch := range []int{1, 4} {
			b.im.batch = batch
			broken := true
			for after := 0; broken; after++ {
				m := b.month(t)
				broken = b.until(t, after, func(ctx context.Context, im *Importer) error {
					_, err := im.Import(ctx, bytes.NewReader(m.file), Source{Kind: FromCommand})
					return err
				})
				if after == 0 { // nothing is known of it, so it comes again
					must(t, importFile(t, b.im, m.file))
				}
				must(t, b.sweep(t.Context()))
				m.check(t, b)
				if t.Failed() {
					t.Fatalf("broken off after %d transactions of the database, of %d payments each", after, batch)
				}
			}
		}
	})
}

// importFile imports a file that must be taken.
func importFile(t *testing.T, im *Importer, file []byte) error {
	t.Helper()
	f, err := im.Import(t.Context(), bytes.NewReader(file), Source{Kind: FromCommand})
	if err == nil && f.State != models.FileImported {
		err = fmt.Errorf("the file is %s: %v", f.State, f.Faults)
	}
	return err
}

func TestAnImportThatIsKilledAgainAndAgainGetsThere(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 1
		m := b.month(t)
		b.stepByStep(t, func(ctx context.Context, im *Importer) error {
			_, err := im.Import(ctx, bytes.NewReader(m.file), Source{Kind: FromInbox, Arrival: "once"})
			return err
		})
		m.check(t, b)
	})
}

func TestAReaderThatBreaksOffLeavesNothing(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		m := b.month(t)
		gone := errors.New("the caller is gone")
		broken := io.MultiReader(bytes.NewReader(m.file[:200]), &failing{gone})
		if _, err := b.im.Import(t.Context(), broken, Source{Kind: FromAPI, OwnerID: m.creditors[0].ID}); !errors.Is(err, gone) {
			t.Errorf("got the error %v", err)
		}
		if files, err := b.DB.UnfinishedFiles(t.Context()); err != nil || len(files) != 0 {
			t.Errorf("there are %d files, %v", len(files), err)
		}
	})
}

type failing struct{ err error }

func (f *failing) Read([]byte) (int, error) { return 0, f.err }

func TestSeveralWorkersOnOneFilePostEachLineOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		for _, batch := range []int{1, 3} {
			m := b.month(t)
			b.im.batch = batch
			b.until(t, 1, func(ctx context.Context, im *Importer) error {
				_, err := im.Import(ctx, bytes.NewReader(m.file), Source{Kind: FromCommand})
				return err
			})
			process := func() error { return b.sweep(t.Context()) }
			atOnce(t, process, process, process, process)
			m.check(t, b)
		}
	})
}

func TestTheSameArrivalTakenByTwoProcessesIsOneFile(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		for n := range 5 {
			m := b.month(t)
			var ids [2]int64
			take := func(i int) func() error {
				return func() error {
					f, err := b.im.Import(t.Context(), bytes.NewReader(m.file), Source{Kind: FromInbox, Arrival: fmt.Sprint("arrival ", n)})
					if err != nil {
						return err
					}
					ids[i] = f.ID
					return nil
				}
			}
			atOnce(t, take(0), take(1))
			if ids[0] != ids[1] {
				t.Errorf("they are the files %v", ids)
			}
			m.check(t, b)
		}
	})
}

func TestD110AFileThatAnotherCallIdentifiedDoesNotWaitForItself(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		m := b.month(t)
		b.until(t, 1, func(ctx context.Context, im *Importer) error {
			_, err := im.Import(ctx, bytes.NewReader(m.file), Source{Kind: FromCommand})
			return err
		})
		files, err := b.DB.UnfinishedFiles(t.Context())
		if err != nil || len(files) != 1 || files[0].State != models.FileReceived {
			t.Fatalf("the files that are not imported: %v, %v", files, err)
		}
		slow, err := b.im.open(t.Context(), files[0])
		if err != nil {
			t.Fatal(err)
		}
		defer slow.close()
		defer b.im.underWay.begin(files[0].ID)()
		faster, err := b.im.Process(t.Context(), files[0].ID)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := slow.process(ctx); err != nil {
			t.Error(err)
		}
		if slow.file.ID != faster.ID || slow.file.State != models.FileImported {
			t.Errorf("it is file %d, %s, and not file %d", slow.file.ID, slow.file.State, faster.ID)
		}
		m.check(t, b)
	})
}

func TestFilesWithTheSameLinesAtOncePostEachLineOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 2
		for n := range 5 {
			m := b.month(t)
			number := func(i int) []byte { // the same file in another transmission
				return bytes.Replace(m.file, m.file[16:23], fmt.Appendf(nil, "%07d", 10*n+i), 1)
			}
			first := func() error { return importFile(t, b.im, number(1)) }
			second := func() error { return importFile(t, b.im, number(2)) }
			atOnce(t, first, second)
			m.check(t, b)
		}
	})
}

// TestTheSameFileTwiceAtOnceIsImportedOnce takes it twice in one process, and at the same time in another one.
func TestTheSameFileTwiceAtOnceIsImportedOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		var processes [2]*Importer
		for i := range processes {
			processes[i] = NewImporter(b.DB, b.Archive, slog.New(slog.DiscardHandler))
			processes[i].batch = 1
		}
		for range 5 {
			m := b.month(t)
			var files [3]models.PaymentFile
			take := func(i int) func() error {
				return func() (err error) {
					files[i], err = processes[i%2].Import(t.Context(), bytes.NewReader(m.file), Source{Kind: FromCommand})
					return err
				}
			}
			atOnce(t, take(0), take(1), take(2))
			imported := 0
			for _, f := range files {
				if f.State == models.FileImported {
					imported++
				} else if f.State != models.FileDuplicate {
					t.Errorf("one is %s", f.State)
				}
			}
			if imported != 1 {
				t.Errorf("%d were imported", imported)
			}
			m.check(t, b)
		}
	})
}

// Payments by hand and from files on the same invoices wait for each other, in whatever order they lock.
func TestPaymentsByHandAndFromFilesAtOnce(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		b.im.batch = 2
		c := rows.Creditor(t, b.DB)
		invoices := make([]models.Invoice, 4)
		for i := range invoices {
			invoices[i] = rows.Invoice(t, b.DB, c, rows.Of(1000_00))
		}
		var all []func() error
		for n := range 4 {
			var ps []giro.Payment
			for i := range invoices {
				p := paid(invoices[(n+i)%len(invoices)].KID, 10_00) // each file in another order
				p.ArchiveReference = fmt.Sprint(n)
				ps = append(ps, p)
			}
			file := fileOf(c.BankAccount, ps...).Bytes(t)
			all = append(all, func() error { return importFile(t, b.im, file) })
			for _, i := range invoices {
				all = append(all, func() error { return b.Pay(t.Context(), i, 1_00) })
			}
		}
		atOnce(t, all...)
		for _, i := range invoices {
			if owed := b.Balance(t, i); owed != 1000_00-4*10_00-4*1_00 {
				t.Errorf("%s is owed on an invoice", owed)
			}
		}
		b.Prove(t, c)
	})
}

// A transaction may be tried again, so nothing of a failed try may stay with the file.
func TestAChangeThatFailsLeavesTheFileAsItWas(t *testing.T) {
	eachBooks(t, func(t *testing.T, b *books) {
		c := rows.Creditor(t, b.DB)
		file := b.take(t, fileOf(c.BankAccount, paid("", 1_00)).Bytes(t))
		r, err := b.im.open(t.Context(), file)
		must(t, err)
		t.Cleanup(r.close)
		broken := errors.New("broken off")
		err = r.update(t.Context(), models.FileImported, func(_ context.Context, _ *store.Tx, f *models.PaymentFile) error {
			f.State, f.Warnings = models.FileRejected, models.FileFindings{{Code: "made_up"}}
			return broken
		})
		if !errors.Is(err, broken) || r.file.State != models.FileImported || len(r.file.Warnings) != 0 {
			t.Errorf("after the error %v the file is %+v", err, r.file)
		}
		kept, err := b.DB.PaymentFile(t.Context(), file.ID)
		must(t, err)
		if kept.State != models.FileImported || len(kept.Warnings) != 0 {
			t.Errorf("it is kept as %+v", kept)
		}
	})
}
