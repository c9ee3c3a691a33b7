package ocr

import (
	"encoding/hex"
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

func checkCamt(r io.Reader) (*content, error) {
	summary, err := camt.Check(r)
	c := &content{
		sender: summary.Sender(), number: summary.ID, unit: summary.Recipient,
		identity: hex.EncodeToString(summary.ContentHash[:]), warnings: summary.Warnings,
	}
	if summary.Version != "" {
		c.format = camt.Format
	}
	for _, n := range summary.Notifications {
		c.sections = append(c.sections, section{
			account: n.Account, line: n.Line, latest: n.Latest, transactions: n.Transactions, ignored: n.Ignored,
			amount: n.Amount, ignoredAmount: n.IgnoredAmount,
		})
	}
	c.lines = func(raw io.Reader, do func(line) error) error {
		l := &camtLine{checked: summary}
		return each(camt.NewReader(raw).Next, func(tx *camt.Transaction) error {
			l.Transaction = tx
			return do(l)
		})
	}
	return c, err
}

// payment gives a transaction of an entry that does not add up no KID, so that nothing posts it: a person
// finds the KID in its text.
func (l *camtLine) payment() payment {
	kid, text, hasKID := l.KID, l.Text, l.HasKID()
	if hasKID && l.checked.Doubtful(l.Transaction) {
		kid, text, hasKID = "", strings.TrimSpace("KID "+kid+" "+text), false
	}
	return payment{
		UnmatchedPayment: models.UnmatchedPayment{
			Line: l.Line, Account: l.Entry.Notification.Account, Amount: l.Amount,
			TransactionDate: l.Entry.Booked, BankDate: l.BankDate, KID: kid, FromAccountNumber: l.DebitAccount,
			ArchiveReference: l.Reference(), Text: text,
		},
		counted:  l.Amount,
		hasKID:   hasKID,
		reversal: l.Reversal(),
	}
}
