package camt

import (
	"encoding/json"

	"purr/models"
)

// MarshalJSON writes the file as `purr ocr inspect --json` prints it (rule R5): the notifications are the
// assignments, the sender is the bank that has the first one's account, and the transmission number is the
// message's identification. What OCR giro does not have stands after what it has. The transactions of
// entries that are not booked, or in another currency, are left out, but for their number and amount in
// ignored and ignored_amount.
func (f *File) MarshalJSON() ([]byte, error) {
	out := fileJSON{
		Format: Format, Sender: f.Sender(), TransmissionNumber: f.ID, Recipient: f.Recipient,
		Transactions: f.Totals.Transactions, Ignored: f.Ignored, Amount: f.Amount, IgnoredAmount: f.IgnoredAmount,
		Version: f.Version, Created: orNull(f.Created), Assignments: []assignmentJSON{}, Warnings: append([]models.FileNote{}, f.Warnings...),
	}
	rest := f.Transactions
	for _, n := range f.Notifications {
		var part assignmentJSON
		part, rest = newAssignmentJSON(n, rest)
		out.Assignments = append(out.Assignments, part)
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
	IgnoredAmount      models.Amount     `json:"ignored_amount"`
	Version            Version           `json:"version"`
	Created            *models.Date      `json:"created"`
	Assignments        []assignmentJSON  `json:"assignments"`
	Warnings           []models.FileNote `json:"warnings"`
}

type assignmentJSON struct {
	Account      string            `json:"account"`
	AgreementID  *string           `json:"agreement_id"`
	Number       string            `json:"number"`
	Amount       models.Amount     `json:"amount"`
	Copy         *string           `json:"copy"`
	Page         *pageJSON         `json:"page"`
	Transactions []transactionJSON `json:"transactions"`
}

type pageJSON struct {
	Number int  `json:"number"`
	Last   bool `json:"last"`
}

type transactionJSON struct {
	Number            *string       `json:"number"`
	Type              *string       `json:"type"`
	Date              models.Date   `json:"date"`
	BankDate          *models.Date  `json:"bank_date"`
	Amount            models.Amount `json:"amount"`
	KID               *string       `json:"kid"`
	FromAccountNumber *string       `json:"from_account_number"`
	ArchiveReference  *string       `json:"archive_reference"`
	FormNumber        *string       `json:"form_number"`
	Text              *string       `json:"text"`
	FromName          *string       `json:"from_name"`
	ValueDate         *models.Date  `json:"value_date"`
	EntryReference    *string       `json:"entry_reference"`
	EndToEndID        *string       `json:"end_to_end_id"`
	Reversal          bool          `json:"reversal"`
	Doubtful          bool          `json:"doubtful"`
}

// newAssignmentJSON takes the notification's own from the beginning of the transactions, and returns the
// others.
func newAssignmentJSON(n *Notification, txs []Transaction) (assignmentJSON, []Transaction) {
	out := assignmentJSON{Account: n.Account, Number: n.ID, Amount: n.Amount, Copy: orNull(n.Copy), Transactions: []transactionJSON{}}
	if n.Page != (Page{}) {
		out.Page = &pageJSON{n.Page.Number, n.Page.Last}
	}
	for len(txs) > 0 && txs[0].Entry.Notification == n {
		out.Transactions = append(out.Transactions, newTransactionJSON(&txs[0]))
		txs = txs[1:]
	}
	return out, txs
}

func newTransactionJSON(tx *Transaction) transactionJSON {
	e := tx.Entry
	return transactionJSON{
		Number:            orNull(e.Reference),
		Type:              orNull(e.Code),
		Date:              e.Booked,
		BankDate:          orNull(tx.BankDate),
		Amount:            tx.Amount,
		KID:               orNull(tx.KID),
		FromAccountNumber: orNull(tx.DebitAccount),
		ArchiveReference:  orNull(tx.Reference()),
		Text:              orNull(tx.Text),
		FromName:          orNull(tx.Name),
		ValueDate:         orNull(e.Value),
		EntryReference:    orNull(e.BankReference),
		EndToEndID:        orNull(tx.EndToEndID),
		Reversal:          tx.Reversal(),
		Doubtful:          e.Doubtful,
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
