package models

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"purr/models/zone"
)

// Creditor is the service user: who issues the invoices and to whom the money is owed (rule D2).
type Creditor struct {
	ID                  int64
	Name                string
	OrganisationNumber  string // 9 digits, or empty
	BusinessRegister    *bool  // documents print Foretaksregisteret; nil where the legal form in the name decides (rule L8)
	VATRegistered       bool
	VATKnown            bool         `gorm:"column:vat_known"`   // somebody has said whether it is registered for VAT (rule L9)
	VATDoubted          bool         `gorm:"column:vat_doubted"` // an invoice with VAT was issued while VATKnown was false, and an event tells of it
	VATExemption        VATExemption `gorm:"column:vat_exemption"`
	Address1            string
	Address2            string
	PostalCode          string
	PostalName          string
	CountryCode         string // ISO 3166-1 alpha-2
	Email               string
	Phone               string
	Website             string
	BankAccount         string      // 11 digits, or empty: the one that documents name
	WaitingAccount      string      // the account that its own key asks for, until the operator says yes; empty if none waits (rule D101)
	WaitingSince        *time.Time  // nil if none waits
	WaitingIBAN         string      `gorm:"column:waiting_iban"` // the IBAN that its own key asks for, likewise
	WaitingBIC          string      `gorm:"column:waiting_bic"`  // the BIC with WaitingIBAN
	WaitingIBANSince    *time.Time  `gorm:"column:waiting_iban_since"`
	NamedAccount        string      // the last account that was noted as named by a document: BankAccount need not be noted again
	IBAN                string      `gorm:"column:iban"` // without blanks; empty where it follows from the bank account: see AccountIBAN
	BIC                 string      `gorm:"column:bic"`
	EHFDefaultReference string      `gorm:"column:ehf_default_reference"` // the buyer's reference of an EHF whose invoice has none (rule H1)
	KIDLength           int         `gorm:"column:kid_length"`            // characters, check digit included (rule D20)
	KIDModulus          int         `gorm:"column:kid_modulus"`           // Modulus10 or Modulus11
	KIDCustomerDigits   int         `gorm:"column:kid_customer_digits"`   // how many of its first digits are the customer's (rule G1)
	AvtaleGiro          AvtaleGiro  `gorm:"embedded;embeddedPrefix:avtalegiro_"`
	ClaimsDay           Date        `gorm:"column:avtalegiro_day"` // the bank day for which its claims were last looked at, or zero
	FirstNumber         int64       // where the number series starts (rule D18)
	Adopts              bool        // it has adopted invoices: their KIDs may be those of any number (rule L17)
	TimeZone            string      // IANA name (rule D15)
	VATRates            VATRates    `gorm:"column:vat_rates;type:text"`
	AccountPlan         AccountPlan `gorm:"type:text"` // on which accounts the ledger is booked (rule A1)
	Policy              Policy      `gorm:"embedded;embeddedPrefix:dunning_"`
	Fallback            Fallback    // what is tried when a method is refused or bounces (rule S2)
	Language            string      // nb, nn or en: of customers who have none (rule L24)
	MaxLines            int         `gorm:"column:max_lines"` // the most lines of an invoice (rule L28)
	FooterText          string      // at the foot of all documents; may be empty (rule L19)
	Logo                string      // the SHA-256 of the picture at the top of all documents, in hex; empty if there is none (rule L19)
	DunningCeiling      *int        // the most steps that a run takes without approval; nil derives it from earlier runs (rule E6f)
	ToldMissing         string      // what the last event said that is missing for dunning; empty if nothing is (rule L8)
	CreatedAt           time.Time
}

// NewCreditor returns a creditor with the defaults of rules D15, D18, D20, E1, E6a, L24 and L28.
func NewCreditor(name string) Creditor {
	return Creditor{
		Name: name, CountryCode: "NO", KIDLength: 10, KIDModulus: Modulus10, FirstNumber: 1,
		TimeZone: defaultZone, Language: defaultLanguage, MaxLines: fewestMaxLines, Policy: DefaultPolicy(),
		AvtaleGiro: AvtaleGiro{LeadDays: defaultLeadDays, Notice: OwnNotice},
	}
}

