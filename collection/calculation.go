package collection

import (
	"encoding/json"
	"encoding/xml"
	"fmt"

	"purr/dunning/law"
	"purr/models"
)

// Calculation is the XML form of the sheet behind a notice's amounts (rule E6c). An amount that rests on a
// figure that was not known for its day is marked outdated (rule E6h).
type Calculation struct {
	XMLName  xml.Name `xml:"calculation"`
	Charge   charge   `xml:"overdue_charge"`
	Interest interest `xml:"interest"`
}

type charge struct {
	Amount       models.Amount `xml:"amount,attr"`
	Maximum      models.Amount `xml:"maximum,attr"`
	Rule         string        `xml:"rule,attr"`
	Compensation int           `xml:"compensation,attr,omitempty"` // 1, or absent
	Outdated     int           `xml:"outdated,attr,omitempty"`     // 1, or absent
}

type interest struct {
	Amount   models.Amount `xml:"amount,attr"`
	Segments []segment     `xml:"segment"`
}

// segment is the interest of some days at one rate.
type segment struct {
	From      models.Date    `xml:"from,attr"`
	To        models.Date    `xml:"to,attr"`
	Days      int            `xml:"days,attr"`
	YearDays  int            `xml:"year_days,attr"`
	Principal models.Amount  `xml:"principal,attr"`
	Rate      models.Percent `xml:"rate,attr"`
	Amount    models.Amount  `xml:"amount,attr"`
	Outdated  int            `xml:"outdated,attr,omitempty"` // 1, or absent; the bundle leaves it out
}

// CalculationOf returns the calculation of a notice.
func CalculationOf(n models.Notice) (Calculation, error) {
	var sheet law.Sheet
	if err := json.Unmarshal([]byte(n.Sheet), &sheet); err != nil {
		return Calculation{}, fmt.Errorf("read the calculation of notice %d: %w", n.ID, err)
	}
	fee := sheet.OverdueCharge
	shown := Calculation{
		Charge:   charge{fee.Amount, fee.Maximum, fee.Rule, flag(fee.Compensation), flag(fee.Outdated)},
		Interest: interest{Amount: sheet.Interest.Amount},
	}
	for _, s := range sheet.Interest.Segments {
		shown.Interest.Segments = append(shown.Interest.Segments, segment{
			s.From, s.To, s.Days, s.YearDays, s.Principal, s.Rate, s.Amount, flag(s.Outdated),
		})
	}
	return shown, nil
}

// flag writes a flag of the interface.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
