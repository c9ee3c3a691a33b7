package api

import (
	"cmp"
	"fmt"

	"purr/api/form"
	"purr/models"
)

// The words with which a customer's own policy chooses none. An empty element chooses the creditor's value.
const (
	legalRate = "legal" // interest at the legal rate
	neverHand = "never" // no automatic hand-over
	noneAtAll = "none"  // no friendly reminder
)

// ownPolicyXML holds the elements of a customer's dunning policy that differ from the creditor's (rule E6e).
type ownPolicyXML struct {
	Enabled              *flag                  `xml:"enabled"`
	FirstNoticeDays      *int                   `xml:"first_notice_days"`
	SecondNoticeDays     *int                   `xml:"second_notice_days"`
	Fee                  string                 `xml:"fee,omitempty"`
	Compensation         *flag                  `xml:"compensation"`
	AddInterest          *flag                  `xml:"add_interest"`
	InterestRate         string                 `xml:"interest_rate,omitempty"`
	DaysToPay            *int                   `xml:"days_to_pay"`
	PostalDays           *int                   `xml:"postal_days"`
	PrintDays            *int                   `xml:"handover_days"`
	DebtCollectionNotice *models.WarningStep    `xml:"debt_collection_notice"`
	ReminderMethod       *models.ShipmentMethod `xml:"reminder_method"`
	FriendlyReminderDays string                 `xml:"friendly_reminder_days,omitempty"`
	HandOverDays         string                 `xml:"hand_over_days,omitempty"`
	MinimumBalance       *models.Amount         `xml:"minimum_balance"`
	Remainder            *models.Remainder      `xml:"remainder"`
	CloseBelow           *models.Amount         `xml:"close_below"`
	SettleCredit         *flag                  `xml:"settle_credit"`
	EHFReminder          *flag                  `xml:"ehf_reminder"`
	JointLetters         *flag                  `xml:"joint_letters"`
	WeekdaysOnly         *flag                  `xml:"weekdays_only"`
	RequirePaymentFile   *flag                  `xml:"require_payment_file"`
}

// ownPolicyOf returns a customer's own policy, nil if the customer has none.
func ownPolicyOf(p models.CustomerPolicy) *ownPolicyXML {
	if p.IsZero() {
		return nil
	}
	return &ownPolicyXML{
		Enabled: (*flag)(p.Enabled), FirstNoticeDays: p.FirstNoticeDays, SecondNoticeDays: p.SecondNoticeDays,
		Fee: chosen(p.Fee, maxFee), Compensation: (*flag)(p.Compensation), AddInterest: (*flag)(p.AddInterest), InterestRate: chosen(p.InterestRate, legalRate),
		DaysToPay: p.DaysToPay, PostalDays: p.PostalDays, PrintDays: p.PrintDays, DebtCollectionNotice: p.DebtCollectionNotice,
		ReminderMethod: p.ReminderMethod, FriendlyReminderDays: chosen(p.FriendlyReminderDays, noneAtAll), HandOverDays: chosen(p.HandOverDays, neverHand),
		MinimumBalance: p.MinimumBalance, Remainder: p.Remainder, CloseBelow: p.CloseBelow, SettleCredit: (*flag)(p.SettleCredit), EHFReminder: (*flag)(p.EHFReminder),
		JointLetters: (*flag)(p.JointLetters), WeekdaysOnly: (*flag)(p.WeekdaysOnly), RequirePaymentFile: (*flag)(p.RequirePaymentFile),
	}
}

// chosen returns a choice as text: a value, the word for none, or nothing if no choice was made.
func chosen[T any](c *models.Choice[T], none string) string {
	switch {
	case c == nil:
		return ""
	case c.Value == nil:
		return none
	}
	return fmt.Sprint(*c.Value)
}

