package ehf

import "purr/models"

// The samples are what the tests break, and what the golden files hold.

func sampleCreditor() models.Creditor {
	c := models.NewCreditor("Fjord Rør AS")
	c.OrganisationNumber, c.VATRegistered, c.VATKnown = "974760673", true, true
	c.Address1, c.PostalCode, c.PostalName = "Kaigaten 1", "5003", "Bergen"
	c.Email, c.Phone, c.BankAccount = "post@fjord-ror.example", "+47 55 12 34 56", "12345678903"
	return c
}

func sampleRecipient() models.Recipient {
	return models.Recipient{
		Name1: "Brygge Drift AS", Name2: "Avd. Sør", Address1: "Bryggen 5", Address2: "3. etg", PostalCode: "5004", PostalName: "Bergen", CountryCode: "NO",
		Email: "faktura@brygge.example", CustomerNumber: "K1", OrganisationNumber: "987654325",
	}
}

// priced gives lines their amounts.
func priced(lines ...models.Line) []models.Line {
	for i := range lines {
		lines[i].Position = i + 1
		if err := lines[i].Price(); err != nil {
			panic(err)
		}
	}
	return lines
}

func line(text string, price models.Price, items models.Quantity, vat models.Percent) models.Line {
	l := models.Line{Text: text, UnitPrice: price, NumItems: items, VAT: models.VATNone, VATPercent: vat}
	if vat > 0 {
		l.VAT = models.VATHigh
	}
	return l
}

// sampleLines are 180.00 at 25 %, after a discount of a tenth, and 50.00 and nothing without VAT.
func sampleLines() []models.Line {
	lines := []models.Line{line("Rørleggerarbeid\nuke 2", 100_0000, 2000, 25_00), line("Kontingent", 50_0000, 1000, 0), line("Befaring", 0, 1000, 0)}
	lines[0].Discount = new(models.Percent(10_00))
	return priced(lines...)
}

func sampleInvoice(lines []models.Line) InvoiceInput {
	in := InvoiceInput{Creditor: sampleCreditor(), Lines: lines, PDF: []byte("%PDF-1.7\n")}
	in.Invoice = models.Invoice{
		ID: 1, Number: 1001, NumDueDays: 14, Note: "Takk & hei\nHilsen Fjord Rør", KID: "0000010017", BankAccount: in.Creditor.BankAccount, Recipient: sampleRecipient(),
		Order: models.Order{YourReference: "Kari Nordmann", OrderNumber: "PO-77", DeliveryPlace: "Lager 3, Laksevåg"},
	}
	in.Invoice.IssueDate = day("2026-01-05")
	in.Invoice.DueDate, in.Invoice.Order.DeliveryDate = in.Invoice.IssueDate+14, in.Invoice.IssueDate-2
	for _, l := range lines {
		in.Invoice.Net += l.Net
		in.Invoice.Gross += l.Gross
	}
	return in
}

// notRegistered returns the same of a creditor that is not registered for VAT.
func notRegistered(in InvoiceInput) InvoiceInput {
	in.Creditor.VATRegistered = false
	return in
}

func sampleCreditNote() CreditNoteInput {
	in := sampleInvoice(sampleLines())
	return CreditNoteInput{Creditor: in.Creditor, Invoice: in.Invoice, Lines: in.Lines, PDF: in.PDF, CreditNote: models.CreditNote{
		ID: 1, Number: 1002, IssueDate: in.Invoice.IssueDate + 3, Gross: in.Invoice.Gross, Net: in.Invoice.Net, Comment: "Feil kunde", Recipient: in.Invoice.Recipient,
	}}
}

// sampleReminder is the second notice on the sample invoice: of two fees one was reversed, interest was, and 100.00 was paid.
func sampleReminder() ReminderInput {
	in := sampleInvoice(sampleLines())
	r := ReminderInput{Creditor: in.Creditor, Invoice: in.Invoice, Lines: in.Lines}
	r.Notice = models.Notice{
		ID: 2, Sequence: 2, IssueDate: in.Invoice.DueDate + 40, DueDate: in.Invoice.DueDate + 54, Warning: true, Fee: 38_00, Interest: 2_10,
		Comment: "Ring oss.", KID: in.Invoice.KID, Recipient: in.Invoice.Recipient,
	}
	for _, l := range []struct {
		text  string
		kind  models.EntryType
		gross models.Amount
		after models.Date
	}{
		{"Fakturabeløp", models.EntryInvoice, in.Invoice.Gross, -14},
		{"Betaling", models.EntryPayment, -100_00, 10},
		{"Purregebyr", models.EntryOverdueCharge, 35_00, 14},
		{"Forsinkelsesrente", models.EntryInterest, 1_23, 14},
		{"Tilbakeført purregebyr", models.EntryOverdueCharge, -35_00, 20},
		{"Tilbakeført forsinkelsesrente", models.EntryInterest, -23, 20},
		{"Purregebyr", models.EntryOverdueCharge, 38_00, 40},
		{"Forsinkelsesrente", models.EntryInterest, 2_10, 40},
	} {
		on := in.Invoice.DueDate + l.after
		r.NoticeLines = append(r.NoticeLines, models.NoticeLine{Position: len(r.NoticeLines) + 1, Text: l.text + " " + on.String(), Gross: l.gross, Type: l.kind, TransactionDate: on})
		r.Notice.Gross += l.gross
	}
	return r
}

func day(text string) models.Date {
	d, err := models.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return d
}
