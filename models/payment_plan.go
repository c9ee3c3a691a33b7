package models

import (
	"database/sql/driver"
	"slices"
	"time"
)

// MaxInstalments is the most instalments of a payment plan (rule L15).
const MaxInstalments = 36

// PlanState says whether a payment plan still runs, or what became of it.
type PlanState string

// The states.
const (
	PlanRunning PlanState = "running"
	PlanKept    PlanState = "kept"   // all instalments are covered, or nothing is owed any more
	PlanBroken  PlanState = "broken" // an instalment was missed
	PlanEnded   PlanState = "ended"  // a person ended or replaced it, or took the invoice out of dunning
)

// PaymentPlan lets a customer pay an invoice by instalments (rule L15): no step of dunning is taken while each instalment that is due is
// covered. It is a document too, the letter that confirms it. Only State, EndedOn, LookOn and PDF ever change.
type PaymentPlan struct {
	ID          int64
	CreditorID  int64
	CustomerID  int64
	InvoiceID   int64
	Since       Date        // the day on which it was made
	Sum         Amount      // of the instalments: what was claimed on Since
	LastEntryID int64       // the newest entry of the invoice when it was made
	Instalments Instalments `gorm:"type:text"`
	State       PlanState
	EndedOn     Date      // zero while it runs
	LookOn      Date      // while it runs: before it, nothing becomes of the plan unless its invoice changes
	Language    string    // of the letter
	SellerID    int64     // what the letter shows of the creditor, as an invoice's
	Recipient   Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // of the letter, as it was when the plan was made
	PDF         string    // SHA-256 of the kept PDF; empty until it is made
	CreatedAt   time.Time
}

// Document points at the letter that confirms the plan.
func (p PaymentPlan) Document() Document { return Document{PlanDocument, p.ID} }

// Instalment is a part of what is owed, with the day until which it is to be paid.
type Instalment struct {
	DueDate Date   `json:"due_date"`
	Amount  Amount `json:"amount"`
}

// Instalments are those of a plan, in order.
type Instalments []Instalment

// Value gives the instalments to a database.
func (all Instalments) Value() (driver.Value, error) { return jsonValue(all, len(all) == 0) }

// Scan takes the instalments from a database.
func (all *Instalments) Scan(src any) error {
	*all = nil
	return scanJSON(src, all)
}

// Sum returns what the instalments are together.
func (all Instalments) Sum() (sum Amount) {
	for _, i := range all {
		sum += i.Amount
	}
	return sum
}

// PaymentPlanRequest is what a person asks for who lets a customer pay by instalments.
type PaymentPlanRequest struct {
	Instalments Instalments
	Method      ShipmentMethod // how the letter goes, one of DuplicateMethods; empty as the invoice went
}

// Validate returns every fault of the request for what is owed, or nil.
func (r PaymentPlanRequest) Validate(owed Amount, today Date) error {
	faults, _ := r.Instalments.Validate(owed, today).(Errors) //nolint:errorlint // it returns no other error
	if r.Method != "" && !slices.Contains(DuplicateMethods, r.Method) {
		faults.Add("invalid_shipment_method", "shipment_method", "must be %s, or empty", Alternatives(DuplicateMethods))
	}
	return faults.ErrorOrNil()
}

// Validate returns every fault of the instalments of what is owed, each at its place below payment_plan.
func (all Instalments) Validate(owed Amount, today Date) error {
	switch {
	case len(all) == 0:
		return Errors{Invalid("required", "instalment", "is required: 1 to %d of them", MaxInstalments)}
	case len(all) > MaxInstalments:
		fault := Invalid("too_many_instalments", "", "a plan has 1 to %d instalments, not %d", MaxInstalments, len(all))
		return Errors{fault.Under(all.place(MaxInstalments))}
	}
	var faults Errors
	last, summed := today-1, true
	for n, i := range all {
		var wrong Errors
		wrong.planDate(i.DueDate, last, today)
		if i.Amount <= 0 || i.Amount > MaxAmount {
			wrong.Add("plan_sum", "amount", "must be above zero and no more than %s", MaxAmount)
			summed = false
		}
		faults, last = append(faults, wrong.Under(all.place(n))...), max(last, i.DueDate)
	}
	if summed && all.Sum() != owed {
		fault := Invalid("plan_sum", "amount", "the instalments must be %s together, which is what is owed, not %s", owed, all.Sum())
		faults = append(faults, fault.Under(all.place(len(all)-1)))
	}
	return faults.ErrorOrNil()
}

// planDate adds the fault of the due date of an instalment, which is to come after another day.
func (es *Errors) planDate(due, after, today Date) {
	switch {
	case due > today+MaxPlanDays:
		es.Add("plan_dates", "due_date", "must not be after %s, %d days from today", today+MaxPlanDays, MaxPlanDays)
	case due > after:
	case after < today:
		es.Add("plan_dates", "due_date", "must not be before today, %s", today)
	default:
		es.Add("plan_dates", "due_date", "must be after %s, the due date of an instalment before it", after)
	}
}

// place returns where the instalment with the index is.
func (all Instalments) place(n int) Place {
	if len(all) == 1 {
		return At("instalment")
	}
	return Place(nil).Item("instalment", n+1)
}

// MaxPlanDays is the most days from today to the last instalment of a plan: ten years.
const MaxPlanDays = 3653

// MonthlyInstalments returns instalments a month apart, from a first day on: the last takes the rest. Either sum is given, what each is, or
// months, how many there are. It returns nil where that makes none, or more than MaxInstalments.
func MonthlyInstalments(owed Amount, first Date, sum Amount, months int) (all Instalments) {
	switch {
	case owed <= 0 || first == 0:
		return nil
	case sum > 0:
		n := (owed + sum - 1) / sum
		if n > MaxInstalments {
			return nil
		}
		months = int(n)
	case months < 1 || months > MaxInstalments:
		return nil
	default:
		sum = max(owed/Amount(months), 1)
	}
	for n, left := 0, owed; n < months && left > 0; n++ {
		part := min(sum, left)
		if n == months-1 {
			part = left
		}
		all, left = append(all, Instalment{first.monthsLater(n), part}), left-part
	}
	return all
}

// monthsLater returns the same day some months later, or the last day of that month where it has none such.
func (d Date) monthsLater(n int) Date {
	month := MonthOf(d).Plus(n)
	return min(month.First()+d-MonthOf(d).First(), month.Last())
}
