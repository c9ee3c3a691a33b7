package console

import (
	"context"
	"slices"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

func (s *Server) customerRoutes() []route {
	return []route{
		{path: "/c/{creditor}/customers", area: "customers", get: s.customersPage, csv: s.customersCSV},
		{path: "/c/{creditor}/customers/new", area: "customers", get: s.newCustomerForm, post: s.createCustomer, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}", area: "customers", get: s.customerPage},
		{path: "/c/{creditor}/customers/{id}/change", area: "customers", get: s.customerForm, post: s.changeCustomer, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/policy", area: "customers", get: s.ownPolicyForm, post: s.changeOwnPolicy, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/forget", area: "customers", get: s.forgetForm, post: s.forgetCustomer, scope: models.ScopeAdmin},
		{path: "/c/{creditor}/customers/{id}/export", get: s.exportCustomer},
		{path: "/c/{creditor}/customers/{id}/hold", area: "customers", get: s.customerHoldForm, post: s.holdCustomer, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/release", area: "customers", post: s.releaseCustomer, again: s.customerPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/letters", area: "customers", post: s.releaseLetters, again: s.customerPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/settle", area: "customers", post: s.settleCustomer, again: s.customerPage, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/statement", area: "customers", get: s.statementPage, csv: s.statementCSV, post: s.sendStatement, scope: models.ScopeWrite},
		{path: "/c/{creditor}/customers/{id}/statement.pdf", get: s.statementPDF},
	}
}

// customersPage lists the creditor's customers: as they came, or who owes most first.
type customersPage struct {
	view
	ByDebt    bool
	Customers []customerRow
	Pager     pager
}

// customerRow is a customer with what the list shows of it.
type customerRow struct {
	models.Customer
	Balance models.Amount
	Held    bool
	Owed    receivables.Ages // of a list by debt
}

// haveNumbers reports whether a column of the customers' numbers says anything: one has a number, or there are none.
func haveNumbers(rows []customerRow) bool {
	return len(rows) == 0 || slices.ContainsFunc(rows, func(c customerRow) bool { return c.Recipient.CustomerNumber != "" })
}

// HasNumbers reports whether a column of the customers' numbers says anything.
func (p *customersPage) HasNumbers() bool { return haveNumbers(p.Customers) }

func (s *Server) customersPage(ctx context.Context, rq *request) (reply, error) {
	p := &customersPage{view: rq.view("customers.title"), ByDebt: rq.query("order") == "owed" && rq.query("search") == ""}
	page := store.Page{Number: rq.pageNumber(), Size: perPage}
	var total int64
	err := s.db.View(ctx, func(v store.View) (err error) {
		if p.ByDebt {
			total, err = p.readDebtors(ctx, v, page)
		} else {
			total, err = p.readCustomers(ctx, v, page)
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.Pager = p.pages(page, total)
	return show("customers", p)
}

func (p *customersPage) readCustomers(ctx context.Context, v store.View, page store.Page) (int64, error) {
	search := p.Asked("search")
	found, total, err := v.Customers(ctx, p.Creditor.ID, search, page)
	if err != nil {
		return 0, err
	}
	ids := make([]int64, len(found))
	for i, c := range found {
		ids[i] = c.ID
	}
	balances, err := v.Balances(ctx, p.Creditor.ID, ids)
	if err != nil {
		return 0, err
	}
	sum, added := models.Amount(0), total <= perPage // all are here
	for _, balance := range balances {
		sum += balance
	}
	if !added {
		if sum, added, err = v.CustomersBalance(ctx, p.Creditor.ID, search); err != nil {
			return 0, err
		}
	}
	for _, c := range found {
		p.Customers = append(p.Customers, customerRow{Customer: c, Balance: balances[c.ID], Held: c.Hold.Active(p.rq.today())})
	}
	if p.Lead = p.rq.words.SayHTML("customers.lead", "n", total); search != "" {
		p.Lead = p.rq.words.SayHTML("customers.found", "n", total, "search", search)
	}
	if added {
		p.Lead += p.rq.words.SayHTML("customers.sum", "sum", sum)
	}
	return total, nil
}

func (p *customersPage) readDebtors(ctx context.Context, v store.View, page store.Page) (int64, error) {
	today := p.rq.today()
	report, err := receivables.Read(ctx, v, p.Creditor.ID, today, today)
	if err != nil {
		return 0, err
	}
	debtors := store.OnPage(page, report.Debtors)
	customers, err := receivables.CustomersOf(ctx, v, p.Creditor.ID, debtors)
	if err != nil {
		return 0, err
	}
	for _, d := range debtors {
		c := customers[d.CustomerID]
		p.Customers = append(p.Customers, customerRow{Customer: c, Owed: d.Ages, Held: c.Hold.Active(today)})
	}
	total := len(report.Debtors)
	p.Lead = p.rq.words.SayHTML("customers.debtors", "n", total, "sum", report.Amount, "overdue", report.Overdue().Amount)
	return int64(total), nil
}

// customersCSV answers with the whole list: all customers that the search finds with their balances, or all who owe with
// what they owe by age.
func (s *Server) customersCSV(ctx context.Context, rq *request) (reply, error) {
	if rq.query("order") == "owed" {
		return s.debtorsCSV(ctx, rq)
	}
	header := rq.words.Header("customers.id", "customers.number", "customers.name", "customers.name2", "customers.address", "customers.address2",
		"customers.postal_code", "customers.place", "customers.country", "customers.email", "customers.organisation", "customers.balance")
	return rq.csv("customers", header, func(write func(values ...any) error) error {
		for page := (store.Page{Number: 1, Size: 1000}); ; page.Number++ {
			found, total, err := s.db.Customers(ctx, rq.creditor.ID, rq.query("search"), page)
			if err != nil {
				return err
			}
			ids := make([]int64, len(found))
			for i, c := range found {
				ids[i] = c.ID
			}
			balances, err := s.db.Balances(ctx, rq.creditor.ID, ids)
			if err != nil {
				return err
			}
			for _, c := range found {
				to := c.Recipient
				if err := write(c.ID, to.CustomerNumber, to.Name1, to.Name2, to.Address1, to.Address2, to.PostalCode, to.PostalName, to.CountryCode, to.Email,
					to.OrganisationNumber, balances[c.ID]); err != nil {
					return err
				}
			}
			if int64(page.Number) >= page.Pages(total) {
				return nil
			}
		}
	})
}

func (s *Server) debtorsCSV(ctx context.Context, rq *request) (reply, error) {
	return s.debtorsOnCSV(ctx, rq, rq.today())
}

// debtorsOnCSV answers with all who owed something on a day, by age.
func (s *Server) debtorsOnCSV(ctx context.Context, rq *request, day models.Date) (reply, error) {
	var report receivables.Report
	var customers map[int64]models.Customer
	var lapses map[int64]store.Lapse
	err := s.db.View(ctx, func(v store.View) (err error) {
		if report, err = receivables.Read(ctx, v, rq.creditor.ID, day, rq.today()); err != nil {
			return err
		}
		if customers, err = receivables.CustomersOf(ctx, v, rq.creditor.ID, report.Debtors); err != nil {
			return err
		}
		lapses, err = receivables.LapsesOf(ctx, v, rq.creditor.ID, report.Debtors)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("customers.id", "customers.number", "customers.name", "customers.owed", "money.invoices")
	for age := range report.By {
		header = append(header, rq.words.Say("money.age."+receivables.Age(age).String()))
	}
	header = append(header, rq.words.Say("lapse.on"))
	return rq.csv("receivables-"+day.String(), header, func(write func(values ...any) error) error {
		for _, d := range report.Debtors {
			to := customers[d.CustomerID].Recipient
			row := []any{d.CustomerID, to.CustomerNumber, to.Name1, d.Amount, d.Invoices}
			for _, part := range d.By {
				row = append(row, part.Amount)
			}
			if err := write(append(row, lapses[d.CustomerID].On)...); err != nil {
				return err
			}
		}
		return nil
	})
}
