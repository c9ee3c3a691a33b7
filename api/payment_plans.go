package api

import (
	"context"
	"encoding/xml"

	"purr/api/form"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// paymentPlanXML is a payment plan with what covers each instalment (rule L15).
type paymentPlanXML struct {
	XMLName     xml.Name         `xml:"payment_plan"`
	URI         string           `xml:"uri,attr"`
	State       models.PlanState `xml:"state,attr"`
	Since       models.Date      `xml:"since,attr"`
	Ended       models.Date      `xml:"ended,attr,omitempty"`
	Sum         models.Amount    `xml:"sum,attr"`
	Covered     models.Amount    `xml:"covered,attr"`
	Invoice     link             `xml:"invoice"`
	Instalments []instalmentXML  `xml:"instalment"`
}

type instalmentXML struct {
	DueDate   models.Date   `xml:"due_date,attr"`
	Amount    models.Amount `xml:"amount,attr"`
	Covered   models.Amount `xml:"covered"`
	WaitUntil models.Date   `xml:"waited_until"`
	By        []coverXML    `xml:"covered_by"`
}

type coverXML struct {
	URI    string        `xml:"uri,attr"`
	Amount models.Amount `xml:"amount,attr"`
}

// paymentPlan returns a plan of an invoice as XML. entries are the invoice's.
func (rq *request) paymentPlan(p store.Plan, i models.Invoice, entries []models.Entry) paymentPlanXML {
	x := paymentPlanXML{
		URI: rq.uri("payment_plan", p.ID), State: p.State, Since: p.Since, Ended: p.EndedOn, Sum: p.Sum, Invoice: link{rq.uri("invoice", i.ID)},
	}
	for _, one := range dunning.CoveredBy(dunning.InstalmentsOf(p, i.Claimed()), p, entries) {
		shown := instalmentXML{DueDate: one.DueDate, Amount: one.Amount, Covered: one.Covered, WaitUntil: one.WaitUntil}
		for _, c := range one.By {
			shown.By = append(shown.By, coverXML{rq.uri("ar_transaction", c.Entry.ID), c.Amount})
		}
		x.Covered += one.Covered
		x.Instalments = append(x.Instalments, shown)
	}
	return x
}

// runningPlan returns the plan that runs for an invoice as XML, nil if none does.
func (rq *request) runningPlan(ctx context.Context, v store.View, i models.Invoice, entries []models.Entry) (*paymentPlanXML, error) {
	plans, err := v.PlansOf(ctx, rq.creditor.ID, i)
	if err != nil {
		return nil, err
	}
	plan, runs := plans[i.ID]
	if !runs {
		return nil, nil //nolint:nilnil // a nil one is not shown
	}
	x := rq.paymentPlan(plan, i, entries)
	return &x, nil
}

// showPaymentPlan shows a payment plan.
func showPaymentPlan(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	plan, err := v.Plan(ctx, rq.creditor.ID, id)
	if err != nil {
		return nil, err
	}
	return rq.planDetail(ctx, v, plan)
}

// showPlanOfInvoice shows the last payment plan of the invoice in the path, whatever became of it.
func showPlanOfInvoice(ctx context.Context, rq *request, v store.View, id int64) (any, error) {
	plan, found, err := v.LastPlanOf(ctx, rq.creditor.ID, id)
	switch {
	case err != nil:
		return nil, err
	case !found:
		return nil, models.NotFound("payment plan")
	}
	return rq.planDetail(ctx, v, plan)
}

func (rq *request) planDetail(ctx context.Context, v store.View, p store.Plan) (any, error) {
	invoice, err := v.Invoice(ctx, rq.creditor.ID, p.InvoiceID)
	if err != nil {
		return nil, err
	}
	entries, err := v.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return nil, err
	}
	return rq.paymentPlan(p, invoice, entries), nil
}

// paymentPlanPDF shows the letter that confirms the plan in the path. It returns the document, and its ID for the file's name.
func paymentPlanPDF(_ context.Context, _ *request, id int64) (models.Document, int64, error) {
	return models.Document{Kind: models.PlanDocument, ID: id}, id, nil
}

// makePaymentPlan has the invoice in the path paid by instalments.
func makePaymentPlan(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "payment_plan")
	if err != nil {
		return nil, err
	}
	f.Knows(paymentPlanXML{})
	rq.form = f
	var r models.PaymentPlanRequest
	for _, e := range f.Each("instalment") {
		r.Instalments = append(r.Instalments, readInstalment(e))
	}
	method, _ := f.Token("shipment_method")
	r.Method = models.ShipmentMethod(method)
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		if _, err := dunning.MakePaymentPlan(ctx, tx, rq.creditor, id, r, rq.actor()); err != nil {
			return nil, err
		}
		return showPlanOfInvoice(ctx, rq, tx.View(), id)
	}, nil
}

// readInstalment reads an instalment, and adds a fault for each attribute that is missing or cannot be read.
func readInstalment(e *form.Element) (i models.Instalment) {
	date, _ := e.Attr("due_date")
	amount, _ := e.Attr("amount")
	var err error
	if i.DueDate, err = models.ParseDate(date); err != nil {
		e.Fault("due_date", "invalid_date", "must be a date of the form yyyy-mm-dd")
	}
	if i.Amount, err = models.ParseAmount(amount); err != nil {
		e.Fault("amount", "invalid_amount", "must be a number with at most 2 decimals, such as 1250.00")
	}
	return i
}

// endPaymentPlan ends the payment plan that runs for the invoice in the path.
func endPaymentPlan(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	return dunning.EndPaymentPlan(ctx, tx, rq.creditor, id, rq.actor())
}

// shownType returns the type of a shipment in the interface: that of a letter of its own kind, or what it is to its document.
func shownType(s models.Shipment) string {
	if s.DocumentKind == models.PlanDocument && s.Role() == models.Original {
		return string(models.PlanDocument)
	}
	return s.Role().Shown()
}
