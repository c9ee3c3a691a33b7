package ocr

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"purr/models"
	"purr/ocr/camt"
)

// camtLine is a transaction of a camt.054 file.
type camtLine struct {
	*camt.Transaction
	checked *camt.Summary
}

func checkCamt(r io.Reader, dates *models.FileDates) (*content, error) {
	var met prefixes
	summary, err := camt.CheckEach(r, func(tx *camt.Transaction) {
		met.add(tx.Fingerprint())
		dates.Check(tx.Line, tx.Entry.Number, tx.Entry.Booked)
	})
	if _, faulty := errors.AsType[models.FileFaults](err); err != nil && !faulty {
		return nil, err
	}
	c := &content{
		sender: summary.Sender(), number: summary.ID, unit: summary.Recipient,
		identity: hex.EncodeToString(summary.ContentHash[:]), warnings: summary.Warnings, repeats: met.repeats(),
	}
	if summary.Version != "" {
		c.format = camt.Format
	}
	t := transmission{sender: c.sender, recipient: c.unit, number: c.number, line: 1, content: c.identity, accounts: map[string]bool{}}
	if !summary.MessageHeader.Page.Only() {
		t.number += fmt.Sprintf(" page %d", summary.MessageHeader.Page.Number)
	}
	for _, n := range summary.Notifications {
		t.accounts[n.Account] = true
		c.sections = append(c.sections, section{
			account: n.Account, line: n.Line, latest: n.Latest, transactions: n.Transactions, ignored: n.Ignored,
			amount: n.Amount, ignoredAmount: n.IgnoredAmount,
		})
	}
	c.transmissions = []transmission{t}
	c.lines = func(raw io.Reader, do func(line) error) error {
		l := &camtLine{checked: summary}
		return each(camt.NewReader(raw).Next, func(tx *camt.Transaction) error {
			l.Transaction = tx
			return do(l)
		})
	}
	return c, c.dated(dates, err)
}

// payment returns the transaction. If its entry does not add up, payment moves the KID to the text, so that the
// payment is queued for a person.
func (l *camtLine) payment() payment {
	kid, text, hasKID := l.KID, l.Text, l.HasKID()
	if hasKID && l.checked.Doubtful(l.Transaction) {
		kid, text, hasKID = "", strings.TrimSpace("KID "+kid+" "+text), false
	}
	return payment{
		UnmatchedPayment: models.UnmatchedPayment{
			Line: l.Line, Account: l.Entry.Notification.Account, Amount: l.Amount,
			TransactionDate: l.Entry.Booked, BankDate: l.BankDate, KID: kid, FromAccountNumber: l.DebitAccount,
			ArchiveReference: l.Reference(), Text: text, PayerName: l.Name, UltimatePayer: l.Ultimate,
		},
		counted:   l.Amount,
		reference: cmp.Or(l.Entry.BankReference, l.Entry.Reference),
		entry:     l.Entry.Number,
		hasKID:    hasKID,
		reversal:  l.Reversal(),
	}
}
