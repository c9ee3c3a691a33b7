package models

import "cmp"

// Seller is what documents show of a creditor. Each document keeps the one of the moment at which it was issued, so
// that whatever is drawn of it later shows that (rule D112).
type Seller struct {
	Name               string
	OrganisationNumber string // 9 digits, or empty
	BusinessRegister   bool   // Foretaksregisteret is printed (rule L8)
	VATRegistered      bool
	VATKnown           bool         `gorm:"column:vat_known"` // somebody had said whether it is registered for VAT (rule L9)
	VATExemption       VATExemption `gorm:"column:vat_exemption"`
	Address1           string
	Address2           string
	PostalCode         string
	PostalName         string
	CountryCode        string // ISO 3166-1 alpha-2
	Email              string
	Phone              string
	Website            string
	BankAccount        string // 11 digits, or empty
	IBAN               string `gorm:"column:iban"` // of the account; empty where it follows from it
	BIC                string `gorm:"column:bic"`

	EHFDefaultReference string `gorm:"column:ehf_default_reference"`

	// What older releases did not have is left out of the JSON where there is none, so that a seller of theirs has the same SHA-256.
	FooterText string `json:",omitempty"` // may be empty (rule L19)
	Logo       string `json:",omitempty"` // the SHA-256 of the picture, in hex; empty if there is none (rule L19)
}

// Seller returns what a document that is issued now shows of the creditor.
func (c Creditor) Seller() Seller {
	return Seller{
		Name: c.Name, OrganisationNumber: c.OrganisationNumber, BusinessRegister: c.InBusinessRegister(), VATRegistered: c.VATRegistered,
		VATKnown: c.VATKnown, VATExemption: c.VATExemption, Address1: c.Address1, Address2: c.Address2, PostalCode: c.PostalCode, PostalName: c.PostalName,
		CountryCode: c.CountryCode, Email: c.Email, Phone: c.Phone, Website: c.Website, BankAccount: c.BankAccount, IBAN: c.setIBAN(), BIC: c.BIC,
		EHFDefaultReference: c.EHFDefaultReference, FooterText: c.FooterText, Logo: c.Logo,
	}
}

// As returns the creditor as the seller of a document shows it. What no document shows is as it is now.
func (c Creditor) As(s Seller) Creditor {
	c.Name, c.OrganisationNumber, c.BusinessRegister, c.VATRegistered = s.Name, s.OrganisationNumber, &s.BusinessRegister, s.VATRegistered
	c.VATKnown, c.VATExemption, c.Address1, c.Address2, c.PostalCode, c.PostalName = s.VATKnown, s.VATExemption, s.Address1, s.Address2, s.PostalCode, s.PostalName
	c.CountryCode, c.Email, c.Phone, c.Website = s.CountryCode, s.Email, s.Phone, s.Website
	c.BankAccount, c.IBAN, c.BIC, c.EHFDefaultReference = s.BankAccount, s.IBAN, s.BIC, s.EHFDefaultReference
	c.FooterText, c.Logo = s.FooterText, s.Logo
	return c
}

// Named returns the seller of a document that nobody has seen yet: one that was issued while the creditor had no name, and therefore
// could not leave (rule D108), shows the name that it got. All else stays as it was when the document was issued (rule D112).
func (s Seller) Named(by Seller) Seller {
	if s.Name == UnnamedCreditor && by.Name != UnnamedCreditor {
		s.Name, s.BusinessRegister = by.Name, by.BusinessRegister
	}
	return s
}

// Expressible returns the seller with what an EHF cannot do without and nobody had said of it when the document was issued: an
// organisation number, an address, the reference, and whether it is registered for VAT. What it has stays.
func (s Seller) Expressible(by Seller) Seller {
	s = s.Named(by)
	if s.Address1+s.Address2+s.PostalCode+s.PostalName == "" {
		s.Address1, s.Address2, s.PostalCode, s.PostalName, s.CountryCode = by.Address1, by.Address2, by.PostalCode, by.PostalName, by.CountryCode
	}
	s.OrganisationNumber = cmp.Or(s.OrganisationNumber, by.OrganisationNumber)
	s.EHFDefaultReference = cmp.Or(s.EHFDefaultReference, by.EHFDefaultReference)
	if !s.VATKnown && !s.VATRegistered {
		s.VATRegistered, s.VATKnown, s.VATExemption = by.VATRegistered, by.VATKnown, by.VATExemption
	}
	return s
}

// WithAccount returns the seller with the account that a document names, which may be an earlier one. The IBAN and the BIC
// that were set are those of the earlier seller, if the account was his.
func (s Seller) WithAccount(account string, earlier Seller) Seller {
	if account == "" || account == s.BankAccount {
		return s
	}
	s.BankAccount, s.IBAN, s.BIC = account, "", ""
	if account == earlier.BankAccount {
		s.IBAN, s.BIC = earlier.IBAN, earlier.BIC
	}
	return s
}
