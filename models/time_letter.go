package models

import "database/sql/driver"

// TimeLetter is what a letter says that tells a customer of more time for an invoice (rule N11): it goes with the invoice, as that was
// made. The zero TimeLetter is none.
type TimeLetter struct {
	Day    Date   `json:"day"`              // on which the time was given
	Until  Date   `json:"until"`            // inclusive
	Owed   Amount `json:"owed"`             // on Day
	Waived bool   `json:"waived,omitempty"` // the days from Day until Until bear no interest
}

// Value gives the letter to a database: JSON, NULL if there is none.
func (l TimeLetter) Value() (driver.Value, error) { return jsonValue(l, l.Until == 0) }

// Scan takes the letter from a database.
func (l *TimeLetter) Scan(src any) error {
	*l = TimeLetter{}
	return scanJSON(src, l)
}

// Holds reports whether what the letter says is so on a day: the time runs, and the invoice is still claimed.
func (l TimeLetter) Holds(i Invoice, on Date) bool {
	claimed := i.Closed == NotClosed && i.HandedOver == 0 && i.Claimed() > 0
	return claimed && i.MoreTime.Active(on) && l.SameTime(i)
}

// SameTime reports whether the letter tells of the time that was given for an invoice, and of its waiver.
func (l TimeLetter) SameTime(i Invoice) bool {
	return l.Until == i.MoreTime.Until && l.Waived == i.InterestFree.Has(l.Until)
}
