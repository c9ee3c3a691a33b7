package billing

import (
	"context"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// Issued is the result of a request: an invoice with its lines, entry and shipments, or the error.
type Issued struct {
	Invoice   models.Invoice
	Lines     []models.Line
	Entry     models.Entry
	Shipments []models.Shipment
	Err       error // why there is no invoice; models.Errors if the request has faults
}

// Issue issues an invoice for each request: a number from the gapless series, a KID, the recipient as it is now,
// exact amounts, the INVOICE entry and the shipments (rules D13 to D20). The numbers follow the order of the
// requests. Several invoices take hardly more statements than one. A refused request has its error in Issued.Err,
// and nothing is written for it.
//
// If Issue itself fails, the caller must roll back. It must then issue several requests one by one, as store.Group
// does: only a request that is alone can avoid a KID that another document has.
func Issue(ctx context.Context, tx *store.Tx, c models.Creditor, orders []InvoiceRequest) ([]Issued, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	issued := make([]Issued, len(orders))
	for i, o := range orders {
		issued[i] = draft(c, o, today)
	}
	if err := address(ctx, tx, c, orders, issued); err != nil {
		return nil, err
	}
	var accepted []*Issued
	var of []InvoiceRequest
	for i := range issued {
		if issued[i].Err == nil {
			accepted, of = append(accepted, &issued[i]), append(of, orders[i])
		}
	}
	if len(accepted) == 0 {
		return issued, nil
	}
	account, err := payee.Named(ctx, tx, c)
	if err != nil {
		return nil, err
	}
	seller, err := tx.KeepSeller(ctx, c.ID, c.Seller().WithAccount(account, c.Seller()))
	if err != nil {
		return nil, err
	}
	for _, a := range accepted {
		a.Invoice.BankAccount, a.Invoice.SellerID = account, seller
	}
	// The series is locked from here on, so only what needs the number follows.
	if err := number(ctx, tx, c, accepted); err != nil {
		return nil, err
	}
	if err := write(ctx, tx, accepted, of); err != nil {
		return nil, err
	}
	return issued, doubtVAT(ctx, tx, c, accepted)
}

// draft returns the part of a request's invoice that needs no database: dates and prices.
func draft(c models.Creditor, o InvoiceRequest, today models.Date) Issued {
	if faults := o.Validate(); len(faults) > 0 {
		return Issued{Err: faults}
	}
	due := today + models.Date(o.NumDueDays)
	d := Issued{Lines: slices.Clone(o.Lines), Invoice: models.Invoice{
		CreditorID: c.ID, IssueDate: today, DueDate: due, Deadline: due, NumDueDays: o.NumDueDays, Note: o.Note, Order: o.Order,
	}}
	if d.Err = price(&d.Invoice, d.Lines, c.VATRates); d.Err == nil && !c.IssuesVAT() {
		d.Err = withoutVAT(d.Lines).ErrorOrNil()
	}
	return d
}

// withoutVAT returns a fault for each line that has VAT (rule L9).
func withoutVAT(lines []models.Line) models.Errors {
	var faults models.Errors
	for _, l := range lines {
		if l.VATPercent > 0 {
			faults.Add("vat_not_registered", fmt.Sprintf("lines/line[%d]", l.Position),
				"the creditor is not registered for VAT, and may not charge it: use %s, or set vat_registered", models.VATNone)
		}
	}
	return faults
}

// doubtVAT tells, once for each creditor, that an invoice has VAT although nobody has said whether the creditor is
// registered for it (rule L9).
func doubtVAT(ctx context.Context, tx *store.Tx, c models.Creditor, accepted []*Issued) error {
	if c.VATKnown || c.VATRegistered || c.VATDoubted {
		return nil
	}
	at := slices.IndexFunc(accepted, func(a *Issued) bool { return len(withoutVAT(a.Lines)) > 0 })
	if at < 0 {
		return nil
	}
	fresh, err := tx.DoubtVAT(ctx, c.ID)
	if err != nil || !fresh {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventVATUnknown, SubjectID: c.ID,
		Text:  fmt.Sprintf("Invoice %d has VAT, and nobody has said whether the creditor is registered for VAT: set vat_registered", accepted[at].Invoice.Number),
		Facts: models.Facts{"invoice_number": accepted[at].Invoice.Number},
	})
}

