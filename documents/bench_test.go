package documents_test

import (
	"testing"

	"purr/documents"
	"purr/documents/pdf"
	"purr/models"
	"purr/store/archive"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkPDF makes the PDFs of invoices and keeps them: it reads, draws, writes and records. The limit is
// to draw alone.
func BenchmarkPDF(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		const documentsMade = 100
		kept, err := archive.Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		store := documents.New(db.Store, kept)
		creditor := rows.Creditor(b, db.Store)
		customer := rows.Customer(b, db.Store, creditor)
		var ours, limit bench.Rate
		for b.Loop() {
			b.StopTimer()
			invoices := make([]models.Invoice, documentsMade)
			for i := range invoices {
				invoices[i] = rows.Invoice(b, db.Store, creditor, rows.To(customer))
			}
			lines, err := db.Store.InvoiceLines(b.Context(), invoices[0].ID)
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			ours.Time(documentsMade, func() {
				for _, i := range invoices {
					if _, err := store.PDF(b.Context(), creditor.ID, i.Document()); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.StopTimer()
			limit.Time(documentsMade, func() {
				for _, i := range invoices {
					if _, err := pdf.Invoice(pdf.InvoiceInput{Creditor: creditor, Invoice: i, Lines: lines}); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.StartTimer()
		}
		bench.Report(b, "documents", &ours, &limit)
	})
}
