package billing

import (
	"errors"
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

	Accept func(Draft) error // refuses the invoice as it would be; nil accepts it
}

// Validate returns every fault of the request that can be found without the database (rules D13 to D16, L28).
func (o InvoiceRequest) Validate(c models.Creditor) models.Errors {
	var faults models.Errors
	if o.NumDueDays < 0 || o.NumDueDays > models.MaxDueDays {
		faults.Add("out_of_range", "num_due_days", "must be from 0 to %d", models.MaxDueDays)
	}
	faults.Prose("invoice_note", o.Note, models.MaxInvoiceNote)
	faults = append(faults, o.Order.Validate()...)
	if o.NewCustomer != nil {
		wrong, _ := errors.AsType[models.Errors](o.NewCustomer.Validate())
		faults = append(faults, wrong.Under(atRecipient)...)
	}
	switch n := len(o.Lines); {
	case n == 0:
		faults.Add("required", "lines", "at least one line is required")
	case n > c.MaxLines:
		faults.Add("too_many_lines", "lines", "has %d lines, the most is %d", n, c.MaxLines)
	}
	for i, l := range o.Lines {
		faults = append(faults, faultsOfLine(l).Under(atLine(i))...)
	}
	faults = append(faults, faultsOfAsked(o.Method, models.InvoiceDocument)...)
	if n := len(o.Copies); n > models.MaxCopies {
		faults.Add("too_many_copies", "shipments", "has %d copies, the most is %d", n, models.MaxCopies)
	}
	for i, email := range o.Copies {
		if repeats(email, o.Copies[:i]) {
			faults = append(faults, ofCopy(i, "repeated_address", "is the address of an earlier copy"))
		}
		if len(email) > models.MaxEmail || !models.ValidEmail(email) {
			faults = append(faults, ofCopy(i, "invalid_email", "is not a valid e-mail address"))
		}
	}
	return faults
}

// FaultsOfRecipient returns every fault of the request that its recipient shows: what its way of sending needs, and each copy
// to the address to which the original goes by e-mail (rule S5). fresh says that the request itself holds the recipient. Of another one
// it returns too what cannot be printed (rule D111): of a fresh one, Validate tells that.
func (o InvoiceRequest) FaultsOfRecipient(c models.Creditor, r models.Recipient, fresh bool) models.Errors {
	email, organisation := atRecipient, atRecipient
	if fresh {
		email, organisation = models.At("recipient", "email"), models.At("recipient", "organisation_number")
	}
	faults := faultsOfMethod(o.Method, c, r, o.Order, map[string]models.Place{"email": email, "organisation_number": organisation})
	if !fresh {
		faults.NotPrintable(atRecipient, r.Unprintable())
	}
	for i, email := range o.Copies {
		if o.Method == models.ByEmail && repeats(email, []string{r.Email}) {
			faults = append(faults, ofCopy(i, "repeated_address", "is the address of the original"))
		}
	}
	return faults
}

func repeats(email string, earlier []string) bool {
	return slices.ContainsFunc(earlier, func(e string) bool { return strings.EqualFold(e, email) })
}

func faultsOfLine(l models.Line) (faults models.Errors) {
	if strings.TrimSpace(l.Text) == "" {
		faults.Add("required", "line_text", "is required")
	}
	faults.Prose("line_text", l.Text, models.MaxLineText)
	if _, known := (models.VATRates{}).At(l.VAT, 1); !known {
		faults.Add("invalid_vat_rate", "vat_rate", "must be HIGH, MEDIUM, LOW or NONE")
	}
	switch l.VATExemption {
	case "":
	case models.VATExempt, models.VATZero:
		if l.VAT != models.VATNone {
			faults.Add("invalid_vat_exemption", "vat_exemption", "a line with VAT has none")
		}
	default:
		faults.Add("invalid_vat_exemption", "vat_exemption", "must be %s, %s or empty", models.VATExempt, models.VATZero)
	}
	if d := l.Discount; d != nil && (*d < 0 || *d > 100*100) {
		faults.Add("out_of_range", "discount_percent", "must be from 0 to 100")
	}
	return faults
}
