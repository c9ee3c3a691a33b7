package models

import (
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"
)

// Customer is who owes a creditor money.
type Customer struct {
	ID            int64
	CreditorID    int64
	Recipient     Recipient      `gorm:"embedded"`
	Language      string         // nb, nn, en; empty is the creditor's (rule L24)
	Hold          Hold           `gorm:"embedded;embeddedPrefix:hold_"`
	LettersHeld   LettersHeld    `gorm:"embedded;embeddedPrefix:letters_held_"`
	Policy        CustomerPolicy `gorm:"column:dunning_policy;type:text"` // the elements that differ from the creditor's policy (rule E6e)
	Fallback      Fallback       // where it differs from the creditor's (rule S2)
	Reception     Reception      `gorm:"embedded;embeddedPrefix:ehf_"`
	AddressWanted Date           // since when a notice has waited for the address, or zero (rule L6)
	Search        string         // the text that searches read: SearchText of the names and the e-mail address
	ForgottenAt   *time.Time     // when it was forgotten: it has no words since (rule O14); nil if it was not
	CreatedAt     time.Time
}

// LettersHeld says that no letters go to a customer, because one came back. They wait until the customer's address is
// changed, or until a person releases them (rule S1b).
type LettersHeld struct {
	Since  *time.Time // nil if letters go out
	Reason string
}

// Validate returns every fault of the customer's fields, or nil (rules D16, E6e, D111).
func (c Customer) Validate() error { return c.ValidateChange(Customer{}) }

// ValidateChange returns what Validate does of a customer that is changed. It leaves out what of the name and the address is not changed
// and cannot be printed: older versions took it (rule D111).
func (c Customer) ValidateChange(before Customer) error {
	var faults Errors
	r := c.Recipient
	faults.required("name1", r.Name1, MaxName)
	faults.text("name2", r.Name2, MaxName)
	faults.text("address1", r.Address1, MaxAddress)
	faults.text("address2", r.Address2, MaxAddress)
	faults.required("postal_code", r.PostalCode, MaxPostalCode)
	faults.required("postal_name", r.PostalName, MaxPostalName)
	faults.printed(r.printed(), before.Recipient.printed())
	faults.country("country_code", r.CountryCode)
	faults.email("email", r.Email)
	faults.international("phone", r.Phone)
	faults.text("customer_number", r.CustomerNumber, MaxCustomerNumber)
	if r.OrganisationNumber != "" && !ValidOrganisationNumber(r.OrganisationNumber) {
		faults.Add("invalid_organisation_number", "organisation_number", "must be 9 digits with a right check digit")
	}
	if own := c.Policy.Compensation; own != nil && *own && r.OrganisationNumber == "" {
		faults = append(faults, illegalPolicy("compensation", "only a business owes standard compensation: the customer has no organisation_number (forsinkelsesrenteloven §§ 3a, 4)"))
	}
	faults.fallback(c.Fallback)
	faults.language(c.Language)
	return faults.ErrorOrNil()
}

// language adds a fault if a language that is set is unknown.
func (es *Errors) language(set string) {
	switch set {
	case "", "nb", "nn", "en":
	default:
		es.Add("invalid_language", "language", "must be nb, nn or en")
	}
}

// SearchText returns texts in the form that searches read: lower case, composed letters, one text on each line (rules
// D19, L20).
func SearchText(texts ...string) string {
	return norm.NFC.String(strings.ToLower(strings.Join(texts, "\n")))
}
