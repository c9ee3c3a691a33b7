package ocr

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"purr/models"
	"purr/ocr/giro"
)

// giroLine is a transaction of an OCR giro file.
type giroLine struct {
	*giro.Transaction
	checked map[int]*giro.Assignment // by the line of the start record
}

func checkGiro(r io.Reader, received models.Date) (*content, error) {
	summary, err := giro.Check(r, received)
	c := &content{warnings: summary.Warnings}
	checked := map[int]*giro.Assignment{}
	identity := sha256.New()
	for i, t := range summary.Transmissions {
		if i == 0 {
			c.format, c.sender, c.number, c.unit = giro.Format, t.Sender, t.Number, t.Recipient
		}
		identity.Write(t.ContentHash[:])
		delivery := transmission{
			sender: t.Sender, recipient: t.Recipient, number: t.Number, line: t.Line,
			serial: serialOf(t.Number, cmp.Or(t.Created, received)), content: hex.EncodeToString(t.ContentHash[:]), accounts: map[string]bool{},
		}
		for _, a := range t.Assignments {
			checked[a.Line] = a
			delivery.accounts[printable(a.Account)] = true // a skipped assignment may have any bytes there
			c.sections = append(c.sections, section{
				account: a.Account, line: a.Line, latest: a.Latest,
				transactions: a.Transactions, ignored: a.Ignored, amount: a.Amount,
			})
		}
		if len(t.Assignments) == 0 {
			delivery.accounts[""] = true
		}
		c.transmissions = append(c.transmissions, delivery)
	}
	c.identity = hex.EncodeToString(identity.Sum(nil))
	c.lines = func(raw io.Reader, do func(line) error) error {
		reader := giro.NewReader(bufio.NewReaderSize(raw, 1<<20), received)
		l := &giroLine{checked: checked}
		return each(reader.Next, func(tx *giro.Transaction) error {
			l.Transaction = tx
			return do(l)
		})
	}
	return c, err
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