// price prices the lines at the VAT percents of the issue date, and sets the invoice's totals.
func price(invoice *models.Invoice, lines []models.Line, rates models.VATRates) error {
	var faults models.Errors
	for i := range lines {
		l := &lines[i]
		l.Position = i + 1
		l.VATPercent, _ = rates.At(l.VAT, invoice.IssueDate)
		if err := l.Price(); err != nil {
			faults.Add("amount_too_large", fmt.Sprintf("lines/line[%d]", i+1), "the line's amount is beyond %s", models.MaxAmount)
		}
	}
	if len(faults) > 0 {
		return faults
	}
	var err error
	invoice.Net, invoice.Gross, err = models.Totals(lines)
	invoice.Balance = invoice.Gross
	return err
}

// number gives the invoices their numbers and KIDs.
func number(ctx context.Context, tx *store.Tx, c models.Creditor, accepted []*Issued) error {
	first, err := tx.NextNumbers(ctx, c.ID, len(accepted))
	if err != nil {
		return err
	}
	kids, err := newKIDs(ctx, tx, c, first, len(accepted))
	if err != nil {
		return err
	}
	for i, a := range accepted {
		a.Invoice.Number, a.Invoice.KID = first+int64(i), kids[i]
	}
	return nil
}

// write writes the invoices with their lines, references, entries, shipments and events.
func write(ctx context.Context, tx *store.Tx, accepted []*Issued, of []InvoiceRequest) error {
	invoices, lines := make([]models.Invoice, len(accepted)), make([][]models.Line, len(accepted))
	for i, a := range accepted {
		invoices[i], lines[i] = a.Invoice, a.Lines
	}
	if err := tx.CreateInvoices(ctx, invoices, lines); err != nil {
		return err
	}
	references, entries := make([]store.Reference, 0, len(accepted)), make([]models.Entry, 0, len(accepted))
	shipments, events := make([]models.Shipment, 0, len(accepted)), make([]models.Event, 0, len(accepted))
	for i, a := range accepted {
		a.Invoice = invoices[i]
		references = append(references, store.Reference{CreditorID: a.Invoice.CreditorID, KID: a.Invoice.KID, InvoiceID: a.Invoice.ID})
		entries = append(entries, ledger.InvoiceEntry(a.Invoice))
		shipments = append(shipments, shipmentsOf(a.Invoice, of[i])...)
		events = append(events, eventsOf(a.Invoice, of[i])...)
	}
	if err := tx.CreateReferences(ctx, references); err != nil {
		return err
	}
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return err
	}
	if err := tx.CreateShipments(ctx, shipments); err != nil {
		return err
	}
	for i, a := range accepted {
		n := 1 + len(of[i].Copies)
		a.Entry, a.Shipments, shipments = entries[i], shipments[:n:n], shipments[n:]
	}
	return tx.Log(ctx, events...)
}

func eventsOf(i models.Invoice, o InvoiceRequest) []models.Event {
	var events []models.Event
	if o.NewCustomer != nil {
		events = append(events, models.Event{
			CreditorID: i.CreditorID, Type: models.EventCustomerCreated, Actor: o.Actor, CustomerID: i.CustomerID, SubjectID: i.CustomerID, Text: "Customer created with an invoice",
		})
	}
	return append(events, models.Event{
		CreditorID: i.CreditorID, Type: models.EventInvoiceCreated, Actor: o.Actor, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text:  fmt.Sprintf("Invoice %d of %s to %s, due %s", i.Number, i.Gross, i.Recipient.Name1, i.DueDate),
		Facts: models.Facts{"invoice_number": i.Number, "gross_amount": i.Gross, "due_date": i.DueDate},
	})
}

func shipmentsOf(i models.Invoice, o InvoiceRequest) []models.Shipment {
	ss := []models.Shipment{original(i.CreditorID, i.Document(), o.Method, i.Recipient)}
	for _, email := range o.Copies {
		copied := original(i.CreditorID, i.Document(), models.ByEmail, models.Recipient{Email: email})
		copied.Copy = true
		ss = append(ss, copied)
	}
	return ss
}

func original(creditorID int64, d models.Document, m models.ShipmentMethod, r models.Recipient) models.Shipment {
	return models.Shipment{CreditorID: creditorID, DocumentKind: d.Kind, DocumentID: d.ID, Method: m, Recipient: r}
}
