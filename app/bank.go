package app

import (
	"context"
	"errors"

	"purr/config"
	"purr/dunning"
	"purr/models"
	"purr/ocr/inbound"
	"purr/remote"
	"purr/store"
)

// openBank makes ready what fetches files from the bank, where that is set.
func (a *App) openBank(cfg config.SFTP) error {
	if cfg.URL == "" {
		return nil
	}
	server, err := remote.NewServer(remote.Access{URL: cfg.URL, KeyFile: cfg.KeyFile, Password: cfg.Password, HostKey: cfg.HostKey, Prefix: "sftp"})
	if err != nil {
		return err
	}
	a.Bank = inbound.NewBankFolder(a.DB, a.Importer, server, inbound.After(cfg.After), cfg.Every, a.log)
	return nil
}

var errNoBank = errors.New("sftp-url is not set, and so there is no folder at the bank to fetch files from: purr ocr fetch --help")

// FetchFiles looks into the bank's folder now, and returns how that went and the files that it took.
func (a *App) FetchFiles(ctx context.Context) (models.BankCheck, []models.PaymentFile, error) {
	if a.Bank == nil {
		return models.BankCheck{}, nil, errNoBank
	}
	return a.Bank.Poll(ctx)
}

// OfferedFiles returns what lies in the bank's folder, and changes nothing.
func (a *App) OfferedFiles(ctx context.Context) ([]inbound.BankFile, error) {
	if a.Bank == nil {
		return nil, errNoBank
	}
	return a.Bank.Files(ctx)
}

// BankChecks returns the last looks into the bank's folder, the latest first.
func (a *App) BankChecks(ctx context.Context, limit int) ([]models.BankCheck, error) {
	return a.DB.BankChecks(ctx, limit)
}

// ConfirmNone takes a person's word that no file comes from the bank for a bank day, where none is given the last one,
// and returns the day (rule E6b).
func (a *App) ConfirmNone(ctx context.Context, c models.Creditor, bankDay models.Date) (day models.Date, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		day, err = dunning.ConfirmNone(ctx, tx, c, bankDay, actor)
		return err
	})
	return day, err
}
