package models

import "database/sql/driver"

// CustomerPolicy is the part of a customer's dunning policy that differs from the creditor's (rule E6e). The creditor's
// policy fills in for each element that is nil.
type CustomerPolicy struct {
	Enabled              *bool            `json:"enabled,omitempty"`
	FirstNoticeDays      *int             `json:"first_notice_days,omitempty"`
	SecondNoticeDays     *int             `json:"second_notice_days,omitempty"`
	Fee                  *Choice[Amount]  `json:"fee,omitempty"`
	Compensation         *bool            `json:"compensation,omitempty"`
	AddInterest          *bool            `json:"add_interest,omitempty"`
	InterestRate         *Choice[Percent] `json:"interest_rate,omitempty"`
	DaysToPay            *int             `json:"days_to_pay,omitempty"`
	PostalDays           *int             `json:"postal_days,omitempty"`
	PrintDays            *int             `json:"handover_days,omitempty"`
	DebtCollectionNotice *WarningStep     `json:"debt_collection_notice,omitempty"`
	ReminderMethod       *ShipmentMethod  `json:"reminder_method,omitempty"`
	FriendlyReminderDays *Choice[DayList] `json:"friendly_reminder_days,omitempty"`
	HandOverDays         *Choice[int]     `json:"hand_over_days,omitempty"`
	MinimumBalance       *Amount          `json:"minimum_balance,omitempty"`
	Remainder            *Remainder       `json:"remainder,omitempty"`
	CloseBelow           *Amount          `json:"close_below,omitempty"`
	SettleCredit         *bool            `json:"settle_credit,omitempty"`
	EHFReminder          *bool            `json:"ehf_reminder,omitempty"`
	JointLetters         *bool            `json:"joint_letters,omitempty"`
	WeekdaysOnly         *bool            `json:"weekdays_only,omitempty"`
	RequirePaymentFile   *bool            `json:"require_payment_file,omitempty"`
}

// Choice is an element of a customer's own policy that can say "none": the legal maximum, the legal rate, or
// hand-over by a person only. An element that says "none" differs from a missing element.
type Choice[T any] struct {
	Value *T `json:"value,omitempty"` // nil is none
}

// Apply returns the creditor's policy with the customer's own elements in place of the creditor's.
func (o CustomerPolicy) Apply(p Policy) Policy {
	replace(&p.Enabled, o.Enabled)
	replace(&p.FirstNoticeDays, o.FirstNoticeDays)
	replace(&p.SecondNoticeDays, o.SecondNoticeDays)
	choose(&p.Fee, o.Fee)
	replace(&p.Compensation, o.Compensation)
	replace(&p.AddInterest, o.AddInterest)
	choose(&p.InterestRate, o.InterestRate)
	replace(&p.DaysToPay, o.DaysToPay)
	replace(&p.PostalDays, o.PostalDays)
	replace(&p.PrintDays, o.PrintDays)
	replace(&p.DebtCollectionNotice, o.DebtCollectionNotice)
	replace(&p.ReminderMethod, o.ReminderMethod)
	if own := o.FriendlyReminderDays; own != nil {
		p.FriendlyReminderDays = ""
		replace(&p.FriendlyReminderDays, own.Value)
	}
	choose(&p.HandOverDays, o.HandOverDays)
	replace(&p.MinimumBalance, o.MinimumBalance)
	replace(&p.Remainder, o.Remainder)
	replace(&p.CloseBelow, o.CloseBelow)
	replace(&p.SettleCredit, o.SettleCredit)
	replace(&p.EHFReminder, o.EHFReminder)
	replace(&p.JointLetters, o.JointLetters)
	replace(&p.WeekdaysOnly, o.WeekdaysOnly)
	replace(&p.RequirePaymentFile, o.RequirePaymentFile)
	return p
}

func replace[T any](place, own *T) {
	if own != nil {
		*place = *own
	}
}

func choose[T any](place **T, own *Choice[T]) {
	if own != nil {
		*place = own.Value
	}
}

// IsZero reports whether the customer has no element of its own.
func (o CustomerPolicy) IsZero() bool { return o == CustomerPolicy{} }

// Validate returns every element that the law or good sense forbids, as Policy.Validate does. It checks only the
// customer's own elements. maxFee is today's legal maximum fee, in øre.
func (o CustomerPolicy) Validate(maxFee Amount) error {
	return o.Apply(DefaultPolicy()).Validate(maxFee)
}

// Value gives the policy to a database: JSON, NULL if it has no element. Equal policies give equal texts.
func (o CustomerPolicy) Value() (driver.Value, error) { return jsonValue(o, o.IsZero()) }

// Scan takes the policy from a database.
func (o *CustomerPolicy) Scan(src any) error {
	*o = CustomerPolicy{}
	return scanJSON(src, o)
}
