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
	c.Phone, c.Website, c.VATExemption = "+47 22 33 44 55", "www.bjorkasen.example", models.VATZero
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
	inv.Order = models.Order{DeliveryDate: models.NewDate(2026, time.February, 27), DeliveryPlace: "Ålgårdsveien 7 B"}
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

// businessInvoice is to a business abroad, with a reference of its own, from a creditor whose sales bear no VAT.
func businessInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	in.Creditor.VATExemption, in.Creditor.BIC = models.VATExempt, "DNBANOKKXXX"
	in.Lines = priced(models.Line{Text: "Kurs i førstehjelp, 27. februar, 12 deltakere", UnitPrice: 8_500_000, NumItems: 12_000, VAT: models.VATNone})
	in.Invoice.Net, in.Invoice.Gross, _ = models.Totals(in.Lines)
	in.Invoice.Order = models.Order{
		YourReference: "Åse Berg, Inköp Väst", OrderNumber: "PO-2026-004711", DeliveryDate: models.NewDate(2026, time.February, 27), DeliveryPlace: "Kursgården på Ålgård, sal 3, inngang fra baksiden",
	}
	in.Invoice.Recipient = models.Recipient{
		Name1: "Västra Hamnens Rör och Svets AB", Name2: "Leverantörsreskontra", Address1: "Box 4711", Address2: "Hamngatan 12",
		PostalCode: "SE-411 05", PostalName: "GÖTEBORG", CountryCode: "SE", OrganisationNumber: "974760673",
	}
	return in
}

// longInvoice has as much of everything as an invoice can have (rule D16).
func longInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	discount := models.Percent(1225)
	lines := make([]models.Line, 8)
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
	in.Creditor.Website = full("www.bjorkasen.example/", models.MaxWebsite)
	in.Invoice.Order = models.Order{
		YourReference: full("Innkjøpsavdelingen ved Åse", models.MaxReference), OrderNumber: full("PO-2026-4711", models.MaxReference),
		DeliveryDate: models.NewDate(2026, time.February, 27), DeliveryPlace: full("Øvre Bjørkåsen", models.MaxReference),
	}
	return in
}

// hugeInvoice has as many lines as an invoice can have, or fewer, some with long texts (rule L28).
func hugeInvoice(language string, lines int) InvoiceInput {
	in := shortInvoice(language)
	all := make([]models.Line, lines)
	for i := range all {
		all[i] = models.Line{Text: fmt.Sprintf("Time %d, tømrerarbeid på loftet", i+1), UnitPrice: 7_899_900, NumItems: models.Quantity(1000 + 250*(i%7)), VAT: models.VATHigh, VATPercent: 2500}
		if i%9 == 4 {
			all[i].Text = full(all[i].Text+", med stillas og bortkjøring;", models.MaxLineText)
		}
	}
	in.Lines = priced(all...)
	in.Invoice.Net, in.Invoice.Gross, _ = models.Totals(in.Lines)
	in.Creditor.FooterText = "Betaler du for sent, krever vi forsinkelsesrente. Innsigelser må komme innen åtte dager. Se vilkårene på www.kattensmelk.example/vilkaar. Styreleder: Åse Berg."
	return in
}

