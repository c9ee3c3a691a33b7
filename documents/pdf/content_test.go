package pdf

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

// says fails for every text that the document does not show.
func says(t *testing.T, file []byte, err error, texts ...string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	got := plain(t, file)
	for _, want := range texts {
		if !strings.Contains(got, want) {
			t.Errorf("the document does not say %q", want)
		}
	}
}

// TestInvoiceSaysWhatTheLawAsksFor goes through bokføringsforskriften §§ 5-1-1, 5-1-2 and 5-1-5.
func TestInvoiceSaysWhatTheLawAsksFor(t *testing.T) {
	file, err := Invoice(shortInvoice("nb"))
	for _, part := range []struct{ rule, text string }{
		{"number", "Fakturanummer 1001"},
		{"issue date", "Fakturadato 02.03.2026"},
		{"seller", "Bjørkåsen Snekkerverksted AS"},
		{"seller's number, registered for VAT", "Org.nr. 974 760 673 MVA"},
		{"register of a limited company", "Foretaksregisteret"},
		{"buyer", "Ærlig Næss Ålgårdsveien 7 B 4330 ÅLGÅRD"},
		{"what, how many, unit price, discount, net", "Benkeplate i eik, 40 mm, 2,4 m² 1 4 890,00 10 % 25 % 4 401,00"},
		{"due date", "Forfallsdato 16.03.2026"},
		{"VAT in NOK", "Mva (NOK)"},
		{"sums of 25 %", "25 % 13 776,00 3 444,00"},
		{"sums of 15 %", "15 % 345,13 51,77"},
		{"sums of what bears no VAT", "0 % 250,00 0,00"},
		{"sums of all", "Sum uten mva 14 371,13 Mva 3 495,77"},
		{"to pay", "Å betale NOK 17 866,90"},
	} {
		t.Run(part.rule, func(t *testing.T) { says(t, file, err, part.text) })
	}
}

func TestPaymentBox(t *testing.T) {
	file, err := Invoice(shortInvoice("nb"))
	says(t, file, err, "Til konto 1234 56 78903 KID 0000010017 Forfallsdato 16.03.2026 Å betale NOK 17 866,90")
}

func TestACreditorOutsideTheVATRegisterShowsNoVAT(t *testing.T) {
	file, err := Invoice(plainInvoice("nb"))
	says(t, file, err, "Gitartime 4 350,00 1 400,00 Å betale NOK 1 400,00")
	if got := strings.ToLower(plain(t, file)); strings.Contains(got, "mva") || strings.Contains(got, "konto") {
		t.Errorf("VAT or an account is shown: %s", got)
	}
}

func TestCreditNoteNamesTheInvoiceAndIsNoBill(t *testing.T) {
	in := shortCreditNote("nb")
	file, err := CreditNote(in)
	says(t, file, err, "Kreditnotanummer 1002", "Gjelder faktura 1001 Fakturadato 02.03.2026", "hele faktura 1001 av 02.03.2026",
		"Kreditert NOK 17 866,90", "Benkeplaten hadde sprekker og er levert tilbake.", "Org.nr. 974 760 673 MVA")
	for _, unwanted := range []string{"KID", "konto", "betale", in.CreditNote.KID} {
		if strings.Contains(plain(t, file), unwanted) {
			t.Errorf("a credit note says %q", unwanted)
		}
	}
}

// TestNoticeShowsTheClaimInParts holds rule D28 and the practice of inkassoforskriften § 1-2.
func TestNoticeShowsTheClaimInParts(t *testing.T) {
	in := reminder("nb")
	in.Notice.Comment = "Ring oss gjerne."
	file, err := Notice(in)
	says(t, file, err, "Purring", "faktura 1001 av 02.03.2026, med forfall 16.03.2026", "betalt innen 13.04.2026",
		"Fakturabeløp 02.03.2026 17 866,90 Betaling 20.03.2026 -5 000,00 Purregebyr 30.03.2026 38,00 Forsinkelsesrente 30.03.2026 70,41",
		"Hovedstol 12 866,90 Forsinkelsesrente 70,41 Gebyr 38,00 Å betale NOK 12 975,31",
		"Til konto 1234 56 78903 KID 0000010017 Betalingsfrist 13.04.2026 Å betale NOK 12 975,31",
		"Kontakt oss: faktura@bjorkasen.example, telefon +47 22 33 44 55. Har du alt betalt, kan du se bort fra dette brevet.", "Ring oss gjerne.",
		"12 % per år fra og med 17.03.2026 til og med 30.03.2026")
	if strings.Contains(strings.ToLower(plain(t, file)), "inkasso") {
		t.Error("a reminder speaks of debt collection")
	}
}

