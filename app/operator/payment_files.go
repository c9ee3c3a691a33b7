package operator

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"purr/dunning"
	"purr/models"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store"
)

// ImportFile imports a payment file at a path (rule R5). It calls tell with the number of posted lines and the number
// of all lines. With acceptConflict it accepts a transmission that came before with other content (rule E4). It
// finishes an earlier import of the same file that was broken off.
func (o *Operator) ImportFile(ctx context.Context, path string, acceptConflict bool, tell func(done, of int)) (file models.PaymentFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return models.PaymentFile{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	src := ocr.Source{Filename: filepath.Base(path), Kind: ocr.FromCommand, AcceptConflict: acceptConflict}
	return o.Importer.WithProgress(tell).ImportToEnd(ctx, f, src)
}

// FileTotals adds up the parts of all creditors in a payment file.
func (o *Operator) FileTotals(ctx context.Context, file models.PaymentFile) (models.PaymentFilePart, error) {
	parts, err := o.DB.FileParts(ctx, file.ID)
	if err != nil {
		return models.PaymentFilePart{}, err
	}
	var sum models.PaymentFilePart
	for _, p := range parts {
		sum.Transactions += p.Transactions
		sum.Amount += p.Amount
		sum.Matched += p.Matched
		sum.Unmatched += p.Unmatched
		sum.Duplicates += p.Duplicates
		sum.Ignored += p.Ignored
	}
	return sum, nil
}

// RawFile opens the bytes of a payment file of any creditor, as they came (rule R5). The caller closes them.
func (o *Operator) RawFile(ctx context.Context, id int64) (io.ReadCloser, error) {
	file, err := o.DB.PaymentFile(ctx, id)
	if err != nil {
		return nil, err
	}
	return o.Importer.Raw(file)
}

var errNoBank = errors.New("sftp-url is not set, and so there is no folder at the bank to fetch files from: purr ocr fetch --help")

// PollBank polls the bank's folder now. It returns the result of the poll and the files that it imported.
func (o *Operator) PollBank(ctx context.Context) (models.BankPoll, []models.PaymentFile, error) {
	if o.Bank == nil {
		return models.BankPoll{}, nil, errNoBank
	}
	return o.Bank.Poll(ctx)
}

// BankFiles returns the files in the bank's folder, and changes nothing.
func (o *Operator) BankFiles(ctx context.Context) ([]inbound.BankFile, error) {
	if o.Bank == nil {
		return nil, errNoBank
	}
	return o.Bank.Files(ctx)
}

// ConfirmNone records that a person expects no file from the bank for a bank day. A bankDay of 0 is the last one. It
// returns the day (rule E6b).
func (o *Operator) ConfirmNone(ctx context.Context, c models.Creditor, bankDay models.Date) (models.Date, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Date, error) {
		return dunning.ConfirmNone(ctx, tx, c, bankDay, o.Actor)
	})
}

// DismissTransmission records that a missing transmission will not come (rule E4).
func (o *Operator) DismissTransmission(ctx context.Context, id int64) error {
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return ocr.DismissTransmission(ctx, tx, id, o.Actor) })
}

// EachStatementLine calls do for each statement line that payment files brought a creditor, by date, until do fails
// (rule E4). Both days are inclusive. A day of 0 and an empty account do not narrow the lines.
func (o *Operator) EachStatementLine(ctx context.Context, c models.Creditor, from, to models.Date, account string, do func(models.StatementLine) error) error {
	return o.DB.EachStatementLine(ctx, c.ID, store.StatementFilter{Dates: store.Dates{From: from, To: to}, Account: account}, do)
}

// PostUnassigned posts payments that were kept aside because no creditor had their account, if a creditor has it now
// (rule E4). A running server does so too.
func (o *Operator) PostUnassigned(ctx context.Context) error {
	files, err := o.DB.AssignableFiles(ctx)
	if err != nil {
		return err
	}
	for _, id := range files {
		if _, err := o.Importer.Process(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
