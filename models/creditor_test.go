package models_test

import (
	"strings"
	"testing"
	"time"

	"purr/models"
)

func TestCreditorValidateE1(t *testing.T) {
	tests := []struct {
		change func(*models.Creditor)
		want   string
		why    string
	}{
		{func(*models.Creditor) {}, "", "a name is enough"},
		{
			func(c *models.Creditor) {
				c.OrganisationNumber, c.BankAccount, c.KIDLength, c.KIDModulus, c.TimeZone = "974760673", "12345678903", 25, 11, "America/New_York"
				c.Email, c.FirstNumber = "post@example.no", 10_000
				c.Phone, c.Website, c.IBAN, c.BIC, c.VATExemption = "+47 55 00 00 00", "www.example.no", "NO9386011117947", "DNBANOKKXXX", models.VATZero
			}, "", "everything",
		},
		{
			func(c *models.Creditor) { *c = models.Creditor{} },
			"name required; country_code invalid_country; language required; max_lines out_of_range; kid_length out_of_range; kid_modulus out_of_range; avtalegiro/lead_days out_of_range; avtalegiro/notice invalid_notice; first_number out_of_range; " +
				"time_zone invalid_time_zone", "nothing",
		},
		{
			func(c *models.Creditor) {
				c.Name, c.Address1, c.Address2 = strings.Repeat("a", 101), "a\nb", strings.Repeat("a", 101)
				c.PostalCode, c.PostalName, c.Email = strings.Repeat("1", 17), strings.Repeat("a", 61), "post@"
				c.OrganisationNumber, c.BankAccount = "974760674", "12345678901"
			},
			"name too_long; address1 control_character; address2 too_long; postal_code too_long; postal_name too_long; email invalid_email; " +
				"organisation_number invalid_organisation_number; bank_account invalid_bank_account", "everything wrong, all at once (D5)",
		},
		{
			func(c *models.Creditor) {
				c.Phone, c.Website, c.IBAN, c.BIC, c.VATExemption = "ring", strings.Repeat("w", 101), "NO93 8601 1117 947", "DNBA", "X"
			},
			"phone invalid_phone; website too_long; iban invalid_iban; bic invalid_bic; vat_exemption invalid_vat_exemption", "the fields of rule L8",
		},
		{func(c *models.Creditor) { c.Language, c.MaxLines, c.FooterText = "nn", 500, strings.Repeat("å", 500) }, "", "most of what letters can have (L19, L24, L28)"},
		{
			func(c *models.Creditor) { c.Language, c.MaxLines, c.FooterText = "sv", 501, strings.Repeat("å", 501) },
			"language invalid_language; footer_text too_long; max_lines out_of_range", "more than it",
		},
		{func(c *models.Creditor) { c.MaxLines, c.FooterText = 7, "a\nb" }, "footer_text control_character; max_lines out_of_range", "fewer lines than always, and a text of two lines"},
		{func(c *models.Creditor) { c.KIDLength = 3 }, "kid_length out_of_range", "a KID shorter than any agreement (D20)"},
		{func(c *models.Creditor) { c.KIDLength = 26 }, "kid_length out_of_range", "a longer one"},
		{func(c *models.Creditor) { c.KIDModulus = 12 }, "kid_modulus out_of_range", "a modulus that there is not"},
		{func(c *models.Creditor) { c.TimeZone = "Local" }, "time_zone invalid_time_zone", "the machine's own zone, which can change"},
		{func(c *models.Creditor) { c.TimeZone = "../etc/passwd" }, "time_zone invalid_time_zone", "a path"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			c := models.NewCreditor("Kattens Melk AS")
			tt.change(&c)
			if got := places(t, c.Validate()); got != tt.want {
				t.Errorf("found\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestTodayIsTheCreditorsD15(t *testing.T) {
	midnight := time.Date(2026, time.June, 30, 22, 30, 0, 0, time.UTC)
	for zone, want := range map[string]string{"Europe/Oslo": "2026-07-01", "UTC": "2026-06-30", "America/New_York": "2026-06-30", "Asia/Tokyo": "2026-07-01"} {
		c := models.Creditor{TimeZone: zone}
		if got, err := c.Today(midnight); err != nil || got != day(want) {
			t.Errorf("in %s it is %s, %v, want %s", zone, got, err, want)
		}
	}
	if _, err := (models.Creditor{TimeZone: "Norway/Oslo"}).Today(midnight); err == nil {
		t.Error("it is a day in a zone that there is not")
	}
}

func TestL8TheIBANOfANorwegianAccount(t *testing.T) {
	for iban, want := range map[string]bool{
		"NO9386011117947": true, "DE89370400440532013000": true, "GB82WEST12345698765432": true,
		"NO9386011117948": false, "NO9387011117947": false, "no9386011117947": false, "NO93": false, "": false,
		"NO8886011117940": false, // right as an IBAN, but no account
	} {
		if got := models.ValidIBAN(iban); got != want {
			t.Errorf("%q is valid: %t, want %t", iban, got, want)
		}
	}
	c := models.Creditor{BankAccount: "12345678903"}
	for account, want := range map[string]string{"86011117947": "NO9386011117947", "12345678903": "NO7112345678903", "12345678901": "", "": ""} {
		if got := c.AccountIBAN(account); got != want || (want != "" && !models.ValidIBAN(got)) {
			t.Errorf("the IBAN of %s is %q, want %q", account, got, want)
		}
	}
	c.IBAN = "DE89370400440532013000"
	if got := c.AccountIBAN("12345678903"); got != c.IBAN {
		t.Errorf("the creditor's own IBAN is %q", got)
	}
	if got := c.AccountIBAN("86011117947"); got != "NO9386011117947" {
		t.Errorf("the IBAN of an earlier account is %q", got)
	}
}

func TestL8WhatDunningNeedsOfACreditor(t *testing.T) {
	complete := models.NewCreditor("Kattens Melk AS")
	complete.OrganisationNumber, complete.Address1, complete.PostalCode, complete.PostalName = "974760673", "Kaigaten 1", "5003", "Bergen"
	complete.Phone, complete.BankAccount, complete.Policy.Enabled = "55 00 00 00", "12345678903", true
	off, everything := complete, "name organisation_number address1 postal_code postal_name email bank_account"
	off.Policy.Enabled = false
	for _, tt := range []struct {
		why     string
		change  func(c *models.Creditor)
		missing string
	}{
		{"complete, with a phone and no e-mail address", func(*models.Creditor) {}, ""},
		{"with an e-mail address and no phone", func(c *models.Creditor) { c.Phone, c.Email = "", "post@example.no" }, ""},
		{"with neither", func(c *models.Creditor) { c.Phone = "" }, "email"},
		{"with the name of the first start", func(c *models.Creditor) { c.Name = models.UnnamedCreditor }, "name"},
		{"an address of blanks", func(c *models.Creditor) { c.Address1 = " " }, "address1"},
		{"nothing", func(c *models.Creditor) { *c = models.Creditor{Policy: c.Policy} }, everything},
	} {
		c := complete
		tt.change(&c)
		if got := strings.Join(c.MissingToDun(), " "); got != tt.missing {
			t.Errorf("%s: %q is missing, want %q", tt.why, got, tt.missing)
		}
		if got, want := places(t, c.MayDun(off)) == "", tt.missing == ""; got != want {
			t.Errorf("%s: dunning may be switched on: %t, want %t", tt.why, got, want)
		}
		if c.MayDun(complete) != nil {
			t.Errorf("%s: it may not stay as it is", tt.why)
		}
	}
}
