package register

import (
	"reflect"

	"purr/models"
)

// Element is a value that people change. The type of At is its kind, by which the edges read it and forms show it: a pointer to the
// value, to a pointer where the value may be none, or Said.
type Element struct {
	Name string // in the interface; of an element of the policy its path, where it stands beside those of the creditor
	At   any
	None string // the word for none, besides an empty text
}

// Said is a flag that is assumed to be off until somebody says so.
type Said struct{ Flag, Known *bool }

// Value returns the value as events tell it; nil if it is none, or if nobody has said it.
func (e Element) Value() any {
	if said, is := e.At.(Said); is {
		return said.value()
	}
	return reflect.ValueOf(e.At).Elem().Interface()
}

func (s Said) value() any {
	if !*s.Known && !*s.Flag {
		return nil
	}
	return *s.Flag
}

// CreditorElements returns the elements of a creditor without those of its policy, in the order in which events name them.
func CreditorElements(c *models.Creditor) []Element {
	return []Element{
		{Name: "name", At: &c.Name},
		{Name: "organisation_number", At: &c.OrganisationNumber},
		{Name: "address1", At: &c.Address1},
		{Name: "address2", At: &c.Address2},
		{Name: "postal_code", At: &c.PostalCode},
		{Name: "postal_name", At: &c.PostalName},
		{Name: "country_code", At: &c.CountryCode},
		{Name: "email", At: &c.Email},
		{Name: "phone", At: &c.Phone},
		{Name: "website", At: &c.Website},
		{Name: "bank_account", At: &c.BankAccount},
		{Name: "iban", At: &c.IBAN},
		{Name: "bic", At: &c.BIC},
		{Name: "ehf_default_reference", At: &c.EHFDefaultReference},
		{Name: "fallback", At: (*string)(&c.Fallback)},
		{Name: "vat_exemption", At: (*string)(&c.VATExemption)},
		{Name: "time_zone", At: &c.TimeZone},
		{Name: "vat_registered", At: Said{&c.VATRegistered, &c.VATKnown}},
		{Name: "business_register", At: &c.BusinessRegister},
		{Name: "language", At: &c.Language},
		{Name: "max_lines", At: &c.MaxLines},
		{Name: "footer_text", At: &c.FooterText},
		{Name: "kid_length", At: &c.KIDLength},
		{Name: "kid_modulus", At: &c.KIDModulus},
		{Name: "kid_customer_digits", At: &c.KIDCustomerDigits},
		{Name: "first_number", At: &c.FirstNumber},
		{Name: "vat_rates", At: &c.VATRates},
		{Name: "account_plan", At: &c.AccountPlan},
		{Name: "dunning_ceiling", At: &c.DunningCeiling},
	}
}

// AvtaleGiroElements returns the elements of how a creditor is paid by AvtaleGiro (rule G1).
func AvtaleGiroElements(a *models.AvtaleGiro) []Element {
	return []Element{
		{Name: "enabled", At: &a.Enabled},
		{Name: "sender_id", At: &a.SenderID},
		{Name: "lead_days", At: &a.LeadDays},
		{Name: "notice", At: (*string)(&a.Notice)},
	}
}

// PolicyElements returns the elements of a dunning policy, in the order in which faults name them.
func PolicyElements(p *models.Policy) []Element {
	return []Element{
		{Name: "enabled", At: &p.Enabled},
		{Name: "first_notice_days", At: &p.FirstNoticeDays},
		{Name: "second_notice_days", At: &p.SecondNoticeDays},
		{Name: "compensation", At: &p.Compensation},
		{Name: "add_interest", At: &p.AddInterest},
		{Name: "days_to_pay", At: &p.DaysToPay},
		{Name: "postal_days", At: &p.PostalDays},
		{Name: "handover_days", At: &p.PrintDays},
		{Name: "minimum_balance", At: &p.MinimumBalance},
		{Name: "remainder", At: &p.Remainder},
		{Name: "close_below", At: &p.CloseBelow},
		{Name: "settle_credit", At: &p.SettleCredit},
		{Name: "ehf_reminder", At: &p.EHFReminder},
		{Name: "joint_letters", At: &p.JointLetters},
		{Name: "weekdays_only", At: &p.WeekdaysOnly},
		{Name: "require_payment_file", At: &p.RequirePaymentFile},
		{Name: "debt_collection_notice", At: &p.DebtCollectionNotice},
		{Name: "reminder_method", At: &p.ReminderMethod},
		{Name: "friendly_reminder_days", At: &p.FriendlyReminderDays},
		{Name: "due_after", At: &p.DueAfter},
		{Name: "fee", At: &p.Fee, None: "max"},
		{Name: "interest_rate", At: &p.InterestRate},
		{Name: "hand_over_days", At: &p.HandOverDays},
	}
}