// TestReminderWithoutFee holds its heading, and that it names no fee.
func TestReminderWithoutFee(t *testing.T) {
	for language, want := range map[string]struct{ heading, fee string }{
		"nb": {"Betalingspåminnelse", "ebyr"}, "nn": {"Betalingspåminning", "ebyr"}, "en": {"Payment reminder", "Fees"},
	} {
		file, err := Notice(freeReminder(language))
		says(t, file, err, want.heading)
		if got := plain(t, file); strings.Contains(got, want.fee) || strings.Contains(got, "Purring") {
			t.Errorf("%s: a reminder without a fee says: %s", language, got)
		}
	}
}

// TestReminderInThePlaceOfAWarning holds what a creditor may still tell under LOV-2026-05-22-19 § 20: what can
// follow, and not under the heading that is an agency's.
func TestReminderInThePlaceOfAWarning(t *testing.T) {
	for language, want := range map[string]string{
		"nb": "betalt innen 13.04.2027, kan det bli overlatt til et inkassoforetak. Det kan føre til ytterligere kostnader.",
		"nn": "betalt innan 13.04.2027, kan det bli overlate til eit inkassoføretak. Det kan føre til ytterlegare kostnader.",
		"en": "paid by 13 April 2027, it can be handed over to a licensed debt-collection agency. That can bring further costs.",
	} {
		file, err := Notice(announcement(language))
		says(t, file, err, want)
		if got := plain(t, file); strings.Contains(got, "varsel") || strings.Contains(got, "warning") {
			t.Errorf("%s: it is called a warning: %s", language, got)
		}
	}
}

func TestCompensationIsNamedAsSuch(t *testing.T) {
	for language, want := range map[string][]string{
		"nb": {"Standardkompensasjon 430,00", "forsinkelsesrenteloven § 3 a"},
		"nn": {"Standardkompensasjon 430,00", "forseinkingsrentelova § 3 a"},
		"en": {"Standard compensation 430.00", "section 3 a"},
	} {
		file, err := Notice(compensated(language))
		says(t, file, err, want...)
		later := second(compensated(language)) // which charges none itself
		later.Notice.Compensation = false
		later.Lines = slices.Delete(later.Lines, len(later.Lines)-2, len(later.Lines)-1)
		later.Notice.Fee, later.Owed.Fees, later.Notice.Gross = 0, 43_000, later.Notice.Gross-3800
		file, err = Notice(later)
		says(t, file, err, want[0])
		if got := plain(t, file); strings.Contains(got, want[1]) {
			t.Errorf("%s: it claims the compensation anew: %s", language, got)
		}
	}
}

func TestLinesThatWereWrittenBeforeTheirKindsWereKept(t *testing.T) {
	in := reminder("nb")
	in.Owed = Owed{}
	for i := range in.Lines {
		in.Lines[i].Type, in.Lines[i].TransactionDate = "", 0
	}
	file, err := Notice(in)
	says(t, file, err, "Betaling 2026-03-20 -5 000,00", "Å betale NOK 12 975,31")
	if strings.Contains(plain(t, file), "Hovedstol") {
		t.Error("a principal is shown that is not known")
	}
}

