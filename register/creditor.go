// Package register keeps the creditors, their customers, their API keys and their webhooks. Each act that changes one
// of them is a function here: it locks, checks, writes, and logs one event that names the actor. The package knows
// nothing of requests, of commands, or of where the figures of the law come from.
package register

import (
	"context"
	"reflect"

	"purr/models"
	"purr/store"
)

// CreateCreditor writes a new creditor and sets its ID. It fails with models.Errors if a field is wrong, or if dunning
// is switched on and an element that it needs is missing (rule L8). It fails with a conflict if another creditor has the name or the bank account.
func CreateCreditor(ctx context.Context, tx *store.Tx, c *models.Creditor, actor string) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if err := c.MayDun(models.Creditor{}); err != nil {
		return err
	}
	if err := tx.CreateCreditor(ctx, c); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: c.ID, Type: models.EventCreditorCreated, Actor: actor, SubjectID: c.ID, Text: "Creditor " + c.Name + " created by " + actor,
		Facts: models.Facts{"name": c.Name},
	})
}

// ChangeCreditor calls change to set fields of a creditor, and returns the changed creditor. It fails if change fails,
// if a field is then wrong, if dunning is switched on without an element that it needs (rule L8), or if a changed
// policy is outside the law. maxFee is the legal maximum fee of today, in
// øre. The event has the old and the new value of each changed element.
func ChangeCreditor(
	ctx context.Context, tx *store.Tx, creditorID int64, maxFee models.Amount, actor string, change func(*models.Creditor) error,
) (models.Creditor, error) {
	before, err := tx.LockCreditor(ctx, creditorID)
	if err != nil {
		return models.Creditor{}, err
	}
	c := before
	if err := change(&c); err != nil {
		return models.Creditor{}, err
	}
	if err := validCreditor(c, before, maxFee); err != nil {
		return models.Creditor{}, err
	}
	if c.FirstNumber != before.FirstNumber {
		if err := tx.SetFirstNumber(ctx, c.ID, c.FirstNumber); err != nil {
			return models.Creditor{}, err
		}
	}
	if err := keepSellers(ctx, tx, before, c); err != nil {
		return models.Creditor{}, err
	}
	if err := tx.UpdateCreditor(ctx, &c); err != nil {
		return models.Creditor{}, err
	}
	return c, logCreditorChange(ctx, tx, before, c, actor)
}

// keepSellers keeps what documents show of a creditor before and after a change: those of releases that did not keep it with each
// document are drawn with what it was on their day (rule D112).
func keepSellers(ctx context.Context, tx *store.Tx, before, after models.Creditor) error {
	if before.Seller() == after.Seller() {
		return nil
	}
	if _, err := tx.KeepSeller(ctx, before.ID, before.Seller()); err != nil {
		return err
	}
	_, err := tx.KeepSeller(ctx, after.ID, after.Seller())
	return err
}

// CreditorChanged reports whether an element of a creditor differs.
func CreditorChanged(before, after models.Creditor) bool {
	return len(changes(creditorElements(&before), creditorElements(&after))) > 0
}

// validCreditor returns the faults of a creditor. It accepts an unchanged creditor and an unchanged policy: the rules or
// the law may have changed since they were set.
func validCreditor(c, before models.Creditor, maxFee models.Amount) error {
	if !CreditorChanged(before, c) {
		return nil
	}
	if err := c.Validate(); err != nil {
		return err
	}
	if err := c.MayDun(before); err != nil {
		return err
	}
	if reflect.DeepEqual(c.Policy, before.Policy) {
		return nil
	}
	return c.Policy.Validate(maxFee)
}

func logCreditorChange(ctx context.Context, tx *store.Tx, before, after models.Creditor, actor string) error {
	changed := changes(creditorElements(&before), creditorElements(&after))
	return tx.Log(ctx, models.Event{
		CreditorID: after.ID, Type: models.EventCreditorChanged, Actor: actor, SubjectID: after.ID, Text: changed.text("Creditor changed by " + actor), Facts: changed.facts(),
	})
}

// Text is an element that holds a text: its name in the interface, and the field with the text.
type Text struct {
	Name  string
	Value *string
}

// CreditorTexts returns the texts of a creditor that can be changed, by their names in the interface.
func CreditorTexts(c *models.Creditor) []Text {
	return []Text{
		{"name", &c.Name},
		{"organisation_number", &c.OrganisationNumber},
		{"address1", &c.Address1},
		{"address2", &c.Address2},
		{"postal_code", &c.PostalCode},
		{"postal_name", &c.PostalName},
		{"country_code", &c.CountryCode},
		{"email", &c.Email},
		{"phone", &c.Phone},
		{"website", &c.Website},
		{"bank_account", &c.BankAccount},
		{"iban", &c.IBAN},
		{"bic", &c.BIC},
		{"ehf_default_reference", &c.EHFDefaultReference},
		{"fallback", (*string)(&c.Fallback)},
		{"vat_exemption", (*string)(&c.VATExemption)},
		{"time_zone", &c.TimeZone},
	}
}

// creditorElements returns all elements of a creditor that can be changed.
func creditorElements(c *models.Creditor) elements {
	p := c.Policy
	return append(textElements(CreditorTexts(c)), elements{
		{"vat_registered", vatRegistered(*c)},
		{"business_register", c.BusinessRegister},
		{"kid_length", c.KIDLength},
		{"kid_modulus", c.KIDModulus},
		{"first_number", c.FirstNumber},
		{"vat_rates", c.VATRates},
		{"dunning_ceiling", c.DunningCeiling},
		{"dunning_policy/enabled", p.Enabled},
		{"dunning_policy/due_after", p.DueAfter},
		{"dunning_policy/first_notice_days", p.FirstNoticeDays},
		{"dunning_policy/second_notice_days", p.SecondNoticeDays},
		{"dunning_policy/fee", p.Fee},
		{"dunning_policy/compensation", p.Compensation},
		{"dunning_policy/add_interest", p.AddInterest},
		{"dunning_policy/interest_rate", p.InterestRate},
		{"dunning_policy/days_to_pay", p.DaysToPay},
		{"dunning_policy/postal_days", p.PostalDays},
		{"dunning_policy/debt_collection_notice", p.DebtCollectionNotice},
		{"dunning_policy/hand_over_days", p.HandOverDays},
		{"dunning_policy/minimum_balance", p.MinimumBalance},
		{"dunning_policy/remainder", p.Remainder},
		{"dunning_policy/settle_credit", p.SettleCredit},
		{"dunning_policy/ehf_reminder", p.EHFReminder},
		{"dunning_policy/weekdays_only", p.WeekdaysOnly},
		{"dunning_policy/require_payment_file", p.RequirePaymentFile},
	}...)
}

// vatRegistered returns whether the creditor is registered for VAT, or nil if nobody has said (rule L9).
func vatRegistered(c models.Creditor) any {
	if !c.VATKnown && !c.VATRegistered {
		return nil
	}
	return c.VATRegistered
}
