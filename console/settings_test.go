package console_test

import (
	"slices"
	"strings"
	"testing"

	"purr/models"
)

// policyForm are the fields of the policy that is in force by default, with changes: pairs of a field and its value.
func policyForm(seen string, changes ...string) []string {
	form := []string{
		"seen", seen, "dunning_policy/first_notice_days", "14", "dunning_policy/second_notice_days", "14", "dunning_policy/days_to_pay", "14", "dunning_policy/postal_days", "0", "dunning_policy/handover_days", "0",
		"dunning_policy/debt_collection_notice", "second", "dunning_policy/remainder", "leave", "dunning_policy/minimum_balance", "50,00", "dunning_policy/close_below", "0,00", "dunning_policy/add_interest", "1",
		"dunning_policy/hand_over_days", "", "dunning_policy/fee", "", "dunning_policy/interest_rate", "",
	}
	for i := 0; i < len(changes); i += 2 {
		if n := slices.Index(form, changes[i]); n >= 0 {
			form[n+1] = changes[i+1]
		} else {
			form = append(form, changes[i], changes[i+1])
		}
	}
	return form
}

// TestE10ThePolicyKeepsToTheLaw changes the policy within and outside of the law.
func TestE10ThePolicyKeepsToTheLaw(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.overdue(2, 100)
	page := b.get("settings/policy").is(200).says("At most 38,00 today (inkassoforskriften § 1-2)", "Recommended in force", "Firm")
	refused := b.post(b.base+"/settings/policy", policyForm("", "once", page.once(), "dunning_policy/fee", "39")...).is(422)
	refused.says("The fee is more than the law allows today (inkassoforskriften § 1-2)")
	for _, want := range []string{`name="dunning_policy/fee" value="39"`, `aria-invalid="true"`, `aria-describedby="f-dunning_policy/fee-fault f-dunning_policy/fee-hint"`} {
		if !strings.Contains(refused.body, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	b.post(b.base+"/settings/policy", policyForm("other", "once", "x")...).is(409).says("It has changed since you looked")
	b.post(b.base+"/settings/policy", policyForm("", "once", "y", "dunning_policy/fee", "30,50", "dunning_policy/hand_over_days", "14", "dunning_policy/interest_rate", "8,5")...).leads(b.base + "/settings/policy")
	c, err := b.db.Creditor(t.Context(), b.creditor.ID)
	must(t, err)
	if p := c.Policy; p.Enabled || *p.Fee != 30_50 || *p.HandOverDays != 14 || *p.InterestRate != 8_50 || p.WeekdaysOnly {
		t.Errorf("the policy is %+v", p)
	}
	b.get("settings/policy").says("The policy is saved", "Switching dunning on writes to 2 old invoices")
	b.get("settings/policy?preset=firm").says("a ready policy that is not saved yet")
	b.get("settings/policy?due_after=2027-01-01").is(200).says("not saved yet", "Switching dunning on writes to 0 old invoices")
	b.get("settings/policy?due_after=soon").is(400)
	b.post(b.base+"/settings/policy", policyForm("", "once", "old", "dunning_policy/due_after", "some day")...).is(422)
	b.post(b.base+"/settings/policy?preset=firm", policyForm("", "once", "z", "dunning_policy/first_notice_days", "no", "dunning_policy/days_to_pay", "7")...).is(422)

	b.signIn(b.newKey(b.creditor, models.ScopeWrite))
	if page := b.get("settings/policy"); !strings.Contains(page.body, `readonly aria-describedby="f-dunning_policy/fee-hint"`) || !strings.Contains(page.body, `aria-disabled="true" aria-describedby="needs-admin"`) {
		t.Error("a key that may write can change the policy")
	}
	b.post(b.base+"/settings/policy", policyForm("")...).is(403)
}

// TestE10SettingsAreSavedOnce changes the creditor, its VAT, a figure of the law and the reader's own choices.
func TestE10SettingsAreSavedOnce(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeAdmin, nil)
	b.get("start").is(200).says("1. Who you are", "Five steps")
	b.get("settings").leads(b.base + "/settings/creditor")
	creditor := func(once string, changes ...string) *shown {
		form := []string{"once", once, "name", "Kaffe <script> AS", "kid_length", "8", "kid_modulus", "10", "first_number", "1", "organisation_number", "974 760 673", "bank_account", "1234.56.78903"}
		return b.post(b.base+"/settings/creditor", append(form, changes...)...)
	}
	creditor("a").leads(b.base + "/settings/creditor")
	b.get("settings/creditor").says("The settings are saved", "Kaffe <script> AS")
	c, err := b.db.Creditor(t.Context(), b.creditor.ID)
	must(t, err)
	if c.OrganisationNumber != "974760673" || c.BankAccount != "12345678903" || c.KIDLength != 8 || c.CountryCode != "NO" {
		t.Errorf("the creditor is %+v", c)
	}
	creditor("b", "email", "no address").is(422)
	b.post(b.base+"/settings/vat", "once", "c", "vat_registered", "1", "rate_name", "LOW", "rate_percent", "12", "rate_from", "2018-01-01").leads(b.base + "/settings/vat")
	b.get("settings/vat").says("LOW 12 01.01.2018")
	b.post(b.base+"/settings/vat", "once", "d", "rate_name", "LOW", "rate_percent", "12", "rate_from", "").is(422)
	b.post(b.base+"/settings/vat", "once", "e", "remove", "LOW 2018-01-01").leads(b.base + "/settings/vat")
	if c, err = b.db.Creditor(t.Context(), b.creditor.ID); err != nil || !c.VATRegistered || len(c.VATRates) != 0 {
		t.Errorf("the VAT is %+v, %v", c, err)
	}
	b.get("settings/rules").is(200).says("Late-payment interest, percent", "through 31 December 2026")
	b.post(b.base+"/settings/rules", "once", "f", "kind", "late_interest", "from", "2026-07-01", "value", "12,25", "source", "FOR-2026").is(422)
	b.post(b.base+"/settings/rules", "once", "g", "kind", "late_interest", "from", "2027-01-01", "value", "12,25", "source", "FOR-2026").leads(b.base + "/settings/rules")
	b.get("settings/rules").says("FOR-2026 you")
	b.post(b.base+"/settings/console", "language", "nn", "keys", "").leads(b.base + "/settings/console")
	b.get("settings/console").says("Innstillingar")
	b.post(b.base+"/settings/console", "language", "xx").is(422)
}
