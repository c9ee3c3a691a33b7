package e2e_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
)

// TestInvoiceGoesOut is the first flow: an invoice is posted, its PDF is made once, and the same bytes are
// answered, mailed, copied and printed ever after (rule D35).
func TestInvoiceGoesOut(t *testing.T) {
	eachChannel(t, func(t *testing.T, in *installation, emails func() []email) {
		kari := in.api.customer(t, "Kari Nordmann")
		mailed := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "1000.00", method: "EMAIL", copies: []string{"a@example.no", "b@example.no"}})
		printed := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "2000.00", copies: []string{"c@example.no"}})
		in.awaitSent(mailed.At("@uri"), "2026-01-05 08:00:00", 3)
		in.awaitSent(printed.At("@uri"), "2026-01-05 08:00:00", 2)

		mailedPDF, printedPDF := in.api.Get(mailed.At("@uri")+"/pdf").PDF(), in.api.Get(printed.At("@uri")+"/pdf").PDF()
		checkEmails(t, emails(), []string{"a@example.no", "b@example.no", "c@example.no", "kari@example.no"},
			[][]byte{mailedPDF, mailedPDF, printedPDF, mailedPDF})
		for _, e := range emails() {
			equal(t, "sender", e.from, "Fjord Rør AS post@fjord-ror.example")
		}
		if e := emails()[3]; !strings.Contains(e.subject, "1") || !strings.Contains(e.text, "1 250,00") || !strings.Contains(e.text, mailed.At("ocr_kid_number")) {
			t.Errorf("the mail to the customer says %q: %s", e.subject, e.text)
		}
		in.checkLetters(map[string][]byte{"invoice-2-": printedPDF})

		// Whatever changes later, the document does not (rules D17, D35), and nothing is sent again.
		in.api.Put("/api/v1/creditor", `<creditor><name>Nytt Navn AS</name></creditor>`).Shown()
		in.api.Put(kari, `<customer><name1>Kari Hansen</name1><email>hansen@example.no</email></customer>`).Shown()
		in.at("2026-01-07 12:00")
		if !bytes.Equal(in.api.Get(mailed.At("@uri")+"/pdf").PDF(), mailedPDF) {
			t.Error("the PDF changed with the customer")
		}
		equal(t, "recipient's name", in.api.Get(mailed.At("@uri")).Shown().At("recipient/name1"), "Kari Nordmann")
		equal(t, "number of mails after two days", len(emails()), 4)
		in.checkLetters(map[string][]byte{"invoice-2-": printedPDF})
		in.checkBooks()
	})
}

// TestCreditNoteGoesOut credits an invoice that was partly paid: the series goes on, the invoice is settled
// and what was paid stays as credit until it is paid out (rules D18, D21, D32).
func TestCreditNoteGoesOut(t *testing.T) {
	eachChannel(t, func(t *testing.T, in *installation, emails func() []email) {
		kari := in.api.customer(t, "Kari Nordmann")
		invoice := in.api.invoice(t, invoiceOf{customer: kari, days: 14, net: "1000.00"}).At("@uri")
		in.api.pay(t, invoice, "-250.00", "2026-01-05")
		in.at("2026-01-06 09:00")

		credit := in.api.Post(invoice+"/credit_notes", creditBody("EMAIL")).Created()
		equal(t, "number", credit.At("invoice_number"), "2")
		equal(t, "credit outstanding", credit.At("ar_transactions/@balance"), "-250.00")
		in.awaitSent(credit.At("@uri"), "2026-01-06 09:00:00", 1)
		pdf := in.api.Get(credit.At("@uri") + "/pdf").PDF()
		checkEmails(t, emails(), []string{"kari@example.no"}, [][]byte{pdf})

		detail := in.api.Get(invoice).Shown()
		equal(t, "status of the invoice", detail.At("@status"), "invoice_paid")
		equal(t, "entries of the invoice", strings.Join(texts(detail.All("ar_transactions/ar_transaction"), "amount"), " "), "1250.00 -250.00 -1000.00")
		equal(t, "credit note of the invoice", detail.At("credit_notes/credit_note/@uri"), credit.At("@uri"))

		in.api.pay(t, credit.At("@uri"), "250.00", "2026-01-06")
		equal(t, "status after the payout", in.api.Get(credit.At("@uri")).Shown().At("@status"), "paid")
		equal(t, "what the customer owes in all", sum(t, texts(in.api.List(kari+"/ar_transactions"), "amount")), "0.00")
		in.checkBooks()
	})
}

// awaitSent waits until a document has all its shipments, and all were sent at the time.
func (in *installation) awaitSent(uri, at string, shipments int) {
	in.t.Helper()
	eventually(in.t, "shipments of "+uri, func() (bool, any) {
		sent := texts(in.api.Get(uri).Shown().All("shipments/shipment"), "sent_at")
		return strings.Join(sent, "|") == strings.TrimSuffix(strings.Repeat(at+"|", shipments), "|"), sent
	})
}

// checkEmails holds the e-mails, in order of the addresses, against whom they must go to with which PDF.
func checkEmails(t *testing.T, got []email, to []string, pdfs [][]byte) {
	t.Helper()
	if len(got) != len(to) {
		t.Fatalf("%d e-mails were sent, want those to %v", len(got), to)
	}
	for i, e := range got {
		equal(t, fmt.Sprintf("address of e-mail %d", i), e.to, to[i])
		if !bytes.Equal(e.attachment, pdfs[i]) {
			t.Errorf("the e-mail to %s has other bytes than the API's PDF", e.to)
		}
	}
}

// checkLetters holds the letters against the documents whose names begin so, one each.
func (in *installation) checkLetters(want map[string][]byte) {
	in.t.Helper()
	letters := in.Letters(in.t)
	equal(in.t, "number of letters", len(letters), len(want))
	for prefix, pdf := range want {
		found := 0
		for name, letter := range letters {
			if strings.HasPrefix(name, prefix) {
				found++
				if !bytes.Equal(letter, pdf) {
					in.t.Errorf("the letter %s has other bytes than the API's PDF", name)
				}
			}
		}
		equal(in.t, "number of letters "+prefix, found, 1)
	}
}

// checkBooks proves the books.
func (in *installation) checkBooks() {
	in.t.Helper()
	must(in.t, in.App.Verify(in.t.Context(), func(_ models.Creditor, d ledger.Difference) { in.t.Errorf("the books: %s", d) }))
}

// sum adds up amounts.
func sum(t *testing.T, amounts []string) string {
	t.Helper()
	var total models.Amount
	for _, a := range amounts {
		n, err := models.ParseAmount(a)
		must(t, err)
		total += n
	}
	return total.String()
}
