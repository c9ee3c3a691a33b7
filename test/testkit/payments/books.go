package payments

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// T is the interface that the tests of testing and of rapid share.
type T interface {
	Helper()
	Context() context.Context
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Must ends the test on an error.
func Must(t T, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Books is an installation of one test: a database and an archive.
type Books struct {
	DB      *store.DB
	Archive *archive.Archive
}

// Each runs the test on an installation with either database, in parallel: each test mostly waits for its disk.
func Each(t *testing.T, test func(t *testing.T, b *Books)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, url string) {
		t.Parallel()
		test(t, Open(t, url))
	})
}

// Open opens an installation on an empty database.
func Open(t *testing.T, databaseURL string) *Books {
	t.Helper()
	a, err := archive.Open(t.TempDir())
	Must(t, err)
	return &Books{DB: rows.Open(t, databaseURL), Archive: a}
}

// Pay registers a payment manually.
func (b *Books) Pay(ctx context.Context, i models.Invoice, amount models.Amount) error {
	return b.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, i.CreditorID, i.ID, ledger.Payment{Amount: -amount, Date: rows.Today}, rows.Today)
		return err
	})
}

// Balance returns the balance of an invoice.
func (b *Books) Balance(t T, i models.Invoice) models.Amount {
	t.Helper()
	now, err := b.DB.Invoice(t.Context(), i.CreditorID, i.ID)
	Must(t, err)
	return now.Balance
}

// Prove proves a creditor's books (rules D33, E4).
func (b *Books) Prove(t T, c models.Creditor) {
	t.Helper()
	differences, err := ledger.Verify(t.Context(), b.DB, c)
	Must(t, err)
	for _, d := range differences {
		t.Errorf("the books of %s: %s", c.Name, d)
	}
}

// Part returns a creditor's part of a payment file.
func (b *Books) Part(t T, f models.PaymentFile, creditorID int64) models.PaymentFilePart {
	t.Helper()
	parts, err := b.DB.FileParts(t.Context(), f.ID)
	Must(t, err)
	for _, p := range parts {
		if p.CreditorID == creditorID {
			return p
		}
	}
	return models.PaymentFilePart{}
}

// Queue returns a creditor's unmatched payments, oldest first.
func (b *Books) Queue(t T, c models.Creditor) []models.UnmatchedPayment {
	t.Helper()
	queued, _, err := b.DB.UnmatchedPayments(t.Context(), c.ID, true, true, store.Page{Number: 1, Size: 10_000})
	Must(t, err)
	return queued
}

// Queued describes unmatched payments as "reason amount", joined by ", ".
func Queued(us []models.UnmatchedPayment) string {
	var texts []string
	for _, u := range us {
		texts = append(texts, fmt.Sprintf("%s %s", u.Reason, u.Amount))
	}
	return strings.Join(texts, ", ")
}

// Events returns the texts of a creditor's events of a type, oldest first.
func (b *Books) Events(t T, c models.Creditor, typ models.EventType) []string {
	t.Helper()
	events, err := b.DB.Events(t.Context(), c.ID, 0, 100_000)
	Must(t, err)
	var texts []string
	for _, e := range events {
		if e.Type == typ {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// mortal is a clock that cancels the user's context after a number of transactions, to simulate a crash. Each
// transaction of the database reads the time once.
type mortal struct {
	clock.Clock
	left atomic.Int64 // transactions until the crash
	die  context.CancelFunc
}

func (m *mortal) Now() time.Time {
	if m.left.Add(-1) < 0 {
		m.die()
	}
	return m.Clock.Now()
}

// Until runs do on a database and cancels its context after a number of transactions. It reports whether do was cut
// off.
func (b *Books) Until(t *testing.T, transactions int, do func(ctx context.Context, db *store.DB) error) (died bool) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m := &mortal{Clock: clock.NewTest(rows.Start), die: cancel}
	m.left.Store(int64(transactions))
	err := do(ctx, b.DB.WithClock(m))
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return err != nil
}
