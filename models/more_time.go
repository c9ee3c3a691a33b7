package models

import "slices"

// MaxMoreDays is the most days that a customer is given from today on (rule N11): as many as an invoice may have from its issue.
const MaxMoreDays = MaxDueDays

// MoreTime is the time that a customer was given for an invoice (rule N11): no step of dunning is taken until its last day is over.
// It is no hold: what stops dunning for another reason stops it besides. The zero MoreTime is none.
type MoreTime struct {
	Since  Date // the day on which it was given
	Until  Date // inclusive
	Reason string
}

// Active reports whether the time runs on a day.
func (m MoreTime) Active(on Date) bool { return m.Until != 0 && on <= m.Until }

// MoreTimeRequest is what a person asks for who gives a customer more time.
type MoreTimeRequest struct {
	Until         Date
	Reason        string
	WaiveInterest bool           // the days from today until Until bear no interest
	Method        ShipmentMethod // how a letter tells the customer, one of DuplicateMethods; empty without a letter
	SeenCustomer  Seen           // the customer, as a person who looked saw where the letter goes; may be empty (rule D115)
}

// Validate returns every fault of the request, or nil.
func (r MoreTimeRequest) Validate(today Date) error {
	var faults Errors
	switch {
	case r.Until == 0:
		faults.Add("required", "until", "is required: the last day of the time")
	case r.Until < today:
		faults.Add("date_in_past", "until", "must not be before today, %s", today)
	case r.Until > today+MaxMoreDays:
		faults.Add("out_of_range", "until", "must not be after %s, %d days from today", today+MaxMoreDays, MaxMoreDays)
	}
	if r.Method != "" && !slices.Contains(DuplicateMethods, r.Method) {
		faults.Add("invalid_shipment_method", "shipment_method", "must be %s, or empty for no letter", Alternatives(DuplicateMethods))
	}
	faults.Prose("reason", r.Reason, MaxComment)
	return faults.ErrorOrNil()
}
