package console

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"purr/billing"
	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// newInvoicePage is the form of a new invoice, with the invoice as it would be once a person has asked to see it.
type newInvoicePage struct {
	view
	whom
	Rows    []int // the rows of the form for lines, from 1
	Preview *billing.Draft
	VAT     models.Amount
	Ways    []models.ShipmentMethod // those that are set up
}

// whom says whom an invoice of a form is for.
type whom struct {
	Customer models.Customer // without an ID a new one is made
	Found    []models.Customer
	Find     string
}

// The rows for lines that the form begins with, and that are added at a time.
const lineRows = 4

func (s *Server) newInvoicePage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.newInvoiceForm(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	return show("new_invoice", p)
}

func (s *Server) newInvoiceForm(ctx context.Context, rq *request) (*newInvoicePage, error) {
	to, err := s.whom(ctx, rq)
	if err != nil {
		return nil, err
	}
	p := &newInvoicePage{view: rq.view("new.title"), whom: to}
	if p.Ways, err = s.db.MethodsSetUp(ctx, models.InvoiceDocument.MethodsToAsk()...); err != nil {
		return nil, err
	}
	rows := lineRows
	if n, err := strconv.Atoi(rq.form.Get("rows")); err == nil {
		rows = min(max(n, lineRows), rq.creditor.MaxLines)
	}
	if rq.form.Has("more") {
		rows = min(rows+lineRows, rq.creditor.MaxLines)
	}
	for n := range rows {
		p.Rows = append(p.Rows, n+1)
	}
	return p, nil
}

// whom returns the customer that the URL names, or those that are found by the words in it.
func (s *Server) whom(ctx context.Context, rq *request) (to whom, err error) {
	to.Find = rq.query("find")
	switch text := rq.query("customer"); {
	case text != "":
		id, wrong := strconv.ParseInt(text, 10, 64)
		if wrong != nil {
			return to, models.NotFound("customer")
		}
		to.Customer, err = s.db.Customer(ctx, rq.creditor.ID, id)
	case to.Find != "":
		to.Found, _, err = s.db.Customers(ctx, rq.creditor.ID, to.Find, store.Page{Number: 1, Size: 10})
	}
	return to, err
}

// newInvoice issues the invoice, or shows it as it would be, or adds rows for lines.
func (s *Server) newInvoice(ctx context.Context, rq *request) (reply, error) {
	if rq.form.Has("more") {
		return s.newInvoicePage(ctx, rq)
	}
	asked, err := rq.invoiceAsked()
	if err != nil {
		return reply{}, err
	}
	if rq.form.Has("preview") {
		return s.preview(ctx, rq, asked)
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		all, err := billing.Issue(ctx, tx, rq.creditor, []billing.InvoiceRequest{asked})
		if err != nil {
			return done{}, err
		}
		issued := all[0]
		if issued.Err != nil {
			return done{}, issued.Err
		}
		made := issued.Invoice.Document()
		return done{
			to: rq.pathOf(issued.Invoice), made: &made,
			message: rq.said("new.done", "number", numberOf(issued.Invoice), "gross", issued.Invoice.Gross, "name", issued.Invoice.Recipient.Name1),
		}, nil
	})
}