// Location returns the creditor's time zone, from the tables inside the program. It fails if these have no such name. Another name
// for a zone than the canonical one is taken here: older versions let creditors have it (rule D102).
func (c Creditor) Location() (*time.Location, error) {
	loc, err := zone.Load(c.TimeZone)
	if err != nil {
		return nil, Invalid("invalid_time_zone", "time_zone", "%s", notAZone(c.TimeZone))
	}
	return loc, nil
}

// DisplayZone returns the zone in which times are shown to the creditor: its own, or Oslo's where that is unknown, so that it can be
// set right. What decides by the date takes Location or Today, which fail then; what books money takes BookingDay.
func (c Creditor) DisplayZone() *time.Location {
	for _, name := range []string{c.TimeZone, defaultZone} {
		if loc, err := zone.Load(name); err == nil {
			return loc
		}
	}
	return time.UTC
}

const defaultZone = "Europe/Oslo"

// defaultLanguage is that of documents to whom no other is set for.
const defaultLanguage = "nb"

// LanguageOf returns the language of documents to a customer: its own, or else the creditor's (rule L24).
func (c Creditor) LanguageOf(to Customer) string {
	return cmp.Or(to.Language, c.Language, defaultLanguage)
}

// zone adds a fault unless the name is a canonical one of the tables inside the program.
func (es *Errors) zone(name string) {
	if canonical, is := zone.Canonical(name); !is || canonical != name {
		es.Add("invalid_time_zone", "time_zone", "%s", notAZone(name))
	}
}

func notAZone(name string) string {
	if canonical, is := zone.Canonical(name); is {
		return fmt.Sprintf("%q is another name: set %s", name, canonical)
	}
	return fmt.Sprintf("%q is not a known time zone, such as %s", name, defaultZone)
}

// Today returns the date in the creditor's time zone at the given moment (rule D15).
func (c Creditor) Today(now time.Time) (Date, error) {
	loc, err := c.Location()
	if err != nil {
		return 0, fmt.Errorf("creditor %d: %w", c.ID, err)
	}
	return DateOf(now.In(loc)), nil
}

// BookingDay returns the date on which money is booked for the creditor at the given moment: that of Today, or that of Oslo where the
// creditor's time zone is unknown. Money is always booked, so that one creditor's zone keeps nobody's payment out (rule D102).
func (c Creditor) BookingDay(now time.Time) Date { return DateOf(now.In(c.DisplayZone())) }

// Validate returns every fault of the creditor's own fields, or nil (rules D16, D20, E1, D111).
func (c Creditor) Validate() error { return c.ValidateChange(Creditor{}) }

