package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// AccountExport returns one export of the creditor's to the accounts (rule A1).
func (r reads) AccountExport(ctx context.Context, creditorID, id int64) (models.AccountExport, error) {
	return readOne[models.AccountExport](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "account export")
}

// AccountExports returns a page of the creditor's exports to the accounts, in order of ID, and the number of all of them.
func (r reads) AccountExports(ctx context.Context, creditorID int64, p Page) ([]models.AccountExport, int64, error) {
	return find[models.AccountExport](ctx, r.with(ctx).Where("creditor_id = ?", creditorID), p)
}

// AllAccountExports returns all exports of the creditor's to the accounts, in order of ID. They are few: each has days of its own.
func (r reads) AllAccountExports(ctx context.Context, creditorID int64) ([]models.AccountExport, error) {
	return readAll[models.AccountExport](r.with(ctx).Where("creditor_id = ?", creditorID).Order("id"))
}

// AccountExportFiles returns the files of some of the creditor's exports, by the export's ID.
func (r reads) AccountExportFiles(ctx context.Context, creditorID int64, exports []int64) (map[int64][]models.AccountExportFile, error) {
	return readGroups(r.with(ctx).Where("export_id IN ? AND creditor_id = ?", exports, creditorID).Order("id"), func(f models.AccountExportFile) int64 { return f.ExportID })
}

// CreateAccountExport writes a new export and sets its ID. The caller has locked the creditor.
func (tx *Tx) CreateAccountExport(ctx context.Context, e *models.AccountExport) error {
	e.CreatedAt = tx.Now
	return tx.insert(ctx, e)
}

// CreateAccountExportFile writes the file of an export in a form and sets its ID. The caller has locked the creditor.
func (tx *Tx) CreateAccountExportFile(ctx context.Context, f *models.AccountExportFile) error {
	f.CreatedAt = tx.Now
	return tx.insert(ctx, f)
}

// VATPart is what an invoice or a credit note has at one class and percent of VAT.
type VATPart struct {
	DocumentID   int64
	VAT          models.VATName
	VATPercent   models.Percent
	VATExemption models.VATExemption `gorm:"column:vat_exemption"`
	Net          models.Amount
	Gross        models.Amount
}

// vatParts is what VATPart reads of a table of lines.
const vatParts = "AS document_id, vat, vat_percent, vat_exemption, SUM(net) AS net, SUM(gross) AS gross"

// VATOfInvoices returns what some invoices have at each class and percent of VAT, by the invoice's ID, in the order of their lines.
func (r reads) VATOfInvoices(ctx context.Context, ids []int64) (map[int64][]VATPart, error) {
	return r.vatOf(r.with(ctx).Table("invoice_lines").Select("invoice_id "+vatParts).Where("invoice_id IN ?", ids).Group("invoice_id, vat, vat_percent, vat_exemption"))
}

// VATOfPartialCreditNotes returns the same of credit notes that have lines of their own (rule L27).
func (r reads) VATOfPartialCreditNotes(ctx context.Context, ids []int64) (map[int64][]VATPart, error) {
	return r.vatOf(r.with(ctx).Table("credit_note_lines").Select("credit_note_id "+vatParts).Where("credit_note_id IN ?", ids).Group("credit_note_id, vat, vat_percent, vat_exemption"))
}

func (r reads) vatOf(g *gorm.DB) (map[int64][]VATPart, error) {
	found, err := scan[[]VATPart](g.Order("document_id, MIN(position)"))
	if err != nil {
		return nil, err
	}
	return groupBy(found, func(p VATPart) int64 { return p.DocumentID }), nil
}

// ToldEntries returns which of the entries say what another system told after it gave an invoice away (rule L17).
func (r reads) ToldEntries(ctx context.Context, ids []int64) (map[int64]bool, error) {
	found, err := scan[[]int64](r.with(ctx).Table("entries").Select("id").Where("id IN ? AND adopted = ?", ids, models.Told))
	if err != nil {
		return nil, err
	}
	told := make(map[int64]bool, len(found))
	for _, id := range found {
		told[id] = true
	}
	return told, nil
}

// BalancesAfter returns what each of the creditor's customers owed, less its credit, when a day was over, by the moment of booking in
// a zone; those who owed nothing are left out. It takes the balances as they are now (rule D33), and what was booked since off them.
func (r reads) BalancesAfter(ctx context.Context, creditorID int64, day models.Date, zone *time.Location) (map[int64]models.Amount, error) {
	_, end := moments(Dates{day, day}, zone)
	first, _, err := r.bookedBetween(ctx, creditorID, Dates{From: day + 1}.whole())
	if err != nil {
		return nil, err
	}
	balances := map[int64]models.Amount{}
	var customer int64
	var amount models.Amount
	now := func(table string) *gorm.DB {
		return r.with(ctx).Table(table).Select("customer_id, SUM(balance) AS amount").Where("creditor_id = ? AND balance <> 0", creditorID).Group("customer_id")
	}
	since := r.with(ctx).Table("entries").Select("customer_id, -SUM(amount) AS amount").
		Where("creditor_id = ? AND id >= ? AND created_at >= ?", creditorID, first, end).Group("customer_id")
	gone := r.with(ctx).Table("deleted_entries").Select("customer_id, SUM(amount) AS amount").
		Where("creditor_id = ? AND created_at < ? AND deleted_at >= ?", creditorID, end, end).Group("customer_id")
	all := r.with(ctx).Raw("? UNION ALL ? UNION ALL ? UNION ALL ?", now("invoices"), now("credit_notes"), since, gone)
	if err := eachRow(all, func() { balances[customer] += amount }, &customer, &amount); err != nil {
		return nil, err
	}
	for id, balance := range balances {
		if balance == 0 {
			delete(balances, id)
		}
	}
	return balances, nil
}
