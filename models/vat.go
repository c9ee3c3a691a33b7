package models

import (
	"cmp"
	"database/sql/driver"
	"slices"
)

// VATName names a class of VAT rate.
type VATName string

// The VAT classes of the interface.
const (
	VATHigh   VATName = "HIGH"
	VATMedium VATName = "MEDIUM"
	VATLow    VATName = "LOW"
	VATNone   VATName = "NONE"
)

// VATExemption says why a creditor's lines of class NONE are without VAT (rule L8). It is empty where it is not said.
type VATExemption string

// The reasons.
const (
	VATExempt VATExemption = "E" // unntatt: outside the VAT act (merverdiavgiftsloven ch. 3)
	VATZero   VATExemption = "Z" // fritatt: the rate is zero (ch. 6)
)

// VATRate is the percent of a VAT class from a date on (rule D14).
type VATRate struct {
	Name     VATName `json:"name"`
	Percent  Percent `json:"percent"`
	FromDate Date    `json:"from"`
}

// VATRates are a creditor's own rates, in any order.
type VATRates []VATRate

// At returns the percent of the class on a date. It is the creditor's own latest rate, or else the interface's
// default (HIGH 25, MEDIUM 15, LOW 8, NONE 0). It reports false for an unknown class.
func (rates VATRates) At(name VATName, on Date) (Percent, bool) {
	percent, ok := defaultVAT[name]
	var from Date
	for _, r := range rates {
		if r.Name == name && r.FromDate <= on && r.FromDate >= from {
			percent, from = r.Percent, r.FromDate
		}
	}
	return percent, ok
}

// Faults returns what is wrong with each of the rates: at its field name, percent or from, or with it as a whole where an earlier one
// begins on its day (rule D14).
func (rates VATRates) Faults() []Errors {
	type start struct {
		name VATName
		from Date
	}
	faults, taken := make([]Errors, len(rates)), map[start]bool{}
	for i, r := range rates {
		wrong, at := &faults[i], start{r.Name, r.FromDate}
		if _, known := defaultVAT[r.Name]; !known {
			wrong.Add("invalid_vat_rate", "name", "must be HIGH, MEDIUM, LOW or NONE")
		}
		if r.Percent < 0 || r.Percent > 100_00 || r.Name == VATNone && r.Percent != 0 {
			wrong.Add("invalid_vat_rate", "percent", "must be from 0 to 100 with at most 2 decimals, for NONE 0")
		}
		if r.FromDate == 0 {
			wrong.Add("invalid_vat_rate", "from", "must be a date of the form yyyy-mm-dd")
		}
		if taken[at] {
			wrong.Add("invalid_vat_rate", "", "there is a rate %s from %s already", r.Name, r.FromDate)
		}
		taken[at] = true
	}
	return faults
}

// Sort orders the rates by class and day.
func (rates VATRates) Sort() {
	slices.SortFunc(rates, func(a, b VATRate) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.FromDate, b.FromDate))
	})
}

// ReadVATPercent returns the percent that a text is, or one that Faults refuses.
func ReadVATPercent(s string) Percent {
	p, err := ParsePercent(s)
	if err != nil {
		return -1
	}
	return p
}

// Value gives the rates to a database: JSON, NULL if there are none.
func (rates VATRates) Value() (driver.Value, error) { return jsonValue(rates, len(rates) == 0) }

// Scan takes the rates from a database.
func (rates *VATRates) Scan(src any) error {
	*rates = nil
	return scanJSON(src, rates)
}

// defaultVAT is the default set of rule D14. It differs from Norwegian law: by law LOW has been 12 since 2018. A
// creditor sets the legal rate as its own.
var defaultVAT = map[VATName]Percent{VATHigh: 2500, VATMedium: 1500, VATLow: 800, VATNone: 0}