// readOwnPolicy changes the elements of a customer's own policy that the request holds. An empty element restores the
// creditor's value. An empty policy restores all of them.
func readOwnPolicy(e *form.Element, p *models.CustomerPolicy) {
	if e == nil {
		return
	}
	if e.Empty() {
		*p = models.CustomerPolicy{}
	}
	form.Clearable(e, "enabled", "", &p.Enabled, e.Flag)
	form.Clearable(e, "first_notice_days", "", &p.FirstNoticeDays, e.Integer)
	form.Clearable(e, "second_notice_days", "", &p.SecondNoticeDays, e.Integer)
	form.Clearable(e, "fee", "", &p.Fee, choice(e, maxFee, e.Amount))
	form.Clearable(e, "compensation", "", &p.Compensation, e.Flag)
	form.Clearable(e, "add_interest", "", &p.AddInterest, e.Flag)
	form.Clearable(e, "interest_rate", "", &p.InterestRate, choice(e, legalRate, e.Percent))
	form.Clearable(e, "days_to_pay", "", &p.DaysToPay, e.Integer)
	form.Clearable(e, "postal_days", "", &p.PostalDays, e.Integer)
	form.Clearable(e, "handover_days", "", &p.PrintDays, e.Integer)
	form.Clearable(e, "debt_collection_notice", "", &p.DebtCollectionNotice, warningStep(e))
	form.Clearable(e, "reminder_method", "", &p.ReminderMethod, reminderMethod(e))
	form.Clearable(e, "friendly_reminder_days", "", &p.FriendlyReminderDays, choice(e, noneAtAll, dayList(e)))
	form.Clearable(e, "hand_over_days", "", &p.HandOverDays, choice(e, neverHand, e.Integer))
	form.Clearable(e, "minimum_balance", "", &p.MinimumBalance, e.Amount)
	form.Clearable(e, "remainder", "", &p.Remainder, remainder(e))
	form.Clearable(e, "close_below", "", &p.CloseBelow, e.Amount)
	form.Clearable(e, "settle_credit", "", &p.SettleCredit, e.Flag)
	form.Clearable(e, "ehf_reminder", "", &p.EHFReminder, e.Flag)
	form.Clearable(e, "joint_letters", "", &p.JointLetters, e.Flag)
	form.Clearable(e, "weekdays_only", "", &p.WeekdaysOnly, e.Flag)
	form.Clearable(e, "require_payment_file", "", &p.RequirePaymentFile, e.Flag)
}

// choice returns a function that reads a value or the word for none.
func choice[T any](e *form.Element, none string, take func(name string) (T, bool)) func(name string) (models.Choice[T], bool) {
	return func(name string) (models.Choice[T], bool) {
		if text, _ := e.Token(name); text == none {
			return models.Choice[T]{}, true
		}
		v, good := take(name)
		return models.Choice[T]{Value: &v}, good
	}
}

// warningStep returns a function that reads the step of the debt-collection warning. Validate checks the step with the
// policy.
func warningStep(e *form.Element) func(name string) (models.WarningStep, bool) {
	return func(name string) (models.WarningStep, bool) {
		text, sent := e.Token(name)
		return models.WarningStep(text), sent
	}
}

// remainder returns a function that reads what becomes of fees and interest that are left. Empty is the default. Validate
// checks it with the policy.
func remainder(e *form.Element) func(name string) (models.Remainder, bool) {
	return func(name string) (models.Remainder, bool) {
		text, sent := e.Token(name)
		return cmp.Or(models.Remainder(text), models.RemainderLeave), sent
	}
}

// reminderMethod returns a function that reads by which way reminders go. Empty is the default. Validate checks it with the policy.
func reminderMethod(e *form.Element) func(name string) (models.ShipmentMethod, bool) {
	return func(name string) (models.ShipmentMethod, bool) {
		text, sent := e.Token(name)
		return cmp.Or(models.ShipmentMethod(text), models.ByPaper), sent
	}
}

// dayList returns a function that reads numbers of days between blanks. Validate checks them with the policy.
func dayList(e *form.Element) func(name string) (models.DayList, bool) {
	return func(name string) (models.DayList, bool) {
		text, sent := e.Token(name)
		list, _ := models.ParseDayList(text)
		return list, sent
	}
}
