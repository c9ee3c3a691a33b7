package store

import (
	"context"
	"slices"
	"time"

	"purr/models"
)

// keptSums are the columns that name kept files of a customer's own, by table.
var keptSums = []struct{ table, column string }{
	{"invoices", "pdf"},
	{"invoices", "ehf"},
	{"credit_notes", "pdf"},
	{"credit_notes", "ehf"},
	{"overdue_notices", "pdf"},
	{"overdue_notices", "ehf"},
	{"letters", "pdf"},
	{"statements", "pdf"},
	{"payment_plans", "pdf"},
	{"hand_overs", "bundle"},
}

// oweFiles notes the kept files that are the customer's own.
func (f *forgetting) oweFiles(ctx context.Context) error {
	for _, of := range keptSums {
		err := some(f.rows[of.table], func(part []int64) error {
			sums, err := scan[[]string](f.tx.with(ctx).Table(of.table).Where("id IN ? AND "+of.column+" <> ''", part).Select(of.column))
			if err != nil {
				return err
			}
			for _, sum := range sums {
				f.owe(models.RemoveKept, 0, sum, f.tx.Common)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// emptyFiles has the documents name no kept files any more.
func (f *forgetting) emptyFiles(ctx context.Context) error {
	for _, of := range keptSums {
		if err := f.set(ctx, of.table, map[string]any{of.column: ""}, f.rows[of.table]); err != nil {
			return err
		}
	}
	return nil
}

// sharedFile is a file that names several customers.
type sharedFile struct {
	Kind models.RemovalKind `gorm:"-"`
	ID   int64
	Day  models.Date // of what is in it
}

// sharedFiles returns the files that name the customer and others.
func (f *forgetting) sharedFiles(ctx context.Context) (all []sharedFile, err error) {
	creditor, c := f.customer.CreditorID, f.customer.ID
	for _, shared := range []struct {
		kind  models.RemovalKind
		query string
		args  []any
	}{
		{models.RemovePaymentFile, `SELECT f.id, COALESCE(f.latest_date, DATE(f.received_at)) AS day FROM payment_files f
			WHERE f.removed_at IS NULL AND f.id IN (SELECT payment_file_id FROM entries WHERE customer_id = ?)`, []any{c}},
		{models.RemoveClaims, `SELECT f.id, f.day FROM claim_files f WHERE f.removed_at IS NULL AND f.sha256 <> ''
			AND (f.id IN (SELECT file_id FROM bank_claims WHERE customer_id = ?) OR f.id IN (SELECT cancel_file_id FROM bank_claims WHERE customer_id = ?))`, []any{c, c}},
		{models.RemoveAccounts, `SELECT f.id, e.to_date AS day FROM account_export_files f JOIN account_exports e ON e.id = f.export_id
			WHERE f.removed_at IS NULL AND e.creditor_id = ? AND e.to_date >= (SELECT MIN(transaction_date) FROM entries WHERE customer_id = ?)`, []any{creditor, c}},
	} {
		files, err := scan[[]sharedFile](f.tx.with(ctx).Raw(shared.query, shared.args...))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			file.Kind = shared.kind
			all = append(all, file)
		}
	}
	return all, nil
}

// oweShared notes the files that name other customers too, for the day on which they may go. A bank's file that names nobody else goes
// at once where a person insists.
func (f *forgetting) oweShared(ctx context.Context) error {
	files, err := f.sharedFiles(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		day := f.of.SharedGoes(file.Day, f.today)
		if file.Kind == models.RemovePaymentFile && (f.of.Despite || f.of.Again) {
			alone, err := f.tx.namesNobodyElse(ctx, file.ID)
			if err != nil {
				return err
			}
			if alone {
				day = f.today
			}
		}
		at := f.tx.Common
		if day > f.today {
			at = at.Add(time.Duration(day-f.today) * 24 * time.Hour)
		}
		f.owe(file.Kind, file.ID, "", at)
	}
	return nil
}

// namesNobodyElse reports whether all customers whose payments a bank's file has are forgotten, and no payment of it waits.
func (r reads) namesNobodyElse(ctx context.Context, fileID int64) (bool, error) {
	others, err := exists(r.with(ctx).Table("entries e").Joins("JOIN customers c ON c.id = e.customer_id").
		Where("e.payment_file_id = ? AND c.forgotten_at IS NULL", fileID))
	if err != nil || others {
		return false, err
	}
	waits, err := exists(r.with(ctx).Table("unmatched_payments").Where("payment_file_id = ? AND status = ?", fileID, models.PaymentOpen))
	return err == nil && !waits, err
}

// keepTexts writes anew the texts of invoices that are kept together with the customer's.
func (f *forgetting) keepTexts(ctx context.Context) error {
	if len(f.rows["invoices"]) == 0 {
		return nil
	}
	type part struct{ FirstID, LastID int64 }
	parts, err := scan[[]part](f.tx.with(ctx).Table("invoice_texts").Where("creditor_id = ?", f.customer.CreditorID).Select("first_id, last_id").Order("first_id"))
	if err != nil {
		return err
	}
	for _, p := range parts {
		at, _ := slices.BinarySearch(f.rows["invoices"], p.FirstID)
		if at == len(f.rows["invoices"]) || f.rows["invoices"][at] > p.LastID {
			continue
		}
		kept, err := readOne[invoiceTexts](f.tx.with(ctx).Where("creditor_id = ? AND first_id = ?", f.customer.CreditorID, p.FirstID), "texts")
		if err != nil {
			return err
		}
		together, err := f.tx.textsOf(ctx, f.customer.CreditorID, p.FirstID, p.LastID, kept.Items)
		if err != nil {
			return err
		}
		if err := f.tx.replaceTexts(ctx, kept, together); err != nil {
			return err
		}
	}
	return nil
}
