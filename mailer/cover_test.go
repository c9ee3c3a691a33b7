package mailer

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit"
)

func covers() map[string]Cover {
	invoice := Cover{
		Kind: models.InvoiceDocument, Creditor: "Blåbær & Sønn AS", Customer: "Kari Nordmann", Number: 10001,
		Amount: 125000, DueDate: models.NewDate(2026, time.February, 5), BankAccount: "12345678903", KID: "0000100016",
	}
	invoiceCopy := invoice
	invoiceCopy.Copy, invoiceCopy.BankAccount = true, ""
	note := Cover{
		Kind: models.CreditNoteDocument, Creditor: "Blåbær & Sønn AS", Customer: "Kari Nordmann", Number: 10002,
		Invoice: 10001, Amount: 125000,
	}
	noteCopy := note
	noteCopy.Copy = true
	all := map[string]Cover{"invoice": invoice, "invoice_copy": invoiceCopy, "credit_note": note, "credit_note_copy": noteCopy}
	unpaid, paid, warning := invoice, invoice, invoice
	unpaid.Again, unpaid.Unpaid = true, 50000
	paid.Again = true
	warning.Kind, warning.Again, warning.Warning, warning.Unpaid, warning.BankAccount = models.NoticeDocument, true, true, 133600, ""
	reminder := warning
	reminder.Warning, reminder.Unpaid = false, 0
	noteAgain := note
	noteAgain.Again = true
	for name, c := range map[string]Cover{
		"invoice_again": unpaid, "invoice_again_paid": paid, "warning_again": warning, "reminder_again_paid": reminder, "credit_note_again": noteAgain,
	} { // rule N4
		all[name] = c
	}
	given := invoice // rule N11
	given.Time = models.TimeLetter{Day: invoice.DueDate + 6, Until: invoice.DueDate + 27, Owed: 75000}
	waived := given
	waived.Time.Waived, waived.BankAccount = true, ""
	all["more_time"], all["more_time_waived"] = given, waived
	corrected := invoice // rule U6
	corrected.Correction = models.Correction{Day: invoice.DueDate + 60, Back: 4162, Owed: 128800, Wrongs: []models.CorrectedWrong{
		{Text: "Gebyret er 38.00, og det høyeste lovlige er 35.00.", Fee: 300}, {Text: "Renten er 45.62, og riktig er 7.00.", Interest: 3862},
	}}
	paidBack := corrected
	paidBack.Correction.Owed, paidBack.Correction.Withdrawn, paidBack.Correction.Collection = -4162, invoice.DueDate+30, true
	all["correction"], all["correction_paid"] = corrected, paidBack
	plan := invoice // rule L15
	plan.Kind = models.PlanDocument
	all["payment_plan"] = plan
	plan.Copy = true
	all["payment_plan_copy"] = plan
	for name, c := range byEmail(invoice) {
		all[name] = c
	}
	for name, c := range withPage(all) {
		all[name] = c
	}
	return all
}

const samplePage = "https://pay.example.no/0123456789abcdefghjkmnpqrs"

// withPage are e-mails with the debtor's page (rule W1).
func withPage(all map[string]Cover) map[string]Cover {
	letter, drawn, ordinary := all["reminder"], all["invoice"], all["invoice"]
	letter.Kind, letter.Number, letter.KID, letter.Invoices = models.LetterDocument, 17, "9000000175", 3
	drawn.Drawn = true
	ordinary.Ordinary, ordinary.Unpaid = ordinary.DueDate+7, ordinary.Amount
	with := map[string]Cover{"letter": letter, "invoice_drawn": drawn, "not_drawn": ordinary}
	for _, name := range []string{"invoice", "invoice_again", "warning_again", "friendly_reminder", "reminder"} {
		with[name] = all[name]
	}
	named := map[string]Cover{}
	for name, c := range with {
		c.Page = samplePage
		named[name+"_page"] = c
	}
	return named
}

// TestW1TheSentenceOfThePage holds that it stands by itself before the greeting, that nothing else changes, and that a copy for somebody else lacks it.
func TestW1TheSentenceOfThePage(t *testing.T) {
	t.Parallel()
	sentences := map[string]string{
		"nb": "\nSe hva som er ubetalt, eller si fra om noe er feil: " + samplePage + "\n",
		"nn": "\nSjå kva som er ubetalt, eller sei frå om noko er feil: " + samplePage + "\n",
		"en": "\nSee what is owed, or tell us if something is wrong: " + samplePage + "\n",
	}
	for name, c := range withPage(covers()) {
		for language, sentence := range sentences {
			with, err := c.Text(language)
			testkit.Must(t, err)
			bare, copied := c, c
			bare.Page, copied.Copy = "", true
			without, err := bare.Text(language)
			testkit.Must(t, err)
			before, after, found := strings.Cut(with.Body, sentence)
			if !found || before+after != without.Body || !strings.HasSuffix(before, "\n") || strings.Count(after, "\n") > 3 {
				t.Errorf("%s in %s says\n%s\nand without a page\n%s", name, language, with.Body, without.Body)
			}
			if other, err := copied.Text(language); err != nil || strings.Contains(other.Body, samplePage) {
				t.Errorf("%s in %s tells somebody else of the page, %v:\n%s", name, language, err, other.Body)
			}
		}
	}
}

