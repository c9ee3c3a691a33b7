package mailer

import (
	"embed"
	"fmt"
	"strings"
	"text/template"

	"purr/models"
)

// Cover is what the e-mail around a document says.
type Cover struct {
	Kind        models.DocumentKind // an invoice or a credit note: notices go on paper (rule D30)
	Copy        bool                // goes to somebody else than the customer
	Creditor    string
	Customer    string
	Number      int64         // the document's
	Invoice     int64         // of a credit note: the number of the credited invoice
	Amount      models.Amount // gross, in øre
	DueDate     models.Date   // of an invoice
	BankAccount string        // of an invoice; may be empty
	KID         string        // of an invoice
}

// Text is a cover written out in one language.
type Text struct {
	Subject  string
	Body     string
	FileName string // of the attached PDF
}

// texts holds a template for each kind of document and language, KIND.LANGUAGE.txt. Its first line is
// the subject, its second the attachment's name, the rest the body.
//
//go:embed templates/*.txt
var texts embed.FS

var templates = map[string]*template.Template{
	"nb": parse("nb", norwegianAmount, norwegianDate),
	"nn": parse("nn", norwegianAmount, norwegianDate),
	"en": parse("en", englishAmount, englishDate),
}

func parse(language string, amount func(models.Amount) string, date func(models.Date) string) *template.Template {
	functions := template.FuncMap{"amount": amount, "date": date, "account": account}
	return template.Must(template.New(language).Funcs(functions).ParseFS(texts, "templates/*."+language+".txt"))
}

// Text writes the cover in a customer's language (rule E6e): nb, nn or en; any other is nb.
func (c Cover) Text(language string) (Text, error) {
	if templates[language] == nil {
		language = "nb"
	}
	var b strings.Builder
	if err := templates[language].ExecuteTemplate(&b, string(c.Kind)+"."+language+".txt", c); err != nil {
		return Text{}, fmt.Errorf("mailer: write the e-mail around a document: %w", err)
	}
	subject, rest, _ := strings.Cut(b.String(), "\n")
	name, body, _ := strings.Cut(rest, "\n")
	return Text{Subject: subject, Body: strings.TrimLeft(body, "\n"), FileName: name}, nil
}
