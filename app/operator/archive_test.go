package operator_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/app/operator"
	"purr/documents"
	"purr/dunning"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

// keeper is an installation with one kept file of each kind.
type keeper struct {
	operator.Operator
	t        *testing.T
	dir      string // of the archive
	creditor models.Creditor
	invoice  models.Invoice
}

func eachKeeper(t *testing.T, test func(k *keeper)) {
	t.Helper()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		k := &keeper{t: t, dir: t.TempDir()}
		kept, err := archive.Open(k.dir)
		testkit.Must(t, err)
		k.Operator = operator.Operator{DB: db, Rules: law.Default(), Clock: clock.NewTest(rows.Start), Archive: kept, Documents: documents.New(db, kept)}
		k.Collection = collection.New(db, k.Documents, kept, k.Rules)
		k.Importer = ocr.NewImporter(db, kept, slog.New(slog.DiscardHandler))
		test(k)
	})
}

// fill makes an invoice with a reminder and a hand-over, a credit note, and a payment file, and keeps their files.
func (k *keeper) fill() {
	t, ctx := k.t, k.t.Context()
	k.creditor = rows.Creditor(t, k.DB, func(c *models.Creditor) { c.Name, c.EHFDefaultReference = "Fjord AS", "Innkjøp" })
	business := rows.To(rows.Customer(t, k.DB, k.creditor, func(c *models.Customer) { c.Recipient.OrganisationNumber = "987654325" }))
	k.invoice = rows.Invoice(t, k.DB, k.creditor, business)
	other := rows.Invoice(t, k.DB, k.creditor, business)
	note := rows.CreditNote(t, k.DB, k.creditor, other)
	var notice models.Notice
	rows.Send(t, k.DB, k.creditor)
	later := rows.On(k.DB, rows.Today+20)
	rows.Write(t, later, func(tx *store.Tx) (err error) {
		notice, err = dunning.IssueNotice(ctx, tx, k.Rules, k.creditor, k.invoice.ID, dunning.Request{})
		return err
	})
	rows.Send(t, k.DB, k.creditor)
	rows.Write(t, rows.On(k.DB, rows.Today+60), func(tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(ctx, tx, k.creditor, k.invoice.ID, "a test")
		return err
	})
	for _, d := range []models.Document{k.invoice.Document(), other.Document(), note.Document(), notice.Document()} {
		_, err := k.Documents.PDF(ctx, k.creditor.ID, d)
		testkit.Must(t, err)
		if d != other.Document() {
			_, err = k.Documents.EHF(ctx, k.creditor.ID, d)
			testkit.Must(t, err)
		}
	}
	h, _, err := k.DB.LastHandOver(ctx, k.invoice.ID)
	testkit.Must(t, err)
	_, err = k.Collection.Bundle(ctx, h)
	testkit.Must(t, err)
	raw := payments.FileOf(k.creditor.BankAccount, payments.Paid("", 5_00)).Bytes(t)
	_, err = k.Importer.Import(ctx, bytes.NewReader(raw), ocr.Source{Filename: "ocr.txt", Kind: ocr.FromCommand})
	testkit.Must(t, err)
}

// says returns what Prove finds, a line each.
func (k *keeper) says(p operator.Proof) string {
	k.t.Helper()
	var lines []string
	_, err := k.Prove(k.t.Context(), p, func(f operator.Finding) { lines = append(lines, f.String()) })
	testkit.Must(k.t, err)
	return strings.Join(lines, "\n")
}

// repair returns what RepairArchive has put back, and what it could not.
func (k *keeper) repair() (mended, gone []string) {
	k.t.Helper()
	into := func(lines *[]string) func(operator.Finding) {
		return func(f operator.Finding) { *lines = append(*lines, f.String()) }
	}
	_, err := k.RepairArchive(k.t.Context(), into(&mended), into(&gone))
	testkit.Must(k.t, err)
	return mended, gone
}

// spoil does something with every kept file.
func (k *keeper) spoil(do func(path string) error) {
	k.t.Helper()
	testkit.Must(k.t, filepath.WalkDir(k.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return do(path)
	}))
}

// turn changes one byte of a file, and keeps its size.
func turn(path string) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	content[len(content)/2] ^= 1
	return os.WriteFile(path, content, 0o600)
}

func TestO7EveryKeptFileIsLookedForAndMadeAgain(t *testing.T) {
	t.Parallel()
	eachKeeper(t, func(k *keeper) {
		t := k.t
		k.fill()
		if got := k.says(operator.Proof{Deep: true}); got != "" {
			t.Fatalf("with nothing wrong: %s", got)
		}
		whole := fmt.Sprintf(`creditor %[1]d, Fjord AS: the PDF of invoice 1 is {word}
creditor %[1]d, Fjord AS: the PDF of invoice 2 is {word}
creditor %[1]d, Fjord AS: the PDF of credit note 3 is {word}
creditor %[1]d, Fjord AS: the PDF of overdue notice 1 on invoice 1 is {word}
creditor %[1]d, Fjord AS: the EHF of invoice 1 is {word}
creditor %[1]d, Fjord AS: the EHF of credit note 3 is {word}
creditor %[1]d, Fjord AS: the EHF of overdue notice 1 on invoice 1 is {word}
creditor %[1]d, Fjord AS: the collection bundle of invoice 1 is {word}
payment file 1, ocr.txt: its raw bytes are {word}`, k.creditor.ID)
		for _, tt := range []struct {
			word  string
			spoil func(path string) error
		}{{archive.Damaged, turn}, {archive.Lost, os.Remove}} {
			k.spoil(tt.spoil)
			want := strings.ReplaceAll(whole, "{word}", tt.word)
			if got := k.says(operator.Proof{Deep: true}); got != want {
				t.Errorf("verify --deep says\n%s\nwant\n%s", got, want)
			}
			if got := k.says(operator.Proof{NoFiles: true}); tt.word == archive.Lost && got != want || tt.word == archive.Damaged && got != "" {
				t.Errorf("verify --no-files says\n%s\nof %s files", got, tt.word)
			}
			mended, gone := k.repair()
			if len(mended) != 8 || len(gone) != 1 || !strings.Contains(gone[0], "payment file 1, ocr.txt: its raw bytes are "+tt.word+" and cannot be made again") {
				t.Errorf("put back are\n%s\nand not\n%s", strings.Join(mended, "\n"), strings.Join(gone, "\n"))
			}
			if got, left := k.says(operator.Proof{Deep: true}), want[strings.LastIndex(want, "\n")+1:]; got != left {
				t.Errorf("after the repair verify --deep says\n%s\nwant\n%s", got, left)
			}
		}
	})
}

