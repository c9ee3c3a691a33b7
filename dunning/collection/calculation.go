package collection

import (
	"encoding/xml"
	"fmt"
	"time"

	"purr/law"
	"purr/models"
)

// Calculation is the XML form of the sheet behind a notice's amounts (rule E6c). An amount that rests on a
// figure that was not known for its day is marked outdated (rule E6h).
type Calculation struct {
	XMLName      xml.Name        `xml:"calculation"`
	Adopted      string          `xml:"adopted,attr,omitempty"` // 1: another system charged it (rule L17)
	Charge       charge          `xml:"overdue_charge"`
	Interest     interest        `xml:"interest"`
	Recalculated []recalculation `xml:"recalculated"`
}

// recalculation is a later sheet, with money in its place that was booked late (rule L4).
type recalculation struct {
	At       string     `xml:"at,attr"`                  // yyyy-mm-dd hh:mm:ss, in the creditor's time zone
	NotTaken law.Spared `xml:"not_taken,attr,omitempty"` // why the notice would not have been issued (rule D97)
	Charge   charge     `xml:"overdue_charge"`
	Interest interest   `xml:"interest"`
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

// CalculationOf returns the calculation of a notice, with those of the recalculations that are the notice's. zone is the
// creditor's.
func CalculationOf(n models.Notice, recalculations []models.Recalculation, zone *time.Location) (shown Calculation, err error) {
	if shown.Charge, shown.Interest, err = readSheet(n.Sheet); err != nil {
		return Calculation{}, fmt.Errorf("notice %d: %w", n.ID, err)
	}
	if n.Adopted {
		shown.Adopted, shown.Charge.Amount, shown.Interest.Amount = "1", n.Fee, n.Interest
	}
	for _, r := range recalculations {
		if r.NoticeID != n.ID {
			continue
		}
		again := recalculation{At: r.At.In(zone).Format(time.DateTime)}
		if again.Charge, again.Interest, err = readSheet(r.Sheet); err != nil {
			return Calculation{}, fmt.Errorf("recalculation %d of notice %d: %w", r.ID, n.ID, err)
		}
		sheet, err := law.ReadSheet(r.Sheet)
		if err != nil {
			return Calculation{}, fmt.Errorf("recalculation %d of notice %d: %w", r.ID, n.ID, err)
		}
		again.NotTaken = sheet.NotTaken
		shown.Recalculated = append(shown.Recalculated, again)
	}
	return shown, nil
}

// readSheet returns the XML form of a sheet.
func readSheet(text string) (charge, interest, error) {
	sheet, err := law.ReadSheet(text)
	if err != nil {
		return charge{}, interest{}, err
	}
	fee, sum := sheet.OverdueCharge, interest{Amount: sheet.Interest.Amount}
	for _, s := range sheet.Interest.Segments {
		sum.Segments = append(sum.Segments, segment{s.From, s.To, s.Days, s.YearDays, s.Principal, s.Rate, s.Amount, flag(s.Outdated)})
	}
	return charge{fee.Amount, fee.Maximum, fee.Rule, flag(fee.Compensation), flag(fee.Outdated)}, sum, nil
}

// flag writes a flag of the interface.
func flag(set bool) int {
	if set {
		return 1
	}
	return 0
}
