package ocr

import (
	"context"
	"log/slog"
	"testing"

	"purr/archive"
	"purr/internal/testkit"
	"purr/internal/testkit/rows"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// today is when the files of the tests come: a Monday.
var today = rows.Today

// tester is what the tests of testing and of rapid have in common.
type tester interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func must(t tester, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// books is an installation of a test's own: a database, an archive, and who imports into them.
type books struct {
	db      *store.DB
	archive *archive.Archive
	im      *Importer
}

// eachBooks runs the test on an installation with either database, beside other tests: each mostly waits
// for its disk.
func eachBooks(t *testing.T, test func(t *testing.T, b *books)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, url string) {
		t.Parallel()
		test(t, openBooks(t, url))
	})
}

func openBooks(t *testing.T, databaseURL string) *books {
	t.Helper()
	a, err := archive.Open(t.TempDir())
	must(t, err)
	db := rows.Open(t, databaseURL)
	return &books{db: db, archive: a, im: NewImporter(db, a, slog.New(slog.DiscardHandler))}
}

// pay registers a payment by hand.
func (b *books) pay(ctx context.Context, i models.Invoice, amount models.Amount) error {
	return b.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, i.CreditorID, i.ID, ledger.Payment{Amount: -amount, Date: today}, today)
		return err
	})
}

// balance returns what is owed on an invoice.
func (b *books) balance(t tester, i models.Invoice) models.Amount {
	t.Helper()
	now, err := b.db.Invoice(t.Context(), i.CreditorID, i.ID)
	must(t, err)
	return now.Balance
}

// prove proves a creditor's books (rules D33, E4).
func (b *books) prove(t tester, c models.Creditor) {
	t.Helper()
	differences, err := ledger.Verify(t.Context(), b.db, c)
	must(t, err)
	for _, d := range differences {
		t.Errorf("the books of %s: %s", c.Name, d)
	}
}
