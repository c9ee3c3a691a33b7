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
		"til faktura@bjorkasen.example", "Har du alt betalt, kan du se bort fra dette brevet.", "Ring oss gjerne.",
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

func TestNoticeWithoutInterestNamesNoRate(t *testing.T) {
	in := reminder("nb")
	in.Interest = nil
	file, err := Notice(in)
	says(t, file, err, "Purring")
	if strings.Contains(plain(t, file), "per år") {
		t.Error("a rate is shown")
	}
}

func TestNoticeOfACreditorWithoutEmailGivesTheAddressForObjections(t *testing.T) {
	in := reminder("nb")
	in.Creditor.Email = ""
	file, err := Notice(in)
	says(t, file, err, "Bjørkåsen Snekkerverksted AS, Øvre Strandgate 12, 4005 STAVANGER.")
}

func TestNoticeTakesTheCreditorsAccountWhereTheInvoiceHasNone(t *testing.T) {
	in := reminder("nb")
	in.Invoice.BankAccount, in.Creditor.BankAccount = "", "98765432103"
	file, err := Notice(in)
	says(t, file, err, "Til konto 9876 54 32103")
}

// TestWarning holds inkassoloven § 9: the heading alone, what follows after the deadline, and costs that
// can follow, but need not.
func TestWarning(t *testing.T) {
	for _, w := range []struct{ language, heading, other, follows, costs string }{
		{"nb", "Inkassovarsel", "Purring ", "innen 20.07.2026, vil inkasso bli satt i gang; kravet kan da bli overlatt til inkasso", "kan føre til ytterligere kostnader"},
		{"nn", "Inkassovarsel", "Purring ", "innan 20.07.2026, vil inkasso bli sett i gang; kravet kan då bli overlate til inkasso", "kan føre til ytterlegare kostnader"},
		{"en", "Debt-collection warning", "reminder", "by 20 July 2026, debt collection will be started; the claim can then be handed over", "can bring further costs"},
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
		}), 1, models.MaxLines).Draw(t, "lines")...)
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
