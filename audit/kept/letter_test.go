package kept_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"purr/audit/kept"
	"purr/documents/pdf"
	"purr/models"
	"purr/test/testkit"
)

var issued = models.NewDate(2026, time.March, 30)

// notice is a reminder as it is drawn.
func notice(language string) pdf.NoticeInput {
	line := func(text string, kind models.EntryType, date models.Date, gross models.Amount) models.NoticeLine {
		return models.NoticeLine{Text: text + " " + date.String(), Gross: gross, Type: kind, TransactionDate: date}
	}
	due, paid := models.NewDate(2026, time.March, 16), models.NewDate(2026, time.March, 20)
	return pdf.NoticeInput{
		Creditor: models.Creditor{Name: "Bjørkåsen (Snekker) AS", BankAccount: "12345678903", Address1: "Gata 1", PostalCode: "4005", PostalName: "STAVANGER"},
		Invoice:  models.Invoice{Number: 1001, IssueDate: due - 14, DueDate: due, BankAccount: "12345678903", KID: "0000010017"},
		Claim:    []models.Line{{Text: "Rate 2 av 1 999,00 fra 01.02.2026"}},
		Language: language,
		Notice: models.Notice{
			Sequence: 1, IssueDate: issued, DueDate: issued + 14, Fee: 38_00, Interest: 70_41, Gross: 12_975_31, KID: "0000010017",
			Recipient: models.Recipient{Name1: "Ærlig Næss", Address1: "Veien 7", PostalCode: "4330", PostalName: "ÅLGÅRD", CountryCode: "NO"},
		},
		Lines: []models.NoticeLine{
			line("Fakturabeløp", models.EntryInvoice, due-14, 17_866_90), line("Betaling", models.EntryOCR, paid, -5_000_00),
			line("Purregebyr", models.EntryOverdueCharge, issued, 38_00), line("Forsinkelsesrente", models.EntryInterest, issued, 70_41),
		},
		Owed:     pdf.Owed{Principal: 12_866_90, Interest: 70_41, Fees: 38_00},
		Interest: []pdf.InterestPeriod{{From: due + 1, To: issued, Rate: 12_25}},
		Ahead:    pdf.InterestAhead{From: issued + 1, Rate: 12_00, PerDay: 4_23},
	}
}

// rows is what the rows say of the same notice.
func rows(language string) kept.Letter {
	in := notice(language)
	return kept.Letter{
		Language: language, KID: in.Notice.KID, Account: in.Invoice.BankAccount, Issued: issued, Due: issued + 14, Gross: in.Notice.Gross,
		Sums: []models.Amount{17_866_90, -5_000_00, 38_00, 70_41}, Dates: []models.Date{in.Invoice.IssueDate, in.Invoice.DueDate, in.Lines[1].TransactionDate},
		May: []models.Amount{12_866_90},
	}
}

