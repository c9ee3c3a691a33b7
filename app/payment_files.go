package app

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"purr/models"
	"purr/ocr"
	"purr/store"
)

// ImportFile imports a payment file from where it lies (rule R5), with acceptConflict although one of its
// transmissions came before with other content (rule E4), and tells how many lines of how many are posted. Where it came
// before and that import was broken off, it is brought to its end.
func (a *App) ImportFile(ctx context.Context, path string, acceptConflict bool, tell func(done, of int)) (file models.PaymentFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return models.PaymentFile{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	src := ocr.Source{Filename: filepath.Base(path), Kind: ocr.FromCommand, AcceptConflict: acceptConflict}
	return a.Importer.WithProgress(tell).ImportToEnd(ctx, f, src)
}

// FileTotals adds up what all creditors have in a payment file.
func (a *App) FileTotals(ctx context.Context, file models.PaymentFile) (models.PaymentFilePart, error) {
	parts, err := a.DB.FileParts(ctx, file.ID)
	var sum models.PaymentFilePart
	for _, p := range parts {
		sum.Transactions += p.Transactions
		sum.Amount += p.Amount
		sum.Matched += p.Matched
		sum.Unmatched += p.Unmatched
		sum.Duplicates += p.Duplicates
		sum.Ignored += p.Ignored
	}
	return sum, err
}

// RawFile opens the bytes of a payment file, whoever's it is, as they came (rule R5). The caller closes them.
func (a *App) RawFile(ctx context.Context, id int64) (io.ReadCloser, error) {
	file, err := a.DB.PaymentFile(ctx, id)
	if err != nil {
		return nil, err
	}
	return a.Importer.Raw(file)
}

// DismissGap notes that a transmission which was skipped will not come (rule E4).
func (a *App) DismissGap(ctx context.Context, id int64) error {
	return a.DB.InTx(ctx, func(tx *store.Tx) error { return tx.DismissSkipped(ctx, id) })
}
