package api

import (
	"context"
	"encoding/xml"
	"strconv"

	"purr/api/form"
	"purr/ledger"
	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// onlyChargesXML is a page of the invoices on which only fees and interest are left (rule N9).
type onlyChargesXML struct {
	XMLName     xml.Name         `xml:"receivables"`
	Date        models.Date      `xml:"date,attr"`
	OnlyCharges flag             `xml:"only_charges,attr"`
	Page        int              `xml:"page,attr"`
	TotalPages  int64            `xml:"total_pages,attr"`
	PerPage     int              `xml:"per_page,attr"`
	Owed        owedXML          `xml:"owed"`
	Invoices    []chargesLeftXML `xml:"invoice"`
}

// chargesLeftXML is an invoice on which only fees and interest are left.
type chargesLeftXML struct {
	URI      string        `xml:"uri,attr"`
	Number   int64         `xml:"number"`
	Customer link          `xml:"customer"`
	Name1    string        `xml:"name1"`
	DueDate  models.Date   `xml:"due_date"`
	Fees     models.Amount `xml:"overdue_charge"`
	Interest models.Amount `xml:"interest"`
}

// showOnlyCharges shows the open invoices whose principal is paid: a page, or all of them in CSV.
func (s *Server) showOnlyCharges(ctx context.Context, rq *request, date models.Date, p store.Page, all bool) (answer, error) {
	if all {
		return s.onlyChargesCSV(ctx, rq)
	}
	var owed []store.Owed
	var found []store.OnlyCharges
	var total int64
	err := s.db.View(ctx, func(v store.View) (err error) {
		if owed, err = v.OwedOnlyCharges(ctx, rq.creditor.ID); err != nil {
			return err
		}
		found, total, _, err = v.InvoicesOnlyCharges(ctx, rq.creditor.ID, p)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	shown := onlyChargesXML{
		Date: date, OnlyCharges: true, Page: p.Number, TotalPages: p.Pages(total), PerPage: p.Size, Owed: owedOf(receivables.AgesOf(owed, date)),
	}
	for _, o := range found {
		fees, interest := o.Left()
		shown.Invoices = append(shown.Invoices, chargesLeftXML{rq.uri("invoice", o.ID), o.Number, link{rq.uri("customer", o.CustomerID)}, o.Name1, o.DueDate, fees, interest})
	}
	return rq.ok(shown)
}

// onlyChargesCSV answers with all of these invoices in CSV.
func (s *Server) onlyChargesCSV(ctx context.Context, rq *request) (answer, error) {
	titles := []string{"invoice", "invoice_number", "customer", "name1", "due_date", "overdue_charge", "interest"}
	return s.csvOfPages(ctx, "only_charges.csv", titles, func(v store.View, p store.Page) (rows [][]string, all int64, err error) {
		found, all, _, err := v.InvoicesOnlyCharges(ctx, rq.creditor.ID, p)
		if err != nil {
			return nil, 0, err
		}
		for _, o := range found {
			fees, interest := o.Left()
			rows = append(rows, []string{
				strconv.FormatInt(o.ID, 10), strconv.FormatInt(o.Number, 10), strconv.FormatInt(o.CustomerID, 10), models.CSVCell(o.Name1), o.DueDate.String(),
				fees.String(), interest.String(),
			})
		}
		return rows, all, nil
	})
}

// waiveCharges waives what is left of the fees and interest on the invoice in the path, whose principal is paid (rule N9).
func waiveCharges(rq *request, id int64, body form.Body) (act, error) {
	w := ledger.Waiver{Actor: rq.actor()}
	if !body.Empty() {
		f, err := form.Parse(body, "waive_charges")
		if err != nil {
			return nil, err
		}
		w.Comment, _ = f.Text("comment")
		if err := f.Done(w.Validate()); err != nil {
			return nil, err
		}
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		return ledger.WaiveChargesByHand(ctx, tx, rq.creditor.ID, id, w, rq.today())
	}), nil
}

// restoreCharges takes the last waiver of the charges on the invoice in the path back (rule N9).
func restoreCharges(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	_, err := ledger.RestoreCharges(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor())
	return err
}
