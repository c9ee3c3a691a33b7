package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// accountTrials are the trials of what is handed over to the accounts.
var accountTrials = map[string]trial{
	"AccountExport": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		e, err := h.exported(ctx, tx)
		if err != nil {
			return false, err
		}
		return reached(tx.AccountExport(ctx, c, e.ID))
	},
	"AccountExports": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.exported(ctx, tx); err != nil {
			return false, err
		}
		return counted(tx.AccountExports(ctx, c, everything))
	},
	"AllAccountExports": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := h.exported(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.AllAccountExports(ctx, c))
	},
	"AccountExportFiles": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		e, err := h.exported(ctx, tx)
		if err != nil {
			return false, err
		}
		found, err := tx.AccountExportFiles(ctx, c, []int64{e.ID})
		return len(found) > 0, err
	},
	"BalancesAfter": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.BalancesAfter(ctx, c, rows.Today+1000, h.owner.DisplayZone())
		_, is := found[h.customer.ID]
		return is, err
	},
}

// exported writes an export of the owner's with a file.
func (h holdings) exported(ctx context.Context, tx *store.Tx) (models.AccountExport, error) {
	e := models.AccountExport{CreditorID: h.owner.ID, Number: 1, From: rows.Today, To: rows.Today, TimeZone: h.owner.TimeZone}
	if err := tx.CreateAccountExport(ctx, &e); err != nil {
		return e, err
	}
	return e, tx.CreateAccountExportFile(ctx, &models.AccountExportFile{CreditorID: h.owner.ID, ExportID: e.ID, Form: models.FormCSV, SHA256: "x"})
}
