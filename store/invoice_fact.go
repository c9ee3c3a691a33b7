package store

import (
	"context"

	"purr/models"
)

// InvoiceFacts are what a list for the books says of an invoice besides the list itself.
type InvoiceFacts struct {
	KID            string `gorm:"column:kid"`
	CustomerNumber string
	PaidOn         models.Date       // the day of the last payment, if nothing is owed any more; else zero
	ByRate         map[int64]RateSum `gorm:"-"` // by VAT percent in hundredths
}

// RateSum is what an invoice has at one VAT rate.
type RateSum struct {
	Net models.Amount
	VAT models.Amount `gorm:"column:vat"`
}

// InvoiceFacts returns the facts of those of the creditor's invoices with the IDs, by ID.
func (r reads) InvoiceFacts(ctx context.Context, creditorID int64, ids []int64) (map[int64]InvoiceFacts, error) {
	type row struct {
		ID           int64
		InvoiceFacts `gorm:"embedded"`
		VATPercent   int64   `gorm:"column:vat_percent"`
		Sum          RateSum `gorm:"embedded"`
	}
	lines := r.with(ctx).Table("invoice_lines").Where("invoice_id IN ?", ids).Group("invoice_id, vat_percent").
		Select("invoice_id, vat_percent, SUM(net) AS net, SUM(gross - net) AS vat")
	found, err := scan[[]row](r.with(ctx).Table("invoices AS i").Joins("JOIN customers AS c ON c.id = i.customer_id").
		Joins("JOIN (?) AS l ON l.invoice_id = i.id", lines).Where("i.creditor_id = ? AND i.id IN ?", creditorID, ids).
		Select(`i.id, i.kid, c.customer_number, l.vat_percent, l.net, l.vat, CASE WHEN i.balance <= 0 THEN (SELECT MAX(e.transaction_date) FROM entries e
			WHERE e.invoice_id = i.id AND e.credit_note_id = 0 AND e.amount < 0 AND e.type IN ?) END AS paid_on`, payments))
	if err != nil {
		return nil, err
	}
	facts := make(map[int64]InvoiceFacts, len(ids))
	for _, f := range found {
		if facts[f.ID].ByRate == nil {
			f.ByRate = map[int64]RateSum{}
			facts[f.ID] = f.InvoiceFacts
		}
		facts[f.ID].ByRate[f.VATPercent] = f.Sum
	}
	return facts, nil
}
