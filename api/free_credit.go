package api

import (
	"context"
	"encoding/xml"
	"strconv"

	"purr/api/form"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// freeCreditXML is a page of the customers with free credit (rule N12).
type freeCreditXML struct {
	XMLName    xml.Name         `xml:"free_credit"`
	Page       int              `xml:"page,attr"`
	TotalPages int64            `xml:"total_pages,attr"`
	PerPage    int              `xml:"per_page,attr"`
	Customers  int64            `xml:"customers,attr"`
	Amount     models.Amount    `xml:"amount,attr"`
	Reserved   models.Amount    `xml:"reserved,attr"`
	Of         []creditOfOneXML `xml:"customer"`
}

// creditOfOneXML is the free credit of a customer.
type creditOfOneXML struct {
	URI            string        `xml:"uri,attr"`
	Name1          string        `xml:"name1"`
	Name2          string        `xml:"name2"`
	CustomerNumber string        `xml:"customer_number"`
	Since          models.Date   `xml:"since"`
	Amount         models.Amount `xml:"amount"`
	Reserved       models.Amount `xml:"reserved"`
}

// listFreeCredit lists the customers with free credit, who has most first: a page, or all of them in CSV (rule N12).
func (s *Server) listFreeCredit(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	p, all := q.pageOrCSV()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if all {
		return s.freeCreditCSV(ctx, rq)
	}
	found, sums, err := s.db.CustomerCredits(ctx, rq.creditor.ID, p)
	if err != nil {
		return answer{}, err
	}
	shown := freeCreditXML{
		Page: p.Number, TotalPages: p.Pages(sums.Customers), PerPage: p.Size, Customers: sums.Customers, Amount: sums.Amount, Reserved: sums.Reserved,
	}
	for _, c := range found {
		shown.Of = append(shown.Of, creditOfOneXML{rq.uri("customer", c.CustomerID), c.Name1, c.Name2, c.CustomerNumber, c.Since, c.Amount, c.Reserved})
	}
	return rq.ok(shown)
}

// freeCreditCSV answers with all customers with free credit in CSV.
func (s *Server) freeCreditCSV(ctx context.Context, rq *request) (answer, error) {
	titles := []string{"customer", "customer_number", "name1", "name2", "since", "amount", "reserved"}
	return s.csvOfPages(ctx, "free_credit.csv", titles, func(v store.View, p store.Page) (rows [][]string, all int64, err error) {
		found, sums, err := v.CustomerCredits(ctx, rq.creditor.ID, p)
		if err != nil {
			return nil, 0, err
		}
		for _, c := range found {
			rows = append(rows, []string{
				strconv.FormatInt(c.CustomerID, 10), models.CSVCell(c.CustomerNumber), models.CSVCell(c.Name1), models.CSVCell(c.Name2), c.Since.String(),
				c.Amount.String(), c.Reserved.String(),
			})
		}
		return rows, sums.Customers, nil
	})
}

// moveCredit moves free credit from the invoice in the path, or from its credit note, to another invoice of the creditor, and answers with
// the invoice in the path (rule N12).
func moveCredit(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "move_credit")
	if err != nil {
		return nil, err
	}
	t := ledger.Transfer{FromID: id, Actor: rq.actor()}
	f.Require("amount")
	t.Amount, _ = f.Amount("amount")
	uri, sent := f.Child("invoice").Attr("uri")
	if !sent {
		f.Fault("invoice", "required", "is required: the uri of an invoice")
	}
	var known bool
	t.ToID, known = rq.idIn(uri, "invoice")
	if err := f.Done(t.Validate()); err != nil {
		return nil, err
	}
	if !known {
		return nil, models.NotFound("invoice")
	}
	return rq.onInvoice(func(ctx context.Context, tx *store.Tx) (models.Invoice, error) {
		if _, err := ledger.TransferCredit(ctx, tx, rq.creditor.ID, t, rq.today()); err != nil {
			return models.Invoice{}, err
		}
		return tx.Invoice(ctx, rq.creditor.ID, id)
	}), nil
}
