package ehf

import (
	"fmt"
	"strings"

	"purr/models"
)

// Shown is a document in the words of a person, for show.
type Shown struct {
	Title  string // what it is, and its number
	Facts  [][2]string
	Lines  [][]string // quantity, text, price, VAT, net
	Totals [][2]string
}

// LineHeadings are the headings of Shown.Lines.
var LineHeadings = []string{"QUANTITY", "TEXT", "PRICE", "VAT", "NET"}

// longest is the most characters of a text that is shown. Texts are somebody else's.
const longest = 200

// Show returns number, dates, parties, lines and totals of the document. What the document does not have is left out.
func (d *Document) Show() Shown {
	text := func(path string) string { return models.Foreign(d.root.value(path), longest) }
	title := map[models.DocumentKind]string{ //nolint:exhaustive // a statement has no EHF
		models.InvoiceDocument: "Invoice", models.CreditNoteDocument: "Credit note", models.NoticeDocument: "Reminder",
	}[d.kind]
	s := Shown{Title: strings.TrimSpace(title + " " + text("cbc:ID"))}
	for _, f := range [][2]string{
		{"issued", text("cbc:IssueDate")},
		{"due", text("cbc:DueDate")},
		{"delivered", text("cac:Delivery/cbc:ActualDeliveryDate")},
		{"about invoice", text("cac:BillingReference/cac:InvoiceDocumentReference/cbc:ID")},
		{"from", d.party(seller)},
		{"to", d.party(buyers)},
		{"buyer's reference", text("cbc:BuyerReference")},
		{"order number", text("cac:OrderReference/cbc:ID")},
		{"note", text("cbc:Note")},
		{"account", text("cac:PaymentMeans/cac:PayeeFinancialAccount/cbc:ID")},
		{"KID", text("cac:PaymentMeans/cbc:PaymentID")},
	} {
		if f[1] != "" {
			s.Facts = append(s.Facts, f)
		}
	}
	for _, a := range d.root.all("cac:AdditionalDocumentReference") {
		file := a.at("cac:Attachment/cbc:EmbeddedDocumentBinaryObject")
		if file != nil {
			s.Facts = append(s.Facts, [2]string{"attached", models.Foreign(file.attribute("filename")+" "+file.attribute("mimeCode"), longest)})
		}
	}
	for _, l := range d.lines() {
		quantity := ""
		if q := quantityOf(l); q != nil {
			quantity = models.Foreign(q.text+" "+q.attribute("unitCode"), longest)
		}
		s.Lines = append(s.Lines, []string{
			quantity, models.Foreign(l.value("cac:Item/cbc:Name"), longest), models.Foreign(l.value("cac:Price/cbc:PriceAmount"), longest),
			taxShown(l.at("cac:Item/cac:ClassifiedTaxCategory")), models.Foreign(l.value("cbc:LineExtensionAmount"), longest),
		})
	}
	s.Totals = d.totalsShown()
	return s
}

// totalsShown returns the charges, the VAT and the totals.
func (d *Document) totalsShown() (totals [][2]string) {
	add := func(name, amount string) {
		if amount != "" {
			totals = append(totals, [2]string{name, models.Foreign(amount, longest)})
		}
	}
	add("lines", d.root.value("cac:LegalMonetaryTotal/cbc:LineExtensionAmount"))
	for _, a := range d.root.all("cac:AllowanceCharge") {
		sign := "-"
		if isCharge(a) {
			sign = ""
		}
		add(models.Foreign(a.value("cbc:AllowanceChargeReason"), longest), sign+a.value("cbc:Amount"))
	}
	for _, t := range d.root.all("cac:TaxTotal/cac:TaxSubtotal") {
		add(fmt.Sprintf("VAT %s of %s", taxShown(t.at("cac:TaxCategory")), models.Foreign(t.value("cbc:TaxableAmount"), longest)), t.value("cbc:TaxAmount"))
	}
	add("total", d.root.value("cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount"))
	add("paid", d.root.value("cac:LegalMonetaryTotal/cbc:PrepaidAmount"))
	add("to pay", strings.TrimSpace(d.root.value("cac:LegalMonetaryTotal/cbc:PayableAmount")+" "+d.root.value("cbc:DocumentCurrencyCode")))
	return totals
}

// party returns a party's name, organisation number and address.
func (d *Document) party(path string) string {
	p := d.root.at(path)
	if p == nil {
		return ""
	}
	var parts []string
	for _, part := range []string{
		p.value("cac:PartyLegalEntity/cbc:RegistrationName"), p.value("cbc:EndpointID"), p.value("cac:PostalAddress/cbc:StreetName"),
		strings.TrimSpace(p.value("cac:PostalAddress/cbc:PostalZone") + " " + p.value("cac:PostalAddress/cbc:CityName")),
		p.value("cac:PostalAddress/cac:Country/cbc:IdentificationCode"),
	} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return models.Foreign(strings.Join(parts, ", "), longest)
}

// taxShown returns a VAT category with its percent.
func taxShown(category *element) string {
	if category == nil {
		return ""
	}
	shown := category.value("cbc:ID")
	if percent := category.value("cbc:Percent"); percent != "" {
		shown += " " + percent + " %"
	}
	return models.Foreign(shown, longest)
}
