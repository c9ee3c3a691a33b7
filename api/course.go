package api

import (
	"context"
	"encoding/xml"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// courseXML is what automatic dunning does to one invoice from today on.
type courseXML struct {
	XMLName   xml.Name       `xml:"dunning_course"`
	Date      models.Date    `xml:"date,attr"`
	Then      dunning.Reason `xml:"then,attr,omitempty"` // why nothing follows the last step
	Invoice   link           `xml:"invoice"`
	LeftAlone *leftAloneNow  `xml:"left_alone"` // absent if a step is taken today
	Steps     []any          // comingNotice, comingHandOver, comingFriendly, comingWaiver or comingClosing
}

type leftAloneNow struct {
	Reason dunning.Reason `xml:"reason,attr"`
	Until  models.Date    `xml:"until,attr,omitempty"`
}

type comingNotice struct {
	XMLName  xml.Name              `xml:"notice"`
	Date     models.Date           `xml:"date,attr"`
	Warning  flag                  `xml:"is_incasso_notice,attr"`
	Charge   models.Amount         `xml:"overdue_charge,attr"`
	Interest models.Amount         `xml:"interest,attr"`
	Gross    models.Amount         `xml:"gross_amount,attr"`
	DueDate  models.Date           `xml:"due_date,attr"`
	Method   models.ShipmentMethod `xml:"shipment_method,attr,omitempty"` // absent where the policy has reminders go on paper (rule L22)
}

// comingFriendly is an e-mail that reminds of the invoice, and is no notice (rule L14).
type comingFriendly struct {
	XMLName xml.Name    `xml:"friendly_reminder"`
	Date    models.Date `xml:"date,attr"`
}

type comingHandOver struct {
	XMLName xml.Name      `xml:"hand_over"`
	Date    models.Date   `xml:"date,attr"`
	Gross   models.Amount `xml:"gross_amount,attr"`
}

type comingWaiver struct {
	XMLName xml.Name      `xml:"waiver"`
	Date    models.Date   `xml:"date,attr"`
	Gross   models.Amount `xml:"gross_amount,attr"`
}

// comingClosing closes the invoice for the small remainder of its principal (rule L25).
type comingClosing struct {
	XMLName xml.Name      `xml:"closing"`
	Date    models.Date   `xml:"date,attr"`
	Balance models.Amount `xml:"balance,attr"`
}

// showCourse shows what automatic dunning does next to an invoice, when and why. It has a path of its own, because it reads
// more than the invoice itself.
func (s *Server) showCourse(ctx context.Context, rq *request) (answer, error) {
	id, err := rq.pathID()
	if err != nil {
		return answer{}, err
	}
	rules, err := s.rules(ctx, s.db, rq)
	if err != nil {
		return answer{}, err
	}
	var course dunning.Course
	err = s.db.View(ctx, func(v store.View) error {
		standing, err := v.StandingOf(ctx, rq.creditor.ID, id, rq.today())
		if err != nil {
			return err
		}
		course, err = dunning.ReadCourse(ctx, v, rules, rq.creditor, standing, rq.today())
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return rq.ok(rq.courseXML(id, course))
}

func (rq *request) courseXML(invoiceID int64, c dunning.Course) courseXML {
	x := courseXML{Date: c.Today.On, Then: c.Then, Invoice: link{rq.uri("invoice", invoiceID)}}
	if c.Today.Action == dunning.Nothing {
		x.LeftAlone = &leftAloneNow{c.Today.Reason, c.Until}
	}
	for _, s := range c.Steps {
		switch n := s.Notice; s.Action {
		case dunning.Remind, dunning.Warn:
			x.Steps = append(x.Steps, comingNotice{
				Date: s.On, Warning: flag(n.Warning), Charge: n.Fee, Interest: n.Interest, Gross: n.Gross, DueDate: n.DueDate, Method: s.Method,
			})
		case dunning.Befriend:
			x.Steps = append(x.Steps, comingFriendly{Date: s.On})
		case dunning.HandOver:
			x.Steps = append(x.Steps, comingHandOver{Date: s.On, Gross: s.Invoice.Claimed()})
		case dunning.Waive:
			x.Steps = append(x.Steps, comingWaiver{Date: s.On, Gross: s.Invoice.Claimed()})
		case dunning.Close:
			x.Steps = append(x.Steps, comingClosing{Date: s.On, Balance: s.Left})
		case dunning.Nothing:
		}
	}
	return x
}
