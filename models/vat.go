package models

import "database/sql/driver"

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
