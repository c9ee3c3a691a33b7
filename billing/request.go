// Package billing issues invoices and credit notes. It checks the request, takes the number, makes the KID, prices the
// lines and writes everything in the caller's transaction. It knows nothing of dunning, bank files, PDFs or HTTP.
package billing

import (
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// InvoiceRequest is the request for an invoice.
type InvoiceRequest struct {
	CustomerID  int64            // the recipient, if NewCustomer is nil
	NewCustomer *models.Customer // created together with the invoice
	NumDueDays  int
	Note        string
	Order       models.Order
	Lines       []models.Line // text, price, items, discount and VAT class
	Method      models.ShipmentMethod
	Copies      []string // e-mail addresses
	Actor       string   // who asks for it, for the event log

	Accept func(Issued) error // refuses the invoice as it would be, without number and KID; nil accepts it
}

// Validate returns every fault of the request that can be found without the database (rules D13 to D16). The faults' fields
// are those of the interface.
func (o InvoiceRequest) Validate() models.Errors {
	var faults models.Errors
	if o.NumDueDays < 0 || o.NumDueDays > models.MaxDueDays {
		faults.Add("out_of_range", "num_due_days", "must be from 0 to %d", models.MaxDueDays)
	}
	faults.Prose("invoice_note", o.Note, models.MaxInvoiceNote)
	faults = append(faults, o.Order.Validate()...)
	if o.NewCustomer != nil {
		faults = append(faults, under("recipient/", o.NewCustomer.Validate())...)
	}
	switch n := len(o.Lines); {
	case n == 0:
		faults.Add("required", "lines", "at least one line is required")
	case n > models.MaxLines:
		faults.Add("too_many_lines", "lines", "has %d lines, the most is %d", n, models.MaxLines)
	}
	for i, l := range o.Lines {
		validateLine(&faults, fmt.Sprintf("lines/line[%d]/", i+1), l)
	}
	validateMethod(&faults, o.Method)
	if n := len(o.Copies); n > models.MaxCopies {
		faults.Add("too_many_copies", "shipments", "has %d copies, the most is %d", n, models.MaxCopies)
	}
	for i, email := range o.Copies {
		if repeats(email, o.Copies[:i]) {
			faults.Add("repeated_address", copyField(i), "is the address of an earlier copy")
		}
		if len(email) > models.MaxEmail || !models.ValidEmail(email) {
			faults.Add("invalid_email", copyField(i), "is not a valid e-mail address")
		}
	}
	return faults
}

// FaultsOfRecipient returns every fault of the request that its recipient shows: what its way of sending needs, and each copy
// to the address to which the original goes by e-mail (rule S5). fresh says that the request itself holds the recipient. Of another one
// it returns too what cannot be printed (rule D111): of a fresh one, Validate tells that.
func (o InvoiceRequest) FaultsOfRecipient(c models.Creditor, r models.Recipient, fresh bool) models.Errors {
	email, organisation := "recipient", "recipient"
	if fresh {
		email, organisation = "recipient/email", "recipient/organisation_number"
	}
	faults := faultsOfMethod(o.Method, c, r, o.Order, email, organisation)
	if !fresh {
		faults.NotPrintable("recipient/", r.Unprintable())
	}
	for i, email := range o.Copies {
		if o.Method == models.ByEmail && repeats(email, []string{r.Email}) {
			faults.Add("repeated_address", copyField(i), "is the address of the original")
		}
	}
	return faults
}

// faultsOfMethod returns what a way of sending needs and the recipient or the invoice's references lack (rules D16, H1). The
// last two say in which fields the faults are.
func faultsOfMethod(m models.ShipmentMethod, c models.Creditor, r models.Recipient, o models.Order, email, organisation string) models.Errors {
	var faults models.Errors
	if m == models.ByEmail && r.Email == "" {
		faults.Add("email_required", email, "delivery by EMAIL needs a customer with an e-mail address")
	}
	if m == models.ByEHF && r.OrganisationNumber == "" {
		faults.Add("organisation_number_required", organisation, "delivery by EHF needs a customer with an organisation number")
	}
	if m == models.ByEHF && o.YourReference+o.OrderNumber+c.EHFDefaultReference == "" {
		faults.Add("reference_required", "your_reference", "delivery by EHF needs your_reference, order_number or the creditor's ehf_default_reference")
	}
	return faults
}

func copyField(i int) string { return fmt.Sprintf("shipments/shipment[%d]/recipient/email", i+2) }

func repeats(email string, earlier []string) bool {
	return slices.ContainsFunc(earlier, func(e string) bool { return strings.EqualFold(e, email) })
}

func validateLine(faults *models.Errors, path string, l models.Line) {
	if strings.TrimSpace(l.Text) == "" {
		faults.Add("required", path+"line_text", "is required")
	}
	faults.Prose(path+"line_text", l.Text, models.MaxLineText)
	if _, known := (models.VATRates{}).At(l.VAT, 1); !known {
		faults.Add("invalid_vat_rate", path+"vat_rate", "must be HIGH, MEDIUM, LOW or NONE")
	}
	switch l.VATExemption {
	case "":
	case models.VATExempt, models.VATZero:
		if l.VAT != models.VATNone {
			faults.Add("invalid_vat_exemption", path+"vat_exemption", "a line with VAT has none")
		}
	default:
		faults.Add("invalid_vat_exemption", path+"vat_exemption", "must be %s, %s or empty", models.VATExempt, models.VATZero)
	}
	if d := l.Discount; d != nil && (*d < 0 || *d > 100*100) {
		faults.Add("out_of_range", path+"discount_percent", "must be from 0 to 100")
	}
}

func validateMethod(faults *models.Errors, m models.ShipmentMethod) {
	if !m.MayAsk() {
		faults.Add("invalid_shipment_method", "shipments/shipment[1]/shipment_method", "must be PAPER, EMAIL, EHF or AUTO")
	}
}

// under returns the faults of err with their fields below a path.
func under(path string, err error) models.Errors {
	faults, _ := err.(models.Errors) //nolint:errorlint // Validate returns its own type unwrapped.
	for _, f := range faults {
		f.Field = path + f.Field
	}
	return faults
}