// TestL13ANoticeWithoutInterestDoesNotSpeakOfIt draws each kind without interest.
func TestL13ANoticeWithoutInterestDoesNotSpeakOfIt(t *testing.T) {
	for language, word := range map[string]string{"nb": "rente", "nn": "rent", "en": "interest"} {
		for _, in := range []NoticeInput{freeReminder(language), announcement(language), second(freeReminder(language))} {
			in.Interest, in.Ahead, in.Notice.Warning = nil, InterestAhead{}, in.Notice.Sequence == 2 && !in.Notice.Announces
			in.Lines, in.Owed.Interest, in.Notice.Interest = in.Lines[:2], 0, 0
			file, err := Notice(in)
			says(t, file, err)
			if got := plain(t, file); strings.Contains(strings.ToLower(got), word) {
				t.Errorf("%s: it says %q: %s", language, word, got)
			}
		}
	}
}

// TestL13WhatANoticeTells holds what a debtor must know: what the claim is for, what each day adds from when, and whom to
// ask who cannot pay. In English the Norwegian term stands beside the heading.
func TestL13WhatANoticeTells(t *testing.T) {
	for language, want := range map[string][]string{
		"nb": {
			"Kravet gjelder: Montering av kjøkkeninnredning m.m.", "Fra og med 07.07.2026 kommer det til NOK 4,32 i rente for hver dag, etter dagens sats på 12,25 % per år",
			"Kan du ikke betale innen fristen, ber vi deg ta kontakt med oss", "telefon +47 22 33 44 55", "Dette er et varsel etter inkassoloven § 9",
		},
		"nn": {
			"Kravet gjeld: Montering av kjøkkeninnredning m.m.", "Frå og med 07.07.2026 kjem det til NOK 4,32 i rente for kvar dag, etter satsen i dag på 12,25 % per år",
			"Kan du ikkje betale innan fristen, bed vi deg ta kontakt med oss", "telefon +47 22 33 44 55", "Dette er eit varsel etter inkassolova § 9",
		},
		"en": {
			"The claim is for: Montering av kjøkkeninnredning and more", "From 7 July 2026, NOK 4.32 of interest is added each day, at today's rate of 12.25 % a year",
			"If you cannot pay by the deadline, please get in touch with us", "telephone +47 22 33 44 55", "section 9 of the Norwegian Debt Collection Act",
			"Debt-collection warning (inkassovarsel)",
		},
	} {
		file, err := Notice(warning(language))
		says(t, file, err, want...)
	}
	for term, in := range map[string]NoticeInput{"(purring)": reminder("en"), "(betalingspåminnelse)": freeReminder("en")} {
		file, err := Notice(in)
		says(t, file, err, "Payment reminder "+term)
	}
}

func TestL13TheSubjectOfAClaim(t *testing.T) {
	long := models.Line{Text: full("Maling av vegg;", models.MaxLineText)}
	for _, tt := range []struct {
		lines []models.Line
		note  string
		want  string
	}{
		{[]models.Line{{Text: "Rør"}}, "note", "Rør"},
		{[]models.Line{{Text: " Rør\n\tog vask "}, {Text: "Kran"}}, "", "Rør og vask m.m."},
		{nil, "Leie for mars", "Leie for mars"},
		{nil, "", ""},
		{[]models.Line{long}, "", long.Text[:maxSubject-1] + "…"},
	} {
		if got := bokmaal.subject(tt.lines, tt.note); got != tt.want {
			t.Errorf("the subject of %v is %q, want %q", tt.lines, got, tt.want)
		}
	}
}

// TestL13ACreditNoteTellsWhatIsTheCustomers draws one on an invoice that was unpaid, part paid and paid.
func TestL13ACreditNoteTellsWhatIsTheCustomers(t *testing.T) {
	for language, want := range map[string]struct{ settled, part, rest, all, back string }{
		"nb": {"Hele beløpet, NOK 17 866,90, er gjort opp", "NOK 5 000,00 var betalt fra før, og det har du til gode.", "NOK 12 866,90 er gjort opp", "NOK 17 866,90 var betalt", "Vi betaler det tilbake til den kontoen du oppgir"},
		"nn": {"Heile beløpet, NOK 17 866,90, er gjort opp", "NOK 5 000,00 var betalt frå før, og det har du til gode.", "NOK 12 866,90 er gjort opp", "NOK 17 866,90 var betalt", "Vi betaler det tilbake til den kontoen du gjev oss"},
		"en": {"The whole amount, NOK 17,866.90, is settled", "NOK 5,000.00 had been paid already, and is owed to you.", "NOK 12,866.90 is settled", "NOK 17,866.90 had been paid", "We pay it back to the account that you give us"},
	} {
		in := shortCreditNote(language)
		file, err := CreditNote(in)
		says(t, file, err, want.settled)
		in.Free = 500_000
		file, err = CreditNote(in)
		says(t, file, err, want.part, want.rest, want.back, "faktura@bjorkasen.example", "+47 22 33 44 55")
		in.Free = in.CreditNote.Gross
		file, err = CreditNote(in)
		says(t, file, err, want.all, want.back)
	}
}