// TestU3TheKeptPDFSaysWhatTheRowsSay draws letters, and others of which something was changed.
func TestU3TheKeptPDFSaysWhatTheRowsSay(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what   string
		change func(in *pdf.NoticeInput)
		want   string
	}{
		{"nothing", func(*pdf.NoticeInput) {}, ""},
		{"the debtor's page", func(in *pdf.NoticeInput) { in.Page = "https://pay.example.no/0123456789abcdefghjkmnpqrs" }, ""},
		{"an øre of the sum", func(in *pdf.NoticeInput) { in.Notice.Gross++ }, `gross: "12975.32", expected "12975.31"`},
		{"a line's sum", func(in *pdf.NoticeInput) { in.Lines[0].Gross += 10_00 }, `sum: "17876.90", expected "17866.90"`},
		{"a sign", func(in *pdf.NoticeInput) { in.Lines[1].Gross = 5_000_00 }, `sum: "5000.00", expected "-5000.00"`},
		{"the deadline", func(in *pdf.NoticeInput) { in.Notice.DueDate-- }, `date: "2026-04-12", expected "2026-04-13"`},
		{"the date", func(in *pdf.NoticeInput) { in.Invoice.DueDate -= 365 }, `date: "2025-03-16", expected "2026-03-16"`},
		{"a digit of the KID", func(in *pdf.NoticeInput) { in.Notice.KID = "0000010018" }, `KID: "0000010018", expected "0000010017"`},
		{"another account", func(in *pdf.NoticeInput) { in.Invoice.BankAccount = "12345678911" }, `account: "1234 56 78911", expected "1234 56 78903"`},
		{"a line more", func(in *pdf.NoticeInput) {
			in.Lines = append(in.Lines, models.NoticeLine{Text: "Omkostninger", Gross: 99_00})
		}, `sum: "99.00", expected ""`},
		{"a line less", func(in *pdf.NoticeInput) { in.Lines = in.Lines[:1] }, `date: "", expected "2026-03-20"; sum: "", expected "-5000.00"; sum: "", expected "38.00"; sum: "", expected "70.41"`},
	} {
		for _, language := range []string{"nb", "nn", "en"} {
			in := notice(language)
			test.change(&in)
			file, err := pdf.Notice(in)
			testkit.Must(t, err)
			differences, err := rows(language).InPDF(file)
			testkit.Must(t, err)
			var got []string
			for _, d := range differences {
				got = append(got, d.String())
			}
			want := test.want
			if test.what == "a line less" { // their sums stand below the claim too
				want = strings.NewReplacer(`; sum: "", expected "38.00"`, "", `; sum: "", expected "70.41"`, "").Replace(want)
			}
			if joined := strings.Join(got, "; "); joined != want {
				t.Errorf("%s, %s: %s, want %s", test.what, language, joined, want)
			}
		}
	}
}

// TestU3WhatIsNoPDFOfPurr says that nothing is known of it.
func TestU3WhatIsNoPDFOfPurr(t *testing.T) {
	t.Parallel()
	file, err := pdf.Notice(notice("nb"))
	testkit.Must(t, err)
	for what, bytes := range map[string]string{
		"nothing": "", "text": "%PDF-1.4 and no more", "half of a file": string(file[:len(file)/2]),
		"a page without content": "<</Type /Page\n/Contents 7 0 R>>\nendobj\n",
		"a page not packed":      "<</Type /Page\n/Contents 7 0 R>>\nendobj\n7 0 obj\n<</Length 3>>\nstream\nBT ET",
	} {
		if d, err := rows("nb").InPDF([]byte(bytes)); err == nil {
			t.Errorf("%s: %v", what, d)
		}
	}
}

// TestU3TheKeptEHFSaysWhatTheRowsSay reads a reminder that was made elsewhere.
func TestU3TheKeptEHFSaysWhatTheRowsSay(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../documents/ehf/testdata/reminder.xml")
	testkit.Must(t, err)
	l := kept.Letter{KID: "000010017", Account: "12345678903", Issued: models.NewDate(2026, time.February, 28), Due: models.NewDate(2026, time.March, 14), Gross: 1}
	differences, err := l.InEHF(document)
	testkit.Must(t, err)
	testkit.Golden(t, "testdata/ehf.txt", fmt.Sprintln(differences))
	differences, err = l.InEHF(bytes.Replace(document, []byte("<cbc:Percent>0<"), []byte("<cbc:Percent>25.00<"), 1))
	testkit.Must(t, err)
	if last := differences[len(differences)-1]; last != (kept.Difference{What: "VAT", Found: "25.00", Expected: "0"}) {
		t.Errorf("a fee with VAT: %+v", differences)
	}
	for _, bad := range []string{"", "<Invoice>", "no XML"} {
		if _, err := l.InEHF([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// FuzzU3Texts has any bytes as a PDF, and as the content of a page.
func FuzzU3Texts(f *testing.F) {
	file, err := pdf.Notice(notice("en"))
	testkit.Must(f, err)
	f.Add(file)
	f.Fuzz(func(t *testing.T, file []byte) {
		texts, err := kept.Texts(file)
		if (err == nil) == (len(texts) == 0) {
			t.Errorf("%d texts, %v", len(texts), err)
		}
	})
}
