package bankfile

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// Contents is a whole payment file in memory.
type Contents interface {
	json.Marshaler                  // writes what `purr ocr inspect --json` prints (rule R5)
	Table() string                  // has a line for each transaction, with tabs between the columns
	Oddities() []models.FileFinding // oddities of the file, but no faults
}

// Read reads a whole file into memory. The error is models.FileFaults if the file has faults.
func Read(r io.Reader, today models.Date) (Contents, error) {
	file := buffered(r)
	if isCamt(file) {
		reader := camt.NewReader(file)
		contents := camtContents{Summary: reader.Summary()}
		if err := each(reader.Next, func(tx *camt.Transaction) { contents.transactions = append(contents.transactions, *tx) }); err != nil {
			return nil, err
		}
		return contents, nil
	}
	reader := giro.NewReader(file, today)
	contents := giroContents{Summary: reader.Summary()}
	if err := each(reader.Next, func(tx *giro.Transaction) { contents.transactions = append(contents.transactions, *tx) }); err != nil {
		return nil, err
	}
	return contents, nil
}

type giroContents struct {
	*giro.Summary
	transactions []giro.Transaction
}

// Table returns the transactions.
func (f giroContents) Table() string {
	var w strings.Builder
	for _, t := range f.Transmissions {
		fmt.Fprintf(&w, "transmission %s from %s to %s: %d transactions of %s\n", t.Number, t.Sender, t.Recipient, t.Transactions, t.Amount)
	}
	fmt.Fprintln(&w, "LINE\tACCOUNT\tTYPE\tDATE\tBANK DATE\tAMOUNT\tKID\tFROM ACCOUNT\tTEXT")
	for i := range f.transactions {
		tx := &f.transactions[i]
		fmt.Fprintf(&w, "%d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n",
			tx.Line, tx.Assignment.Account, tx.Type, tx.NetsDate, tx.BankDate, tx.Signed(), tx.KID(), tx.DebitAccount(), tx.Text())
	}
	return w.String()
}

// Oddities returns the warnings of the reader.
func (f giroContents) Oddities() []models.FileFinding { return f.Warnings }

type camtContents struct {
	*camt.Summary
	transactions []camt.Transaction
}

// Table returns the transactions.
func (f camtContents) Table() string {
	var w strings.Builder
	fmt.Fprintf(&w, "message %s (%s) of %s: %d transactions of %s, of which %d of %s are ignored\n",
		f.ID, f.Version, f.Created, f.Totals.Transactions, f.Amount, f.Ignored, f.IgnoredAmount)
	fmt.Fprintln(&w, "LINE\tACCOUNT\tTYPE\tDATE\tBANK DATE\tAMOUNT\tKID\tFROM ACCOUNT\tFROM\tTEXT")
	for i := range f.transactions {
		tx := &f.transactions[i]
		fmt.Fprintf(&w, "%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n",
			tx.Line, tx.Entry.Notification.Account, tx.Entry.Code, tx.Entry.Booked, tx.BankDate, tx.Amount, tx.KID, tx.DebitAccount, tx.Name, tx.Text)
	}
	return w.String()
}

// Oddities returns the warnings of the reader.
func (f camtContents) Oddities() []models.FileFinding { return f.Warnings }

// fileJSON holds the fields of a file that both formats have.
type fileJSON struct {
	Format             string        `json:"format"`
	Sender             string        `json:"sender"`
	TransmissionNumber string        `json:"transmission_number"`
	Recipient          string        `json:"recipient"`
	Transactions       int           `json:"transactions"`
	Ignored            int           `json:"ignored"`
	Amount             models.Amount `json:"amount"`
}

// transactionJSON holds the fields of a transaction that both formats have.
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
}

type giroAssignmentJSON struct {
	TransmissionNumber string            `json:"transmission_number,omitempty"`
	Account            string            `json:"account"`
	AgreementID        string            `json:"agreement_id"`
	Number             string            `json:"number"`
	Amount             models.Amount     `json:"amount"`
	Transactions       []transactionJSON `json:"transactions"`
}

