package billing_test

import (
	"slices"
	"strings"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/test/testkit/rows"
)

func TestOrderValidateD13ToD16(t *testing.T) {
	t.Parallel()
	percent := func(p models.Percent) *models.Percent { return &p }
	first := func(change func(*models.Line)) func(*billing.InvoiceRequest) {
		return func(o *billing.InvoiceRequest) { change(&o.Lines[0]) }
	}
	tests := []struct {
		change func(*billing.InvoiceRequest)
		want   string
		why    string
	}{
		{func(*billing.InvoiceRequest) {}, "", "an order with what must be there"},
		{func(o *billing.InvoiceRequest) { o.NumDueDays = 0 }, "", "due at once (D15)"},
		{func(o *billing.InvoiceRequest) { o.NumDueDays = 365 }, "", "due in a year"},
		{func(o *billing.InvoiceRequest) { o.NumDueDays = 366 }, "num_due_days out_of_range", "due later"},
		{func(o *billing.InvoiceRequest) { o.NumDueDays = -1 }, "num_due_days out_of_range", "due yesterday"},
		{func(o *billing.InvoiceRequest) { o.Note = strings.Repeat("å", 2000) }, "", "as long a note as there may be (D16)"},
		{func(o *billing.InvoiceRequest) { o.Note = strings.Repeat("å", 2001) }, "invoice_note too_long", "a longer one"},
		{func(o *billing.InvoiceRequest) { o.Note = "line\n\tline" }, "", "a note of two lines"},
		{func(o *billing.InvoiceRequest) { o.Note = "line\r\nline" }, "invoice_note control_character", "one with carriage returns"},
		{func(o *billing.InvoiceRequest) { o.Lines = nil }, "lines required", "no line"},
		{func(o *billing.InvoiceRequest) { o.Lines = slices.Repeat(o.Lines, 8) }, "", "eight lines"},
		{func(o *billing.InvoiceRequest) { o.Lines = slices.Repeat(o.Lines, 9) }, "lines too_many_lines", "nine lines"},
		{first(func(l *models.Line) { l.Text = " \n" }), "lines/line[1]/line_text required", "a line without text"},
		{first(func(l *models.Line) { l.Text = strings.Repeat("å", 251) }), "lines/line[1]/line_text too_long", "a text too long"},
		{first(func(l *models.Line) { l.Text = "a\x1bb" }), "lines/line[1]/line_text control_character", "an escape character"},
		{first(func(l *models.Line) { l.VAT = "FULL" }), "lines/line[1]/vat_rate invalid_vat_rate", "a VAT class that there is not (D14)"},
		{first(func(l *models.Line) { l.Discount = percent(100_00) }), "", "a discount of all (D13)"},
		{first(func(l *models.Line) { l.Discount = percent(100_01) }), "lines/line[1]/discount_percent out_of_range", "of more"},
		{first(func(l *models.Line) { l.Discount = percent(-1) }), "lines/line[1]/discount_percent out_of_range", "of less than none"},
		{func(o *billing.InvoiceRequest) { o.Method = "" }, "shipments/shipment[1]/shipment_method invalid_shipment_method", "no way to send it"},
		{func(o *billing.InvoiceRequest) { o.Method = "FAX" }, "shipments/shipment[1]/shipment_method invalid_shipment_method", "a way that there is not"},
		{
			func(o *billing.InvoiceRequest) {
				o.Copies = []string{"ola@example.no", "ola", "ola@example.no\r\nBcc: kari@example.no"}
			},
			"shipments/shipment[3]/recipient/email invalid_email; shipments/shipment[4]/recipient/email invalid_email", "copies to nowhere",
		},
		{
			func(o *billing.InvoiceRequest) {
				o.NewCustomer = &models.Customer{Recipient: models.Recipient{Email: "kari", CountryCode: "NO"}}
			},
			"recipient/name1 required; recipient/postal_code required; recipient/postal_name required; recipient/email invalid_email",
			"a new customer who is wrong",
		},
		{
			func(o *billing.InvoiceRequest) {
				*o = billing.InvoiceRequest{
					NumDueDays: 1000, Note: "\x00", NewCustomer: &models.Customer{Recipient: models.Recipient{Name1: "Kari", PostalName: "Oslo", PostalCode: "0155"}},
					Lines: []models.Line{{Text: "Cat food", VAT: models.VATHigh}, {VAT: "FULL"}}, Method: "FAX", Copies: []string{""},
				}
			},
			"num_due_days out_of_range; invoice_note control_character; recipient/country_code invalid_country; " +
				"lines/line[2]/line_text required; lines/line[2]/vat_rate invalid_vat_rate; " +
				"shipments/shipment[1]/shipment_method invalid_shipment_method; shipments/shipment[2]/recipient/email invalid_email",
			"everything wrong, all at once (D5)",
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			o := billing.InvoiceRequest{NumDueDays: 14, Lines: []models.Line{line("Cat food", "100", "1", models.VATHigh)}, Method: models.ByPaper}
			tt.change(&o)
			if got := rows.Faults(o.Validate(models.NewCreditor("")).ErrorOrNil()); got != tt.want {
				t.Errorf("found\n%s, want\n%s", got, tt.want)
			}
		})
	}
}

func TestCreditValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		credit billing.CreditNoteRequest
		want   string
	}{
		{billing.CreditNoteRequest{Method: models.ByEmail, Comment: strings.Repeat("å", 500)}, ""},
		{
			billing.CreditNoteRequest{Method: "FAX", Comment: strings.Repeat("å", 501)},
			"shipments/shipment[1]/shipment_method invalid_shipment_method; comment too_long",
		},
		{billing.CreditNoteRequest{Method: models.ByPaper, Comment: "a\bb"}, "comment control_character"},
	}
	for _, tt := range tests {
		if got := rows.Faults(tt.credit.Validate(models.NewCreditor("")).ErrorOrNil()); got != tt.want {
			t.Errorf("found %s, want %s", got, tt.want)
		}
	}
}
