package billing

import (
	"errors"
	"slices"

	"purr/models"
)

// firstAdopted is the earliest day on which an adopted invoice may have been issued: before it no figure of the law is known.
const firstAdopted = "2000-01-01"

// Adoption is the request to follow an invoice that another system has issued (rule L17).
type Adoption struct {
	CustomerID  int64            // the recipient, if NewCustomer is nil
	NewCustomer *models.Customer // created together with the invoice; several adoptions may share it
	Number      int64            // below the creditor's own series
	IssueDate   models.Date
	DueDate     models.Date
	Gross       models.Amount
	Balance     models.Amount // what is owed of it today, with what the other system charged
	Currency    string        // empty is NOK
	KID         string
	BankAccount string // where payments to it go; empty for the creditor's account
	Note        string
	Order       models.Order
	Lines       []models.Line   // may be none: then nobody knows its VAT
	Notices     []AdoptedNotice // that the other system sent, oldest first
	PDF         string          // SHA-256 of the kept PDF, empty if it came without one
	Actor       string
}

// AdoptedNotice is a notice that the other system sent.
type AdoptedNotice struct {
	IssueDate models.Date
	DueDate   models.Date
	Warning   bool
	Charge    models.Amount
	Interest  models.Amount
}

// Charged returns the fees and the interest of the other system.
func (a Adoption) Charged() (sum models.Amount) {
	for _, n := range a.Notices {
		sum += n.Charge + n.Interest
	}
	return sum
}

// Validate returns every fault of the request that can be found without the database.
func (a Adoption) Validate(c models.Creditor, today models.Date) models.Errors {
	faults := a.faultsOfDates(today)
	if a.Number < 1 || a.Number > models.MaxAdoptedNumber {
		faults.Add("out_of_range", "invoice_number", "must have 1 to 12 digits")
	}
	if a.Currency != "" && a.Currency != models.NOK {
		faults.Add("unsupported_currency", "currency", "must be %s", models.NOK)
	}
	faults = append(faults, a.faultsOfAmounts()...)
	if !models.ValidKID(a.KID, models.Modulus10) && (!models.ValidKID(a.KID, models.Modulus11) || a.KID[len(a.KID)-1] == '-') {
		faults.Add("invalid_kid", "kid", "must be 4 to 25 digits, the last a check digit of MOD10 or MOD11")
	}
	if a.BankAccount != "" && !models.ValidBankAccount(a.BankAccount) {
		faults.Add("invalid_bank_account", "bank_account", "must be 11 digits with a right check digit")
	}
	faults.Prose("invoice_note", a.Note, models.MaxInvoiceNote)
	faults = append(faults, a.Order.Validate()...)
	if a.NewCustomer != nil {
		wrong, _ := errors.AsType[models.Errors](a.NewCustomer.Validate())
		faults = append(faults, wrong.Under(atRecipient)...)
	}
	faults = append(faults, a.faultsOfNotices(today)...)
	return append(faults, a.faultsOfLines(c.VATRates)...)
}

func (a Adoption) faultsOfDates(today models.Date) (faults models.Errors) {
	first, _ := models.ParseDate(firstAdopted)
	switch {
	case a.IssueDate == 0:
		faults.Add("required", "issue_date", "is required")
	case a.IssueDate > today:
		faults.Add("date_in_future", "issue_date", "must not be after today, %s", today)
	case a.IssueDate < first:
		faults.Add("out_of_range", "issue_date", "must not be before %s", first)
	}
	faults = append(faults, faultsOfDueDate(a.IssueDate, a.DueDate)...)
	return faults
}

// faultsOfDueDate returns what is wrong with the due date of a document of another system.
func faultsOfDueDate(issued, due models.Date) (faults models.Errors) {
	switch {
	case due == 0:
		faults.Add("required", "due_date", "is required")
	case due < issued:
		faults.Add("due_before_issue", "due_date", "must not be before the issue date, %s", issued)
	case issued != 0 && due > issued+models.MaxDueDays:
		faults.Add("out_of_range", "due_date", "must be at most %d days after the issue date", models.MaxDueDays)
	}
	return faults
}

func (a Adoption) faultsOfAmounts() (faults models.Errors) {
	switch {
	case a.Gross <= 0:
		faults.Add("amount_not_positive", "gross_amount", "must be above zero")
	case a.Gross > models.MaxAmount:
		faults.Add("amount_too_large", "gross_amount", "is beyond %s", models.MaxAmount)
	}
	if a.Balance < 0 {
		faults.Add("out_of_range", "balance", "must not be below zero")
	} else if most := a.Gross + a.Charged(); a.Gross > 0 && a.Balance > most {
		faults.Add("above_gross", "balance", "must be at most the gross amount with what was charged, %s", most)
	}
	return faults
}

func (a Adoption) faultsOfNotices(today models.Date) (all models.Errors) {
	if n := len(a.Notices); n > models.MaxAdoptedNotices {
		all.Add("too_many_notices", "notices", "has %d notices, the most is %d", n, models.MaxAdoptedNotices)
	}
	before := a.IssueDate
	for i, n := range a.Notices {
		var faults models.Errors
		switch {
		case n.IssueDate == 0:
			faults.Add("required", "issue_date", "is required")
		case n.IssueDate > today:
			faults.Add("date_in_future", "issue_date", "must not be after today, %s", today)
		case n.IssueDate < before:
			faults.Add("out_of_range", "issue_date", "must not be before the document before it, %s", before)
		}
		faults = append(faults, faultsOfDueDate(n.IssueDate, n.DueDate)...)
		for _, charged := range []struct {
			name   string
			amount models.Amount
		}{{"charge", n.Charge}, {"interest", n.Interest}} {
			if charged.amount < 0 || charged.amount > models.MaxAmount {
				faults.Add("out_of_range", charged.name, "must be from 0.00 to %s", models.MaxAmount)
			}
		}
		before = max(before, n.IssueDate)
		all = append(all, faults.Under(AtAdoptedNotice(i))...)
	}
	return all
}

// faultsOfLines returns what is wrong with the lines, and whether they add up to another amount than the invoice's.
func (a Adoption) faultsOfLines(rates models.VATRates) (faults models.Errors) {
	if n := len(a.Lines); n > models.MostLines {
		faults.Add("too_many_lines", "lines", "has %d lines, the most is %d", n, models.MostLines)
	}
	for i, l := range a.Lines {
		faults = append(faults, faultsOfLine(l).Under(atLine(i))...)
	}
	if len(faults) > 0 || len(a.Lines) == 0 {
		return faults
	}
	d, err := a.priced(rates)
	if err != nil {
		wrong, is := errors.AsType[models.Errors](err)
		if !is {
			fault, _ := errors.AsType[*models.Error](err)
			wrong = models.Errors{fault}
		}
		return wrong
	}
	if d.Invoice.Gross != a.Gross {
		faults.Add("differs", "gross_amount", "the lines add up to %s", d.Invoice.Gross)
	}
	return faults
}

// priced returns the lines as they are priced on the issue date, with the totals on an invoice.
func (a Adoption) priced(rates models.VATRates) (Draft, error) {
	d := Draft{Lines: slices.Clone(a.Lines), Invoice: models.Invoice{IssueDate: a.IssueDate}}
	return d, d.price(rates)
}

// AtAdoptedNotice returns the place of a notice of an adoption, from 0.
func AtAdoptedNotice(i int) models.Place { return models.At("notices").Item("notice", i+1) }
