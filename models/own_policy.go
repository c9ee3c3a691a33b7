package models

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
)

// OwnPolicy is what a customer's dunning policy has otherwise than its creditor's (rule E6e). A nil element
// is the creditor's.
type OwnPolicy struct {
	Enabled              *bool            `json:"enabled,omitempty"`
	FirstNoticeDays      *int             `json:"first_notice_days,omitempty"`
	SecondNoticeDays     *int             `json:"second_notice_days,omitempty"`
	Fee                  *Choice[Amount]  `json:"fee,omitempty"`
	Compensation         *bool            `json:"compensation,omitempty"`
	AddInterest          *bool            `json:"add_interest,omitempty"`
	InterestRate         *Choice[Percent] `json:"interest_rate,omitempty"`
	DaysToPay            *int             `json:"days_to_pay,omitempty"`
	DebtCollectionNotice *WarningStep     `json:"debt_collection_notice,omitempty"`
	HandOverDays         *Choice[int]     `json:"hand_over_days,omitempty"`
	MinimumBalance       *Amount          `json:"minimum_balance,omitempty"`
	WeekdaysOnly         *bool            `json:"weekdays_only,omitempty"`
	RequirePaymentFile   *bool            `json:"require_payment_file,omitempty"`
}

// Choice is an element of an own policy that may be chosen to be none: the legal maximum, the legal rate,
// by hand only. That differs from having no such element.
type Choice[T any] struct {
	Value *T `json:"value,omitempty"` // nil is none
}

// Apply returns the creditor's policy with the customer's own elements in their places.
func (o OwnPolicy) Apply(p Policy) Policy {
	replace(&p.Enabled, o.Enabled)
	replace(&p.FirstNoticeDays, o.FirstNoticeDays)
	replace(&p.SecondNoticeDays, o.SecondNoticeDays)
	choose(&p.Fee, o.Fee)
	replace(&p.Compensation, o.Compensation)
	replace(&p.AddInterest, o.AddInterest)
	choose(&p.InterestRate, o.InterestRate)
	replace(&p.DaysToPay, o.DaysToPay)
	replace(&p.DebtCollectionNotice, o.DebtCollectionNotice)
	choose(&p.HandOverDays, o.HandOverDays)
	replace(&p.MinimumBalance, o.MinimumBalance)
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

// IsZero reports whether all is as the creditor has it.
func (o OwnPolicy) IsZero() bool { return o == OwnPolicy{} }

// Validate returns every element outside the law or outside sense, as Policy.Validate does. What is the
// creditor's is the creditor's to answer for. maxFee is the legal maximum fee of today, in øre.
func (o OwnPolicy) Validate(maxFee Amount) error {
	return o.Apply(DefaultPolicy()).Validate(maxFee)
}

// Value gives the policy to a database: JSON, NULL where it has no element. Equal policies give equal texts.
func (o OwnPolicy) Value() (driver.Value, error) {
	if o.IsZero() {
		return nil, nil //nolint:nilnil // NULL is what driver.Valuer returns for it.
	}
	text, err := json.Marshal(o)
	return string(text), err
}

// Scan takes the policy from a database.
func (o *OwnPolicy) Scan(src any) error {
	*o = OwnPolicy{}
	switch v := src.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), o)
	case []byte:
		return json.Unmarshal(v, o)
	}
	return fmt.Errorf("a %T is not a dunning policy", src)
}
