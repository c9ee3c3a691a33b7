package openitems

import (
	"fmt"
	"strconv"
	"strings"

	"purr/billing"
	"purr/models"
)

// Columns are the columns that a list may have, in the order of the template. The names stand in its first row, in any order.
var Columns = []string{
	"invoice_number", "issue_date", "due_date", "gross_amount", "balance", "currency", "kid", "bank_account",
	"customer_number", "name1", "name2", "address1", "address2", "postal_code", "postal_name", "country_code", "email", "phone", "organisation_number", "language",
	"notice1_issue_date", "notice1_due_date", "notice1_is_incasso_notice", "notice1_charge", "notice1_interest",
	"notice2_issue_date", "notice2_due_date", "notice2_is_incasso_notice", "notice2_charge", "notice2_interest",
}

// Template is an example of a list.
var Template = strings.Join(Columns, ";") + "\n" +
	"10234;2026-01-05;2026-01-19;1250.00;785.00;NOK;0000102343;;K-17;Ola Nordmann;;Storgata 1;;0155;Oslo;NO;ola@example.no;+4791234567;;nb;" +
	"2026-02-09;2026-02-23;0;35.00;0.00;;;;;\n"

// Fault is what is wrong with a list, and where.
type Fault struct {
	Line   int    // from 1
	Column int    // of the sign at which the field begins, from 1; zero for the whole line
	Name   string // of the column, if it is known
	Code   string
	Msg    string
}

// String tells the fault to a person.
func (f Fault) String() string {
	at := fmt.Sprintf("line %d", f.Line)
	if f.Column > 0 {
		at += fmt.Sprintf(", column %d", f.Column)
	}
	if f.Name != "" {
		at += " (" + f.Name + ")"
	}
	return fmt.Sprintf("%s: %s: %s", at, f.Code, f.Msg)
}

// row is a row of a list as it was read.
type row struct {
	line     int
	adoption billing.Adoption // without its customer
	customer models.Customer  // as the row has it
	has      map[string]bool  // which columns have a value
	places   map[string]int   // of the columns
	faults   []Fault
}

// fault adds a fault of a column. The kinds of faults are of lists alone: the interface has none of some.
func (r *row) fault(name, kind, format string, args ...any) {
	r.faults = append(r.faults, Fault{r.line, r.places[name], name, kind, fmt.Sprintf(format, args...)})
}

// merge adds faults of the domain, whose places become columns. A column that has a fault already gets no second one.
func (r *row) merge(faults models.Errors) {
	for _, f := range faults {
		name := columnOf(f.Place.String())
		known := false
		for _, other := range r.faults {
			known = known || other.Name == name
		}
		if !known {
			r.fault(name, f.Code, "%s", f.Msg)
		}
	}
}

// columnOf returns the column of an element of an adoption.
func columnOf(place string) string {
	place = strings.TrimPrefix(place, "recipient/")
	if rest, is := strings.CutPrefix(place, "notices/notice["); is {
		return "notice" + strings.Replace(rest, "]/", "_", 1)
	}
	return place
}

// read fills in the row from the values of its columns.
func (r *row) read(values map[string]string) {
	for name, value := range values {
		r.has[name] = value != ""
	}
	a := &r.adoption
	number, err := strconv.ParseUint(values["invoice_number"], 10, 63)
	switch {
	case values["invoice_number"] == "":
		r.fault("invoice_number", "required", "is required")
	case err != nil || len(values["invoice_number"]) > 12:
		r.fault("invoice_number", "invalid_number", "must be at most 12 digits")
	}
	a.Number = int64(number) //nolint:gosec // of 63 bits
	a.IssueDate, a.DueDate = r.date(values, "issue_date"), r.date(values, "due_date")
	a.Gross, a.Balance = r.amount(values, "gross_amount"), r.amount(values, "balance")
	if !r.has["balance"] {
		r.fault("balance", "required", "is required")
	}
	a.Currency, a.KID, a.BankAccount = values["currency"], values["kid"], values["bank_account"]
	r.customer.Recipient = models.Recipient{
		CustomerNumber: values["customer_number"], OrganisationNumber: values["organisation_number"], Name1: values["name1"], Name2: values["name2"],
		Address1: values["address1"], Address2: values["address2"], PostalCode: values["postal_code"], PostalName: values["postal_name"],
		CountryCode: values["country_code"], Email: values["email"], Phone: values["phone"],
	}
	r.customer.Language = values["language"]
	if r.customer.Recipient.CountryCode == "" {
		r.customer.Recipient.CountryCode = "NO"
	}
	for _, n := range []string{"notice1_", "notice2_"} {
		r.notice(values, n)
	}
}

// notice reads one of the notices, if the row has anything of it.
func (r *row) notice(values map[string]string, prefix string) {
	there := false
	for _, name := range []string{"issue_date", "due_date", "charge", "interest"} {
		there = there || r.has[prefix+name]
	}
	if !there {
		return
	}
	n := billing.AdoptedNotice{
		IssueDate: r.date(values, prefix+"issue_date"), DueDate: r.date(values, prefix+"due_date"),
		Charge: r.amount(values, prefix+"charge"), Interest: r.amount(values, prefix+"interest"),
	}
	switch values[prefix+"is_incasso_notice"] {
	case "", "0":
	case "1":
		n.Warning = true
	default:
		r.fault(prefix+"is_incasso_notice", "invalid_flag", "must be 1 or 0")
	}
	if prefix == "notice2_" && len(r.adoption.Notices) == 0 {
		r.fault(prefix+"issue_date", "first_notice_missing", "there is no first notice")
		return
	}
	r.adoption.Notices = append(r.adoption.Notices, n)
}

// date reads a date as 2026-10-31 or 31.10.2026; an empty one is zero.
func (r *row) date(values map[string]string, name string) models.Date {
	text := values[name]
	if text == "" {
		return 0
	}
	iso := text
	if d := strings.Split(text, "."); len(d) == 3 && len(d[0]) == 2 && len(d[1]) == 2 {
		iso = d[2] + "-" + d[1] + "-" + d[0]
	}
	day, err := models.ParseDate(iso)
	if err != nil {
		r.fault(name, "invalid_date", "must be a date of the form 2026-10-31 or 31.10.2026")
	}
	return day
}

// amount reads an amount with a decimal point or comma, and perhaps blanks between thousands; an empty one is zero.
func (r *row) amount(values map[string]string, name string) models.Amount {
	text := strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "", ",", ".").Replace(values[name])
	if text == "" {
		return 0
	}
	amount, err := models.ParseAmount(text)
	if err != nil {
		r.fault(name, "invalid_amount", "must be a number with at most 2 decimals, such as 1250.00 or 1250,00")
	}
	return amount
}
