package api

import (
	"context"
	"encoding/xml"
	"strconv"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// receivablesXML is a page of what is owed on a day (rule L16).
type receivablesXML struct {
	XMLName    xml.Name    `xml:"receivables"`
	Date       models.Date `xml:"date,attr"`
	Page       int         `xml:"page,attr"`
	TotalPages int64       `xml:"total_pages,attr"`
	PerPage    int         `xml:"per_page,attr"`
	Owed       owedXML     `xml:"owed"`
	Debtors    []debtorXML `xml:"customer"`
}

// owedXML is what is owed, in all and by age.
type owedXML struct {
	Invoices int           `xml:"invoices,attr"`
	Amount   models.Amount `xml:"amount,attr"`
	Ages     []ageXML      `xml:"age"`
}

type ageXML struct {
	Days     string        `xml:"days,attr"`
	Invoices int           `xml:"invoices,attr"`
	Amount   models.Amount `xml:"amount,attr"`
}

// debtorXML is a customer who owes something.
type debtorXML struct {
	URI            string      `xml:"uri,attr"`
	Name1          string      `xml:"name1"`
	Name2          string      `xml:"name2"`
	CustomerNumber string      `xml:"customer_number"`
	Owed           owedXML     `xml:"owed"`
	LapsesOn       models.Date `xml:"lapses_on,omitempty"` // when the first of the customer's claims does (rules L26, L30)
}

func owedOf(a receivables.Ages) owedXML {
	shown := owedXML{Invoices: a.Invoices, Amount: a.Amount}
	for age, part := range a.By {
		shown.Ages = append(shown.Ages, ageXML{receivables.Age(age).String(), part.Invoices, part.Amount})
	}
	return shown
}

// showReceivables shows what is owed by age, in all and by customer, who owes most first: a page in XML, or all customers in
// CSV. An invoice is open if its balance is above zero and it is not closed. On a day before today its balance is that of
// the transactions up to then. On a later day it is today's. With only_charges it shows the invoices whose principal is paid (rule N9).
func (s *Server) showReceivables(ctx context.Context, rq *request) (answer, error) {
	q := rq.query()
	date := q.date("date")
	if asOf := q.date("as_of"); asOf != 0 && date != 0 {
		q.fault("repeated_parameter", "as_of", "is another name of date: give one of them")
	} else if asOf != 0 {
		date = asOf
	}
	if date == 0 {
		date = rq.today()
	}
	onlyCharges := q.flag("only_charges")
	p, all := q.pageOrCSV()
	if err := q.done(); err != nil {
		return answer{}, err
	}
	if onlyCharges {
		return s.showOnlyCharges(ctx, rq, date, p, all)
	}
	var report receivables.Report
	var customers map[int64]models.Customer
	var lapses map[int64]store.Lapse
	err := s.db.View(ctx, func(v store.View) (err error) {
		if report, err = receivables.Read(ctx, v, rq.creditor.ID, date, rq.today()); err != nil {
			return err
		}
		shown := report.Debtors
		if !all {
			shown = store.OnPage(p, report.Debtors)
		}
		if customers, err = receivables.CustomersOf(ctx, v, rq.creditor.ID, shown); err != nil {
			return err
		}
		lapses, err = receivables.LapsesOf(ctx, v, rq.creditor.ID, shown)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	if all {
		return receivablesCSV(report, customers, lapses)
	}
	shown := receivablesXML{
		Date: date, Page: p.Number, TotalPages: p.Pages(int64(len(report.Debtors))), PerPage: p.Size, Owed: owedOf(report.Ages),
	}
	for _, d := range store.OnPage(p, report.Debtors) {
		to := customers[d.CustomerID].Recipient
		shown.Debtors = append(shown.Debtors, debtorXML{
			rq.uri("customer", d.CustomerID), to.Name1, to.Name2, to.CustomerNumber, owedOf(d.Ages), lapses[d.CustomerID].Shown(date),
		})
	}
	return rq.ok(shown)
}

// receivablesCSV answers with all debtors in CSV. Its last column is always when the first of a customer's claims lapses (rule L30).
func receivablesCSV(report receivables.Report, customers map[int64]models.Customer, lapses map[int64]store.Lapse) (answer, error) {
	titles := []string{"customer", "customer_number", "name1", "name2", "invoices", "amount"}
	for age := range report.By {
		titles = append(titles, receivables.Age(age).String())
	}
	rows := [][]string{append(titles, "lapses_on")}
	for _, d := range report.Debtors {
		to := customers[d.CustomerID].Recipient
		row := []string{
			strconv.FormatInt(d.CustomerID, 10), models.CSVCell(to.CustomerNumber), models.CSVCell(to.Name1), models.CSVCell(to.Name2),
			strconv.Itoa(d.Invoices), d.Amount.String(),
		}
		for _, part := range d.By {
			row = append(row, part.Amount.String())
		}
		rows = append(rows, append(row, lapses[d.CustomerID].On.String()))
	}
	return csvFile("receivables.csv", rows)
}