// byEmail are friendly reminders (rule L14), and reminders that go by e-mail themselves (rule L22).
func byEmail(invoice Cover) map[string]Cover {
	soon := invoice
	soon.Friendly, soon.Unpaid = true, 125000
	forgotten := soon
	forgotten.Overdue, forgotten.Unpaid, forgotten.BankAccount = true, 50000, ""
	reminder := invoice
	reminder.Kind, reminder.Notice, reminder.Until, reminder.Amount = models.NoticeDocument, true, invoice.DueDate+28, 129331
	free, interest, compensated := reminder, reminder, reminder
	reminder.Fee, reminder.Interest = 3800, 531
	interest.Interest = 531
	compensated.Fee, compensated.Compensation = 46000, true
	return map[string]Cover{
		"friendly_reminder": soon, "friendly_reminder_overdue": forgotten,
		"reminder": reminder, "reminder_free": free, "reminder_interest": interest, "reminder_compensation": compensated,
	}
}

// TestL22AWarningIsNoEMail: it goes on paper.
func TestL22AWarningIsNoEMail(t *testing.T) {
	t.Parallel()
	if _, err := (Cover{Kind: models.NoticeDocument, Notice: true, Warning: true}).Text("nb"); err == nil {
		t.Error("a warning has an e-mail")
	}
}

func TestCoverGolden(t *testing.T) {
	t.Parallel()
	for name, c := range covers() {
		for _, language := range []string{"nb", "nn", "en"} {
			text, err := c.Text(language)
			if err != nil {
				t.Fatal(err)
			}
			got := fmt.Sprintf("Subject: %s\nFile: %s\n\n%s", text.Subject, text.FileName, text.Body)
			testkit.Golden(t, "testdata/"+name+"."+language+".txt", got)
		}
	}
}

func TestCoverIsInBokmaalWhereNoLanguageIsKnown(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"", "se"} {
		text, err := covers()["invoice"].Text(language)
		if err != nil || text.Subject != "Faktura 10001 fra Blåbær & Sønn AS" {
			t.Errorf("in the language %q the subject is %q, error %v", language, text.Subject, err)
		}
	}
}

// TestEveryKindOfDocumentThatGoesByEmailHasItsCover asks for the cover of each kind in each language.
func TestEveryKindOfDocumentThatGoesByEmailHasItsCover(t *testing.T) {
	t.Parallel()
	for _, kind := range models.DocumentKinds() {
		for language, texts := range templates() {
			if name := string(kind) + "." + language + ".txt"; texts.Lookup(name) == nil { // a notice as a copy (rule N4)
				t.Errorf("%s lacks, there are %s", name, texts.DefinedTemplates())
			}
		}
	}
}

func TestNoticesHaveNoCoverButAsACopy(t *testing.T) { // rule D30
	t.Parallel()
	if text, err := (Cover{Kind: models.NoticeDocument}).Text("nb"); err == nil {
		t.Errorf("got %+v", text)
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		amount             models.Amount
		norwegian, english string
	}{
		{0, "0,00", "0.00"},
		{5, "0,05", "0.05"},
		{99999, "999,99", "999.99"},
		{125000, "1 250,00", "1,250.00"},
		{-3500, "-35,00", "-35.00"},
		{-12345678, "-123 456,78", "-123,456.78"},
		{models.MaxAmount, "9 999 999 999,99", "9,999,999,999.99"},
	}
	for _, tt := range tests {
		if got := norwegianAmount(tt.amount); got != tt.norwegian {
			t.Errorf("%s kroner is %q in Norwegian, want %q", tt.amount, got, tt.norwegian)
		}
		if got := englishAmount(tt.amount); got != tt.english {
			t.Errorf("%s kroner is %q in English, want %q", tt.amount, got, tt.english)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	d := models.NewDate(2026, time.February, 5)
	if got := norwegianDate(d); got != "05.02.2026" {
		t.Errorf("%s is %q in Norwegian", d, got)
	}
	if got := englishDate(d); got != "5 February 2026" {
		t.Errorf("%s is %q in English", d, got)
	}
}

func TestAccount(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{"12345678903": "1234 56 78903", "": "", "123": "123"} {
		if got := account(number); got != want {
			t.Errorf("the account %q is written %q, want %q", number, got, want)
		}
	}
}
