package store

import (
	"cmp"
	"maps"
	"slices"

	"purr/models"
)

// standing reads who the customers are, what stopped dunning, and when the customers were changed.
func (a *auditing) standing() (err error) {
	customers, err := auditedCustomers.read(a.among("id", a.customerIDs), len(a.customerIDs))
	if err != nil {
		return err
	}
	a.rows.Customers = make(map[int64]models.Customer, len(customers))
	for _, c := range customers {
		a.rows.Customers[c.ID] = c
	}
	if a.rows.Standstills, err = readGroups(a.among("customer_id", a.customerIDs).Order("id"), func(s models.Standstill) int64 { return s.CustomerID }); err != nil {
		return err
	}
	if a.rows.Plans, err = readGroups(a.among("invoice_id", a.invoiceIDs).Order("id"), func(p models.PaymentPlan) int64 { return p.InvoiceID }); err != nil {
		return err
	}
	var sellers []int64
	for _, all := range a.rows.Notices {
		for _, n := range all {
			if n.SellerID != 0 {
				sellers = append(sellers, n.SellerID)
			}
		}
	}
	slices.Sort(sellers)
	if sellers = slices.Compact(sellers); len(sellers) > 0 {
		if a.rows.Sellers, err = a.SellersByID(a.ctx, a.creditorID, sellers); err != nil {
			return err
		}
	}
	return a.events("customer_id", a.customerIDs, &a.rows.Moves, func(e *models.Event) int64 { return e.CustomerID }, models.EventCustomerChanged, models.EventCustomerDeleted)
}

// credit reads the documents of the customers on which there is free credit, or from which credit was moved to the invoices (rule L5).
func (a *auditing) credit() (err error) {
	var from []int64
	for _, all := range a.rows.Entries {
		for _, e := range all {
			if e.MovedFrom != 0 {
				from = append(from, e.MovedFrom)
			}
		}
	}
	type source struct{ CustomerID, InvoiceID, CreditNoteID int64 }
	free := a.withFree(a.ctx, a.creditorID).Select("customer_id, id AS invoice_id, 0 AS credit_note_id").Where("customer_id IN ?", a.customerIDs)
	notes := a.outstanding(a.ctx, a.creditorID).Select("customer_id, invoice_id, id").Where("customer_id IN ?", a.customerIDs)
	found, err := scan[[]source](a.with(a.ctx).Raw("? UNION ALL ?", free, notes))
	if err != nil {
		return err
	}
	if len(from) > 0 {
		moved, err := auditedEntries.read(a.among("id", from), len(from))
		if err != nil {
			return err
		}
		var givers []int64
		a.rows.Sources = make(map[int64]models.Entry, len(moved))
		for _, e := range moved {
			a.rows.Sources[e.ID] = e
			found, givers = append(found, source{e.CustomerID, e.InvoiceID, e.CreditNoteID}), append(givers, e.InvoiceID)
		}
		if a.rows.Givers, err = readBy(a.among("id", givers).Select("id, written_off"), func(i models.Invoice) int64 { return i.ID }); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return nil
	}
	documents, invoices := map[source]bool{}, map[int64]bool{}
	customers := map[int64]bool{}
	for _, s := range found {
		documents[s], invoices[s.InvoiceID], customers[s.CustomerID] = true, true, true
	}
	entries, err := auditedEntries.read(a.among("invoice_id", slices.Sorted(maps.Keys(invoices))), 0)
	if err != nil {
		return err
	}
	slices.SortFunc(entries, func(a, b models.Entry) int { return cmp.Compare(a.ID, b.ID) })
	a.rows.Credit = map[int64]map[models.Document][]models.Entry{}
	for _, e := range entries {
		if !documents[source{e.CustomerID, e.InvoiceID, e.CreditNoteID}] {
			continue
		}
		of := models.Document{Kind: models.InvoiceDocument, ID: e.InvoiceID}
		if e.CreditNoteID != 0 {
			of = models.Document{Kind: models.CreditNoteDocument, ID: e.CreditNoteID}
		}
		if a.rows.Credit[e.CustomerID] == nil {
			a.rows.Credit[e.CustomerID] = map[models.Document][]models.Entry{}
		}
		a.rows.Credit[e.CustomerID][of] = append(a.rows.Credit[e.CustomerID][of], e)
	}
	a.rows.Reserved, err = readGroups(a.among("customer_id", slices.Sorted(maps.Keys(customers))).Order("id"), func(r models.Repayment) int64 { return r.CustomerID })
	return err
}
