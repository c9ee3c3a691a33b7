package pdf

import (
	"fmt"
	"strings"
	"time"

	"purr/models"
)

// The samples are what the tests draw. They take their words from bokmål whatever the language.

func sampleCreditor() models.Creditor {
	c := models.NewCreditor("Bjørkåsen Snekkerverksted AS")
	c.OrganisationNumber, c.VATRegistered = "974760673", true
	c.Address1, c.PostalCode, c.PostalName = "Øvre Strandgate 12", "4005", "STAVANGER"
	c.Email, c.BankAccount = "faktura@bjorkasen.example", "12345678903"
	return c
}

func sampleRecipient() models.Recipient {
	return models.Recipient{
		Name1: "Ærlig Næss", Address1: "Ålgårdsveien 7 B", PostalCode: "4330", PostalName: "ÅLGÅRD", CountryCode: "NO",
		CustomerNumber: "10042",
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

func sampleInvoice(lines []models.Line) models.Invoice {
	net, gross, err := models.Totals(lines)
	if err != nil {
		panic(err)
	}
	return models.Invoice{
		ID: 7, Number: 1001, IssueDate: models.NewDate(2026, time.March, 2), DueDate: models.NewDate(2026, time.March, 16),
		NumDueDays: 14, Net: net, Gross: gross, KID: "0000010017", BankAccount: "12345678903", Recipient: sampleRecipient(),
	}
}

// shortInvoice is an everyday invoice.
func shortInvoice(language string) InvoiceInput {
	discount := models.Percent(1000)
	lines := priced(
		models.Line{Text: "Montering av kjøkkeninnredning", UnitPrice: 7_500_000, NumItems: 12_500, VAT: models.VATHigh, VATPercent: 2500},
		models.Line{Text: "Benkeplate i eik, 40 mm, 2,4 m²", UnitPrice: 48_900_000, NumItems: 1000, Discount: &discount, VAT: models.VATHigh, VATPercent: 2500},
		models.Line{Text: "Matvarer til avslutning", UnitPrice: 3_451_250, NumItems: 1000, VAT: models.VATMedium, VATPercent: 1500},
		models.Line{Text: "Utlegg til kommunalt gebyr", UnitPrice: 2_500_000, NumItems: 1000, VAT: models.VATNone},
	)
	inv := sampleInvoice(lines)
	inv.Note = "Takk for oppdraget!\nArbeidet er utført i uke 8 og 9 i Ålgårdsveien 7 B."
	return InvoiceInput{Creditor: sampleCreditor(), Invoice: inv, Lines: lines, Language: language}
}

// plainInvoice is by a creditor outside the VAT register, without a bank account.
func plainInvoice(language string) InvoiceInput {
	c := models.NewCreditor("Ola Nordmann")
	lines := priced(models.Line{Text: "Gitartime", UnitPrice: 3_500_000, NumItems: 4000, VAT: models.VATNone})
	inv := sampleInvoice(lines)
	inv.BankAccount = ""
	return InvoiceInput{Creditor: c, Invoice: inv, Lines: lines, Language: language}
}

// longInvoice has as much of everything as an invoice can have (rule D16).
func longInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	discount := models.Percent(1225)
	lines := make([]models.Line, models.MaxLines)
	for i := range lines {
		lines[i] = models.Line{
			Text:      full("Rehabilitering av fasade mot øst, med stillas, nedvasking, skraping, sparkling og to strøk maling;", models.MaxLineText),
			UnitPrice: 12_345_678_912, NumItems: 12_345, Discount: &discount, VAT: models.VATHigh, VATPercent: models.Percent(2500 - 500*(i%3)),
		}
	}
	in.Lines = priced(lines...)
	in.Invoice.Net, in.Invoice.Gross, _ = models.Totals(in.Lines)
	in.Invoice.Note = full("Betalingen gjelder kontrakten av 1. februar og tillegg 2 til 9, se vedlagte timelister.\n", models.MaxInvoiceNote)
	in.Invoice.KID = "1234567890123456789012345"
	in.Invoice.Recipient = longRecipient()
	in.Creditor.Name = full("Sameiet Øvre og Nedre Bjørkåsen Utbyggingsselskap", models.MaxName)
	in.Creditor.Address1 = full("Næringsparken på Øvre Strandgate, inngang fra baksiden", models.MaxAddress)
	in.Creditor.Address2 = in.Creditor.Address1
	return in
}

func longRecipient() models.Recipient {
	return models.Recipient{
		Name1: full("Borettslaget Ærlig Næss og omegn", models.MaxName), Name2: full("att. økonomiavdelingen", models.MaxName),
		Address1: full("Ålgårdsveien 7 B", models.MaxAddress), Address2: full("bakgården", models.MaxAddress),
		PostalCode: "SE-4330", PostalName: full("ÅLGÅRD", models.MaxPostalName), CountryCode: "SE",
		CustomerNumber: full("K-10042-", models.MaxCustomerNumber),
	}
}

// full repeats a text to the given number of characters.
func full(s string, characters int) string {
	return string([]rune(strings.Repeat(s+" ", characters/len([]rune(s))+1))[:characters])
}

func shortCreditNote(language string) CreditNoteInput {
	in := shortInvoice(language)
	return CreditNoteInput{
		Creditor: in.Creditor, Invoice: in.Invoice, Lines: in.Lines, Language: language,
		CreditNote: models.CreditNote{
			Number: 1002, IssueDate: models.NewDate(2026, time.March, 9), Gross: in.Invoice.Gross, Net: in.Invoice.Net,
			Comment: "Benkeplaten hadde sprekker og er levert tilbake.", KID: "0000010025", Recipient: in.Invoice.Recipient,
		},
	}
}

func longCreditNote(language string) CreditNoteInput {
	in, long := shortCreditNote(language), longInvoice(language)
	in.Creditor, in.Invoice, in.Lines, in.CreditNote.Recipient = long.Creditor, long.Invoice, long.Lines, long.Invoice.Recipient
	in.CreditNote.Gross, in.CreditNote.Net = long.Invoice.Gross, long.Invoice.Net
	in.CreditNote.Comment = full("Alt er levert tilbake.", models.MaxComment)
	return in
}

func reminder(language string) NoticeInput {
	in := shortInvoice(language)
	return NoticeInput{
		Creditor: in.Creditor, Invoice: in.Invoice, Language: language,
		Notice: models.Notice{
			Sequence: 1, IssueDate: models.NewDate(2026, time.March, 30), DueDate: models.NewDate(2026, time.April, 13),
			Fee: 3800, Interest: 7041, Gross: in.Invoice.Gross - 500_000 + 3800 + 7041, KID: in.Invoice.KID, Recipient: in.Invoice.Recipient,
		},
		Lines: []models.NoticeLine{
			{Position: 1, Text: "Faktura 1001", Gross: in.Invoice.Gross},
			{Position: 2, Text: "Innbetaling 20.03.2026", Gross: -500_000},
			{Position: 3, Text: "Purregebyr", Gross: 3800},
			{Position: 4, Text: "Forsinkelsesrente", Gross: 7041},
		},
		Interest: []InterestPeriod{
			{models.NewDate(2026, time.March, 17), models.NewDate(2026, time.March, 20), 1200},
			{models.NewDate(2026, time.March, 21), models.NewDate(2026, time.March, 30), 1200},
		},
	}
}

func warning(language string) NoticeInput {
	in := reminder(language)
	in.Notice.Warning, in.Notice.Sequence = true, 2
	in.Notice.IssueDate, in.Notice.DueDate = models.NewDate(2026, time.July, 6), models.NewDate(2026, time.July, 20)
	in.Interest = []InterestPeriod{
		{models.NewDate(2026, time.March, 31), models.NewDate(2026, time.June, 30), 1200},
		{models.NewDate(2026, time.July, 1), models.NewDate(2026, time.July, 6), 1225},
	}
	return in
}

// longNotice has a payment a day and as long texts as can be.
func longNotice(language string) NoticeInput {
	in, long := warning(language), longInvoice(language)
	in.Creditor, in.Notice.Recipient, in.Invoice = long.Creditor, long.Invoice.Recipient, long.Invoice
	in.Notice.Comment = full("Vi har forsøkt å ringe flere ganger.", models.MaxComment)
	in.Lines = in.Lines[:1]
	for i := range 40 {
		in.Lines = append(in.Lines, models.NoticeLine{Position: i + 2, Text: fmt.Sprintf("Innbetaling nummer %d", i+1), Gross: -100_00})
	}
	return in
}

// wideInvoice has characters that the code page lacks, and some that the fonts lack too.
func wideInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	in.Creditor.Name = "Řemeslo Ελλάς AS"
	in.Invoice.Recipient.Name1 = "Владимир Жуков"
	in.Lines[0].Text = "漢字 (10 \\ 2) 😊 e\u0301, a\u030A \xff"
	return in
}
