package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// AuditFilter narrows an audit of one creditor. The zero filter takes all invoices.
type AuditFilter struct {
	CustomerID int64
	InvoiceIDs []int64 // only these, whatever the rest says; nil for all
	Number     int64   // of an invoice
	Letters    Dates   // only invoices with a notice of these issue dates, or a hand-over of these days
}

// AuditedInvoices returns up to limit of the creditor's invoices that the filter takes, in the order of their IDs, after an ID.
func (r reads) AuditedInvoices(ctx context.Context, creditorID, after int64, limit int, f AuditFilter) ([]models.Invoice, error) {
	g, expected := r.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after), limit
	if f.InvoiceIDs != nil {
		g, expected = g.Where("id IN ?", f.InvoiceIDs), min(limit, len(f.InvoiceIDs))
	}
	if f.CustomerID != 0 {
		g = g.Where("customer_id = ?", f.CustomerID)
	}
	if f.Number != 0 {
		g = g.Where("number = ?", f.Number)
	}
	if d := f.Letters; d != (Dates{}) {
		notices := d.apply(r.with(ctx).Model(&models.Notice{}).Select("invoice_id").Where("creditor_id = ?", creditorID), "issue_date")
		handOvers := d.apply(r.with(ctx).Model(&models.HandOver{}).Select("invoice_id").Where("creditor_id = ?", creditorID), "handed_over")
		g = g.Where("id IN (?) OR id IN (?)", notices, handOvers)
	}
	return auditedInvoices.read(g.Order("id").Limit(limit), expected)
}

// AuditedLetters returns how many notices and hand-overs of the creditor the filter takes.
func (r reads) AuditedLetters(ctx context.Context, creditorID int64, f AuditFilter) (int64, error) {
	of := func(model any, day string) *gorm.DB {
		g := f.Letters.apply(r.with(ctx).Model(model).Where("creditor_id = ?", creditorID), day)
		if f.CustomerID != 0 || f.Number != 0 {
			invoices := r.with(ctx).Model(&models.Invoice{}).Select("id").Where("creditor_id = ?", creditorID)
			if f.CustomerID != 0 {
				invoices = invoices.Where("customer_id = ?", f.CustomerID)
			}
			if f.Number != 0 {
				invoices = invoices.Where("number = ?", f.Number)
			}
			g = g.Where("invoice_id IN (?)", invoices)
		}
		return g
	}
	notices, err := count(of(&models.Notice{}, "issue_date"))
	if err != nil {
		return 0, err
	}
	handOvers, err := count(of(&models.HandOver{}, "handed_over"))
	if err != nil {
		return 0, err
	}
	return notices + handOvers, nil
}

// AuditRows are the rows of some invoices of one creditor, for the audit. What is not an invoice's own stands there by its own ID.
type AuditRows struct {
	Customers      map[int64]models.Customer
	Entries        map[int64][]models.Entry // by invoice, those of its credit notes too, oldest first
	Deleted        map[int64][]DeletedEntry // by invoice
	CreditNotes    map[int64][]models.CreditNote
	Notices        map[int64][]models.Notice // by invoice, withdrawn ones too, oldest first
	Lines          map[int64][]models.NoticeLine
	Recalculations map[int64][]models.Recalculation // by notice
	Letters        map[int64]models.Letter
	OfLetters      map[int64][]models.Notice                    // the notices of each letter, on whichever invoice
	Shipments      map[models.Document][]models.Shipment        // the originals, oldest first
	Reports        map[int64][]models.ShipmentReport            // by shipment, oldest first
	HandOvers      map[int64][]models.HandOver                  // by invoice, oldest first
	Standstills    map[int64][]models.Standstill                // by customer
	Plans          map[int64][]models.PaymentPlan               // by invoice
	Events         map[int64][]models.Event                     // by invoice: hand-overs, closings and what was told of notices, of those that were handed over or closed
	Moves          map[int64][]models.Event                     // by customer: that it was changed or deleted
	Direct         map[int64]bool                               // the entries of which the debt collector was told, or will be
	Credit         map[int64]map[models.Document][]models.Entry // by customer: entries of documents on which there is, or was, free credit
	Sources        map[int64]models.Entry                       // by ID: the entries from which credit was moved to the invoices
	Givers         map[int64]models.Invoice                     // by ID: the invoices from which credit was moved to the invoices
	Reserved       map[int64][]models.Repayment                 // by customer with credit
	Queued         map[int64][]models.UnmatchedPayment          // by customer: open payments that pointed at it
	Waiting        map[int64][]models.UnmatchedPayment          // by notice: open payments of just what was claimed, which pointed at nobody, and which no other invoice owed
	NotLooked      map[int64]bool                               // notices with such payments of which nobody asked who else owed that
	Sellers        map[int64]models.Seller
	Repaid         map[int64][]models.AuditRepayment // by invoice: what was put right before, of those with charges that were taken back
}

// AuditChanges returns what the log tells of the dunning policy of a creditor, oldest first.
func (r reads) AuditChanges(ctx context.Context, creditorID int64) (own []models.Event, err error) {
	for _, table := range []string{"events", "new_events"} {
		changes, err := readAll[models.Event](r.with(ctx).Table(table).
			Where("creditor_id = ? AND type = ? AND data LIKE '%dunning_policy%'", creditorID, models.EventCreditorChanged).Order("id"))
		if err != nil {
			return nil, err
		}
		own = append(own, changes...)
	}
	return own, nil
}

// Place says whose a letter is: its creditor, its invoice.
type Place struct{ CreditorID, InvoiceID int64 }

// PlaceOfNotice returns whose a notice is, of whichever creditor, and false if there is none with the ID.
func (r reads) PlaceOfNotice(ctx context.Context, id int64) (Place, bool, error) {
	return r.placeIn(ctx, "SELECT creditor_id, invoice_id FROM overdue_notices WHERE id = ?", id)
}

// PlaceOfHandOver does for a hand-over what PlaceOfNotice does.
func (r reads) PlaceOfHandOver(ctx context.Context, id int64) (Place, bool, error) {
	return r.placeIn(ctx, "SELECT creditor_id, invoice_id FROM hand_overs WHERE id = ?", id)
}

func (r reads) placeIn(ctx context.Context, text string, id int64) (p Place, found bool, err error) {
	err = r.each(ctx, text, []any{id}, func() { found = true }, &p.CreditorID, &p.InvoiceID)
	return p, found, err
}
