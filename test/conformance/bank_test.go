package conformance_test

import (
	"bytes"
	"fmt"

	"purr/ocr/giro"
)

// payer is the account that the bank's payments come from.
const payer = "97104133219"

// bankAccount returns an account number that nobody has yet.
func (in *installation) bankAccount() string {
	for {
		base := fmt.Sprintf("1503%06d", in.next())
		if check := mod11(base); check != "-" {
			return base + check
		}
	}
}

// bankReports has an OCR giro file imported in which 1250 kroner were paid today with each of the KIDs, and returns
// the file's detail.
func (c *client) bankReports(account string, kids ...string) node {
	c.T.Helper()
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	serial := fmt.Sprint(c.in.next())
	must(c.T, w.StartTransmission(giro.TransmissionHeader{Number: serial, Recipient: "00012345", Created: c.in.Today()}))
	must(c.T, w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: serial, Account: account, Created: c.in.Today()}))
	for i, kid := range kids {
		must(c.T, w.Write(giro.Payment{
			Type: giro.TypeCorporateGiro, NetsDate: c.in.Today(), BankDate: c.in.Today(), Amount: 1250_00, KID: kid, DebitAccount: payer,
			ArchiveReference: serial + fmt.Sprintf("%03d", i),
		}))
	}
	must(c.T, w.Close())
	return c.Post("/payment_files", file.String(), contentType("text/plain")).Created()
}