// A bundle that is lost with its PDFs is made again from them. Documents show the creditor of their day (D112), and are put back;
// the bundle shows the customer of the day on which it was made, and is not.
func TestO7OnlyWhatIsTheSameIsPutBack(t *testing.T) {
	t.Parallel()
	eachKeeper(t, func(k *keeper) {
		k.fill()
		rows.Write(k.t, k.DB, func(tx *store.Tx) error {
			c := k.creditor
			c.Name = "Fjord og sønner AS"
			testkit.Must(k.t, tx.UpdateCreditor(k.t.Context(), &c))
			customer, err := tx.LockCustomer(k.t.Context(), c.ID, k.invoice.CustomerID)
			testkit.Must(k.t, err)
			customer.Recipient.Name1 = "Kari Hansen"
			return tx.UpdateCustomer(k.t.Context(), &customer)
		})
		k.spoil(os.Remove)
		mended, gone := k.repair()
		if len(mended) != 7 || len(gone) != 2 {
			k.t.Errorf("put back are %q, and not %q", mended, gone)
		}
		left := 0
		k.spoil(func(string) error { left++; return nil })
		if left != 7 {
			k.t.Errorf("%d other files are in the archive", left)
		}
	})
}

func TestO12RunsInTheFutureAreFound(t *testing.T) {
	t.Parallel()
	eachKeeper(t, func(k *keeper) {
		if seen, err := k.Prove(k.t.Context(), operator.Proof{}, nil); err != nil || !seen.Empty() {
			k.t.Errorf("an empty installation: %+v, %v", seen, err)
		}
		c := rows.Creditor(k.t, k.DB)
		for _, day := range []models.Date{rows.Today, rows.Today + 1} {
			rows.Write(k.t, k.DB, func(tx *store.Tx) error {
				_, err := tx.BeginRun(k.t.Context(), &models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: day})
				return err
			})
		}
		want := fmt.Sprintf("creditor %d, %s: the dunning run of 2026-03-03 is in the future: a clock was wrong", c.ID, c.Name)
		if got := k.says(operator.Proof{}); got != want {
			k.t.Errorf("it says %q, want %q", got, want)
		}
	})
}

// Files are read while the books are proved, several at a time. What is found is told in one order all the same: the books, and then
// the files in their order.
func TestE4ProveTellsOfTheBooksFirstAndOfFilesInOrder(t *testing.T) {
	t.Parallel()
	eachKeeper(t, func(k *keeper) {
		k.fill()
		want := []string{"the dunning run of 2026-03-03 is in the future"}
		for n := range 20 {
			raw := payments.FileOf(k.creditor.BankAccount, payments.Paid("", models.Amount(100+n))).Bytes(k.t)
			f, err := k.Importer.Import(k.t.Context(), bytes.NewReader(raw), ocr.Source{Filename: fmt.Sprint(n, ".txt"), Kind: ocr.FromCommand})
			testkit.Must(k.t, err)
			rows.Write(k.t, k.DB, func(tx *store.Tx) error { return tx.ReplaceStatementLines(k.t.Context(), f.ID, nil) })
			want = append(want, fmt.Sprintf("payment file %d, %d.txt: line", f.ID, n))
		}
		rows.Write(k.t, k.DB, func(tx *store.Tx) error {
			_, err := tx.BeginRun(k.t.Context(), &models.Run{CreditorID: k.creditor.ID, Kind: models.RunDunning, BusinessDate: rows.Today + 1})
			return err
		})
		var begun []int64
		proof := operator.Proof{Begin: func(_ models.PaymentFile, n, _ int64) { begun = append(begun, n) }}
		found := strings.Split(k.says(proof), "\n")
		if len(found) != len(want) || len(begun) != 21 || !slices.IsSorted(begun) {
			k.t.Fatalf("of the files %v it says\n%s", begun, strings.Join(found, "\n"))
		}
		for i, text := range found {
			if !strings.Contains(text, want[i]) {
				k.t.Errorf("%d. it says %q, want %q", i, text, want[i])
			}
		}
	})
}

func TestO2VerifySaysWhatItHasSeen(t *testing.T) {
	t.Parallel()
	eachKeeper(t, func(k *keeper) {
		k.fill()
		seen, err := k.Prove(k.t.Context(), operator.Proof{}, func(f operator.Finding) { k.t.Error(f) })
		newest := rows.Start
		if !seen.NewestChange.Equal(newest) {
			err = errors.Join(err, fmt.Errorf("the newest change is %s, want %s", seen.NewestChange, newest))
		}
		if err != nil || seen.Creditors != 1 || seen.Invoices != 2 || seen.Entries < 4 || seen.Files != 1 || seen.Documents != 4 {
			k.t.Errorf("seen are %+v: %v", seen, err)
		}
	})
}
