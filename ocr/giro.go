package ocr

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"purr/models"
	"purr/ocr/giro"
)

// giroLine is a transaction of an OCR giro file.
type giroLine struct {
	*giro.Transaction
	checked map[int]*giro.Assignment // by the line of the start record
}

func checkGiro(r io.Reader, dates *models.FileDates) (*content, error) {
	var met prefixes
	received := dates.Received
	summary, err := giro.CheckEach(r, received, func(tx *giro.Transaction) {
		met.add(tx.Fingerprint())
		dates.Check(tx.Line, 0, tx.NetsDate)
	})
	if _, faulty := errors.AsType[models.FileFaults](err); err != nil && !faulty {
		return nil, err
	}
	c := &content{warnings: summary.Warnings, repeats: met.repeats()}
	checked := map[int]*giro.Assignment{}
	identity := sha256.New()
	for i, sent := range summary.Transmissions {
		if i == 0 {
			c.format, c.sender, c.number, c.unit = giro.Format, sent.Sender, sent.Number, sent.Recipient
		}
		identity.Write(sent.ContentHash[:])
		t := transmission{
			sender: sent.Sender, recipient: sent.Recipient, number: sent.Number, line: sent.Line,
			serial: serialOf(sent.Number, madeOn(sent.Created, received)), content: hex.EncodeToString(sent.ContentHash[:]), accounts: map[string]bool{},
		}
		for _, a := range sent.Assignments {
			checked[a.Line] = a
			t.accounts[printable(a.Account)] = true // a skipped assignment may have any bytes there
			c.sections = append(c.sections, section{
				account: a.Account, line: a.Line, latest: a.Latest,
				transactions: a.Transactions, ignored: a.Ignored, amount: a.Amount, mandates: a.Mandates,
			})
		}
		if len(sent.Assignments) == 0 {
			t.accounts[""] = true
		}
		c.transmissions = append(c.transmissions, t)
	}
	c.identity = hex.EncodeToString(identity.Sum(nil))
	c.lines = func(raw io.Reader, do func(line) error) error {
		r, free := buffered(raw)
		defer free()
		reader := giro.NewReader(r, received)
		l := &giroLine{checked: checked}
		return each(reader.Next, func(tx *giro.Transaction) error {
			l.Transaction = tx
			return do(l)
		})
	}
	return c, c.dated(dates, err)
}

// madeOn returns the day on which a transmission was made: as it says, unless no payment could have that date (rule D110).
func madeOn(said, received models.Date) models.Date {
	if said < models.FirstFileDate || said > received+models.MostDaysAhead {
		return received
	}
	return said
}

func (l *giroLine) payment() payment {
	amount := l.Amount
	if l.MoneyOut() {
		amount = -amount
	}
	return payment{
		UnmatchedPayment: models.UnmatchedPayment{
			Line: l.Line, Account: l.Assignment.Account, TransactionType: int(l.Type), Amount: amount,
			TransactionDate: l.NetsDate, BankDate: l.BankDate, KID: l.KID(), FromAccountNumber: l.DebitAccount(),
			ArchiveReference: l.ArchiveReference(), Text: l.Text(),
		},
		counted:   l.checked[l.Assignment.Line].Counted(l.Transaction),
		reference: l.SettlementReference(),
		hasKID:    l.HasKID(),
		reversal:  l.Type.Reversal(),
	}
}
