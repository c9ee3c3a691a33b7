package shipments

import (
	"context"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// saysMore reports whether a shipment says something besides its document that may no longer be so when it leaves: that there is more time for
// an invoice (rule N11), that the invoice is to be paid (rules L14, G3a), or that a payment plan runs (rule L15).
func saysMore(s models.Shipment) bool {
	return s.Role() == models.TellsOfTime || s.Role() == models.Friendly || s.Ordinary != 0 || isPlanLetter(s)
}

// isPlanLetter reports whether the shipment is the letter that confirms a payment plan, and no copy of it.
func isPlanLetter(s models.Shipment) bool {
	return s.DocumentKind == models.PlanDocument && s.Role() == models.Original
}

// plansOf returns the payment plans, by ID, whose letters are among the shipments.
func plansOf(ctx context.Context, tx *store.Tx, creditorID int64, more []models.Shipment) (map[int64]models.PaymentPlan, error) {
	var ids []int64
	for _, s := range more {
		if isPlanLetter(s) {
			ids = append(ids, s.DocumentID)
		}
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	found, err := tx.PaymentPlansByID(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	plans := make(map[int64]models.PaymentPlan, len(found))
	for _, p := range found {
		plans[p.ID] = p
	}
	return plans, nil
}

// invoiceOf returns the ID of the invoice that a shipment is of or, where it is the letter of a payment plan, is about.
func invoiceOf(s models.Shipment, plans map[int64]models.PaymentPlan) int64 {
	if isPlanLetter(s) {
		return plans[s.DocumentID].InvoiceID
	}
	return s.DocumentID
}

// thatSayMore returns those of the shipments that say more than their documents.
func thatSayMore(ss []models.Shipment) (more []models.Shipment) {
	for _, s := range ss {
		if saysMore(s) {
			more = append(more, s)
		}
	}
	return more
}

// saysWhatIs returns which of the shipments that say more than their documents say what is so: by their IDs. The caller has locked their
// invoices.
func saysWhatIs(ctx context.Context, tx *store.Tx, creditorID int64, more []models.Shipment) (map[int64]bool, error) {
	if len(more) == 0 {
		return nil, nil
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	plans, err := plansOf(ctx, tx, creditorID, more)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(more))
	for i, s := range more {
		ids[i] = invoiceOf(s, plans)
	}
	found, err := tx.InvoicesByID(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	customers, err := remindedOf(ctx, tx, creditorID, more, invoices)
	if err != nil {
		return nil, err
	}
	so := make(map[int64]bool, len(more))
	for _, s := range more {
		switch i := invoices[invoiceOf(s, plans)]; {
		case isPlanLetter(s):
			so[s.ID] = dunning.PlanLetterHolds(plans[s.DocumentID], i)
		case s.Ordinary != 0:
			so[s.ID] = i.Closed == models.NotClosed && i.HandedOver == 0 && i.Claimed() > 0
		case s.Role() == models.Friendly:
			so[s.ID] = dunning.StillReminds(creditor, customers[i.CustomerID], i, today)
		default:
			so[s.ID] = s.MoreTime.Holds(i, today)
		}
	}
	return so, nil
}

// remindedOf returns the customers to whom friendly reminders among the shipments go.
func remindedOf(
	ctx context.Context, tx *store.Tx, creditorID int64, more []models.Shipment, invoices map[int64]models.Invoice,
) (map[int64]models.Customer, error) {
	var ids []int64
	for _, s := range more {
		if s.Role() == models.Friendly {
			ids = append(ids, invoices[s.DocumentID].CustomerID)
		}
	}
	if len(ids) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	return tx.CustomersByID(ctx, creditorID, ids)
}

// withdrawUntrue withdraws a shipment that is due, because what it says besides its document is no longer so.
func withdrawUntrue(ctx context.Context, tx *store.Tx, id int64) error {
	s, err := tx.LockShipment(ctx, id)
	if err != nil || !due(s, tx.Common) || s.Accepted() {
		return err
	}
	s.State = models.ShipmentWithdrawn
	return tx.UpdateShipment(ctx, s)
}
