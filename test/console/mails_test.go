//go:build whole

package console_test

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
)

// TestN13EachEmailIsInItsLanguage has a creditor send one e-mail of every kind to a customer who reads Bokmål, and to one who reads
// Nynorsk. None says a word that only the English e-mails or the English console have, nor a code; days, sums and quotes are as
// Norwegians write them.
func TestN13EachEmailIsInItsLanguage(t *testing.T) {
	t.Parallel()
	in := house.Start(t, begins)
	d := &desk{in: in, creditor: in.NewCreditor(t, "Fjord Rør AS")}
	d.api = in.Client(t, d.creditor, models.ScopeAdmin)
	for _, language := range []string{"nb", "nn"} {
		english := wordsOf(t, "en")
		for word := range mailWords(t, "en") {
			english[word] = true
		}
		for _, of := range []map[string]bool{wordsOf(t, language), mailWords(t, language)} {
			for word := range of {
				delete(english, word)
			}
		}
		before := house.Files(t, in.Path("outbox", "email"))
		sendEachEmail(t, d, language)
		seen := map[string]bool{}
		for name, raw := range house.Files(t, in.Path("outbox", "email")) {
			if _, old := before[name]; old {
				continue
			}
			subject, text, attached := readMail(t, raw)
			seen[subject] = true
			said := subject + "\n" + text + "\n" + strings.NewReplacer("-", " ", ".pdf", "").Replace(attached)
			mustBeIn(t, language, name, strings.ReplaceAll(said, "Fjord Rør AS", " "), english)
			if wrong := notNorwegian.FindString(said); wrong != "" {
				t.Errorf("in %s %s says %q:\n%s", language, name, wrong, said)
			}
			for _, sum := range inKroner.FindAllStringSubmatch(said, -1) {
				if !norwegianSum.MatchString(sum[1]) {
					t.Errorf("in %s %s says %q:\n%s", language, name, sum[0], said)
				}
			}
		}
		if len(seen) != 12 {
			t.Errorf("in %s there are %d subjects: %v", language, len(seen), seen)
		}
	}
}

// sendEachEmail has one e-mail of every kind be sent: an invoice and its copies to somebody else and once more, the same of a credit note
// and of notices, more time with interest and without, statements.
func sendEachEmail(t *testing.T, d *desk, language string) {
	t.Helper()
	kari := d.api.Post("/customers", tag("customer", person("Kari Nordmann", "kari@example.no"), tag("language", language))).Created()
	original := tag(`shipment type="original"`, tag("shipment_method", "EMAIL"))
	shipments := tag("shipments", original, tag(`shipment type="copy"`, tag("shipment_method", "EMAIL"), tag("recipient", tag("email", "regnskap@example.no"))))
	issue := func() house.Node {
		return d.api.Post("/invoices", tag("invoice", tag("num_due_days", "14"), `<recipient uri="`+kari.URI()+`"/>`,
			tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", "12345.60"), tag("num_items", "1"), tag("vat_rate", "NONE"))), shipments)).Created()
	}
	next := func() { d.api.MoveClock(d.in.App.Clock.Now().AddDate(0, 0, 1)) }
	again := func(uri string) { d.api.Post(uri+"/copy", tag("copy", tag("shipment_method", "EMAIL"))).Created() }

	overdue, credited, paid := issue(), issue(), issue()
	next()
	again(overdue.URI())
	note := d.api.Post(credited.URI()+"/credit_notes", tag("credit_note", tag("shipments", original))).Created()
	d.api.Post(paid.URI()+"/ar_transactions", tag("ar_transaction", tag("transaction_type", "PAYMENT"), tag("amount", "-12345.60"), tag("transaction_date", d.in.Today().String()))).Created()
	next()
	again(note.URI())
	again(paid.URI())
	for until, waived := range map[int]string{20: "0", 21: "1"} {
		d.api.Put(overdue.URI()+"/more_time", tag("more_time", tag("until", (d.in.Today()+models.Date(until)).String()), tag("waive_interest", waived), tag("shipment_method", "EMAIL"))).Is(http.StatusOK)
		next()
	}
	for _, warning := range []string{"0", "1"} {
		d.api.MoveClock(d.in.App.Clock.Now().AddDate(0, 0, 40))
		notice := d.api.Post(overdue.URI()+"/overdue_notices", tag("overdue_notice", tag("is_incasso_notice", warning))).Created()
		next()
		again(notice.URI())
	}
	for _, period := range []string{"", tag("from_date", "2026-01-01")} {
		d.api.Post(kari.URI()+"/statement", tag("statement", period)).Created()
	}
	next()
}

// mailWords returns the words of the e-mails in a language.
func mailWords(t *testing.T, language string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "mailer", "templates", "*."+language+".txt"))
	must(t, err)
	words := map[string]bool{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		must(t, err)
		for _, said := range word.FindAllString(filledIn.ReplaceAllString(string(content), " "), -1) {
			words[strings.ToLower(said)] = true
		}
	}
	return words
}

// readMail returns what an e-mail says: its subject, its text, and the name of what is attached.
func readMail(t *testing.T, raw []byte) (subject, text, attached string) {
	t.Helper()
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	must(t, err)
	subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	must(t, err)
	_, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	must(t, err)
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	first, err := parts.NextRawPart()
	must(t, err)
	body, err := io.ReadAll(quotedprintable.NewReader(first))
	must(t, err)
	second, err := parts.NextRawPart()
	must(t, err)
	return subject, string(body), second.FileName()
}

var (
	filledIn     = regexp.MustCompile(`\{\{[^}]*\}\}`)
	notNorwegian = regexp.MustCompile(`\d{4}-\d{2}-\d{2}|["“”]|\d\.\d{2}\b[^.\d]|NOK`)
	inKroner     = regexp.MustCompile(`\bkr ([\d ,.]*\d)`)
	norwegianSum = regexp.MustCompile(`^\d{1,3}( \d{3})*,\d{2}$`)
)
