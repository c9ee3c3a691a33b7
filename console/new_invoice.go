package console

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"purr/billing"
	"purr/console/locale"
	"purr/documents"
	"purr/models"
	"purr/store"
)

// newInvoicePage is the form of a new invoice, with the invoice as it would be once a person has asked to see it.
type newInvoicePage struct {
	view
	Customer models.Customer // whom the invoice is for; without an ID a new one is made
	Found    []models.Customer
	Find     string
	Rows     []int // the rows of the form for lines, from 1
	Preview  *billing.Issued
	VAT      models.Amount
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
	p := &newInvoicePage{view: rq.view("new.title"), Find: rq.query("find")}
	if text := rq.query("customer"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, models.NotFound("customer")
		}
		if p.Customer, err = s.db.Customer(ctx, rq.creditor.ID, id); err != nil {
			return nil, err
		}
	} else if p.Find != "" {
		var err error
		if p.Found, _, err = s.db.Customers(ctx, rq.creditor.ID, p.Find, store.Page{Number: 1, Size: 10}); err != nil {
			return nil, err
		}
	}
	rows := lineRows
	if n, err := strconv.Atoi(rq.form.Get("rows")); err == nil {
		rows = min(max(n, lineRows), models.MaxLines)
	}
	if rq.form.Has("more") {
		rows = min(rows+lineRows, models.MaxLines)
	}
	for n := range rows {
		p.Rows = append(p.Rows, n+1)
	}
	return p, nil
}

// newInvoice issues the invoice, or shows it as it would be, or adds rows for lines.
func (s *Server) newInvoice(ctx context.Context, rq *request) (reply, error) {
	if rq.form.Has("more") {
		return s.newInvoicePage(ctx, rq)
	}
	o, rows, err := rq.orderOf()
	if err != nil {
		return reply{}, err
	}
	if rq.form.Has("preview") {
		return s.preview(ctx, rq, o, rows)
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		issued, err := issueOne(ctx, tx, rq.creditor, o)
		if err != nil {
			return done{}, atFields(err, rows)
		}
		made := issued.Invoice.Document()
		return done{
			to: rq.pathOf(issued.Invoice), made: &made,
			message: rq.said("new.done", "number", numberOf(issued.Invoice), "gross", issued.Invoice.Gross, "name", issued.Invoice.Recipient.Name1),
		}, nil
	})
}

func issueOne(ctx context.Context, tx *store.Tx, c models.Creditor, o billing.InvoiceRequest) (billing.Issued, error) {
	issued, err := billing.Issue(ctx, tx, c, []billing.InvoiceRequest{o})
	if err != nil {
		return billing.Issued{}, err
	}
	return issued[0], issued[0].Err
}

// errPreview takes back what a preview has written.
var errPreview = errors.New("a preview writes nothing")

// preview shows the invoice as it would be. It takes no number: the invoice is refused before it gets one.
func (s *Server) preview(ctx context.Context, rq *request, o billing.InvoiceRequest, rows []int) (reply, error) {
	var seen *billing.Issued
	o.Accept = func(i billing.Issued) error {
		seen = &i
		return errPreview
	}
	err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		_, err := issueOne(ctx, tx, rq.creditor, o)
		if err == nil {
			err = errPreview
		}
		return err
	})
	if !errors.Is(err, errPreview) || seen == nil {
		return reply{}, atFields(err, rows)
	}
	if rq.form.Get("preview") == "pdf" {
		return s.previewPDF(ctx, rq, o, *seen)
	}
	p, err := s.newInvoiceForm(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	p.Preview, p.VAT = seen, seen.Invoice.Gross-seen.Invoice.Net
	return show("new_invoice", p)
}

// previewPDF answers with the PDF as it would be, but for the number and the KID. Nothing of it is kept.
func (s *Server) previewPDF(ctx context.Context, rq *request, o billing.InvoiceRequest, seen billing.Issued) (reply, error) {
	customer := o.NewCustomer
	if customer == nil {
		known, err := s.db.Customer(ctx, rq.creditor.ID, o.CustomerID)
		if err != nil {
			return reply{}, err
		}
		customer = &known
	}
	content, err := documents.Preview(rq.creditor, seen.Invoice, seen.Lines, customer.Language)
	if err != nil {
		return reply{}, err
	}
	return pdf("preview.pdf", content), nil
}

// orderOf reads the form. rows are the rows of the lines that were filled in.
func (rq *request) orderOf() (o billing.InvoiceRequest, rows []int, err error) {
	f := rq.fields()
	o = billing.InvoiceRequest{
		NumDueDays: int(f.number("num_due_days")), Note: strings.ReplaceAll(rq.form.Get("invoice_note"), "\r\n", "\n"), Method: models.ShipmentMethod(f.text("method")), Actor: rq.actor(),
		Order: models.Order{YourReference: f.text("your_reference"), OrderNumber: f.text("order_number")},
	}
	if text := rq.query("customer"); text != "" {
		if o.CustomerID, err = strconv.ParseInt(text, 10, 64); err != nil {
			return o, nil, models.NotFound("customer")
		}
	} else {
		o.NewCustomer = &models.Customer{Recipient: models.Recipient{
			Name1: f.text("name1"), Address1: f.text("address1"), PostalCode: f.text("postal_code"), PostalName: f.text("postal_name"), CountryCode: "NO",
			Email: f.text("email"), OrganisationNumber: withoutBlanks(f.text("organisation_number")),
		}}
		if o.NewCustomer.Recipient.Address1 == "" {
			f.faults.Add("required", "address1", "is required")
		}
	}
	count, err := strconv.Atoi(rq.form.Get("rows"))
	if err != nil || count > models.MaxLines {
		count = lineRows
	}
	for n := 1; n <= count; n++ {
		if l, filled := f.line(strconv.Itoa(n)); filled {
			o.Lines, rows = append(o.Lines, l), append(rows, n)
		}
	}
	return o, rows, f.done(atFields(o.Validate(), rows))
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

// ofLine is an element of a line in the interface.
var ofLine = regexp.MustCompile(`^lines/line\[(\d+)\]/?(.*)$`)

// atFields returns an error whose faults of elements of the interface are faults of the form's fields.
func atFields(err error, rows []int) error {
	err = inField("method", err)
	faults := faultsIn(err)
	if len(faults) == 0 {
		return err
	}
	for _, f := range faults {
		f.Field = strings.TrimPrefix(f.Field, "recipient/")
		if f.Field == "lines" {
			f.Field = "line_text-1"
		}
		m := ofLine.FindStringSubmatch(f.Field)
		if m == nil {
			continue
		}
		n, convErr := strconv.Atoi(m[1])
		if convErr != nil || n < 1 || n > len(rows) {
			continue
		}
		if m[2] == "" {
			m[2] = "vat_rate"
		}
		f.Field = fmt.Sprintf("%s-%d", m[2], rows[n-1])
	}
	return faults
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
	method := string(models.ByPaper)
	if p.Customer.Recipient.Email != "" {
		method = string(models.ByEmail)
	}
	return p.Select("method", "new.method", method, string(models.ByPaper), "send.paper", string(models.ByEmail), "send.email", string(models.ByEHF), "send.ehf", string(models.Auto), "send.auto")
}
