package inbound

import (
	"context"
	"log/slog"
	"testing"

	"purr/ocr"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/payments"
)

type (
	bankFile   = payments.File
	assignment = payments.Assignment
)

const nobodys = payments.NobodysAccount

var (
	must     = payments.Must
	paid     = payments.Paid
	out      = payments.Out
	fileOf   = payments.FileOf
	queued   = payments.Queued
	mistyped = payments.Mistyped
	atOnce   = testkit.AtOnce
)

var silent = slog.New(slog.DiscardHandler)

// books is an installation of a test's own, and an importer.
type books struct {
	*payments.Books
	im *ocr.Importer
}

// eachBooks runs the test on an installation with either database, beside other tests.
func eachBooks(t *testing.T, test func(t *testing.T, b *books)) {
	t.Helper()
	payments.Each(t, func(t *testing.T, b *payments.Books) { test(t, importInto(b)) })
}

func importInto(b *payments.Books) *books {
	return &books{b, ocr.NewImporter(b.DB, b.Archive, silent)}
}

// until runs do on an importer that dies after a number of transactions, and reports whether it did.
func (b *books) until(t *testing.T, transactions int, do func(ctx context.Context, db *store.DB, im *ocr.Importer) error) (died bool) {
	t.Helper()
	return b.Until(t, transactions, func(ctx context.Context, db *store.DB) error {
		return do(ctx, db, ocr.NewImporter(db, b.Archive, silent))
	})
}
