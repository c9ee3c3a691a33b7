package audit

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"purr/models"
)

// policyAt returns the policy for the case's customer at a moment, and whether the rows tell it: changes since are taken back by what the
// log says of them. What changed about that moment, and what a customer's own policy was before a change, they do not tell.
func (c *Case) policyAt(at time.Time) (p models.Policy, sure bool) {
	p, sure = c.Of.Policy, true
	p.Fee, p.InterestRate, p.HandOverDays = copied(p.Fee), copied(p.InterestRate), copied(p.HandOverDays)
	for _, e := range slices.Backward(c.Of.Changes) {
		if surelyBefore(e.At, at) {
			break
		}
		if near(e.At, at) || !takeBack(&p, e.Data) {
			sure = false
		}
	}
	for _, e := range c.Moves {
		if !surelyBefore(e.At, at) && strings.Contains(e.Data, "dunning_policy") {
			return p, false
		}
	}
	return c.Customer.Policy.Apply(p), sure
}

// takeBack sets what a change of the creditor's settings changed in its policy to what it was before. It reports false if the log
// does not say.
func takeBack(p *models.Policy, data string) bool {
	if data == "" {
		return false
	}
	var changed map[string]struct {
		Was json.RawMessage `json:"was"`
	}
	if json.Unmarshal([]byte(data), &changed) != nil {
		return false
	}
	told := true
	for path, at := range map[string]any{
		"enabled": &p.Enabled, "first_notice_days": &p.FirstNoticeDays, "second_notice_days": &p.SecondNoticeDays, "compensation": &p.Compensation,
		"add_interest": &p.AddInterest, "days_to_pay": &p.DaysToPay, "postal_days": &p.PostalDays, "handover_days": &p.PrintDays, "minimum_balance": &p.MinimumBalance,
		"remainder": &p.Remainder, "weekdays_only": &p.WeekdaysOnly, "require_payment_file": &p.RequirePaymentFile, "debt_collection_notice": &p.DebtCollectionNotice,
		"due_after": &p.DueAfter, "fee": &p.Fee, "interest_rate": &p.InterestRate, "hand_over_days": &p.HandOverDays,
	} {
		if one, is := changed["dunning_policy/"+path]; is && json.Unmarshal(one.Was, at) != nil {
			told = false
		}
	}
	return told
}

// copied returns a pointer to a copy, so that what reads into it changes nobody else's value.
func copied[V any](of *V) *V {
	if of == nil {
		return nil
	}
	return new(*of)
}
