package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"purr/clock"
	"purr/config"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// Migrate brings the schema of the configured database up to date and returns its version (rule R2).
func Migrate(ctx context.Context, cfg config.Config) (version int64, err error) {
	if cfg.Embedded() {
		if err := os.MkdirAll(cfg.Data, 0o700); err != nil {
			return 0, err
		}
	}
	db, err := store.Open(cfg.DatabaseURL, clock.System{})
	if err != nil {
		return 0, fmt.Errorf("database-url: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Migrate(ctx)
}

// ImportFile imports a payment file from where it lies (rule R5).
func (a *App) ImportFile(ctx context.Context, path string) (file models.PaymentFile, err error) {
	f, err := os.Open(path)
	if err != nil {
		return models.PaymentFile{}, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return a.Importer.Import(ctx, f, ocr.Source{Filename: filepath.Base(path), Kind: ocr.FromCommand})
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
