// Package bankfile is what `purr ocr` does with payment files outside of any installation, whichever of the two
// formats they are in: it finds what is wrong or odd (Lint), makes files up (Generate), takes out of them what is
// somebody's (Anonymise) and compares two (Compare). Packages giro and camt know the formats; this one knows
// nothing of creditors, invoices, or what came before.
package bankfile

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// bufferSize is how much of a file is read at once.
const bufferSize = 64 << 10

// buffered returns a reader that holds enough of a file to tell its format.
func buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, bufferSize) }

// isCamt reports whether the file is XML rather than OCR giro, as the importer tells them apart: by the first character.
// An error of reading comes again when the file is read.
func isCamt(r *bufio.Reader) bool {
	begin, _ := r.Peek(64)
	return camt.Detect(begin)
}

// each reads transactions to the end of the file. The error is models.FileFaults where something is wrong with it.
func each[T any](next func() (T, error), do func(T)) error {
	for {
		tx, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		do(tx)
	}
}

// faultsOf tells faults from an error that kept the file from being read.
func faultsOf(err error) (models.FileFaults, error) {
	var faults models.FileFaults
	if errors.As(err, &faults) {
		return faults, nil
	}
	return nil, err
}

// Line is a transaction of a payment file.
type Line struct {
	Number      int           // of the line in the file, from 1
	Account     string        // the creditor's
	Amount      models.Amount // øre, negative for money out
	Date        models.Date   // of settlement or booking
	KID         string
	FromAccount string
	Name, Text  string

	identity [32]byte    // by which it is known again in a file of the same format
	entry    *camt.Entry // nil in OCR giro
}

// Head is what a file says of itself as a whole. Of several transmissions all are named.
type Head struct {
	Format       string `json:"format"`
	Sender       string `json:"sender"`
	Number       string `json:"transmission_number"` // of the transmission, the message
	Recipient    string `json:"recipient"`
	Created      string `json:"created"`
	Assignments  int    `json:"assignments"`
	Transactions int    `json:"transactions"`
	Ignored      int    `json:"ignored"` // of the transactions
}

// eachLine reads a whole file line by line, each of which is valid until the next. The error is models.FileFaults where
// the file has faults.
func eachLine(r io.Reader, today models.Date, do func(*Line)) (Head, error) {
	file := buffered(r)
	if isCamt(file) {
		return eachCamtLine(file, do)
	}
	return eachGiroLine(file, today, do)
}

func eachGiroLine(r io.Reader, today models.Date, do func(*Line)) (Head, error) {
	reader := giro.NewReader(r, today)
	err := each(reader.Next, func(tx *giro.Transaction) {
		amount := tx.Amount
		if tx.MoneyOut() {
			amount = -amount
		}
		do(&Line{
			Number: tx.Line, Account: tx.Assignment.Account, Amount: amount, Date: tx.NetsDate, KID: tx.KID(), FromAccount: tx.DebitAccount(),
			Text: tx.Text(), identity: tx.Fingerprint(),
		})
	})
	summary := reader.Summary()
	head := Head{Format: giro.Format, Transactions: summary.Totals.Transactions, Ignored: summary.Ignored}
	var senders, numbers, recipients, created []string
	for _, t := range summary.Transmissions {
		senders, numbers, recipients = append(senders, t.Sender), append(numbers, t.Number), append(recipients, t.Recipient)
		created = append(created, t.Created.String())
		head.Assignments += len(t.Assignments)
	}
	head.Sender, head.Number, head.Recipient = strings.Join(senders, " "), strings.Join(numbers, " "), strings.Join(recipients, " ")
	head.Created = strings.Join(created, " ")
	return head, err
}

func eachCamtLine(r io.Reader, do func(*Line)) (Head, error) {
	reader := camt.NewReader(r)
	err := each(reader.Next, func(tx *camt.Transaction) {
		do(&Line{
			Number: tx.Line, Account: tx.Entry.Notification.Account, Amount: tx.Amount, Date: tx.Entry.Booked, KID: tx.KID, FromAccount: tx.DebitAccount,
			Name: tx.Name, Text: tx.Text, identity: tx.Fingerprint(), entry: tx.Entry,
		})
	})
	summary := reader.Summary()
	return Head{
		Format: camt.Format, Sender: summary.Sender(), Number: summary.ID, Recipient: summary.Recipient, Created: summary.Created.String(),
		Assignments: len(summary.Notifications), Transactions: summary.Totals.Transactions, Ignored: summary.Ignored,
	}, err
}

// twin returns what a payment has in common with itself in a file of the other format: account, KID, amount, date and
// the payer's account (rule E4). Without a KID, or in an entry that does not add up, it is known by nothing.
func (l *Line) twin() (identity [32]byte, known bool) {
	kid := strings.TrimLeft(l.KID, "0") // some senders fill it up
	if kid == "" || l.entry != nil && l.entry.Doubtful {
		return identity, false
	}
	return sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d/%d/%s", l.Account, kid, l.Amount, l.Date, l.FromAccount)), true
}
