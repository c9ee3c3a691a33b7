package operator

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"purr/ledger/accounts"
	"purr/models"
)

// LastMonth returns the first and the last day of the last month that is over for a creditor.
func (o *Operator) LastMonth(c models.Creditor) (from, to models.Date, err error) {
	if _, err := o.Today(c); err != nil {
		return 0, 0, err
	}
	month := accounts.LastMonth(c, o.Clock.Now())
	return month.First(), month.Last(), nil
}

// ExportAccounts hands the creditor's journal of a period over to its accounts (rule A1), and writes the file to a path, whole or not at all.
func (o *Operator) ExportAccounts(ctx context.Context, c models.Creditor, r accounts.Request, path string) (made accounts.Export, err error) {
	if made, err = o.Journal.Make(ctx, c, r, o.Actor); err != nil {
		return made, err
	}
	kept, err := o.Journal.Open(made.File)
	if err != nil {
		return made, err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a device or a pipe
		to, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return made, err
		}
		_, err = io.Copy(to, kept)
		return made, errors.Join(err, to.Close())
	}
	return made, writeWhole(path, kept)
}

// writeWhole writes a file that appears under its path when it is whole.
func writeWhole(path string, from io.Reader) error {
	to, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(to.Name()) }() // it is gone already if it was renamed
	if _, err = io.Copy(to, from); err == nil {
		err = to.Sync()
	}
	if err = errors.Join(err, to.Close()); err != nil {
		return err
	}
	return os.Rename(to.Name(), path)
}

// AccountExports returns the creditor's exports to the accounts, the oldest first, with the files of each by its ID.
func (o *Operator) AccountExports(ctx context.Context, c models.Creditor) ([]models.AccountExport, map[int64][]models.AccountExportFile, error) {
	all, err := o.DB.AllAccountExports(ctx, c.ID)
	if err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(all))
	for n, e := range all {
		ids[n] = e.ID
	}
	files, err := o.DB.AccountExportFiles(ctx, c.ID, ids)
	return all, files, err
}
