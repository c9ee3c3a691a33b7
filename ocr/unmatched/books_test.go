package unmatched

import (
	"bytes"
	"log/slog"
	"testing"

	"purr/models"
	"purr/ocr"
	"purr/test/testkit/payments"
	"purr/test/testkit/rows"
)

type bankFile = payments.File

var (
	today    = rows.Today
	must     = payments.Must
	paid     = payments.Paid
	byCard   = payments.ByCard
	fileOf   = payments.FileOf
	otherKID = payments.OtherKID
)

// books is an installation of a test's own, and an importer.
type books struct {
	*payments.Books
	im *ocr.Importer
}

// eachBooks runs the test on an installation with either database, beside other tests.
func eachBooks(t *testing.T, test func(t *testing.T, b *books)) {
	t.Helper()
	payments.Each(t, func(t *testing.T, b *payments.Books) {
		test(t, &books{b, ocr.NewImporter(b.DB, b.Archive, slog.New(slog.DiscardHandler))})
	})
}

// take imports a file, and expects no error.
func (b *books) take(t *testing.T, file []byte) models.PaymentFile {
	t.Helper()
	f, err := b.im.Import(t.Context(), bytes.NewReader(file), ocr.Source{Filename: "OCR.txt", Kind: ocr.FromCommand})
	must(t, err)
	return f
}
