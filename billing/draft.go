package billing

import (
	"context"
	"slices"
	"time"

	"purr/ledger/avtalegiro"
	"purr/models"
)

// Draft is the invoice that a request asks for, as it would be issued today, priced and addressed. Nothing of it is written: it has
// no number, no KID, no account and no seller, and a new customer has no ID.
type Draft struct {
	Invoice   models.Invoice
	Lines     []models.Line
	Shipments []models.Shipment // the original first, then the copies

	request InvoiceRequest
}

// customers are what a draft's recipient is read from: a view, a transaction or the database.
type customers interface {
	waysSetUp
	Customer(ctx context.Context, creditorID, id int64) (models.Customer, error)
	MandatesOfCustomers(ctx context.Context, creditorID int64, ids []int64) (map[int64][]models.Mandate, error)
}

// DraftInvoice returns the invoice that Issue would issue for the request, or the error with which Issue would refuse it. It
// writes nothing and locks nothing: what another document has taken meanwhile, such as a customer number, shows when it is issued.
func DraftInvoice(ctx context.Context, from customers, c models.Creditor, r InvoiceRequest, now time.Time) (Draft, error) {
	today, err := c.Today(now)
	if err != nil {
		return Draft{}, err
	}
	d, err := newDraft(c, r, today)
	if err != nil {
		return Draft{}, err
	}
	to := r.NewCustomer
	if to == nil {
		known, err := from.Customer(ctx, c.ID, r.CustomerID)
		if models.KindOf(err) == models.KindNotFound {
			return Draft{}, noSuchCustomer()
		}
		if err != nil {
			return Draft{}, err
		}
		to = &known
	}
	faults, err := FaultsOfWay(ctx, from, r.Method)
	if err != nil {
		return Draft{}, err
	}
	if err := d.address(c, *to, faults); err != nil {
		return Draft{}, err
	}
	return d, d.draw(ctx, from, c, now)
}

// draw says on the draft whether its invoice would be drawn by AvtaleGiro: paid on the account that the creditor has now (rule G3).
func (d *Draft) draw(ctx context.Context, from customers, c models.Creditor, now time.Time) error {
	claims, err := avtalegiro.Want(ctx, from, c, []int64{d.Invoice.CustomerID}, now)
	if err != nil {
		return err
	}
	paid := d.Invoice
	paid.BankAccount = c.BankAccount
	claims.Mark(&paid)
	d.Invoice.Drawn, d.Invoice.DrawnUntil = paid.Drawn, paid.DrawnUntil
	return nil
}

// newDraft returns what of a request's draft needs no database: dates and prices.
func newDraft(c models.Creditor, r InvoiceRequest, today models.Date) (Draft, error) {
	if faults := r.Validate(c); len(faults) > 0 {
		return Draft{}, faults
	}
	due := today + models.Date(r.NumDueDays)
	d := Draft{request: r, Lines: slices.Clone(r.Lines), Invoice: models.Invoice{
		CreditorID: c.ID, IssueDate: today, DueDate: due, Deadline: due, LapsesOn: models.LapsesOn(due, 0), NumDueDays: r.NumDueDays, Note: r.Note, Order: r.Order,
	}}
	if err := d.price(c.VATRates); err != nil {
		return Draft{}, err
	}
	if !c.IssuesVAT() {
		return d, d.vatFaults().ErrorOrNil()
	}
	return d, nil
}

// price prices the lines at the VAT percents of the issue date, and sets the invoice's totals.
func (d *Draft) price(rates models.VATRates) (err error) {
	var faults models.Errors
	for i := range d.Lines {
		l := &d.Lines[i]
		l.Position = i + 1
		l.VATPercent, _ = rates.At(l.VAT, d.Invoice.IssueDate)
		if err := l.Price(); err != nil {
			faults = append(faults, models.Invalid("amount_too_large", "", "the line's amount is beyond %s", models.MaxAmount).Under(atLine(i)))
		}
	}
	if len(faults) > 0 {
		return faults
	}
	d.Invoice.Net, d.Invoice.Gross, err = models.Totals(d.Lines)
	d.Invoice.Balance = d.Invoice.Gross
	return err
}

// vatFaults returns a fault for each line that has VAT (rule L9).
func (d *Draft) vatFaults() (faults models.Errors) {
	for i, l := range d.Lines {
		if l.VATPercent > 0 {
			faults = append(faults, models.Invalid("vat_not_registered", "",
				"the creditor is not registered for VAT, and may not charge it: use %s, or set vat_registered", models.VATNone).Under(atLine(i)))
		}
	}
	return faults
}

// address gives the invoice its recipient, as the customer is now, and its shipments. It fails if the request does not suit its
// customer, if there are faults of its way of sending, or if the request's Accept refuses the invoice.
func (d *Draft) address(c models.Creditor, to models.Customer, faults models.Errors) error {
	r := d.request
	faults = append(slices.Clip(faults), r.FaultsOfRecipient(c, to.Recipient, r.NewCustomer != nil)...)
	if err := faults.ErrorOrNil(); err != nil {
		return err
	}
	d.Invoice.CustomerID, d.Invoice.Recipient, d.Invoice.Language = to.ID, to.Recipient, c.LanguageOf(to)
	invoice := models.Document{Kind: models.InvoiceDocument} // its ID is given when it is issued
	d.Shipments = append(make([]models.Shipment, 0, 1+len(r.Copies)), models.NewShipment(c.ID, invoice, models.Original, r.Method, to.Recipient))
	for _, email := range r.Copies {
		d.Shipments = append(d.Shipments, models.NewShipment(c.ID, invoice, models.Copy, models.ByEmail, models.Recipient{Email: email}))
	}
	if r.Accept != nil {
		return r.Accept(*d)
	}
	return nil
}

// noSuchCustomer is the refusal of a request to a customer that the creditor does not have. It is the same for another
// creditor's customer (rule D2).
func noSuchCustomer() error { return models.NotFound("customer").Under(atRecipient) }