// MarshalJSON writes the totals of the whole file, mandates included. Sender, number and recipient are those of the
// first transmission. If a file has several, each assignment has its transmission_number. It leaves out assignments of
// other services, but ignored counts their transactions.
func (f giroContents) MarshalJSON() ([]byte, error) {
	head := fileJSON{Format: giro.Format, Transactions: f.Totals.Transactions, Ignored: f.Ignored, Amount: f.Amount}
	assignments, rest := []giroAssignmentJSON{}, f.transactions
	for i, t := range f.Transmissions {
		if i == 0 {
			head.Sender, head.TransmissionNumber, head.Recipient = t.Sender, t.Number, t.Recipient
		}
		for _, a := range t.Assignments {
			if a.Skipped() {
				continue
			}
			part := giroAssignmentJSON{
				Account: a.Account, AgreementID: a.AgreementID, Number: a.Number, Amount: a.Amount, Transactions: []transactionJSON{},
			}
			if len(f.Transmissions) > 1 {
				part.TransmissionNumber = t.Number
			}
			for ; len(rest) > 0 && rest[0].Assignment == a; rest = rest[1:] {
				part.Transactions = append(part.Transactions, giroJSON(&rest[0]))
			}
			assignments = append(assignments, part)
		}
	}
	return json.Marshal(struct {
		fileJSON
		Assignments []giroAssignmentJSON `json:"assignments"`
		Warnings    []models.FileFinding `json:"warnings"`
	}{head, assignments, append([]models.FileFinding{}, f.Warnings...)})
}

func giroJSON(tx *giro.Transaction) transactionJSON {
	return transactionJSON{
		Number: orNull(fmt.Sprintf("%07d", tx.Number)), Type: orNull(fmt.Sprint(int(tx.Type))), Date: tx.NetsDate, BankDate: orNull(tx.BankDate),
		Amount: tx.Signed(), KID: orNull(tx.KID()), FromAccountNumber: orNull(tx.DebitAccount()), ArchiveReference: orNull(tx.ArchiveReference()),
		FormNumber: orNull(tx.FormNumber()), Text: orNull(tx.Text()),
	}
}

type camtAssignmentJSON struct {
	Account      string                `json:"account"`
	AgreementID  *string               `json:"agreement_id"`
	Number       string                `json:"number"`
	Amount       models.Amount         `json:"amount"`
	Copy         *string               `json:"copy"`
	Page         *camtPageJSON         `json:"page"`
	Transactions []camtTransactionJSON `json:"transactions"`
}

type camtPageJSON struct {
	Number int  `json:"number"`
	Last   bool `json:"last"`
}

type camtTransactionJSON struct {
	transactionJSON
	FromName       *string      `json:"from_name"`
	ValueDate      *models.Date `json:"value_date"`
	EntryReference *string      `json:"entry_reference"`
	EndToEndID     *string      `json:"end_to_end_id"`
	Reversal       bool         `json:"reversal"`
	Doubtful       bool         `json:"doubtful"`
}

// MarshalJSON writes the notifications as assignments. The sender is the bank of the first account, and the
// transmission number is the message's identification. Fields that OCR giro does not have come last. It leaves out
// transactions of entries that are not booked or in another currency, but counts them and adds up their amounts.
func (f camtContents) MarshalJSON() ([]byte, error) {
	assignments, rest := []camtAssignmentJSON{}, f.transactions
	for _, n := range f.Notifications {
		part := camtAssignmentJSON{Account: n.Account, Number: n.ID, Amount: n.Amount, Copy: orNull(n.Copy), Transactions: []camtTransactionJSON{}}
		if n.Page != (camt.Page{}) {
			part.Page = &camtPageJSON{n.Page.Number, n.Page.Last}
		}
		for ; len(rest) > 0 && rest[0].Entry.Notification == n; rest = rest[1:] {
			part.Transactions = append(part.Transactions, camtJSON(&rest[0]))
		}
		assignments = append(assignments, part)
	}
	return json.Marshal(struct {
		fileJSON
		IgnoredAmount models.Amount        `json:"ignored_amount"`
		Version       camt.Version         `json:"version"`
		Created       *models.Date         `json:"created"`
		Assignments   []camtAssignmentJSON `json:"assignments"`
		Warnings      []models.FileFinding `json:"warnings"`
	}{
		fileJSON{camt.Format, f.Sender(), f.ID, f.Recipient, f.Totals.Transactions, f.Ignored, f.Amount},
		f.IgnoredAmount, f.Version, orNull(f.Created), assignments, append([]models.FileFinding{}, f.Warnings...),
	})
}

func camtJSON(tx *camt.Transaction) camtTransactionJSON {
	e := tx.Entry
	return camtTransactionJSON{
		transactionJSON: transactionJSON{
			Number: orNull(e.Reference), Type: orNull(e.Code), Date: e.Booked, BankDate: orNull(tx.BankDate), Amount: tx.Amount,
			KID: orNull(tx.KID), FromAccountNumber: orNull(tx.DebitAccount), ArchiveReference: orNull(tx.Reference()), Text: orNull(tx.Text),
		},
		FromName: orNull(tx.Name), ValueDate: orNull(e.Value), EntryReference: orNull(e.BankReference), EndToEndID: orNull(tx.EndToEndID),
		Reversal: tx.Reversal(), Doubtful: e.Doubtful,
	}
}

// orNull returns nil for the zero value, which means absent.
func orNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}