// ValidateChange returns what Validate does of a creditor that is changed. It leaves out a time zone that is not changed and that days
// can be reckoned in: older versions took other names than the canonical one (rule D102). So it does with what of the name and the
// address is not changed and cannot be printed (rule D111).
func (c Creditor) ValidateChange(before Creditor) error {
	var faults Errors
	faults.required("name", c.Name, MaxName)
	faults.text("address1", c.Address1, MaxAddress)
	faults.text("address2", c.Address2, MaxAddress)
	faults.text("postal_code", c.PostalCode, MaxPostalCode)
	faults.text("postal_name", c.PostalName, MaxPostalName)
	faults.printed(c.printed(), before.printed())
	faults.country("country_code", c.CountryCode)
	faults.email("email", c.Email)
	faults.phone("phone", c.Phone)
	faults.text("website", c.Website, MaxWebsite)
	faults.text("ehf_default_reference", c.EHFDefaultReference, MaxReference)
	faults.fallback(c.Fallback)
	if c.OrganisationNumber != "" && !ValidOrganisationNumber(c.OrganisationNumber) {
		faults.Add("invalid_organisation_number", "organisation_number", "must be 9 digits with a right check digit")
	}
	if c.BankAccount != "" && !ValidBankAccount(c.BankAccount) {
		faults.Add("invalid_bank_account", "bank_account", "must be 11 digits with a right check digit")
	}
	if c.IBAN != "" && !ValidIBAN(c.IBAN) {
		faults.Add("invalid_iban", "iban", "must be an IBAN with right check digits, without blanks")
	}
	if c.BIC != "" && !ValidBIC(c.BIC) {
		faults.Add("invalid_bic", "bic", "must be a BIC of 8 or 11 characters")
	}
	switch c.VATExemption {
	case "", VATExempt, VATZero:
	default:
		faults.Add("invalid_vat_exemption", "vat_exemption", "must be %s, %s or empty", VATExempt, VATZero)
	}
	faults.language(c.Language)
	if c.Language == "" {
		faults.Add("required", "language", "is required: nb, nn or en")
	}
	faults.text("footer_text", c.FooterText, MaxFooterText)
	if c.MaxLines < fewestMaxLines || c.MaxLines > MostLines {
		faults.Add("out_of_range", "max_lines", "must be from %d to %d", fewestMaxLines, MostLines)
	}
	if c.KIDLength < MinKIDLength || c.KIDLength > MaxKIDLength {
		faults.Add("out_of_range", "kid_length", "must be from %d to %d", MinKIDLength, MaxKIDLength)
	}
	if c.KIDModulus != Modulus10 && c.KIDModulus != Modulus11 {
		faults.Add("out_of_range", "kid_modulus", "must be 10 or 11")
	}
	faults.avtaleGiro(c)
	if c.FirstNumber < 1 {
		faults.Add("out_of_range", "first_number", "must be at least 1")
	}
	if c.DunningCeiling != nil && (*c.DunningCeiling < 0 || *c.DunningCeiling > MaxCeiling) {
		faults.Add("out_of_range", "dunning_ceiling", "must be from 0 to %d, or empty", MaxCeiling)
	}
	if _, err := c.Location(); err != nil || c.TimeZone != before.TimeZone {
		faults.zone(c.TimeZone)
	}
	return faults.ErrorOrNil()
}

// UnnamedCreditor is the name of the creditor that the first start makes (rule R5a). It is nobody's name.
const UnnamedCreditor = "default"

// MissingToDun returns the elements, by their names in the interface, without which automatic dunning takes no step for
// the creditor: a letter must say who claims the money, where it is paid, and whom one can ask (rule L8). "email" stands
// for an e-mail address or a phone number.
func (c Creditor) MissingToDun() []string {
	name := c.Name
	if name == UnnamedCreditor {
		name = ""
	}
	var missing []string
	for _, wanted := range []struct{ element, value string }{
		{"name", name},
		{"organisation_number", c.OrganisationNumber},
		{"address1", c.Address1},
		{"postal_code", c.PostalCode},
		{"postal_name", c.PostalName},
		{"email", c.Email + c.Phone},
		{"bank_account", c.BankAccount},
	} {
		if strings.TrimSpace(wanted.value) == "" {
			missing = append(missing, wanted.element)
		}
	}
	return missing
}

// MissingToSend returns the elements, by their names in the interface, without which none of the creditor's documents leaves by
// the method, where that is a real way (rule D108). sender is the installation's address of e-mails, or empty. Documents that ask
// for money want an account besides.
func (c Creditor) MissingToSend(m ShipmentMethod, sender string) (missing []string) {
	if name := strings.TrimSpace(c.Name); name == "" || name == UnnamedCreditor {
		missing = append(missing, "name")
	}
	if needed := m.row().creditor; needed != nil {
		if element := needed(c, sender); element != "" {
			missing = append(missing, element)
		}
	}
	return missing
}

// MayDun returns a fault creditor_not_ready for each element that is missing where a change switches dunning on, or nil
// (rule L8). A creditor that dunning was switched on for before may be changed as it is: no step is taken until it is
// complete, and it can be completed one element at a time.
func (c Creditor) MayDun(before Creditor) error {
	var faults Errors
	if c.Policy.Enabled && !before.Policy.Enabled {
		for _, element := range c.MissingToDun() {
			faults.Add("creditor_not_ready", element, "%s", notReady[element])
		}
	}
	return faults.ErrorOrNil()
}

