package ehf

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

// numbers with right check digits, and who has them.
var orgnrs = []string{"974760673", "987654325", "889640782", "914778271"}

// lot is an invoice with what may become of it.
type lot struct {
	creditor models.Creditor
	invoice  models.Invoice
	lines    []models.Line
	credit   models.CreditNote
	notice   models.Notice
	owed     []models.NoticeLine
}

// texts are what people write, with all that XML and the rules about blanks make of it.
func texts(most int) *rapid.Generator[string] {
	word := rapid.SampledFrom([]string{"Arbeid", "Ærlig Øl", "a & b", "<b>", `"sitert"`, "x\ty", "linje\nskift", "—", "日本語", "🫐", "0", "]]>", "&amp;", "'", "\u00a0", "é"})
	return rapid.Custom(func(t *rapid.T) string {
		words := rapid.SliceOfN(word, 1, 4).Draw(t, "words")
		text := strings.Join(words, " ")
		if strings.TrimSpace(text) == "" {
			text = "x" // purr takes no blank text
		}
		return models.Shorten(text, most)
	})
}

func maybe(t *rapid.T, g *rapid.Generator[string], label string) string {
	if rapid.Bool().Draw(t, label+"?") {
		return g.Draw(t, label)
	}
	return ""
}

func drawRecipient(t *rapid.T, label string) models.Recipient {
	text := texts(100)
	return models.Recipient{
		Name1: text.Draw(t, label+" name1"), Name2: maybe(t, text, label+" name2"), Address1: maybe(t, text, label+" address1"), Address2: maybe(t, text, label+" address2"),
		PostalCode: rapid.SampledFrom([]string{"5003", "0155", "SE-111 22"}).Draw(t, label+" code"), PostalName: text.Draw(t, label+" place"),
		CountryCode: rapid.SampledFrom([]string{"NO", "NO", "SE", "GB"}).Draw(t, label+" country"), Email: rapid.SampledFrom([]string{"", "a@b.example"}).Draw(t, label+" email"),
		CustomerNumber: maybe(t, text, label+" number"), OrganisationNumber: rapid.SampledFrom(orgnrs[:2]).Draw(t, label+" orgnr"),
	}
}

func drawCreditor(t *rapid.T) models.Creditor {
	c := models.NewCreditor(texts(80).Draw(t, "name") + rapid.SampledFrom([]string{" AS", " ASA", " ENK", ""}).Draw(t, "form"))
	c.OrganisationNumber, c.VATKnown = orgnrs[0], true
	c.VATRegistered = rapid.Bool().Draw(t, "registered")
	c.VATExemption = rapid.SampledFrom([]models.VATExemption{"", models.VATExempt, models.VATZero}).Draw(t, "exemption")
	c.BusinessRegister = rapid.SampledFrom([]*bool{nil, new(true), new(false)}).Draw(t, "register")
	c.Address1, c.Address2 = maybe(t, texts(100), "address1"), maybe(t, texts(100), "address2")
	c.PostalCode, c.PostalName = maybe(t, texts(16), "code"), maybe(t, texts(60), "place")
	c.Email, c.Phone = rapid.SampledFrom([]string{"", "post@x.example"}).Draw(t, "email"), rapid.SampledFrom([]string{"", "+47 22 33 44 55"}).Draw(t, "phone")
	c.BankAccount = rapid.SampledFrom([]string{"", "12345678903"}).Draw(t, "account")
	c.EHFDefaultReference = texts(100).Draw(t, "default reference")
	return c
}

// drawLine draws a line at a rate that Norway has or had, or that a creditor has set.
func drawLine(t *rapid.T, registered bool) models.Line {
	l := models.Line{Text: texts(250).Draw(t, "text"), VAT: models.VATNone}
	l.UnitPrice = models.Price(rapid.SampledFrom([]int64{1, 1, 100, 10_000, 100_000}).Draw(t, "unit") * rapid.Int64Range(-9_999, 99_999).Draw(t, "price"))
	l.NumItems = models.Quantity(rapid.SampledFrom([]int64{1, 125, 1000}).Draw(t, "part") * rapid.Int64Range(-50, 500).Draw(t, "items"))
	if rapid.Bool().Draw(t, "discount?") {
		l.Discount = new(models.Percent(rapid.OneOf(rapid.Int64Range(0, 100_00), rapid.Just(int64(100_00))).Draw(t, "discount")))
	}
	if registered && rapid.IntRange(0, 3).Draw(t, "rate?") > 0 {
		l.VAT = models.VATHigh
		l.VATPercent = models.Percent(rapid.OneOf(rapid.SampledFrom([]int64{25_00, 15_00, 12_00, 11_11, 8_00}), rapid.Int64Range(50, 100_00)).Draw(t, "rate"))
	}
	if l.VAT == models.VATNone {
		l.VATExemption = rapid.SampledFrom([]models.VATExemption{"", "", models.VATExempt, models.VATZero}).Draw(t, "of the line")
	}
	return l
}

