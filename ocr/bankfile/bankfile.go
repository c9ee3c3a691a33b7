// Package bankfile is what `purr ocr` does with payment files of both formats outside of an installation. It shows
// their contents (Read), finds faults and oddities (Lint), makes files up (Generate), removes personal data
// (Anonymise), and compares two files (Compare). Packages giro and camt know the formats. This package knows nothing
// of creditors, of invoices, or of earlier files.
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

// bufferSize is the number of bytes of a file that are read at once.
const bufferSize = 64 << 10

// buffered returns a reader that holds enough of a file to tell its format.
func buffered(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, bufferSize) }

// isCamt reports whether the file is XML rather than OCR giro. It reads the first character, as the importer does. It
// ignores a read error: the next read returns the error again.
func isCamt(r *bufio.Reader) bool {
	begin, _ := r.Peek(64)
	return camt.Detect(begin)
}

// each calls do for each transaction of a file. The error is models.FileFaults if the file has faults.
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

// faultsOf returns the faults of a file, or the error that stopped its reading.
func faultsOf(err error) (models.FileFaults, error) {
	var faults models.FileFaults
	if errors.As(err, &faults) {
		return faults, nil
	}
	return nil, err
}

// Transaction is one transaction of a payment file.
type Transaction struct {
	Line        int           // in the file, from 1
	Account     string        // the creditor's
	Amount      models.Amount // øre, negative for money out
	Date        models.Date   // of settlement or booking
	KID         string
	FromAccount string
	Name, Text  string

	identity [32]byte    // equal for the same transaction in another file of the format
	entry    *camt.Entry // nil in OCR giro
}

// Head describes a file as a whole. If it has several transmissions, texts name all of them.
type Head struct {
	Format       string `json:"format"`
	Sender       string `json:"sender"`
	Number       string `json:"transmission_number"` // of the transmission, the message
	Recipient    string `json:"recipient"`
	Created      string `json:"created"`
	Assignments  int    `json:"assignments"`
	Transactions int    `json:"transactions"`
	Ignored      int    `json:"ignored"` // number of transactions that the importer ignores
}

// eachTransaction calls do for each transaction of a file. The Transaction is valid only during the call. The error is models.FileFaults
// if the file has faults.
func eachTransaction(r io.Reader, today models.Date, do func(*Transaction)) (Head, error) {
	file := buffered(r)
	if isCamt(file) {
		return eachCamtTransaction(file, do)
	}
	return eachGiroTransaction(file, today, do)
}

func eachGiroTransaction(r io.Reader, today models.Date, do func(*Transaction)) (Head, error) {
	reader := giro.NewReader(r, today)
	err := each(reader.Next, func(tx *giro.Transaction) {
		amount := tx.Amount
		if tx.MoneyOut() {
			amount = -amount
		}
		do(&Transaction{
			Line: tx.Line, Account: tx.Assignment.Account, Amount: amount, Date: tx.NetsDate, KID: tx.KID(), FromAccount: tx.DebitAccount(),
			Text: tx.Text(), identity: tx.Fingerprint(),
		})
	})
	if err != nil {
		return Head{}, err
	}
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
	return head, nil
}

func eachCamtTransaction(r io.Reader, do func(*Transaction)) (Head, error) {
	reader := camt.NewReader(r)
	err := each(reader.Next, func(tx *camt.Transaction) {
		do(&Transaction{
			Line: tx.Line, Account: tx.Entry.Notification.Account, Amount: tx.Amount, Date: tx.Entry.Booked, KID: tx.KID, FromAccount: tx.DebitAccount,
			Name: tx.Name, Text: tx.Text, identity: tx.Fingerprint(), entry: tx.Entry,
		})
	})
	if err != nil {
		return Head{}, err
	}
	summary := reader.Summary()
	return Head{
		Format: camt.Format, Sender: summary.Sender(), Number: summary.ID, Recipient: summary.Recipient, Created: summary.Created.String(),
		Assignments: len(summary.Notifications), Transactions: summary.Totals.Transactions, Ignored: summary.Ignored,
	}, nil
}

// twin identifies a payment across the formats, by account, KID, amount, date and the payer's account (rule E4). It
// cannot identify a payment without a KID, or one of an entry that does not add up.
func (l *Transaction) twin() (identity [32]byte, known bool) {
	kid := strings.TrimLeft(l.KID, "0") // some senders fill it up with zeros
	if kid == "" || l.entry != nil && l.entry.Doubtful {
		return identity, false
	}
	return sha256.Sum256(fmt.Appendf(nil, "%s/%s/%d/%d/%s", l.Account, kid, l.Amount, l.Date, l.FromAccount)), true
}
