package billing

import (
	"context"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/ledger/avtalegiro"
	"purr/models"
	"purr/register/payee"
	"purr/store"
)

// Issued is what became of a request: its draft with ID, number and KID, as it was issued, and its entry; or the error.
type Issued struct {
	Draft
	Entry models.Entry
	Err   error // why there is no invoice; models.Errors if the request has faults
}

// Issue issues an invoice for each request: a number from the gapless series, a KID, the recipient as it is now,
// exact amounts, the INVOICE entry and the shipments (rules D13 to D20). The numbers follow the order of the
// requests. Several invoices take hardly more statements than one. A refused request has its error in Issued.Err,
// and nothing is written for it.
//
// If Issue itself fails, the caller must roll back. It must then issue several requests one by one, as store.Group
// does: only a request that is alone can avoid a KID that another document has.
func Issue(ctx context.Context, tx *store.Tx, c models.Creditor, requests []InvoiceRequest) ([]Issued, error) {
	today, err := c.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	issued := make([]Issued, len(requests))
	for i, r := range requests {
		issued[i].Draft, issued[i].Err = newDraft(c, r, today)
	}
	if err := address(ctx, tx, c, accepted(issued)); err != nil {
		return nil, err
	}
	accepted := accepted(issued)
	if len(accepted) == 0 {
		return issued, nil
	}
	if err := createNew(ctx, tx, c.ID, accepted); err != nil {
		return nil, err
	}
	if err := sell(ctx, tx, c, accepted); err != nil {
		return nil, err
	}
	claims, err := avtalegiro.Want(ctx, tx, c, customersOf(accepted), tx.Now)
	if err != nil {
		return nil, err
	}
	for _, a := range accepted {
		claims.Mark(&a.Invoice)
	}
	// The series is locked from here on, so only what needs the number follows.
	if err := number(ctx, tx, c, accepted); err != nil {
		return nil, err
	}
	if err := write(ctx, tx, accepted); err != nil {
		return nil, err
	}
	if err := claims.Owe(ctx, tx, invoicesOf(accepted)); err != nil {
		return nil, err
	}
	return issued, doubtVAT(ctx, tx, c, accepted)
}

// accepted returns those that are not refused.
func accepted(issued []Issued) []*Issued {
	all := make([]*Issued, 0, len(issued))
	for i := range issued {
		if issued[i].Err == nil {
			all = append(all, &issued[i])
		}
	}
	return all
}

func customersOf(accepted []*Issued) []int64 {
	ids := make([]int64, len(accepted))
	for i, a := range accepted {
		ids[i] = a.Invoice.CustomerID
	}
	return ids
}

func invoicesOf(accepted []*Issued) []models.Invoice {
	invoices := make([]models.Invoice, len(accepted))
	for i, a := range accepted {
		invoices[i] = a.Invoice
	}
	return invoices
}

// sell says on the invoices who sells, and on which account it is paid.
func sell(ctx context.Context, tx *store.Tx, c models.Creditor, accepted []*Issued) error {
	account, err := payee.Named(ctx, tx, c)
	if err != nil {
		return err
	}
	seller, err := tx.KeepSeller(ctx, c.ID, c.Seller().WithAccount(account, c.Seller()))
	if err != nil {
		return err
	}
	for _, a := range accepted {
		a.Invoice.BankAccount, a.Invoice.SellerID = account, seller
	}
	return nil
}

// doubtVAT tells, once for each creditor, that an invoice has VAT although nobody has said whether the creditor is
// registered for it (rule L9).
func doubtVAT(ctx context.Context, tx *store.Tx, c models.Creditor, accepted []*Issued) error {
	if c.VATKnown || c.VATRegistered || c.VATDoubted {
		return nil
	}
	at := slices.IndexFunc(accepted, func(a *Issued) bool { return len(a.vatFaults()) > 0 })
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

// number gives the invoices their numbers and KIDs.
func number(ctx context.Context, tx *store.Tx, c models.Creditor, accepted []*Issued) error {
	first, err := tx.NextNumbers(ctx, c.ID, len(accepted))
	if err != nil {
		return err
	}
	kids, err := newKIDs(ctx, tx, c, first, customersOf(accepted)...)
	if err != nil {
		return err
	}
	for i, a := range accepted {
		a.Invoice.Number, a.Invoice.KID = first+int64(i), kids[i]
	}
	return nil
}

// write writes the invoices with their lines, references, entries, shipments and events.
func write(ctx context.Context, tx *store.Tx, accepted []*Issued) error {
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
		for _, s := range a.Shipments {
			s.DocumentID = a.Invoice.ID
			shipments = append(shipments, s)
		}
		events = append(events, a.events()...)
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
		n := len(a.Shipments)
		a.Entry, a.Shipments, shipments = entries[i], shipments[:n:n], shipments[n:]
	}
	return tx.Log(ctx, events...)
}

func (a *Issued) events() []models.Event {
	i, actor := a.Invoice, a.request.Actor
	var events []models.Event
	if a.request.NewCustomer != nil {
		events = append(events, models.Event{
			CreditorID: i.CreditorID, Type: models.EventCustomerCreated, Actor: actor, CustomerID: i.CustomerID, SubjectID: i.CustomerID, Text: "Customer created with an invoice",
		})
	}
	return append(events, models.Event{
		CreditorID: i.CreditorID, Type: models.EventInvoiceCreated, Actor: actor, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
		Text:  fmt.Sprintf("Invoice %d of %s to %s, due %s", i.Number, i.Gross, i.Recipient.Name1, i.DueDate),
		Facts: models.Facts{"invoice_number": i.Number, "gross_amount": i.Gross, "due_date": i.DueDate},
	})
}
