package ehf

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestH2HostileFiles reads what is no document, and what would cost a careless reader memory or time.
func TestH2HostileFiles(t *testing.T) {
	t.Parallel()
	invoice := func(inner string) string {
		return `<Invoice xmlns="` + ublNamespace + `Invoice-2" xmlns:cbc="` + cbcNamespace + `" xmlns:cac="` + cacNamespace + `">` + inner + `</Invoice>`
	}
	for name, text := range map[string]string{
		"nothing":                        "",
		"blanks":                         " \n",
		"text":                           "faktura",
		"text before the root":           "x" + invoice(""),
		"a PDF":                          "%PDF-1.7\n\x00\xff",
		"XML that breaks off":            invoice("")[:60],
		"another document":               `<invoice><num_due_days>14</num_due_days></invoice>`,
		"no namespace":                   `<Invoice/>`,
		"an order":                       `<Order xmlns="` + ublNamespace + `Order-2"/>`,
		"two roots":                      invoice("") + invoice(""),
		"a document type declaration":    `<!DOCTYPE Invoice [<!ENTITY a "b">]>` + invoice("<cbc:ID>&a;</cbc:ID>"),
		"an entity that nobody declared": invoice("<cbc:ID>&a;</cbc:ID>"),
		"UTF-16":                         `<?xml version="1.0" encoding="UTF-16"?>` + invoice(""),
		"bytes that are no UTF-8":        invoice("<cbc:ID>\xff</cbc:ID>"),
		"a deep file":                    invoice(strings.Repeat("<a>", 1000)),
		"a broad file":                   invoice(strings.Repeat("<a/>", maxElements)),
		"a long file":                    invoice(strings.Repeat(" ", MaxSize)),
	} {
		if d, err := Parse([]byte(text)); d != nil || !errors.As(err, new(NoDocument)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	line := `<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount>9</cbc:LineExtensionAmount><cac:Item><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>%d</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item></cac:InvoiceLine>`
	part := `<cac:TaxSubtotal><cbc:TaxableAmount>9</cbc:TaxableAmount><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>%d</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>`
	var lines, parts strings.Builder
	for n := range 5_000 {
		fmt.Fprintf(&lines, line, n)
		fmt.Fprintf(&parts, part, n)
	}
	for name, text := range map[string]string{
		"a text in many pieces":        invoice("<cbc:ID>" + strings.Repeat("a<!-- -->", 300_000) + "</cbc:ID>"),
		"a number of a million digits": invoice("<cac:LegalMonetaryTotal><cbc:PayableAmount>" + strings.Repeat("9", 1_000_000) + "</cbc:PayableAmount></cac:LegalMonetaryTotal>"),
		"many rates":                   invoice("<cac:TaxTotal>" + parts.String() + "</cac:TaxTotal>" + lines.String()),
	} {
		d, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		began := time.Now()
		if len(d.Check()) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
		d.Show()
		if took := time.Since(began); took > time.Minute { // seconds at most, minutes where the time grows with the square
			t.Errorf("%s: it took %s", name, took)
		}
	}
}

// FuzzH2Check reads, checks and shows anything.
func FuzzH2Check(f *testing.F) {
	for _, base := range bases {
		made, err := base()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(made)
	}
	f.Fuzz(func(_ *testing.T, data []byte) {
		if d, err := Parse(data); err == nil {
			d.Check()
			d.Show()
		}
	})
}
