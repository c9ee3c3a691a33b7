package store

import (
	"context"
	"fmt"

	"purr/models"
)

// NumbersTaken returns those of the numbers that an invoice of the creditor has.
func (r reads) NumbersTaken(ctx context.Context, creditorID int64, numbers []int64) (map[int64]bool, error) {
	found, err := scan[[]int64](r.with(ctx).Model(&models.Invoice{}).Select("number").Where("creditor_id = ? AND number IN ?", creditorID, numbers))
	if err != nil {
		return nil, err
	}
	taken := make(map[int64]bool, len(found))
	for _, n := range found {
		taken[n] = true
	}
	return taken, nil
}

// CustomersByNumber returns the IDs of the creditor's customers with the customer numbers, by number.
func (r reads) CustomersByNumber(ctx context.Context, creditorID int64, numbers []string) (map[string]int64, error) {
	type row struct {
		ID             int64
		CustomerNumber string
	}
	found, err := scan[[]row](r.with(ctx).Model(&models.Customer{}).Select("id, customer_number").Where("creditor_id = ? AND customer_number IN ?", creditorID, numbers))
	if err != nil {
		return nil, err
	}
	ids := make(map[string]int64, len(found))
	for _, f := range found {
		ids[f.CustomerNumber] = f.ID
	}
	return ids, nil
}

// AdoptedInvoice is an adopted invoice with what purr's own notices have charged on it and not reversed, and what the other system
// charged.
type AdoptedInvoice struct {
	models.Invoice `gorm:"embedded"`
	OwnCharges     models.Amount
	OldCharges     models.Amount
}

// Owed returns what is owed without purr's own charges, as the other system reckons it: payments cover those last. It is negative when
// the invoice is overpaid.
func (a AdoptedInvoice) Owed() models.Amount {
	claimed := a.Claimed()
	return claimed - min(max(claimed, 0), a.OwnCharges)
}

// Most returns the most that the other system can say is owed: the gross amount with its own charges.
func (a AdoptedInvoice) Most() models.Amount { return a.Gross + a.OldCharges }

// adoptedInvoices is the query of adopted invoices with what was charged on them. Reversals of the other system's charges are purr's.
func adoptedInvoices(where string) string {
	return fmt.Sprintf(`SELECT i.*,
		(SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = i.id AND e.credit_note_id = 0 AND e.type IN ('OVERDUE_CHARGE', 'INTEREST') AND e.adopted = 0) AS own_charges,
		(SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = i.id AND e.credit_note_id = 0 AND e.type IN ('OVERDUE_CHARGE', 'INTEREST') AND e.adopted = %d) AS old_charges
		FROM invoices i WHERE i.creditor_id = ? AND i.adopted = TRUE AND %s`, models.Opening, where)
}

// AdoptedInvoices returns the creditor's adopted invoices with the numbers, by number.
func (r reads) AdoptedInvoices(ctx context.Context, creditorID int64, numbers []int64) (map[int64]AdoptedInvoice, error) {
	return readBy(r.with(ctx).Raw(adoptedInvoices("i.number IN ?"), creditorID, numbers), func(a AdoptedInvoice) int64 { return a.Number })
}

// OpenAdopted returns up to limit of the creditor's adopted invoices whose balance is not zero and that no person has closed, in order of
// number, after a number. They lie below the series, so the key of the numbers finds them.
func (r reads) OpenAdopted(ctx context.Context, creditorID, after int64, limit int) ([]AdoptedInvoice, error) {
	return scan[[]AdoptedInvoice](r.with(ctx).Raw(limited(adoptedInvoices("i.number > ? AND i.balance <> 0 AND i.closed = '' ORDER BY i.number"), limit), creditorID, after))
}

// AdoptedMismatches returns the IDs of up to 100 invoices of the creditor whose number, opening entry or other entries of another system do
// not agree on whether they were adopted.
func (r reads) AdoptedMismatches(ctx context.Context, c models.Creditor) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Raw(limited(`SELECT i.id FROM invoices i WHERE i.creditor_id = ? AND i.adopted = TRUE AND (i.number >= ? OR NOT EXISTS (
			SELECT 1 FROM entries e WHERE e.invoice_id = i.id AND e.type = 'INVOICE' AND e.adopted = ?))
		UNION SELECT e.invoice_id FROM entries e JOIN invoices i ON i.id = e.invoice_id WHERE e.creditor_id = ? AND e.adopted <> 0 AND i.adopted = FALSE
		ORDER BY id`, 100), c.ID, c.FirstNumber, models.Opening, c.ID))
}

// NoteAdopting notes that the creditor has adopted an invoice. The caller has locked it.
func (tx *Tx) NoteAdopting(ctx context.Context, creditorID int64) error {
	return tx.set(ctx, &models.Creditor{}, map[string]any{"adopts": true}, "id = ?", creditorID)
}