func drawLines(t *rapid.T, registered bool) []models.Line {
	lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) models.Line { return drawLine(t, registered) }), 1, 30).Draw(t, "lines")
	var others models.Amount
	last := &lines[len(lines)-1]
	for i := range lines {
		lines[i].Position = i + 1
		if err := lines[i].Price(); err != nil {
			t.Fatal(err)
		}
		others += lines[i].Gross
	}
	if others -= last.Gross; others+last.Gross <= 0 { // an invoice asks for money
		*last = models.Line{Text: "Rest", VAT: last.VAT, VATPercent: last.VATPercent, UnitPrice: models.Price(max(1_00, 1_00-others)) * 100, NumItems: 1000, Position: last.Position}
		if err := last.Price(); err != nil {
			t.Fatal(err)
		}
	}
	return lines
}

func drawLot(t *rapid.T) lot {
	s := lot{creditor: drawCreditor(t)}
	s.lines = drawLines(t, s.creditor.VATRegistered)
	net, gross, err := models.Totals(s.lines)
	if err != nil {
		t.Fatalf("%v: %+v", err, s.lines)
	}
	issued := models.Date(rapid.IntRange(9_000, 11_000).Draw(t, "issued"))
	s.invoice = models.Invoice{
		ID: 1, Number: rapid.Int64Range(1, 999_999_999).Draw(t, "number"), IssueDate: issued, DueDate: issued + 14, Net: net, Gross: gross,
		Note: maybe(t, texts(2000), "note"), KID: "0000000018", BankAccount: s.creditor.BankAccount, Recipient: drawRecipient(t, "to"),
		Order: models.Order{
			YourReference: maybe(t, texts(100), "your reference"), OrderNumber: maybe(t, texts(100), "order number"), DeliveryPlace: maybe(t, texts(100), "delivered to"),
			DeliveryDate: rapid.SampledFrom([]models.Date{0, issued}).Draw(t, "delivered"),
		},
	}
	s.credit = models.CreditNote{
		ID: 1, Number: s.invoice.Number + 1, IssueDate: issued + 3, Net: net, Gross: gross, Comment: maybe(t, texts(500), "comment"), KID: "0000000026",
		BankAccount: s.creditor.BankAccount, Recipient: drawRecipient(t, "credited"),
	}
	s.notice, s.owed = drawNotice(t, s.invoice)
	return s
}

// drawNotice draws a notice on an invoice that has lived: parts paid, fees and interest, each reversed in part or whole,
// and repayments.
func drawNotice(t *rapid.T, i models.Invoice) (models.Notice, []models.NoticeLine) {
	lines := []models.NoticeLine{{Text: "Fakturabeløp", Type: models.EntryInvoice, Gross: i.Gross}}
	owed := i.Gross
	add := func(text string, kind models.EntryType, a models.Amount) {
		if a == 0 || owed+a <= 0 { // a notice asks for money
			return
		}
		owed += a
		lines = append(lines, models.NoticeLine{Text: text, Type: kind, Gross: a})
	}
	for n := range rapid.IntRange(0, 6).Draw(t, "lived") {
		some := models.Amount(rapid.Int64Range(1, 2000_00).Draw(t, fmt.Sprint("some ", n)))
		switch rapid.IntRange(0, 5).Draw(t, fmt.Sprint("what ", n)) {
		case 0:
			add("Betaling", models.EntryPayment, -some)
		case 1:
			add("Tilbakebetaling", models.EntryOCR, min(some, 100_00))
		case 2:
			add("Purregebyr", models.EntryOverdueCharge, rapid.SampledFrom([]models.Amount{35_00, 38_00, 380_00}).Draw(t, "fee"))
		case 3:
			add("Forsinkelsesrente", models.EntryInterest, some%500_00)
		case 4: // a fee or interest is reversed
			l := lines[rapid.IntRange(0, len(lines)-1).Draw(t, "of")]
			if reversed := sumOf(lines, l.Type); l.Type == models.EntryOverdueCharge || l.Type == models.EntryInterest {
				add("Tilbakeført", l.Type, -min(reversed, rapid.SampledFrom([]models.Amount{l.Gross, some}).Draw(t, "reversed")))
			}
		case 5:
			add("Kreditnota", models.EntryCreditNote, -some)
		}
	}
	for n := range lines {
		lines[n].Position, lines[n].TransactionDate = n+1, i.IssueDate+models.Date(n)
		lines[n].Text += " " + lines[n].TransactionDate.String()
	}
	return models.Notice{
		ID: 1, Sequence: rapid.IntRange(1, 2).Draw(t, "sequence"), IssueDate: i.DueDate + 14, DueDate: i.DueDate + 28, Warning: rapid.Bool().Draw(t, "warning"),
		Gross: owed, Comment: maybe(t, texts(500), "comment of the notice"), KID: i.KID, Recipient: drawRecipient(t, "noticed"),
	}, lines
}