func longRecipient() models.Recipient {
	return models.Recipient{
		Name1: full("Borettslaget Ærlig Næss og omegn", models.MaxName), Name2: full("att. økonomiavdelingen", models.MaxName),
		Address1: full("Ålgårdsveien 7 B", models.MaxAddress), Address2: full("bakgården", models.MaxAddress),
		PostalCode: "SE-4330", PostalName: full("ÅLGÅRD", models.MaxPostalName), CountryCode: "SE",
		CustomerNumber: full("K-10042-", models.MaxCustomerNumber), OrganisationNumber: "974760673",
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

// partCreditNote credits a part of an invoice by a line of its own (rule L27).
func partCreditNote(language string) CreditNoteInput {
	in := shortCreditNote(language)
	line := models.CreditNoteLine{Text: "Prisavslag for riper i benkeplaten", VAT: models.VATHigh, VATPercent: 25_00, Net: 1_200_00, Gross: 1_500_00}
	in.Lines, in.CreditNote.Partial, in.CreditNote.Net, in.CreditNote.Gross = []models.Line{line.Line()}, true, line.Net, line.Gross
	in.CreditNote.Comment = ""
	return in
}

// freeCreditNote is on an invoice of which a part had been paid.
func freeCreditNote(language string) CreditNoteInput {
	in := shortCreditNote(language)
	in.Free = 500_000
	return in
}

func longCreditNote(language string) CreditNoteInput {
	in, long := shortCreditNote(language), longInvoice(language)
	in.Creditor, in.Invoice, in.Lines, in.CreditNote.Recipient = long.Creditor, long.Invoice, long.Lines, long.Invoice.Recipient
	in.CreditNote.Gross, in.CreditNote.Net = long.Invoice.Gross, long.Invoice.Net
	in.CreditNote.Comment = full("Alt er levert tilbake.", models.MaxComment)
	in.Free = in.CreditNote.Gross
	return in
}

// reminder is a first one, with a fee and interest.
func reminder(language string) NoticeInput {
	in := shortInvoice(language)
	issued, gross := models.NewDate(2026, time.March, 30), in.Invoice.Gross
	return NoticeInput{
		Creditor: in.Creditor, Invoice: in.Invoice, Claim: in.Lines, Language: language,
		Notice: models.Notice{
			Sequence: 1, IssueDate: issued, DueDate: models.NewDate(2026, time.April, 13),
			Fee: 3800, Interest: 7041, Gross: gross - 500_000 + 3800 + 7041, KID: in.Invoice.KID, Recipient: in.Invoice.Recipient,
		},
		Lines: []models.NoticeLine{
			line("Fakturabeløp", models.EntryInvoice, in.Invoice.IssueDate, gross),
			line("Betaling", models.EntryOCR, models.NewDate(2026, time.March, 20), -500_000),
			line("Purregebyr", models.EntryOverdueCharge, issued, 3800),
			line("Forsinkelsesrente", models.EntryInterest, issued, 7041),
		},
		Owed: Owed{Principal: gross - 500_000, Interest: 7041, Fees: 3800},
		Interest: []InterestPeriod{
			{models.NewDate(2026, time.March, 17), models.NewDate(2026, time.March, 20), 1200},
			{models.NewDate(2026, time.March, 21), models.NewDate(2026, time.March, 30), 1200},
		},
		Ahead: InterestAhead{From: issued + 1, Rate: 1200, PerDay: 423},
	}
}

// letter is a letter for n invoices, each of the day after the one before. One alone has no KID for all of it.
func letter(language string, n int, warns bool) LetterInput {
	of := reminder(language)
	in := LetterInput{Creditor: of.Creditor, Language: language, Ahead: InterestAhead{From: of.Ahead.From, Rate: of.Ahead.Rate}}
	in.Letter = models.Letter{Number: 17, Recipient: of.Notice.Recipient, IssueDate: of.Notice.IssueDate, DueDate: of.Notice.DueDate, KID: "9000000175"}
	for i := range models.Amount(n) {
		part := LetterPart{Invoice: of.Invoice, Notice: of.Notice, Claim: of.Claim, Owed: Owed{Principal: 1_000_00 + 100*i, Interest: 500 - i}}
		part.Invoice.Number += int64(i)
		part.Invoice.IssueDate += models.Date(i) - 60
		part.Invoice.DueDate += models.Date(i) - 60
		if part.Notice.Warning = warns; warns {
			part.Notice.Sequence = 2
		}
		part.Notice.KID, part.Notice.Fee = models.NewKID(fmt.Sprintf("%09d", part.Invoice.Number), models.Modulus10), 0
		if i == 0 {
			part.Notice.Fee, part.Owed.Fees = 3800, 3800
		}
		part.Notice.Gross = part.Owed.Principal + part.Owed.Interest + part.Owed.Fees
		in.Letter.Gross += part.Notice.Gross
		in.Ahead.PerDay += 33
		in.Parts = append(in.Parts, part)
	}
	if n == 1 {
		in.Letter.KID = ""
	}
	return in
}

// line is one of a notice; its text ends with the date.
func line(text string, kind models.EntryType, date models.Date, gross models.Amount) models.NoticeLine {
	return models.NoticeLine{Text: text + " " + date.String(), Gross: gross, Type: kind, TransactionDate: date}
}

// freeReminder is one without fee and interest.
func freeReminder(language string) NoticeInput {
	in := reminder(language)
	in.Lines, in.Interest, in.Ahead = in.Lines[:2], nil, InterestAhead{}
	in.Notice.Fee, in.Notice.Interest = 0, 0
	in.Notice.Gross, in.Owed = in.Owed.Principal, Owed{Principal: in.Owed.Principal}
	return in
}

// announcement is what stands in the place of a warning under the act of 2026.
func announcement(language string) NoticeInput {
	in := freeReminder(language)
	in.Notice.Sequence, in.Notice.Announces = 2, true
	in.Notice.IssueDate, in.Notice.DueDate = models.NewDate(2027, time.March, 30), models.NewDate(2027, time.April, 13)
	return in
}

// compensated is a reminder to a business, with standard compensation in the place of a fee.
func compensated(language string) NoticeInput {
	in := reminder(language)
	in.Notice.Compensation, in.Compensated, in.Notice.Fee = true, true, 43_000
	in.Notice.Gross += 43_000 - 3800
	in.Lines[2] = line("Standardkompensasjon for inndrivelse", models.EntryOverdueCharge, in.Notice.IssueDate, 43_000)
	in.Owed.Fees = 43_000
	return in
}

// second is a later notice on the same claim.
func second(in NoticeInput) NoticeInput {
	in.Notice.Sequence = 2
	in.Notice.IssueDate, in.Notice.DueDate = models.NewDate(2026, time.July, 6), models.NewDate(2026, time.July, 20)
	in.Lines = append(in.Lines, line("Purregebyr", models.EntryOverdueCharge, in.Notice.IssueDate, 3800),
		line("Forsinkelsesrente", models.EntryInterest, in.Notice.IssueDate, 41_480))
	in.Notice.Interest = 41_480
	in.Notice.Gross += 3800 + 41_480
	in.Owed.Fees += 3800
	in.Owed.Interest += 41_480
	in.Interest = []InterestPeriod{
		{models.NewDate(2026, time.March, 31), models.NewDate(2026, time.June, 30), 1200},
		{models.NewDate(2026, time.July, 1), models.NewDate(2026, time.July, 6), 1225},
	}
	in.Ahead = InterestAhead{From: in.Notice.IssueDate + 1, Rate: 1225, PerDay: 432}
	return in
}

func secondReminder(language string) NoticeInput { return second(reminder(language)) }

func warning(language string) NoticeInput {
	in := second(reminder(language))
	in.Notice.Warning = true
	return in
}

// abroad is a warning to a business abroad.
func abroad(language string) NoticeInput {
	in, business := warning(language), businessInvoice(language)
	in.Creditor, in.Notice.Recipient, in.Invoice.Order = business.Creditor, business.Invoice.Recipient, business.Invoice.Order
	return in
}

// longNotice has a payment a day and as long texts as can be.
func longNotice(language string) NoticeInput {
	in, long := warning(language), longInvoice(language)
	in.Creditor, in.Notice.Recipient, in.Invoice, in.Claim = long.Creditor, long.Invoice.Recipient, long.Invoice, long.Lines
	in.Notice.Comment = full("Vi har forsøkt å ringe flere ganger.", models.MaxComment)
	in.Lines = in.Lines[:1]
	for i := range 40 {
		in.Lines = append(in.Lines, line("Betaling", models.EntryOCR, models.NewDate(2026, time.April, 1)+models.Date(i), -100_00))
	}
	in.Owed.Principal = 1_386_690
	return in
}

// wideInvoice has characters that the first alphabet lacks, and some that the fonts lack too.
func wideInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	in.Creditor.Name = "Řemeslo Ελλάς AS"
	in.Invoice.Recipient.Name1 = "Владимир Жуков"
	in.Lines[0].Text = "漢字 (10 \\ 2) 😊 e\u0301, a\u030A \xff"
	return in
}

// lettersInvoice has letters of many languages, composed and with marks of their own.
func lettersInvoice(language string) InvoiceInput {
	in := shortInvoice(language)
	in.Creditor.Name = "Nguyễn & Ẹ̀kọ́ AS"
	in.Invoice.Recipient.Name1 = "Nguyê\u0303n Thi\u0323 Phương" // in parts
	for i, text := range []string{
		"Đường Trần Hưng Đạo, Ỷ ổ ự Ắ", "Ɓɔɔlẹ́ Ọ̀ṣun ɖɛ Ŋkɔ̃ ɓɗƙ Ɛ̃ ǂ ḓḽṋṱ ɔ̄̀", "Łódź Çelik İstanbul ġħŻ Ţț Ŵŷ Ḃ ẞ J̌ q̃ ə x̣̌ į̇́ 😊 → ♥",
		"Ἀθῆναι Ὀδυσσεύς ᾧ ΐ, Љубљана Ѓ Ў Ҕ Ӕ ү а́ ы́",
	} {
		in.Lines[i%len(in.Lines)].Text = text
	}
	return in
}

// statement is of a customer with an entry of each kind, and credit.
func statement(language string) StatementInput {
	day := models.NewDate(2026, time.March, 2)
	in := StatementInput{
		Creditor: sampleCreditor(), Customer: models.Customer{Recipient: sampleRecipient(), Language: language}, Date: day + 60, From: day - 30, To: day + 60,
		Opening: 500_00, Closing: 62_00,
		Open: []StatementOpen{{Number: 1001, IssueDate: day, DueDate: day + 14, Balance: 312_00}, {Number: 1003, Credit: true, IssueDate: day + 40, Balance: -250_00}},
	}
	balance := in.Opening
	for n, line := range []StatementLine{
		{Type: models.EntryInvoice, Document: 1001, Amount: 1000_00},
		{Type: models.EntryOCR, Document: 1001, Amount: -1300_00},
		{Type: models.EntryOverdueCharge, Document: 1001, Amount: 38_00},
		{Type: models.EntryInterest, Document: 1001, Amount: 4_00},
		{Type: models.EntryCreditNote, Document: 1002, Amount: -200_00},
		{Type: models.EntryCreditNote, Document: 1003, Credit: true, Amount: -80_00},
		{Type: models.EntryPayment, Document: 1001, Amount: 100_00},
	} {
		balance += line.Amount
		line.Date, line.Balance = day+models.Date(n), balance
		in.Lines = append(in.Lines, line)
	}
	return in
}

// timeLetter is the sheet before an invoice that tells of more time for it.
func timeLetter(language string, waived bool) ([]byte, error) {
	inv := shortInvoice(language).Invoice
	d, err := Cover{
		Creditor: sampleCreditor(), To: inv.Recipient, Language: language, Kind: models.InvoiceDocument, Number: inv.Number, BankAccount: inv.BankAccount, KID: inv.KID,
		Date: inv.DueDate + 7, Time: models.TimeLetter{Day: inv.DueDate + 6, Until: inv.DueDate + 27, Owed: inv.Gross - 100_000, Waived: waived},
	}.drawn(prepared)
	if err != nil {
		return nil, err
	}
	return d.file()
}

// correction is the sheet before an invoice that tells of charges that were wrong (rule U6).
func correction(language string, paid bool) ([]byte, error) {
	inv := shortInvoice(language).Invoice
	w := models.Correction{Day: inv.DueDate + 60, Back: 41_62, Owed: inv.Gross + 38_00, Wrongs: []models.CorrectedWrong{
		{Text: "Gebyret er 38.00, og det høyeste lovlige er 35.00.", Fee: 3_00}, {Text: "Renten er 45.62, og riktig er 7.00.", Interest: 38_62},
	}}
	if paid {
		w.Owed, w.Withdrawn, w.Collection = -w.Back, inv.DueDate+30, true
	}
	d, err := Cover{
		Creditor: sampleCreditor(), To: inv.Recipient, Language: language, Kind: models.InvoiceDocument, Number: inv.Number, BankAccount: inv.BankAccount, KID: inv.KID,
		Date: w.Day, Correction: w,
	}.drawn(prepared)
	if err != nil {
		return nil, err
	}
	return d.file()
}

// paymentPlan is a plan of some instalments for an everyday invoice (rule L15).
func paymentPlan(language string, instalments int) PaymentPlanInput {
	inv := shortInvoice(language).Invoice
	all := models.MonthlyInstalments(inv.Gross, inv.DueDate+15, 0, instalments)
	return PaymentPlanInput{
		Creditor: sampleCreditor(), Invoice: inv, Language: language,
		Plan: models.PaymentPlan{ID: 3, InvoiceID: inv.ID, Since: inv.DueDate + 7, Sum: inv.Gross, Instalments: all, Recipient: inv.Recipient},
	}
}