// preview shows the invoice as it would be. It takes no number, and writes nothing.
func (s *Server) preview(ctx context.Context, rq *request, asked billing.InvoiceRequest) (reply, error) {
	draft, err := billing.DraftInvoice(ctx, s.db, rq.creditor, asked, rq.now)
	if err != nil {
		return reply{}, err
	}
	if rq.form.Get("preview") == "pdf" { // as it would be, but for the number and the KID
		content, err := s.cfg.Documents.Preview(rq.creditor, draft.Invoice, draft.Lines, draft.Invoice.Language)
		if err != nil {
			return reply{}, err
		}
		return pdf("preview.pdf", content), nil
	}
	p, err := s.newInvoiceForm(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p.Preview, p.VAT = &draft, draft.Invoice.Gross-draft.Invoice.Net
	return show("new_invoice", p)
}

// whom returns the customer that the URL names, else the new one of the form.
func (f *fields) whom() (id int64, made *models.Customer, err error) {
	text := f.rq.query("customer")
	if text == "" {
		return 0, f.newCustomer(), nil
	}
	if id, err = strconv.ParseInt(text, 10, 64); err != nil {
		return 0, nil, models.NotFound("customer")
	}
	return id, nil, nil
}

func (f *fields) newCustomer() *models.Customer {
	to := models.Recipient{
		Name1: f.text("name1"), Address1: f.text("address1"), PostalCode: f.text("postal_code"), PostalName: f.text("postal_name"), CountryCode: "NO",
		Email: f.text("email"), Phone: withoutBlanks(f.text("phone")), OrganisationNumber: withoutBlanks(f.text("organisation_number")),
	}
	if to.Address1 == "" {
		f.faults.Add("required", "address1", "is required")
	}
	return &models.Customer{Recipient: to}
}

// invoiceAsked reads the form.
func (rq *request) invoiceAsked() (asked billing.InvoiceRequest, err error) {
	f := rq.fields()
	asked = billing.InvoiceRequest{
		NumDueDays: int(f.number("num_due_days")), Note: strings.ReplaceAll(rq.form.Get("invoice_note"), "\r\n", "\n"), Method: models.ShipmentMethod(f.text("method")), Actor: rq.actor(),
		Order: models.Order{YourReference: f.text("your_reference"), OrderNumber: f.text("order_number")},
	}
	if asked.CustomerID, asked.NewCustomer, err = f.whom(); err != nil {
		return asked, err
	}
	count, err := strconv.Atoi(rq.form.Get("rows"))
	if err != nil || count > rq.creditor.MaxLines {
		count = lineRows
	}
	var rows filledRows
	for n := 1; n <= count; n++ {
		if l, filled := f.line(strconv.Itoa(n)); filled {
			asked.Lines, rows = append(asked.Lines, l), append(rows, n)
		}
	}
	rq.fieldOf = rows.fieldOf
	return asked, f.done(asked.Validate(rq.creditor))
}

// line reads a row of the form, and reports false if it is empty.
func (f *fields) line(row string) (l models.Line, filled bool) {
	text, price, items, discount := f.text("line_text-"+row), f.text("unit_price-"+row), f.text("num_items-"+row), f.text("discount_percent-"+row)
	if text == "" && price == "" && discount == "" {
		return l, false
	}
	l = models.Line{Text: text, VAT: models.VATName(f.text("vat_rate-" + row))}
	var err error
	if l.UnitPrice, err = models.ParsePrice(locale.Decimal(price)); err != nil {
		f.faults.Add("invalid_price", "unit_price-"+row, "must be kroner with at most four decimals")
	}
	if l.NumItems, err = models.ParseQuantity(locale.Decimal(items)); err != nil {
		f.faults.Add("invalid_quantity", "num_items-"+row, "must be a number with at most three decimals")
	}
	if discount != "" {
		percent, err := models.ParsePercent(locale.Decimal(discount))
		if err != nil {
			f.faults.Add("invalid_percent", "discount_percent-"+row, "must be a percent with at most two decimals")
		}
		l.Discount = &percent
	}
	return l, true
}

// filledRows are the rows of the form that the lines of its invoice stand in.
type filledRows []int

// fieldOf returns the form's field for a fault. What is wrong with a line as a whole stands at its VAT.
func (rows filledRows) fieldOf(e *models.Error) string {
	at := e.Place
	switch {
	case at.Is(models.At("lines")):
		return "line_text-1"
	case len(at) > 1 && at[0].Name == "lines" && at[1].Nth <= len(rows):
		field := "vat_rate"
		if len(at) > 2 {
			field = at[2].Name
		}
		return fmt.Sprintf("%s-%d", field, rows[at[1].Nth-1])
	case len(at) > 1 && at[0].Name == "recipient" && at[1].Name != "email":
		return at[1:].String()
	}
	return fieldOfSending(e)
}

// Line returns a field of a row.
func (p *newInvoicePage) Line(name, label string, row int, options ...string) input {
	return p.Input(fmt.Sprintf("%s-%d", name, row), label, "", options...)
}

// Items returns the field for the number of a row, 1 where nothing was typed.
func (p *newInvoicePage) Items(row int) input {
	return p.Input(fmt.Sprintf("num_items-%d", row), "new.items", "1", "inputmode=decimal")
}

// VATOf returns the field for the VAT of a row. A creditor that may not charge VAT begins with none.
func (p *newInvoicePage) VATOf(row int) input {
	first := string(models.VATNone)
	if p.Creditor.IssuesVAT() && p.Creditor.VATRegistered {
		first = string(models.VATHigh)
	}
	return p.Select(fmt.Sprintf("vat_rate-%d", row), "new.vat", first,
		string(models.VATHigh), "vat.high", string(models.VATMedium), "vat.medium", string(models.VATLow), "vat.low", string(models.VATNone), "vat.none")
}

// Methods returns the field with the ways to send the invoice.
func (p *newInvoicePage) Methods() input {
	return p.methods("new.method", p.Customer.Recipient.Email != "", p.Ways)
}

// methods returns a field with ways to send. The first that is shown is e-mail where there is an address, else paper.
func (v *view) methods(label string, hasEmail bool, all []models.ShipmentMethod) input {
	first := models.ByPaper
	if hasEmail {
		first = models.ByEmail
	}
	var pairs []string
	for _, m := range all {
		pairs = append(pairs, string(m), "send."+m.Key())
	}
	return v.Select("method", label, string(first), pairs...)
}