// TestL18References holds where an invoice's references stand: on the invoice, on its credit note and on its notices.
func TestL18References(t *testing.T) {
	invoice := businessInvoice("nb")
	file, err := Invoice(invoice)
	says(t, file, err, "Leveringsdato 27.02.2026 Leveringssted Kursgården på Ålgård, sal 3, inngang fra baksiden "+
		"Kundens org.nr. 974 760 673 Deres referanse Åse Berg, Inköp Väst Ordrenummer PO-2026-004711")
	note := shortCreditNote("nn")
	note.Invoice, note.CreditNote.Recipient = invoice.Invoice, invoice.Invoice.Recipient
	file, err = CreditNote(note)
	says(t, file, err, "Org.nr. til kunden 974 760 673 Dykkar referanse Åse Berg, Inköp Väst Ordrenummer PO-2026-004711")
	file, err = Notice(abroad("en"))
	says(t, file, err, "Customer's org. no. 974 760 673 Your reference Åse Berg, Inköp Väst Order number PO-2026-004711")
	file, err = Invoice(plainInvoice("nb"))
	says(t, file, err)
	for _, unwanted := range []string{"Leverings", "referanse", "Ordrenummer", "Kundens"} {
		if strings.Contains(plain(t, file), unwanted) {
			t.Errorf("an invoice without references says %q", unwanted)
		}
	}
}

// TestL8IBANForPayersAbroad holds who sees IBAN and BIC.
func TestL8IBANForPayersAbroad(t *testing.T) {
	file, err := Invoice(businessInvoice("en"))
	says(t, file, err, "IBAN NO71 1234 5678 903 BIC DNBANOKKXXX")
	file, err = Notice(abroad("en"))
	says(t, file, err, "IBAN NO71 1234 5678 903 BIC DNBANOKKXXX")
	in := businessInvoice("nb")
	in.Invoice.Recipient.CountryCode = "NO"
	file, err = Invoice(in)
	says(t, file, err, "Til konto 1234 56 78903")
	if got := plain(t, file); strings.Contains(got, "IBAN") || strings.Contains(got, "BIC") {
		t.Errorf("a payer in Norway is shown an IBAN: %s", got)
	}
}

// TestL8BusinessRegister holds when Foretaksregisteret is printed.
func TestL8BusinessRegister(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		name string
		said *bool
		want bool
	}{
		{"Rør AS", nil, true}, {"Rør ENK", nil, false}, {"Rør ASA", nil, true}, {"Rør AS", &no, false}, {"Rør ENK", &yes, true},
	} {
		in := shortInvoice("nb")
		in.Creditor.Name, in.Creditor.BusinessRegister = tt.name, tt.said
		file, err := Invoice(in)
		says(t, file, err)
		if got := strings.Contains(plain(t, file), "Foretaksregisteret"); got != tt.want {
			t.Errorf("%s, %v: Foretaksregisteret is printed: %t", tt.name, tt.said, got)
		}
	}
}

