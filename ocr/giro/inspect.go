package giro

import (
	"encoding/json"
	"fmt"

	"purr/models"
)

// MarshalJSON writes the file as `purr ocr inspect --json` prints it (rule R5). The totals are those of
// the whole file, mandates included; sender, number and recipient are those of the first transmission.
// Where a file has several, transmission_number is in each assignment too. Assignments of other
// services are left out, but for their number of transactions in ignored.
func (f *File) MarshalJSON() ([]byte, error) {
	out := fileJSON{
		Format: Format, Transactions: f.Totals.Transactions, Ignored: f.Ignored, Amount: f.Amount,
		Assignments: []assignmentJSON{}, Warnings: append([]models.FileNote{}, f.Warnings...),
	}
	rest := f.Transactions
	for i, t := range f.Transmissions {
		if i == 0 {
			out.Sender, out.TransmissionNumber, out.Recipient = t.Sender, t.Number, t.Recipient
		}
		for _, a := range t.Assignments {
			if a.Skipped() {
				continue
			}
			var part assignmentJSON
			part, rest = newAssignmentJSON(a, rest)
			if len(f.Transmissions) > 1 {
				part.TransmissionNumber = t.Number
			}
			out.Assignments = append(out.Assignments, part)
		}
	}
	return json.Marshal(out)
}

type fileJSON struct {
	Format             string            `json:"format"`
	Sender             string            `json:"sender"`
	TransmissionNumber string            `json:"transmission_number"`
	Recipient          string            `json:"recipient"`
	Transactions       int               `json:"transactions"`
	Ignored            int               `json:"ignored"`
	Amount             models.Amount     `json:"amount"`
	Assignments        []assignmentJSON  `json:"assignments"`
	Warnings           []models.FileNote `json:"warnings"`
}

type assignmentJSON struct {
	TransmissionNumber string            `json:"transmission_number,omitempty"`
	Account            string            `json:"account"`
	AgreementID        string            `json:"agreement_id"`
	Number             string            `json:"number"`
	Amount             models.Amount     `json:"amount"`
	Transactions       []transactionJSON `json:"transactions"`
}

type transactionJSON struct {
	Number            string        `json:"number"`
	Type              string        `json:"type"`
	Date              models.Date   `json:"date"`
	BankDate          *models.Date  `json:"bank_date"`
	Amount            models.Amount `json:"amount"`
	KID               *string       `json:"kid"`
	FromAccountNumber *string       `json:"from_account_number"`
	ArchiveReference  string        `json:"archive_reference"`
	FormNumber        string        `json:"form_number"`
	Text              *string       `json:"text"`
}

// newAssignmentJSON takes the assignment's own from the beginning of the transactions, and returns the
// others.
func newAssignmentJSON(a *Assignment, txs []Transaction) (assignmentJSON, []Transaction) {
	out := assignmentJSON{
		Account: a.Account, AgreementID: a.AgreementID, Number: a.Number, Amount: a.Amount,
		Transactions: []transactionJSON{},
	}
	for len(txs) > 0 && txs[0].Assignment == a {
		out.Transactions = append(out.Transactions, newTransactionJSON(&txs[0]))
		txs = txs[1:]
	}
	return out, txs
}

func newTransactionJSON(tx *Transaction) transactionJSON {
	return transactionJSON{
		Number:            fmt.Sprintf("%07d", tx.Number),
		Type:              fmt.Sprint(int(tx.Type)),
		Date:              tx.NetsDate,
		BankDate:          orNull(tx.BankDate),
		Amount:            tx.Signed(),
		KID:               orNull(tx.KID()),
		FromAccountNumber: orNull(tx.DebitAccount()),
		ArchiveReference:  tx.ArchiveReference(),
		FormNumber:        tx.FormNumber(),
		Text:              orNull(tx.Text()),
	}
}

// orNull returns nil for the zero value, which is how something absent is held.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
