package api

import (
	"context"
	"encoding"
	"fmt"
	"reflect"
	"strconv"

	"purr/api/form"
	"purr/models"
	"purr/register"
)

// policyXML is a dunning policy (rule E6a).
type policyXML struct {
	Enabled              flag                  `xml:"enabled"`
	DueAfter             models.Date           `xml:"due_after,omitempty"`
	FirstNoticeDays      int                   `xml:"first_notice_days"`
	SecondNoticeDays     int                   `xml:"second_notice_days"`
	Fee                  string                `xml:"fee"`
	Compensation         flag                  `xml:"compensation,omitempty"`
	AddInterest          flag                  `xml:"add_interest"`
	InterestRate         string                `xml:"interest_rate"`
	DaysToPay            int                   `xml:"days_to_pay"`
	PostalDays           int                   `xml:"postal_days,omitempty"`
	PrintDays            int                   `xml:"handover_days,omitempty"`
	DebtCollectionNotice models.WarningStep    `xml:"debt_collection_notice"`
	ReminderMethod       models.ShipmentMethod `xml:"reminder_method,omitempty"`        // absent for PAPER
	FriendlyReminderDays models.DayList        `xml:"friendly_reminder_days,omitempty"` // absent for none
	HandOverDays         string                `xml:"hand_over_days"`
	MinimumBalance       models.Amount         `xml:"minimum_balance"`
	Remainder            models.Remainder      `xml:"remainder,omitempty"`   // absent for leave
	CloseBelow           models.Amount         `xml:"close_below,omitempty"` // absent for none
	SettleCredit         flag                  `xml:"settle_credit,omitempty"`
	EHFReminder          flag                  `xml:"ehf_reminder,omitempty"`
	JointLetters         flag                  `xml:"joint_letters,omitempty"`
	WeekdaysOnly         flag                  `xml:"weekdays_only"`
	RequirePaymentFile   flag                  `xml:"require_payment_file"`
}

// maxFee is the word for the legal maximum.
const maxFee = "max"

func policyOf(p models.Policy) policyXML {
	shown := policyXML{
		Enabled: flag(p.Enabled), DueAfter: p.DueAfter, FirstNoticeDays: p.FirstNoticeDays, SecondNoticeDays: p.SecondNoticeDays, Fee: maxFee, Compensation: flag(p.Compensation),
		AddInterest: flag(p.AddInterest), DaysToPay: p.DaysToPay, PostalDays: p.PostalDays, PrintDays: p.PrintDays, DebtCollectionNotice: p.DebtCollectionNotice, FriendlyReminderDays: p.FriendlyReminderDays,
		MinimumBalance: p.MinimumBalance, CloseBelow: p.CloseBelow, SettleCredit: flag(p.SettleCredit), EHFReminder: flag(p.EHFReminder), JointLetters: flag(p.JointLetters), WeekdaysOnly: flag(p.WeekdaysOnly), RequirePaymentFile: flag(p.RequirePaymentFile),
	}
	if p.Remainder != models.RemainderLeave {
		shown.Remainder = p.Remainder
	}
	if p.ReminderMethod != models.ByPaper {
		shown.ReminderMethod = p.ReminderMethod
	}
	if p.Fee != nil {
		shown.Fee = p.Fee.String()
	}
	if p.InterestRate != nil {
		shown.InterestRate = p.InterestRate.String()
	}
	if p.HandOverDays != nil {
		shown.HandOverDays = strconv.Itoa(*p.HandOverDays)
	}
	return shown
}

// maxFee returns the legal maximum fee of today, in øre.
func (s *Server) maxFee(ctx context.Context, from ruleReader, rq *request) (models.Amount, error) {
	rules, err := s.rules(ctx, from, rq)
	if err != nil {
		return 0, err
	}
	maximum, _, _ := rules.MaxFee(rq.today(), rq.today())
	return maximum, nil
}

// policyFaults returns the faults of a policy in a request, by the law of today. It accepts a policy that the request
// does not change: the law may have changed since it was set.
func policyFaults(unchanged bool, policy interface {
	Validate(maxFee models.Amount) error
}, maxFee models.Amount,
) models.Errors {
	if unchanged {
		return nil
	}
	return faultsOf(policy.Validate(maxFee))
}

// ReadPolicy reads a <dunning_policy> in the form of the interface. Its elements are those of rule E6a, and each
// changes p. ReadPolicy returns the changed policy. Its error lists every fault. maxFee is the legal maximum fee of
// today, in øre.
func ReadPolicy(body []byte, p models.Policy, maxFee models.Amount) (models.Policy, error) {
	f, err := form.Parse(form.Body{Text: body}, "dunning_policy")
	if err != nil {
		return models.Policy{}, err
	}
	readElements(f.Element, register.PolicyElements(&p))
	if err := f.Done(faultsOf(p.Validate(maxFee))); err != nil {
		return models.Policy{}, err
	}
	return p, nil
}

// PolicyChanges returns the elements of rule E6a that differ between two policies: name, old value and new value.
func PolicyChanges(was, is models.Policy) [][3]string {
	var changes [][3]string
	before, after := reflect.ValueOf(policyOf(was)), reflect.ValueOf(policyOf(is))
	for i := range before.NumField() {
		if old, now := inXML(before.Field(i)), inXML(after.Field(i)); old != now {
			changes = append(changes, [3]string{before.Type().Field(i).Tag.Get("xml"), old, now})
		}
	}
	return changes
}

// inXML returns the text of a field in XML.
func inXML(field reflect.Value) string {
	if m, is := field.Interface().(encoding.TextMarshaler); is {
		text, _ := m.MarshalText() // never fails for flags and amounts
		return string(text)
	}
	return fmt.Sprint(field.Interface())
}
