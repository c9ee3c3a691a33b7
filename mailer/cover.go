package mailer

import (
	"embed"
	"fmt"
	"strings"
	"sync"
	"text/template"

	"purr/models"
)

// Cover is what the e-mail around a document says.
type Cover struct {
	Kind         models.DocumentKind // a warning goes on paper (rule D30), so that its e-mail is a copy
	Copy         bool                // for somebody else than the customer
	Again        bool                // for the customer, who has had it before (rule N4)
	Unpaid       models.Amount       // of one that comes again: what the creditor still claims of the invoice, in øre
	Warning      bool                // of a notice: it is a warning
	Creditor     string              // by the name that the document shows (rule D112)
	Customer     string
	Number       int64             // of the document; of a statement the customer's ID
	Invoice      int64             // the number of the invoice that the document is or is about
	Amount       models.Amount     // gross, in øre
	DueDate      models.Date       // of an invoice
	BankAccount  string            // of an invoice; may be empty
	KID          string            // of an invoice
	Drawn        bool              // the invoice is drawn by AvtaleGiro (rule G3)
	Ordinary     models.Date       // until when an invoice that is not drawn after all asks to be paid (rule G3a), or zero
	Time         models.TimeLetter // what it tells of more time for an invoice (rule N11), with the invoice attached
	Correction   models.Correction // what it tells of charges that were wrong (rule U6), with the invoice attached
	Friendly     bool              // it reminds of an invoice, and is no notice (rule L14), with the invoice attached
	Overdue      bool              // of a friendly reminder: the due date has passed
	Notice       bool              // a reminder itself, and no copy (rule L22)
	Until        models.Date       // of a reminder, its deadline
	Fee          models.Amount     // of a reminder, as the interest is, in øre
	Interest     models.Amount
	Invoices     int         // of a letter for several invoices: how many (rule L23)
	Compensation bool        // of a reminder: the fee is standard compensation
	Page         string      // the whole address of the debtor's page (rule W1), or empty; a copy for somebody else does not tell it
	From, To     models.Date // of a statement, both inclusive; From may be zero
}

// Text is a cover in one language.
type Text struct {
	Subject  string
	Body     string
	FileName string // of the attached PDF
}

// texts holds a template for each kind of document and language, KIND.LANGUAGE.txt, and those of letters of more time and of corrections. Its first line is the subject, its
// second the attachment's name, and the rest the body.
//
//go:embed templates/*.txt
var texts embed.FS

// templates are the texts by language. They are read when the first e-mail is written.
var templates = sync.OnceValue(func() map[string]*template.Template {
	return map[string]*template.Template{
		"nb": parse("nb", norwegianAmount, norwegianDate),
		"nn": parse("nn", norwegianAmount, norwegianDate),
		"en": parse("en", englishAmount, englishDate),
	}
})

func parse(language string, amount func(models.Amount) string, date func(models.Date) string) *template.Template {
	functions := template.FuncMap{"amount": amount, "date": date, "account": account, "minus": func(a models.Amount) models.Amount { return -a }}
	return template.Must(template.New(language).Funcs(functions).ParseFS(texts, "templates/*."+language+".txt"))
}

// Text writes the cover in its document's language: nb, nn or en (rule E6e). For any other language it is in nb. The subject names the
// creditor as the document does (rule D111).
func (c Cover) Text(language string) (Text, error) {
	if templates()[language] == nil {
		language = "nb"
	}
	if c.Kind.OnlyBy() == models.ByPaper && !c.Again && (!c.Notice || c.Warning) {
		return Text{}, fmt.Errorf("mailer: %s %d goes on paper", c.Kind, c.Number)
	}
	var b strings.Builder
	if err := templates()[language].ExecuteTemplate(&b, c.template()+"."+language+".txt", c); err != nil {
		return Text{}, fmt.Errorf("mailer: write the e-mail around a document: %w", err)
	}
	subject, rest, _ := strings.Cut(b.String(), "\n")
	name, body, _ := strings.Cut(rest, "\n")
	return Text{Subject: models.Printed(subject), Body: strings.TrimLeft(body, "\n"), FileName: name}, nil
}

// template returns the name of the template, without the language.
func (c Cover) template() string {
	if c.Time.Until != 0 {
		return "more_time"
	}
	if c.Correction.Day != 0 {
		return "correction"
	}
	if c.Ordinary != 0 {
		return "not_drawn"
	}
	if c.Friendly {
		return "friendly_reminder"
	}
	if c.Notice && !c.Kind.Joint() {
		return "reminder"
	}
	return string(c.Kind)
}

// norwegianAmount returns kroner as Norwegians write them: "1 250,00".
func norwegianAmount(a models.Amount) string { return models.GroupDigits(a.String(), " ", ",") }

// englishAmount returns kroner as in English: "1,250.00".
func englishAmount(a models.Amount) string { return models.GroupDigits(a.String(), ",", ".") }

// norwegianDate returns dd.mm.yyyy.
func norwegianDate(d models.Date) string { return d.Time().Format("02.01.2006") }

// englishDate returns the day with the name of the month, so that day and month cannot be confused.
func englishDate(d models.Date) string { return d.Time().Format("2 January 2006") }

func account(number string) string { return models.GroupAccount(number, " ") }
