package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"purr/models"
	"purr/ocr/giro"
)

// bankFile is an OCR giro file with one assignment, as the bank delivers it.
type bankFile struct {
	number  int    // of the transmission
	account string // the creditor's where it is empty
	date    string // of settlement
	lines   []bankLine
}

// bankLine is a payment in kroner, money out where it is negative. One without a KID is a card purchase with
// a text.
type bankLine struct {
	kid, amount, text string
	reference         int // the bank's; unique where it is zero
}

// references counts the payments of all files.
var references atomic.Int64

// nextReference returns a reference that no other payment has.
func nextReference() int { return int(references.Add(1)) }

func (f bankFile) bytes() ([]byte, error) {
	if f.account == "" {
		f.account = account
	}
	settled, err := models.ParseDate(f.date)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	w := giro.NewWriter(&file)
	if err := w.StartTransmission(giro.TransmissionHeader{Number: fmt.Sprint(f.number), Recipient: "00012345", Created: settled}); err != nil {
		return nil, err
	}
	if err := w.StartAssignment(giro.AssignmentHeader{AgreementID: "1234567", Number: fmt.Sprint(f.number), Account: f.account, Created: settled}); err != nil {
		return nil, err
	}
	for _, l := range f.lines {
		p, err := l.payment(settled)
		if err != nil {
			return nil, err
		}
		if err := w.Write(p); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return file.Bytes(), err
}

func (l bankLine) payment(settled models.Date) (giro.Payment, error) {
	amount, err := models.ParseAmount(l.amount)
	if l.reference == 0 {
		l.reference = nextReference()
	}
	p := giro.Payment{
		Type: giro.TypeCorporateGiro, NetsDate: settled, BankDate: settled, Amount: amount, KID: l.kid, DebitAccount: "97104133219",
		ArchiveReference: fmt.Sprint(l.reference), Text: l.text,
	}
	if amount < 0 {
		p.Amount, p.Negative = -amount, true
	}
	if l.kid == "" {
		p.Type = giro.TypePurchaseWithText
	}
	return p, err
}

// postFile has a file imported through the API, and returns its detail.
func (in *installation) postFile(t *testing.T, f bankFile) node {
	t.Helper()
	raw, err := f.bytes()
	must(t, err)
	return in.api.sendFile(t, raw).Is(http.StatusCreated).Root()
}

func (c *client) sendFile(t *testing.T, raw []byte) *answer {
	t.Helper()
	return c.send(t, fileCall(raw))
}

func fileCall(raw []byte) call {
	return call{method: "POST", path: "/api/v1/payment_files", body: string(raw), header: map[string]string{"Content-Type": "application/octet-stream"}}
}
