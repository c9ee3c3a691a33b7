package mailer

import (
	"fmt"
	"testing"
	"time"

	"purr/models"
)

func covers() map[string]Cover {
	invoice := Cover{
		Kind: models.InvoiceDocument, Creditor: "Blåbær & Sønn AS", Customer: "Kari Nordmann", Number: 10001,
		Amount: 125000, DueDate: models.NewDate(2026, time.February, 5), BankAccount: "12345678903", KID: "0000100016",
	}
	invoiceCopy := invoice
	invoiceCopy.Copy, invoiceCopy.BankAccount = true, ""
	note := Cover{
		Kind: models.CreditNoteDocument, Creditor: "Blåbær & Sønn AS", Customer: "Kari Nordmann", Number: 10002,
		Invoice: 10001, Amount: 125000,
	}
	noteCopy := note
	noteCopy.Copy = true
	return map[string]Cover{"invoice": invoice, "invoice_copy": invoiceCopy, "credit_note": note, "credit_note_copy": noteCopy}
}

func TestCoverGolden(t *testing.T) {
	for name, c := range covers() {
		for _, language := range []string{"nb", "nn", "en"} {
			text, err := c.Text(language)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("Subject: %s\nFile: %s\n\n%s", text.Subject, text.FileName, text.Body)
			golden(t, name+"."+language+".txt", []byte(got))
		}
	}
}

func TestCoverIsInBokmaalWhereNoLanguageIsKnown(t *testing.T) {
	for _, language := range []string{"", "se"} {
		text, err := covers()["invoice"].Text(language)
		if err != nil || text.Subject != "Faktura 10001 fra Blåbær & Sønn AS" {
			t.Errorf("in the language %q the subject is %q, error %v", language, text.Subject, err)
		}
	}
}

func TestNoticesHaveNoCover(t *testing.T) { // rule D30
	if text, err := (Cover{Kind: models.NoticeDocument}).Text("nb"); err == nil {
		t.Errorf("got %+v", text)
	}
}
