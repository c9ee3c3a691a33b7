package pdf

import (
	"os"
	"path/filepath"
	"testing"

	"purr/models"
	"purr/test/testkit"
)

// sample is a document to be drawn.
type sample struct {
	name      string
	languages []string
	draw      func(language string) ([]byte, error)
}

var (
	every   = []string{"nb", "nn", "en"}
	samples = []sample{
		{"invoice", every, func(l string) ([]byte, error) { return Invoice(shortInvoice(l)) }},
		{"invoice_plain", every[:1], func(l string) ([]byte, error) { return Invoice(plainInvoice(l)) }},
		{"invoice_business", every, func(l string) ([]byte, error) { return Invoice(businessInvoice(l)) }},
		{"invoice_long", every[:1], func(l string) ([]byte, error) { return Invoice(longInvoice(l)) }},
		{"invoice_many", every, func(l string) ([]byte, error) { return Invoice(hugeInvoice(l, 45)) }},
		{"invoice_most", every[:1], func(l string) ([]byte, error) { return Invoice(hugeInvoice(l, models.MostLines)) }},
		{"invoice_logo", every[:1], func(l string) ([]byte, error) { return Invoice(withLogo(l, 1200, 300)) }},
		{"invoice_logo_tall", every[:1], func(l string) ([]byte, error) { return Invoice(withLogo(l, 200, 640)) }},
		{"invoice_wide", every[:1], func(l string) ([]byte, error) { return Invoice(wideInvoice(l)) }},
		{"invoice_letters", every[:1], func(l string) ([]byte, error) { return Invoice(lettersInvoice(l)) }},
		{"credit_note", every, func(l string) ([]byte, error) { return CreditNote(shortCreditNote(l)) }},
		{"credit_note_part", every, func(l string) ([]byte, error) { return CreditNote(partCreditNote(l)) }},
		{"credit_note_free", every, func(l string) ([]byte, error) { return CreditNote(freeCreditNote(l)) }},
		{"credit_note_long", every[:1], func(l string) ([]byte, error) { return CreditNote(longCreditNote(l)) }},
		{"reminder", every, func(l string) ([]byte, error) { return Notice(reminder(l)) }},
		{"reminder_free", every, func(l string) ([]byte, error) { return Notice(freeReminder(l)) }},
		{"reminder_second", every, func(l string) ([]byte, error) { return Notice(secondReminder(l)) }},
		{"reminder_announcing", every, func(l string) ([]byte, error) { return Notice(announcement(l)) }},
		{"reminder_compensation", every, func(l string) ([]byte, error) { return Notice(compensated(l)) }},
		{"warning", every, func(l string) ([]byte, error) { return Notice(warning(l)) }},
		{"letter", every, func(l string) ([]byte, error) { return Letter(letter(l, 3, false)) }},
		{"letter_of_one", every, func(l string) ([]byte, error) { return Letter(letter(l, 1, false)) }},
		{"letter_of_forty", every, func(l string) ([]byte, error) { return Letter(letter(l, 40, false)) }},
		{"letter_warning", every, func(l string) ([]byte, error) { return Letter(letter(l, 3, true)) }},
		{"warning_abroad", every[2:], func(l string) ([]byte, error) { return Notice(abroad(l)) }},
		{"statement", every, func(l string) ([]byte, error) { return Statement(statement(l)) }},
		{"time_letter", every, func(l string) ([]byte, error) { return timeLetter(l, false) }},
		{"time_letter_waived", every, func(l string) ([]byte, error) { return timeLetter(l, true) }},
		{"correction", every, func(l string) ([]byte, error) { return correction(l, false) }},
		{"correction_paid", every, func(l string) ([]byte, error) { return correction(l, true) }},
		{"reminder_preview", every, func(l string) ([]byte, error) {
			in := reminder(l)
			in.Preview = true
			return Notice(in)
		}},
		{"payment_plan", every, func(l string) ([]byte, error) { return PaymentPlan(paymentPlan(l, 3)) }},
		{"payment_plan_long", every[:1], func(l string) ([]byte, error) { return PaymentPlan(paymentPlan(l, models.MaxInstalments)) }},
		{"audit", every, func(l string) ([]byte, error) { return Audit(auditSample(l)) }},
		{"invoice_page", every, func(l string) ([]byte, error) { return Invoice(withPage(shortInvoice(l))) }},
		{"invoice_page_drawn", every[:1], func(l string) ([]byte, error) { return Invoice(withPage(drawnInvoice(l))) }},
		{"invoice_page_many", every[:1], func(l string) ([]byte, error) { return Invoice(withPage(hugeInvoice(l, 45))) }},
		{"invoice_page_long", every[:1], func(l string) ([]byte, error) { return Invoice(withPage(longInvoice(l))) }},
		{"invoice_page_wide", every[:1], func(l string) ([]byte, error) { return Invoice(withPage(lettersInvoice(l))) }},
		{"reminder_page", every[1:2], func(l string) ([]byte, error) { return Notice(noticeWithPage(reminder(l))) }},
		{"warning_page", every, func(l string) ([]byte, error) { return Notice(noticeWithPage(warning(l))) }},
		{"warning_page_abroad", every[2:], func(l string) ([]byte, error) { return Notice(noticeWithPage(abroad(l))) }},
		{"notice_page_long", every[2:], func(l string) ([]byte, error) { return Notice(noticeWithPage(longNotice(l))) }},
		{"letter_page", every, func(l string) ([]byte, error) { return Letter(letterWithPage(letter(l, 3, false))) }},
		{"letter_page_of_forty", every[:1], func(l string) ([]byte, error) { return Letter(letterWithPage(letter(l, 40, true))) }},
		{"notice_long", every[2:], func(l string) ([]byte, error) { return Notice(longNotice(l)) }},
	}
)

// TestGolden holds what every document says and where.
func TestGolden(t *testing.T) {
	for _, s := range samples {
		for _, language := range s.languages {
			name := s.name + "_" + language
			t.Run(name, func(t *testing.T) {
				file, err := s.draw(language)
				if err != nil {
					t.Fatal(err)
				}
				testkit.Golden(t, "testdata/"+name+".txt", listing(t, file))
				if dir := os.Getenv("PURR_PDF_DIR"); dir != "" && testkit.Updates() {
					write(t, filepath.Join(dir, name+".pdf"), file)
				}
			})
		}
	}
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	if err := os.WriteFile(name, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
