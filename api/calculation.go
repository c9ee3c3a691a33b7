package api

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"

	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// calculationXML is the sheet behind a notice's amounts (rule E6c). What rests on a figure that was not
// known for its day is marked outdated (rule E6h).
type calculationXML struct {
	XMLName  xml.Name    `xml:"calculation"`
	Charge   chargeXML   `xml:"overdue_charge"`
	Interest interestXML `xml:"interest"`
}

type chargeXML struct {
	Amount       models.Amount `xml:"amount,attr"`
	Maximum      models.Amount `xml:"maximum,attr"`
	Rule         string        `xml:"rule,attr"`
	Compensation flag          `xml:"compensation,attr,omitempty"`
	Outdated     flag          `xml:"outdated,attr,omitempty"`
}

type interestXML struct {
	Amount   models.Amount `xml:"amount,attr"`
	Segments []segmentXML  `xml:"segment"`
}

type segmentXML struct {
	From      models.Date    `xml:"from,attr"`
	To        models.Date    `xml:"to,attr"`
	Days      int            `xml:"days,attr"`
	YearDays  int            `xml:"year_days,attr"`
	Principal models.Amount  `xml:"principal,attr"`
	Rate      models.Percent `xml:"rate,attr"`
	Amount    models.Amount  `xml:"amount,attr"`
	Outdated  flag           `xml:"outdated,attr,omitempty"`
}

func showCalculation(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	notice, err := v.Notice(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	var sheet law.Sheet
	if err := json.Unmarshal([]byte(notice.Sheet), &sheet); err != nil {
		return nil, fmt.Errorf("read the calculation of notice %d: %w", id, err)
	}
	charge := sheet.OverdueCharge
	shown := calculationXML{
		Charge:   chargeXML{charge.Amount, charge.Maximum, charge.Rule, flag(charge.Compensation), flag(charge.Outdated)},
		Interest: interestXML{Amount: sheet.Interest.Amount},
	}
	for _, s := range sheet.Interest.Segments {
		shown.Interest.Segments = append(shown.Interest.Segments, segmentXML{
			s.From, s.To, s.Days, s.YearDays, s.Principal, s.Rate, s.Amount, flag(s.Outdated),
		})
	}
	return shown, nil
}