func sumOf(lines []models.NoticeLine, kind models.EntryType) (sum models.Amount) {
	for _, l := range lines {
		if l.Type == kind {
			sum += l.Gross
		}
	}
	return sum
}

// made are the documents of a lot, and what each must ask for.
type made struct {
	name    string
	bytes   []byte
	payable models.Amount
}

func (s lot) documents() ([]made, error) {
	pdf := []byte("%PDF-1.7\n")
	invoice, err := Invoice(InvoiceInput{s.creditor, s.invoice, s.lines, pdf})
	if err != nil {
		return nil, fmt.Errorf("invoice: %w", err)
	}
	credit, err := CreditNote(CreditNoteInput{s.creditor, s.credit, s.invoice, s.lines, pdf})
	if err != nil {
		return nil, fmt.Errorf("credit note: %w", err)
	}
	notice, err := Reminder(ReminderInput{s.creditor, s.notice, s.owed, s.invoice, s.lines, s.notice.Sequence % 2})
	if err != nil {
		return nil, fmt.Errorf("notice: %w", err)
	}
	return []made{{"invoice", invoice, s.invoice.Gross}, {"credit_note", credit, s.credit.Gross}, {"notice", notice, s.notice.Gross}}, nil
}

// TestH2RandomDocumentsHold makes twelve hundred documents, ten thousand with -rapid.checks 850. Each holds by every check,
// and has the ledger's sums to the øre. With PURR_EHF_DIR it keeps some of them there, so that the official rules can be
// held against them.
func TestH2RandomDocumentsHold(t *testing.T) {
	t.Parallel()
	const lotsEach = 4 // of three documents; rapid checks a hundred times
	count, dir := 0, os.Getenv("PURR_EHF_DIR")
	rapid.Check(t, func(t *rapid.T) {
		for n := range lotsEach {
			s := drawLot(t)
			documents, err := s.documents()
			if err != nil {
				t.Fatalf("%v\n%+v", err, s)
			}
			for _, m := range documents {
				s.holds(t, m)
				if dir != "" && n == 0 {
					count++
					if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d-%s.xml", count, m.name)), m.bytes, 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

// holds holds a document's sums against the rows that it is made of. That it breaks no rule was checked when it was made.
func (s lot) holds(t *rapid.T, m made) {
	d, err := Parse(m.bytes)
	if err != nil {
		t.Fatal(err)
	}
	says := func(what string, got *big.Rat, want models.Amount) {
		if got.FloatString(2) != want.String() {
			t.Fatalf("%s: %s is %s, want %s\n%s", m.name, what, got.FloatString(2), want, m.bytes)
		}
	}
	says("PayableAmount", d.total("cbc:PayableAmount"), m.payable)
	says("LineExtensionAmount", d.total("cbc:LineExtensionAmount"), s.invoice.Net)
	says("the VAT", d.tax().number("cbc:TaxAmount"), s.invoice.Gross-s.invoice.Net)
	if m.name != "notice" {
		says("TaxInclusiveAmount", d.total("cbc:TaxInclusiveAmount"), s.invoice.Gross)
		return
	}
	fees, interest := new(big.Rat), new(big.Rat)
	for _, a := range d.root.all("cac:AllowanceCharge") {
		if a.value("cbc:AllowanceChargeReasonCode") == "REM" {
			fees.Add(fees, a.number("cbc:Amount"))
		} else {
			interest.Add(interest, a.number("cbc:Amount"))
		}
	}
	says("the fees", fees, sumOf(s.owed, models.EntryOverdueCharge))
	says("the interest", interest, sumOf(s.owed, models.EntryInterest))
	says("PrepaidAmount", d.total("cbc:PrepaidAmount"), -sumOf(s.owed, models.EntryPayment)-sumOf(s.owed, models.EntryOCR)-sumOf(s.owed, models.EntryCreditNote))
}