// Settings returns all elements of a creditor, those of its policy and of AvtaleGiro by their paths.
func Settings(c *models.Creditor) []Element {
	all := CreditorElements(c)
	for _, e := range AvtaleGiroElements(&c.AvtaleGiro) {
		e.Name = "avtalegiro/" + e.Name
		all = append(all, e)
	}
	for _, e := range PolicyElements(&c.Policy) {
		e.Name = "dunning_policy/" + e.Name
		all = append(all, e)
	}
	return all
}

// Text is an element that is a text: its name in the interface, and the field with the text.
type Text struct {
	Name  string
	Value *string
}

// CreditorTexts returns the texts of a creditor.
func CreditorTexts(c *models.Creditor) []Text { return texts(CreditorElements(c)) }

// CustomerTexts returns the texts of a customer.
func CustomerTexts(c *models.Customer) []Text { return texts(customerElements(c)) }

func texts(elements []Element) (found []Text) {
	for _, e := range elements {
		if text, is := e.At.(*string); is {
			found = append(found, Text{e.Name, text})
		}
	}
	return found
}

// customerElements returns the elements of a customer, those of its own policy by their paths.
func customerElements(c *models.Customer) []Element {
	r := &c.Recipient
	return append([]Element{
		{Name: "name1", At: &r.Name1},
		{Name: "name2", At: &r.Name2},
		{Name: "address1", At: &r.Address1},
		{Name: "address2", At: &r.Address2},
		{Name: "postal_code", At: &r.PostalCode},
		{Name: "postal_name", At: &r.PostalName},
		{Name: "country_code", At: &r.CountryCode},
		{Name: "email", At: &r.Email},
		{Name: "phone", At: &r.Phone},
		{Name: "customer_number", At: &r.CustomerNumber},
		{Name: "organisation_number", At: &r.OrganisationNumber},
		{Name: "language", At: &c.Language},
		{Name: "fallback", At: (*string)(&c.Fallback)},
	}, ownPolicyElements(&c.Policy)...)
}

// ownPolicyElements returns the elements of a customer's own policy, in the order of the interface. Of one that is the creditor's the
// value is none.
func ownPolicyElements(p *models.CustomerPolicy) []Element {
	return []Element{
		{Name: "dunning_policy/enabled", At: &p.Enabled},
		{Name: "dunning_policy/first_notice_days", At: &p.FirstNoticeDays},
		{Name: "dunning_policy/second_notice_days", At: &p.SecondNoticeDays},
		{Name: "dunning_policy/fee", At: choice(p.Fee, "max")},
		{Name: "dunning_policy/compensation", At: &p.Compensation},
		{Name: "dunning_policy/add_interest", At: &p.AddInterest},
		{Name: "dunning_policy/interest_rate", At: choice(p.InterestRate, "legal")},
		{Name: "dunning_policy/days_to_pay", At: &p.DaysToPay},
		{Name: "dunning_policy/postal_days", At: &p.PostalDays},
		{Name: "dunning_policy/handover_days", At: &p.PrintDays},
		{Name: "dunning_policy/debt_collection_notice", At: &p.DebtCollectionNotice},
		{Name: "dunning_policy/reminder_method", At: &p.ReminderMethod},
		{Name: "dunning_policy/friendly_reminder_days", At: choice(p.FriendlyReminderDays, "none")},
		{Name: "dunning_policy/hand_over_days", At: choice(p.HandOverDays, "never")},
		{Name: "dunning_policy/minimum_balance", At: &p.MinimumBalance},
		{Name: "dunning_policy/remainder", At: &p.Remainder},
		{Name: "dunning_policy/close_below", At: &p.CloseBelow},
		{Name: "dunning_policy/settle_credit", At: &p.SettleCredit},
		{Name: "dunning_policy/ehf_reminder", At: &p.EHFReminder},
		{Name: "dunning_policy/joint_letters", At: &p.JointLetters},
		{Name: "dunning_policy/weekdays_only", At: &p.WeekdaysOnly},
		{Name: "dunning_policy/require_payment_file", At: &p.RequirePaymentFile},
	}
}

// choice returns a place with what a choice says: nothing, the word for none, or a value.
func choice[T any](c *models.Choice[T], none string) *any {
	var says any
	switch {
	case c == nil:
	case c.Value == nil:
		says = none
	default:
		says = *c.Value
	}
	return &says
}
