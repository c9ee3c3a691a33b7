package models_test

import (
	"testing"

	"purr/models"
)

// TestD112WhatASellerShows: what was said when a document was issued stays; a name may still come, and to an EHF what it cannot
// do without, also whether it is registered for VAT where nobody had said; the IBAN and the BIC go with the account that they are of.
func TestD112WhatASellerShows(t *testing.T) {
	t.Parallel()
	now := models.NewCreditor("Blåbær AS")
	now.OrganisationNumber, now.Address1, now.PostalCode, now.PostalName = "974760673", "Storgata 1", "0155", "Oslo"
	now.VATRegistered, now.VATKnown, now.BankAccount, now.IBAN, now.BIC = true, true, "86011117947", "NO9386011117947", "DNBANOKKXXX"
	if other := models.NewCreditor("Tyttebær AS").As(now.Seller()); other.Seller() != now.Seller() || !other.InBusinessRegister() {
		t.Errorf("a creditor as the seller is %+v, want %+v", other.Seller(), now.Seller())
	}
	then := models.NewCreditor(models.UnnamedCreditor)
	if got := then.Seller().Expressible(now.Seller()); got.Name != now.Name || got.OrganisationNumber != now.OrganisationNumber || !got.BusinessRegister ||
		!got.VATRegistered || !got.VATKnown || got.Address1 != now.Address1 || got.BankAccount != "" {
		t.Errorf("an unnamed creditor in an EHF is %+v", got)
	}
	want := then.Seller()
	want.Name, want.BusinessRegister = now.Name, true
	if got := then.Seller().Named(now.Seller()); got != want {
		t.Errorf("an unnamed creditor in a PDF is %+v, want %+v", got, want)
	}
	then = models.NewCreditor("Tyttebær")
	then.OrganisationNumber, then.PostalName, then.VATKnown = "923609016", "Bergen", true
	if got := then.Seller().Expressible(now.Seller()); got != then.Seller() {
		t.Errorf("a complete one became %+v, want %+v", got, then.Seller())
	}
	then.BankAccount, then.IBAN, then.BIC = "12345678903", "NO1312345678903", "SPTRNO22XXX"
	for _, tt := range []struct{ account, iban, bic string }{
		{"86011117947", "NO9386011117947", "DNBANOKKXXX"}, {"12345678903", "NO1312345678903", "SPTRNO22XXX"}, {"15050000039", "", ""}, {"", "NO9386011117947", "DNBANOKKXXX"},
	} {
		if got := now.Seller().WithAccount(tt.account, then.Seller()); got.IBAN != tt.iban || got.BIC != tt.bic {
			t.Errorf("with the account %q the seller has %s and %s, want %s and %s", tt.account, got.IBAN, got.BIC, tt.iban, tt.bic)
		}
	}
}
