package console

import (
	"context"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// openItemsPage shows what was owed at the end of a day, by age and by customer (rule N5).
type openItemsPage struct {
	view
	Day    models.Date
	Report receivables.Report
	Aged   []agedRow
	Owing  []customerRow
	Lapses map[int64]models.Date // when the first claim on a customer of the page does, if that is shown
	Pager  pager
}

// asOf returns the day that the URL asks for, today without one.
func (rq *request) asOf() (models.Date, error) {
	return rq.day("as_of", rq.today())
}

// HasNumbers reports whether a column of the customers' numbers says anything.
func (p *openItemsPage) HasNumbers() bool { return haveNumbers(p.Owing) }

func (s *Server) openItemsPage(ctx context.Context, rq *request) (reply, error) {
	p := &openItemsPage{view: rq.view("money.open")}
	var err error
	if p.Day, err = rq.asOf(); err != nil {
		return reply{}, err
	}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	err = s.db.View(ctx, func(v store.View) (err error) {
		if p.Report, err = receivables.Read(ctx, v, rq.creditor.ID, p.Day, rq.today()); err != nil {
			return err
		}
		debtors := store.OnPage(page, p.Report.Debtors)
		customers, err := receivables.CustomersOf(ctx, v, rq.creditor.ID, debtors)
		if err != nil {
			return err
		}
		lapses, err := receivables.LapsesOf(ctx, v, rq.creditor.ID, debtors)
		if err != nil {
			return err
		}
		p.Lapses = map[int64]models.Date{}
		for id, l := range lapses {
			if on := l.Shown(p.Day); on != 0 {
				p.Lapses[id] = on
			}
		}
		for _, d := range debtors {
			p.Owing = append(p.Owing, customerRow{Customer: customers[d.CustomerID], Owed: d.Ages})
		}
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	for age, part := range p.Report.By {
		p.Aged = append(p.Aged, agedRow{rq.words.Say("money.age." + receivables.Age(age).String()), part})
	}
	total := len(p.Report.Debtors)
	p.Lead = rq.words.SayHTML("open.lead", "n", total, "day", p.Day, "sum", p.Report.Amount, "overdue", p.Report.Overdue().Amount)
	p.Pager = p.pages(page, int64(total))
	return show("open", p)
}

func (s *Server) openItemsCSV(ctx context.Context, rq *request) (reply, error) {
	day, err := rq.asOf()
	if err != nil {
		return reply{}, err
	}
	return s.debtorsOnCSV(ctx, rq, day)
}
