package api

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"

	"purr/dunning"
	"purr/models"
)

// dunningPlanXML is a page of the plan of a day (rule E6).
type dunningPlanXML struct {
	XMLName    xml.Name    `xml:"dunning_plan"`
	Date       models.Date `xml:"date,attr"`
	Page       int         `xml:"page,attr"`
	TotalPages int64       `xml:"total_pages,attr"`
	PerPage    int         `xml:"per_page,attr"`
	Run        string      `xml:"run,attr,omitempty"`     // done once today's run is made (rule L12)
	Missing    string      `xml:"missing,attr,omitempty"` // what the creditor lacks for dunning (rule L8)
	Warnings   []string    `xml:"warning"`
	Items      []any       // plannedNotice, plannedHandOver, plannedFriendly, plannedClosing or leftAlone
}

type plannedNotice struct {
	XMLName  xml.Name              `xml:"notice"`
	Number   int64                 `xml:"invoice_number,attr"`
	Warning  flag                  `xml:"is_incasso_notice,attr"`
	Charge   models.Amount         `xml:"overdue_charge,attr"`
	Interest models.Amount         `xml:"interest,attr"`
	Gross    models.Amount         `xml:"gross_amount,attr"`
	Method   models.ShipmentMethod `xml:"shipment_method,attr,omitempty"` // absent where the policy has reminders go on paper (rule L22)
	Letter   int64                 `xml:"letter,attr,omitempty"`          // the number of the first invoice of the letter that it shares with others (rule L23)
	Invoice  link                  `xml:"invoice"`
}

// plannedFriendly is an e-mail that reminds of an invoice, and is no notice (rule L14).
type plannedFriendly struct {
	XMLName xml.Name `xml:"friendly_reminder"`
	Number  int64    `xml:"invoice_number,attr"`
	Invoice link     `xml:"invoice"`
}

type plannedHandOver struct {
	XMLName xml.Name `xml:"hand_over"`
	Number  int64    `xml:"invoice_number,attr"`
	Invoice link     `xml:"invoice"`
}

// plannedClosing closes an invoice for the small remainder of its principal (rule L25).
type plannedClosing struct {
	XMLName xml.Name      `xml:"closing"`
	Number  int64         `xml:"invoice_number,attr"`
	Balance models.Amount `xml:"balance,attr"`
	Invoice link          `xml:"invoice"`
}

type leftAlone struct {
	XMLName xml.Name       `xml:"left_alone"`
	Number  int64          `xml:"invoice_number,attr"`
	Reason  dunning.Reason `xml:"reason,attr"`
	Invoice link           `xml:"invoice"`
}

// showDunningPlan shows the steps that the automatic run of a day will take. It also tells why the run skips each
// other overdue invoice. Whom a payment in the queue points at now, or did when it came, is not dunned.
func (s *Server) showDunningPlan(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	date := q.date("date")
	p := q.page()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if date == 0 {
		date = rq.today()
	}
	if refusal, is := errors.AsType[*models.Error](dunning.CanPlan(date, rq.today())); is {
		return answer{}, refusal.AsMalformed()
	}
	rules, err := s.rules(ctx, s.db, rq)
	if err != nil {
		return answer{}, err
	}
	outlook, err := dunning.TakeSnapshot(ctx, s.db, rules, rq.creditor, rq.today())
	if err != nil {
		return answer{}, err
	}
	steps, total, err := outlook.Plan(ctx, date, p)
	if err != nil {
		return answer{}, err
	}
	plan := dunningPlanXML{Date: date, Page: p.Number, TotalPages: p.Pages(total), PerPage: p.Size, Missing: strings.Join(outlook.Missing(), " ")}
	if date == outlook.Today() && outlook.RunDone() {
		plan.Run = string(models.RunDone)
	}
	if plan.Warnings, err = planWarnings(ctx, outlook, date); err != nil {
		return answer{}, err
	}
	for _, step := range steps {
		plan.Items = append(plan.Items, rq.planned(step))
	}
	return rq.ok(plan)
}

// planWarnings warns of figures of the law that are not known for the day (rule E6h). It also warns of a run of today
// that waits for approval (rule E6f).
func planWarnings(ctx context.Context, o *dunning.Snapshot, date models.Date) (texts []string, err error) {
	for _, w := range o.Warnings(date) {
		texts = append(texts, w.Text)
	}
	if date != o.Today() || o.RunDone() {
		return texts, nil
	}
	asked, err := o.CheckCeiling(ctx)
	if err != nil {
		return nil, err
	}
	if asked != nil {
		texts = append(texts, fmt.Sprintf("the run %s: it does nothing until it is approved", asked))
	}
	return texts, nil
}

// planned returns a step of a plan as XML.
func (rq *request) planned(s dunning.Step) any {
	number, invoice := s.Invoice.Number, link{rq.uri("invoice", s.Invoice.ID)}
	switch s.Action {
	case dunning.Remind, dunning.Warn:
		n := s.Notice
		return plannedNotice{Number: number, Warning: flag(n.Warning), Charge: n.Fee, Interest: n.Interest, Gross: n.Gross, Method: s.Method, Letter: s.Letter, Invoice: invoice}
	case dunning.HandOver:
		return plannedHandOver{Number: number, Invoice: invoice}
	case dunning.Befriend:
		return plannedFriendly{Number: number, Invoice: invoice}
	case dunning.Close:
		return plannedClosing{Number: number, Balance: s.Left, Invoice: invoice}
	case dunning.Waive, dunning.Nothing:
	}
	return leftAlone{Number: number, Reason: s.Reason, Invoice: invoice}
}