// TestL8WhyLinesHaveNoVAT holds the text for a creditor who has said why, and none for others or without such lines.
func TestL8WhyLinesHaveNoVAT(t *testing.T) {
	for _, tt := range []struct {
		why  models.VATExemption
		want string
	}{{models.VATExempt, "unntatt fra merverdiavgift"}, {models.VATZero, "fritatt for merverdiavgift"}, {"", ""}} {
		for _, in := range []InvoiceInput{shortInvoice("nb"), plainInvoice("nb")} {
			in.Creditor.VATExemption = tt.why
			file, err := Invoice(in)
			says(t, file, err, tt.want)
			if tt.want == "" && strings.Contains(plain(t, file), "merverdiavgift") {
				t.Error("it says why lines have no VAT, and nobody said so")
			}
			in.Lines = in.Lines[:1]
			in.Lines[0].VATPercent = 2500
			file, err = Invoice(in)
			says(t, file, err)
			if strings.Contains(plain(t, file), "merverdiavgift") {
				t.Error("it says why lines have no VAT, and all have some")
			}
		}
	}
}

func TestNoticeOfACreditorWithoutEmailGivesTheAddressForObjections(t *testing.T) {
	in := reminder("nb")
	in.Creditor.Email = ""
	file, err := Notice(in)
	says(t, file, err, "Bjørkåsen Snekkerverksted AS, Øvre Strandgate 12, 4005 STAVANGER, telefon +47 22 33 44 55.")
}

func TestNoticeTakesTheCreditorsAccountWhereTheInvoiceHasNone(t *testing.T) {
	in := reminder("nb")
	in.Invoice.BankAccount, in.Creditor.BankAccount = "", "98765432103"
	file, err := Notice(in)
	says(t, file, err, "Til konto 9876 54 32103")
}

// TestL13Warning holds inkassoloven § 9: the heading alone, what will follow after the deadline, and costs that can follow,
// but need not.
func TestL13Warning(t *testing.T) {
	for _, w := range []struct{ language, heading, other, follows, costs string }{
		{"nb", "Inkassovarsel", "Purring ", "innen 20.07.2026, vil det bli sendt til inkasso uten flere varsler.", "Det kan føre til ytterligere kostnader."},
		{"nn", "Inkassovarsel", "Purring ", "innan 20.07.2026, vil det bli sendt til inkasso utan fleire varsel.", "Det kan føre til ytterlegare kostnader."},
		{"en", "Debt-collection warning", "reminder", "by 20 July 2026, it will be sent to debt collection without further warning.", "This can mean further costs."},
	} {
		t.Run(w.language, func(t *testing.T) {
			file, err := Notice(warning(w.language))
			says(t, file, err, w.follows, w.costs)
			got := plain(t, file)
			if strings.Count(got, w.heading) != 1 {
				t.Errorf("the heading %q stands %d times, want once", w.heading, strings.Count(got, w.heading))
			}
			if strings.Contains(got, w.other) {
				t.Errorf("the warning also says %q", w.other)
			}
		})
	}
}

func TestInterestPeriodsAtOneRateAreJoined(t *testing.T) {
	day := models.NewDate(2026, 6, 1)
	in := reminder("nb")
	in.Interest = []InterestPeriod{{day, day + 9, 1200}, {day + 10, day + 29, 1200}, {day + 30, day + 34, 1225}, {day + 40, day + 41, 1225}}
	file, err := Notice(in)
	says(t, file, err, "12 % per år fra og med 01.06.2026 til og med 30.06.2026; 12,25 % per år fra og med 01.07.2026 til og med "+
		"05.07.2026; 12,25 % per år fra og med 11.07.2026 til og med 12.07.2026.")
}

func TestVATSumsAddUpToTheInvoice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := priced(rapid.SliceOfN(rapid.Custom(func(t *rapid.T) models.Line {
			return models.Line{
				UnitPrice:  models.Price(rapid.Int64Range(-1_000_000_000, 1_000_000_000).Draw(t, "price")),
				NumItems:   models.Quantity(rapid.Int64Range(-100_000, 100_000).Draw(t, "items")),
				VATPercent: rapid.SampledFrom([]models.Percent{0, 800, 1200, 1500, 2500}).Draw(t, "percent"),
			}
		}), 1, 8).Draw(t, "lines")...)
		var got, want vatSum
		for _, s := range vatSums(lines) {
			got.net += s.net
			got.vat += s.vat
		}
		for _, l := range lines {
			want.net += l.Net
			want.vat += l.Gross - l.Net
		}
		if got != want {
			t.Fatalf("the sums are %v, want %v", got, want)
		}
	})
}
