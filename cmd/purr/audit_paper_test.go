package main

import (
	"os"
	"strings"
	"testing"

	"purr/audit/kept"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestU5TheAuditAsADocument hands an inspector the audit of an installation in which a notice was charged on an invoice that was paid.
func TestU5TheAuditAsADocument(t *testing.T) {
	in := newInstallation(t)
	creditors, err := in.db.Creditors(t.Context())
	testkit.Must(t, err)
	invoice := rows.Invoice(t, in.db, creditors[0])
	rows.Write(t, in.db, func(tx *store.Tx) error {
		return tx.CreateNotices(t.Context(), []models.Notice{{
			CreditorID: creditors[0].ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Sequence: 1, IssueDate: rows.Today, DueDate: rows.Today + 13, Warning: true,
			Fee: 99_00, Gross: 99_00, KID: invoice.KID, Recipient: invoice.Recipient, Language: "nb",
		}}, [][]models.NoticeLine{{{Position: 1, Text: "Gebyr", Gross: 99_00}}})
	})
	for _, arguments := range []string{"audit --format pdf --out audit.pdf", "audit --creditor 1 --deep --format pdf --out audit.pdf"} {
		said := in.purr(t, exitFailed, arguments)
		file, err := os.ReadFile("audit.pdf")
		if err != nil {
			t.Fatalf("%v; it says %s", err, said)
		}
		texts, err := kept.Texts(file)
		testkit.Must(t, err)
		all := strings.Join(texts, "\n")
		for _, want := range []string{"SHA-256", "99,00", "Inkassosats, kroner", "FOR-2025-12-19-2709", invoice.Recipient.Name1} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: the PDF does not say %q:\n%s", arguments, want, all)
			}
		}
	}
}