// MayFollow returns the faults of what a change makes new, or nil: what MayDun refuses, a name of digits alone, which would be taken for a
// number (rule D100), a first number that KIDs cannot carry (rule D114), and no sender where there was one (rule G1a).
func (c Creditor) MayFollow(before Creditor) error {
	var faults Errors
	if c.Name != before.Name && IsNumber(c.Name) {
		faults.Add("name_is_a_number", "name", "digits alone are always a number: a name needs more than them")
	}
	if c.FirstNumber != before.FirstNumber || c.DocumentKIDLength() != before.DocumentKIDLength() {
		faults.firstNumber(c)
	}
	faults.senderStays(c.AvtaleGiro, before.AvtaleGiro)
	if notReady, is := errors.AsType[Errors](c.MayDun(before)); is {
		faults = append(faults, notReady...)
	}
	return faults.ErrorOrNil()
}

// IsNumber reports whether a text is of digits alone, of any script. Blanks do not count.
func IsNumber(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
		case unicode.IsDigit(r):
			digits++
		default:
			return false
		}
	}
	return digits > 0
}

// roomForDocuments is how many documents a number series has room for when it begins (rule D114).
const roomForDocuments = 1_000_000

// DocumentKIDLength returns how many characters of a KID are the document's: its number, and the check digit (rules D20, G1).
func (c Creditor) DocumentKIDLength() int { return c.KIDLength - c.KIDCustomerDigits }

// HighestFirstNumber returns the highest number that a series may begin with: KIDs of the length carry it, and a million after
// it. Short KIDs do not have that room; then it is the highest that they carry.
func HighestFirstNumber(kidLength int) int64 {
	most := HighestNumber(kidLength)
	if most <= roomForDocuments {
		return most
	}
	return most - roomForDocuments
}

// HighestNumber returns the highest number of a document that KIDs of the length carry, check digit included (rule D20).
func HighestNumber(kidLength int) int64 {
	const most = 18 // decimal digits of any int64
	n := int64(1)
	for range min(kidLength-1, most) {
		n *= 10
	}
	return n - 1
}

func (es *Errors) firstNumber(c Creditor) {
	if c.KIDLength < MinKIDLength || c.KIDLength > MaxKIDLength || c.DocumentKIDLength() < MinKIDLength {
		return // that is refused already
	}
	if most := HighestFirstNumber(c.DocumentKIDLength()); c.FirstNumber > most {
		if c.KIDCustomerDigits > 0 {
			es.Add("out_of_range", "first_number", "must be at most %d: KIDs of %d characters, %d of them the customer's, carry no more", most, c.KIDLength, c.KIDCustomerDigits)
			return
		}
		es.Add("out_of_range", "first_number", "must be at most %d: KIDs of %d characters carry no more", most, c.KIDLength)
	}
}

// notReady says what dunning needs of each element.
var notReady = map[string]string{
	"name":                "dunning needs the creditor's name: " + UnnamedCreditor + " is none",
	"organisation_number": "dunning needs the creditor's organisation number",
	"address1":            "dunning needs the creditor's address",
	"postal_code":         "dunning needs the creditor's postal code",
	"postal_name":         "dunning needs the creditor's postal place",
	"email":               "dunning needs an e-mail address or a phone number, where a customer can object",
	"bank_account":        "dunning needs the account that is paid to",
}

// InBusinessRegister reports whether the creditor is in the Register of Business Enterprises: as it says, or else by the
// legal form in its name. It must then have the register's name on its documents (rule L8, bokføringsforskriften § 5-1-2).
func (c Creditor) InBusinessRegister() bool {
	if c.BusinessRegister != nil {
		return *c.BusinessRegister
	}
	return slices.ContainsFunc(strings.Fields(c.Name), func(word string) bool {
		switch strings.ToUpper(word) {
		case "AS", "ASA", "NUF":
			return true
		}
		return false
	})
}

// IssuesVAT reports whether an invoice may have VAT. It may not if somebody has said that the creditor is not
// registered for VAT (rule L9; merverdiavgiftsloven § 15-11).
func (c Creditor) IssuesVAT() bool { return c.VATRegistered || !c.VATKnown }
