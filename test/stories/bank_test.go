//go:build whole

package stories_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"

	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/house"
)

// payer is the account that the bank's payments come from.
const payer = "97104133219"

// transfer is a payment in a file from the bank.
type transfer struct {
	invoice int    // whose KID it has
	kid     string // it has where it has no invoice's
	amount  string
}

// transferred is a payment with an invoice's KID.
func transferred(invoice int, amount string) transfer {
	return transfer{invoice: invoice, amount: amount}
}

// stray is a payment with a KID that may be nobody's.
func stray(kid, amount string) transfer { return transfer{kid: kid, amount: amount} }

// bank has an OCR file come with what was paid today.
func bank(transfers ...transfer) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		bankOf(c.today(), transfers...)(t, c)
	}
}

// bankOf has an OCR file come with what was paid on a day.
func bankOf(day string, transfers ...transfer) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		on, err := models.ParseDate(day)
		must(t, err)
		c.files++
		number := fmt.Sprint(c.files)
		var file bytes.Buffer
		w := giro.NewWriter(&file)
		must(t, w.StartTransmission(giro.TransmissionHeader{Number: number, Recipient: "00012345", Created: on}))
		must(t, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: number, Account: c.account, Created: on}))
		for i, paid := range transfers {
			kid := paid.kid
			if kid == "" {
				kid = c.document(t, paid.invoice).KID
			}
			must(t, w.Write(giro.Payment{
				Type: giro.TypeCorporateGiro, NetsDate: on, BankDate: on, Amount: models.Amount(ore(t, paid.amount)), KID: kid, DebitAccount: payer,
				ArchiveReference: number + fmt.Sprintf("%03d", i),
			}))
		}
		must(t, w.Close())
		c.On(t).Post("/payment_files?filename=OCR."+number, file.String(), house.ContentType("text/plain")).Is(http.StatusCreated)
	}
}

// unmatchedXML are the payments that no invoice was found for.
type unmatchedXML struct {
	Payments []struct {
		URI string `xml:"uri,attr"`
	} `xml:"unmatched_payment"`
}

// matches posts the only open unmatched payment to an invoice.
func matches(invoice int) act {
	return onUnmatched("match", func(t *testing.T, c *cast) string {
		t.Helper()
		return tag("match", `<invoice uri="/api/v1`+c.at(t, invoice)+`"/>`)
	})
}

// dismisses takes the only open unmatched payment as not the creditor's.
func dismisses() act {
	return onUnmatched("dismiss", func(*testing.T, *cast) string { return tag("dismiss", tag("comment", "sent back")) })
}

func onUnmatched(what string, body func(t *testing.T, c *cast) string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		open := read[unmatchedXML](t, c.get(t, "/unmatched_payments?status=open")).Payments
		if len(open) != 1 {
			t.Fatalf("%d payments are unmatched, not one", len(open))
		}
		c.create(t, below(open[0].URI)+"/"+what, body(t, c), http.StatusOK)
	}
}
